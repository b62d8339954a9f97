/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All of it looks at every pair: meant for tens of points, not for thousands. */
#include "analysis/robust.h"
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double *room(size_t n)
{
	double *value = calloc(n + 1, sizeof(*value));

	if (!value)
		abort(); /* as all of a report, see analysis/pool.h */
	return value;
}

static double sorted_median(double *value, size_t n)
{
	gsl_sort(value, 1, n);
	return gsl_stats_median_from_sorted_data(value, 1, n);
}

double robust_median(const double *value, size_t n)
{
	double *copy, median;

	if (!n)
		return NAN;
	copy = room(n);
	memcpy(copy, value, n * sizeof(*copy));
	median = sorted_median(copy, n);
	free(copy);
	return median;
}

double robust_weighted_median(const double *value, const double *weight, size_t n)
{
	size_t *order = calloc(n + 1, sizeof(*order)), i;
	double all = 0, sum = 0, median;

	if (!order)
		abort();
	gsl_sort_index(order, value, 1, n);
	for (i = 0; i < n; i++)
		all += weight[i];
	for (i = 0; i < n && sum + weight[order[i]] < all / 2; i++)
		sum += weight[order[i]];
	median = n ? value[order[i]] : NAN;
	if (i + 1 < n && sum + weight[order[i]] <= all / 2)
		median = (median + value[order[i + 1]]) / 2;
	free(order);
	return median;
}

double robust_sigma(const double *value, size_t n)
{
	double *apart, median = robust_median(value, n);

	if (!n)
		return NAN;
	apart = room(n);
	for (size_t i = 0; i < n; i++)
		apart[i] = fabs(value[i] - median);
	median = sorted_median(apart, n);
	free(apart);
	return 1.4826 * median;
}

struct robust_line robust_line(const double *x, const double *y, size_t n, double at)
{
	struct robust_line line = { NAN, NAN };
	double *value = room(n * n);
	size_t slopes = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < i; j++)
			if (x[i] != x[j])
				value[slopes++] = (y[i] - y[j]) / (x[i] - x[j]);
	if (slopes) {
		line.slope = sorted_median(value, slopes);
		for (size_t i = 0; i < n; i++)
			value[i] = y[i] + line.slope * (at - x[i]);
		line.height = sorted_median(value, n);
	}
	free(value);
	return line;
}

double robust_trend_p(const double *y, size_t n)
{
	double s = 0, m = (double)n, sd = sqrt(m * (m - 1) * (2 * m + 5) / 18);

	if (n < ROBUST_TREND_MIN)
		return NAN;
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < i; j++)
			s += (y[i] > y[j]) - (y[i] < y[j]);
	return fmin(1, 2 * gsl_cdf_ugaussian_Q(fmax(0, fabs(s) - 1) / sd));
}
