/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Order statistics and the tables of rank tests. GSL sorts and has the distributions; the null
 * distributions of Mann-Whitney's U and Wilcoxon's W+, which it lacks, are counted by the usual
 * recurrences.
 */
#include "analysis/stats.h"
#include <errno.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EXACT_MAX 2500 /* pairs of runs up to which a distribution is counted out */

static double *sorted_copy(const double *value, size_t n)
{
	double *copy = calloc(n ? n : 1, sizeof(*copy));

	if (!copy)
		return NULL;
	if (n)
		memcpy(copy, value, n * sizeof(*copy));
	gsl_sort(copy, 1, n);
	return copy;
}

/* Largest k with P(k-th smallest .. k-th largest covers the median) >= 95 %; 0 when there is none.
 */
static size_t median_rank(size_t n)
{
	size_t k = 0;

	while (2 * (k + 1) <= n &&
	       gsl_cdf_binomial_P((unsigned int)k, 0.5, (unsigned int)n) <= STATS_ALPHA / 2)
		k++;
	return k;
}

struct estimate stats_estimate(const double *value, size_t n)
{
	struct estimate e = { .median = NAN, .lo = NAN, .hi = NAN, .min = NAN, .max = NAN };
	double *sorted = n ? sorted_copy(value, n) : NULL;
	size_t k;

	if (!sorted)
		return e;
	k = median_rank(n);
	e.n = n;
	e.median = gsl_stats_median_from_sorted_data(sorted, 1, n);
	e.min = sorted[0];
	e.max = sorted[n - 1];
	e.interval = k > 0;
	e.lo = k ? sorted[k - 1] : e.min;
	e.hi = k ? sorted[n - k] : e.max;
	free(sorted);
	return e;
}

struct moments stats_moments(const double *value, size_t n)
{
	struct moments m = { NAN, NAN, NAN };

	if (!n)
		return m;
	m.mean = gsl_stats_mean(value, 1, n);
	if (n > 1)
		m.sd = gsl_stats_sd_m(value, 1, n, m.mean);
	if (n > 2 && m.sd > 0)
		m.lag1 = gsl_stats_lag1_autocorrelation_m(value, 1, n, m.mean);
	return m;
}

/* Number of ways to reach each U, divided by the total, by the recurrence over the largest value.
 */
static double *u_distribution(size_t na, size_t nb)
{
	size_t size = na * nb + 1;
	double *p = calloc(size, sizeof(*p));
	size_t i, j, u;

	if (!p)
		return NULL;
	/* Gaussian binomial coefficient: product over i of (1 - q^(nb+i)) / (1 - q^i). */
	p[0] = 1;
	for (i = 1; i <= na; i++) {
		for (u = size; u-- > nb + i;)
			p[u] -= p[u - nb - i];
		for (u = i; u < size; u++)
			p[u] += p[u - i];
		for (j = 0; j < size; j++) /* keep it a probability, so that nothing overflows */
			p[j] *= (double)i / (double)(nb + i);
	}
	return p;
}

double stats_u_cdf(size_t na, size_t nb, size_t u)
{
	double *p = u_distribution(na, nb);
	double sum = 0;
	size_t i;

	if (!p)
		return NAN;
	for (i = 0; i <= u && i <= na * nb; i++)
		sum += p[i];
	free(p);
	return fmin(sum, 1);
}

/*
 * Rank, 1-based, of the interval's lower end among all differences or averages whose null
 * distribution @p is: the first value that two tails of @alpha in all do not cut off.
 */
static size_t end_rank(const double *p, size_t largest, double alpha, double *ret_level)
{
	double sum = 0;
	size_t at;

	for (at = 0; at <= largest / 2 && sum + p[at] <= alpha / 2; at++)
		sum += p[at];
	*ret_level = at ? 2 * sum : NAN;
	return at;
}

static size_t normal_rank(double mean, double variance, double alpha, double *ret_level)
{
	double k = mean - gsl_cdf_ugaussian_Qinv(alpha / 2) * sqrt(variance);

	*ret_level = k < 1 ? NAN : alpha;
	return k < 1 ? 0 : (size_t)k;
}

size_t stats_u_rank(size_t na, size_t nb, double alpha, double *ret_level)
{
	double m = (double)na, n = (double)nb;
	double *p;
	size_t rank;

	if (na * nb > EXACT_MAX)
		return normal_rank(m * n / 2, m * n * (m + n + 1) / 12, alpha, ret_level);
	p = u_distribution(na, nb);
	*ret_level = NAN;
	rank = p ? end_rank(p, na * nb, alpha, ret_level) : 0;
	free(p);
	return rank;
}

/* Each pair adds its rank, or nothing. */
static double *w_distribution(size_t n)
{
	double *p = calloc(n * (n + 1) / 2 + 1, sizeof(*p));
	size_t i, w, largest = 0;

	if (!p)
		return NULL;
	p[0] = 1;
	for (i = 1; i <= n; i++) {
		largest += i;
		for (w = largest + 1; w-- > 0;)
			p[w] = (p[w] + (w >= i ? p[w - i] : 0)) / 2;
	}
	return p;
}

size_t stats_signed_rank_rank(size_t n, double alpha, double *ret_level)
{
	double m = (double)n, *p;
	size_t rank;

	if (n * n > EXACT_MAX)
		return normal_rank(m * (m + 1) / 4, m * (m + 1) * (2 * m + 1) / 24, alpha,
				   ret_level);
	p = w_distribution(n);
	*ret_level = NAN;
	rank = p ? end_rank(p, n * (n + 1) / 2, alpha, ret_level) : 0;
	free(p);
	return rank;
}

int stats_holm(double *p, size_t n)
{
	size_t *order = calloc(n ? n : 1, sizeof(*order));
	size_t i, m = 0;
	double largest = 0;

	if (!order)
		return -ENOMEM;
	for (i = 0; i < n; i++) {
		size_t at = m;

		if (isnan(p[i]))
			continue;
		for (; at && p[order[at - 1]] > p[i]; at--)
			order[at] = order[at - 1];
		order[at] = i;
		m++;
	}
	for (i = 0; i < m; i++) {
		largest = fmax(largest, fmin(1, p[order[i]] * (double)(m - i)));
		p[order[i]] = largest;
	}
	free(order);
	return 0;
}

double stats_percent(double from, double to)
{
	if (isnan(from) || isnan(to) || from == 0)
		return NAN;
	return (to - from) / fabs(from) * 100;
}
