/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One line that says where the campaign is: rewritten in place on a terminal, a line a cell
 * elsewhere. */
#ifndef RUN_PROGRESS_H
#define RUN_PROGRESS_H

#include "run/plan.h"
#include <stdbool.h>

struct progress {
	bool quiet, terminal;
	uint64_t start_ns;
	double left_ns; /* of the cells still to run */
	int done, todo; /* cells of this start */
};

/* Time that a cell takes, ns: warm-up, window, and what switching, starting and publishing cost. */
double progress_cell_ns(const struct plan *plan, size_t point, double warmup_ns, double window_ns);

void progress_start(struct progress *progress, int todo, double total_ns, bool quiet);
void progress_cell(struct progress *progress, const struct plan *plan,
		   const struct plan_cell *cell);
void progress_done(struct progress *progress, double cell_ns);
void progress_end(struct progress *progress);

/* "1:02:03" */
void progress_time_text(double ns, char *text, size_t size);

#endif
