/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Intervals of figures that have no rank test: ratios of medians, and whatever is a ratio to an
 * estimated reference. Percentile bootstrap (Efron, Tibshirani, "An Introduction to the
 * Bootstrap", 1993, ch. 13) that draws whole blocks, so that runs of one block stay together. The
 * same seed gives the same bytes.
 */
#ifndef ANALYSIS_BOOTSTRAP_H
#define ANALYSIS_BOOTSTRAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BOOTSTRAP_DRAWS 2000
#define BOOTSTRAP_TAIL 5

/* The figure of the blocks @pick[0] to @pick[n - 1], which repeat; NAN when it has none. */
typedef double bootstrap_figure(const size_t *pick, size_t n, void *arg);

struct bootstrap {
	double value; /* of the blocks as they are */
	bool interval; /* false: fewer than STATS_N_MIN blocks, a draw without a figure, or an
			* alpha that leaves less than BOOTSTRAP_TAIL draws on each side */
	double lo, hi; /* of confidence 1 - alpha */
};

/* @n blocks, numbered 0 to n - 1. 0, -EINVAL when there is none, -ENOMEM. */
int bootstrap_interval(bootstrap_figure *figure, void *arg, size_t n, double alpha, uint64_t seed,
		       struct bootstrap *ret);

/*
 * Median of @over divided by the median of @under, values of the same @n blocks: energy of some
 * runs per loop, one governor's time per another's. NAN when the lower median is 0.
 */
int bootstrap_ratio(const double *over, const double *under, size_t n, double alpha, uint64_t seed,
		    struct bootstrap *ret);

#endif
