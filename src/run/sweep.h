/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The values of one key of a suite: one value, a list ("73Hz 113Hz" or with commas), or a range
 * "lo..hi linear N" / "lo..hi log N".
 */
#ifndef RUN_SWEEP_H
#define RUN_SWEEP_H

#include "workloads/param.h"

#define SWEEP_POINTS_MAX 10000

struct sweep {
	struct param_value *value;
	size_t n; /* 1 = no axis */
	bool replaced; /* by the command line: further ones there add to it */
	char *text; /* of a free text: what value[0].text points to; else NULL */
};

/*
 * "log" with lo = 0: the first point is 0, the others go geometrically from hi/1000 to hi. Values
 * between the ends are rounded to four significant digits (counts to integers), equal neighbours
 * fold into one.
 * Usage errors without a place: an empty list, an empty range, lo above hi, a value twice, a range
 * of words, N below 2 or above SWEEP_POINTS_MAX.
 */
int sweep_parse(const struct param *param, const char *text, struct sweep *ret);

/* A further line of a repeatable free text. */
int sweep_append(const struct param *param, const char *text, struct sweep *sweep);

void sweep_free(struct sweep *sweep);

#endif
