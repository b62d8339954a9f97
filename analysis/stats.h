/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The statistics of a report: medians and their intervals, shifts, rank tests, Holm.
 *
 * The unit is the run (P-48): @n is a number of runs, never of loops. Nothing here knows what is
 * measured. All values must be finite. Sources: Hollander, Wolfe, Chicken, "Nonparametric
 * Statistical Methods", 3rd ed., ch. 3.6 and 4; Holm, Scand. J. Statist. 6 (1979).
 */
#ifndef ANALYSIS_STATS_H
#define ANALYSIS_STATS_H

#include <stdbool.h>
#include <stddef.h>

#define STATS_N_MIN 6 /* runs below which there is no interval and no verdict (P-50) */
#define STATS_ALPHA 0.05

struct estimate {
	size_t n; /* 0: all others are NAN */
	double median;
	bool interval; /* true: lo..hi covers the median with at least 95 %; false: min..max */
	double lo, hi;
	double min, max;
};

/* Median, and the order-statistic interval with an exact binomial coverage >= 95 % when n >= 6. */
struct estimate stats_estimate(const double *value, size_t n);

struct shift {
	double hl; /* Hodges-Lehmann: median of all b - a */
	bool interval; /* false: too few runs for 95 % (or memory ended) */
	double lo, hi;
	double p; /* two-sided Mann-Whitney */
};

/*
 * The shift from @a (reference) to @b. Exact distribution of U while there are no ties and
 * na * nb <= 2500, else the normal approximation with tie and continuity correction. 0, -EINVAL
 * when a sample is empty, -ENOMEM.
 */
int stats_shift(const double *a, size_t na, const double *b, size_t nb, struct shift *ret);

/* P(U <= u) of the Mann-Whitney statistic under the null, without ties. NAN when out of memory. */
double stats_u_cdf(size_t na, size_t nb, size_t u);

/*
 * Holm's step-down adjustment of @n p values in place; NAN entries are not part of the family and
 * stay NAN. -ENOMEM.
 */
int stats_holm(double *p, size_t n);

/* Percent from @from to @to; NAN when @from is 0 or either is NAN. */
double stats_percent(double from, double to);

#endif
