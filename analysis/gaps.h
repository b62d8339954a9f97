/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Idle gaps as text: one duration a line, or columns with a header. A gap reaches from the end of
 * the work to what ended the idleness; the ticks inside are not part of the file, they are the
 * modelled governor's doing.
 */
#ifndef ANALYSIS_GAPS_H
#define ANALYSIS_GAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gap {
	int64_t start_ns, length_ns; /* both >= 0 and their sum below 10^18 */
	bool timer; /* what ends it is a timer, known from the start; else an interrupt */
};

struct gaps {
	struct gap *gap;
	size_t n;
};

/*
 * @path plain or .xz. @timer: the class where no column says it. @work_ns: between two gaps where
 * no column says when they start. Usage error "path:line: ...".
 */
int gaps_load(const char *path, bool timer, int64_t work_ns, struct gaps *ret);
void gaps_free(struct gaps *gaps);

#endif
