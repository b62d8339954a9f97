/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bi-stability (P-55): do the runs of one point fall into two groups, and does a curve jump back
 * and forth between two branches? Neither has a mean or a median that describes it. The rules are
 * here and nowhere else; docs/result-format.md states them for readers.
 */
#ifndef ANALYSIS_MODES_H
#define ANALYSIS_MODES_H

#include <stdbool.h>
#include <stddef.h>

#define MODES_N_MIN 6 /* runs below which two groups are not looked for */

struct modes {
	size_t low_n; /* runs in the lower of two groups; 0 = there is one group, all else is NAN */
	double low, high; /* means of the groups */
};

/*
 * @sorted: ascending, finite. On logarithms (as they are, when one is not above 0) there are two
 * groups when either rule says so, and only if their means are further apart than 5 % of the mean
 * of all:
 *
 * gap: cut at the widest gap, at least two runs a side; the gap is wider than three times what the
 * wider group spans, of fewer than 10 runs than 13 - n times.
 *
 * split (from 8 runs on): the best cut in two normal distributions, each of its own width, with at
 * least three runs and a fifth of them, raises the logarithm of the likelihood by more than
 * 14 + 0.6 n, and the gap is wider than three standard deviations of the narrower group. Finds a
 * narrow group beside a wide one.
 *
 * Of normal, log-normal or exponential runs (simulated) about 1 in 1000 samples look so.
 */
void modes_find(const double *sorted, size_t n, struct modes *ret);

/*
 * Marks the points of a curve that lie where it jumps between two branches; @y in order of x, NAN =
 * no value; @at: places on the sweep's scale, NULL = at equal steps. A jump is a step between
 * neighbours, less what the running median of the slopes makes of it, of more than
 * 10 % and 6 robust standard deviations. Three changes of direction between jumps that are at most
 * MODES_NEAR points apart make a region: fewer are an outlier or a hump. @mark has @n entries and
 * is only set, never cleared. Returns the number of regions.
 */
size_t modes_jumps(const double *at, const double *y, size_t n, bool *mark);

#define MODES_NEAR 6

#endif
