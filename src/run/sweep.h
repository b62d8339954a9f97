/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The values of one key of a suite: one value, a list ("73Hz 113Hz" or with commas), a range
 * "lo..hi linear N" / "lo..hi log N", or "lo..hi [linear|log] adaptive N": N of the points of the
 * range of SWEEP_ADAPTIVE_FULL times N, chosen while the campaign runs.
 */
#ifndef RUN_SWEEP_H
#define RUN_SWEEP_H

#include "workloads/param.h"

#define SWEEP_POINTS_MAX 10000
#define SWEEP_ADAPTIVE_FULL                                                                        \
	5 /* times as many points has the sweep that an adaptive one stands for */
#define SWEEP_ADAPTIVE_MIN 8

struct sweep {
	struct param_value *value;
	size_t n; /* 1 = no axis */
	size_t *at; /* of a range: each value's place on its scale; NULL: at equal steps */
	size_t wanted; /* of an adaptive one: how many of them are to be measured; else 0 */
	bool replaced; /* by the command line: further ones there add to it */
	char *text; /* of a free text: what value[0].text points to; else NULL */
};

/*
 * "log" with lo = 0: the first point is 0, the others go geometrically from hi/1000 to hi. Values
 * between the ends are rounded to four significant digits (counts to integers), equal neighbours
 * fold into one.
 * An adaptive range without a scale has the logarithmic one.
 * Usage errors without a place: an empty list, an empty range, lo above hi, a value twice, a range
 * of words, N below 2 or above SWEEP_POINTS_MAX; adaptive: N below SWEEP_ADAPTIVE_MIN, or no fewer
 * than the range has values.
 */
int sweep_parse(const struct param *param, const char *text, struct sweep *ret);

/* A further line of a repeatable free text. */
int sweep_append(const struct param *param, const char *text, struct sweep *sweep);

void sweep_free(struct sweep *sweep);

#endif
