/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Order statistics and rank tests. GSL sorts and has the distributions; the null distribution of
 * Mann-Whitney's U, which it lacks, is counted by the usual recurrence.
 */
#include "analysis/stats.h"
#include <errno.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EXACT_MAX 2500 /* na * nb up to which U's distribution is counted out */

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

/* Sum over groups of equal values of t^3 - t, in the pooled sample. */
static double tie_term(const double *pooled, size_t n)
{
	double sum = 0;
	size_t i, j;

	for (i = 0; i < n; i = j) {
		for (j = i + 1; j < n && pooled[j] == pooled[i]; j++)
			;
		sum += (double)(j - i) * (double)(j - i) * (double)(j - i) - (double)(j - i);
	}
	return sum;
}

/* Two-sided p of U by the normal approximation, with continuity correction. */
static double normal_p(double u, size_t na, size_t nb, double ties)
{
	double m = (double)na, n = (double)nb, all = m + n;
	double variance = m * n / 12 * (all + 1 - (all > 1 ? ties / (all * (all - 1)) : 0));
	double distance = fabs(u - m * n / 2) - 0.5;

	if (variance <= 0 || distance <= 0)
		return 1;
	return fmin(1, 2 * gsl_cdf_ugaussian_Q(distance / sqrt(variance)));
}

/* Rank of the lower end of the shift's interval among the na * nb differences, 1-based; 0 = none.
 */
static size_t shift_rank(size_t na, size_t nb)
{
	double m = (double)na, n = (double)nb, k, sum = 0;
	double *p;
	size_t u;

	if (na * nb > EXACT_MAX) {
		k = m * n / 2 -
		    gsl_cdf_ugaussian_Qinv(STATS_ALPHA / 2) * sqrt(m * n * (m + n + 1) / 12);
		return k < 1 ? 0 : (size_t)k;
	}
	p = u_distribution(na, nb);
	if (!p)
		return 0;
	for (u = 0; u <= na * nb / 2; u++) {
		sum += p[u];
		if (sum > STATS_ALPHA / 2)
			break;
	}
	free(p);
	return u;
}

static double two_sided_p(double u, size_t na, size_t nb, double ties)
{
	double smaller = fmin(u, (double)na * (double)nb - u);

	if (ties > 0 || na * nb > EXACT_MAX)
		return normal_p(u, na, nb, ties);
	return fmin(1, 2 * stats_u_cdf(na, nb, (size_t)smaller));
}

int stats_shift(const double *a, size_t na, const double *b, size_t nb, struct shift *ret)
{
	struct shift s = { .hl = NAN, .lo = NAN, .hi = NAN, .p = NAN };
	double *difference, *pooled, u = 0;
	size_t i, j, k, n = na * nb;

	if (!na || !nb)
		return -EINVAL;
	difference = calloc(n, sizeof(*difference));
	pooled = calloc(na + nb, sizeof(*pooled));
	if (!difference || !pooled) {
		free(difference);
		free(pooled);
		return -ENOMEM;
	}
	for (i = 0; i < na; i++) {
		for (j = 0; j < nb; j++) {
			difference[i * nb + j] = b[j] - a[i];
			u += b[j] > a[i] ? 1 : b[j] == a[i] ? 0.5 : 0;
		}
	}
	memcpy(pooled, a, na * sizeof(*a));
	memcpy(pooled + na, b, nb * sizeof(*b));
	gsl_sort(difference, 1, n);
	gsl_sort(pooled, 1, na + nb);
	s.hl = gsl_stats_median_from_sorted_data(difference, 1, n);
	k = shift_rank(na, nb);
	s.interval = k > 0;
	if (k) {
		s.lo = difference[k - 1];
		s.hi = difference[n - k];
	}
	s.p = two_sided_p(u, na, nb, tie_term(pooled, na + nb));
	free(difference);
	free(pooled);
	*ret = s;
	return 0;
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
