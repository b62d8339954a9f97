/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Medians and their intervals, the tables of rank tests, Holm. Shifts: see stratified.h.
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

struct moments {
	double mean;
	double sd; /* of a sample; NAN for one value */
	double lag1; /* autocorrelation of neighbours; NAN below 3 values or when all are equal */
};

/* Of @n values in the order in which they were measured; all NAN for none. */
struct moments stats_moments(const double *value, size_t n);

/* P(U <= u) of the Mann-Whitney statistic under the null, without ties. NAN when out of memory. */
double stats_u_cdf(size_t na, size_t nb, size_t u);

/*
 * Rank, 1-based, of the lower end of a shift's interval of confidence 1 - @alpha among the na * nb
 * differences (two samples) or the n (n + 1) / 2 Walsh averages (pairs), counted from either end; 0
 * = so few runs have none. *ret_level is the largest two-sided p <= @alpha that the test can give,
 * NAN when there is none. Exact up to 2500 pairs of runs, then by the normal approximation.
 */
size_t stats_u_rank(size_t na, size_t nb, double alpha, double *ret_level);
size_t stats_signed_rank_rank(size_t n, double alpha, double *ret_level);

/*
 * Holm's step-down adjustment of @n p values in place; NAN entries are not part of the family and
 * stay NAN. -ENOMEM.
 */
int stats_holm(double *p, size_t n);

/* Percent from @from to @to; NAN when @from is 0 or either is NAN. */
double stats_percent(double from, double to);

#endif
