/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * GSL's Mersenne twister draws, its quantiles cut. GSL's environment variables are not read: a
 * result must not depend on them.
 */
#include "analysis/bootstrap.h"
#include "analysis/stats.h"
#include <errno.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

/* Draws into @drawn; false when a draw has no figure. */
static bool draw_all(bootstrap_figure *figure, void *arg, size_t n, size_t *pick, gsl_rng *rng,
		     double *drawn)
{
	size_t i, j;

	for (i = 0; i < BOOTSTRAP_DRAWS; i++) {
		for (j = 0; j < n; j++)
			pick[j] = gsl_rng_uniform_int(rng, n);
		drawn[i] = figure(pick, n, arg);
		if (!isfinite(drawn[i]))
			return false;
	}
	return true;
}

int bootstrap_interval(bootstrap_figure *figure, void *arg, size_t n, double alpha, uint64_t seed,
		       struct bootstrap *ret)
{
	struct bootstrap b = { .lo = NAN, .hi = NAN };
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	double *drawn = calloc(BOOTSTRAP_DRAWS, sizeof(*drawn));
	size_t *pick = calloc(n + 1, sizeof(*pick)), i;
	int err = n ? rng && drawn && pick ? 0 : -ENOMEM : -EINVAL;

	if (!err) {
		for (i = 0; i < n; i++)
			pick[i] = i;
		b.value = figure(pick, n, arg);
		gsl_rng_set(rng, (unsigned long)(seed ^ seed >> 32));
		b.interval = n >= STATS_N_MIN && isfinite(b.value) &&
			     alpha / 2 * BOOTSTRAP_DRAWS >= BOOTSTRAP_TAIL &&
			     draw_all(figure, arg, n, pick, rng, drawn);
	}
	if (b.interval) {
		gsl_sort(drawn, 1, BOOTSTRAP_DRAWS);
		b.lo = gsl_stats_quantile_from_sorted_data(drawn, 1, BOOTSTRAP_DRAWS, alpha / 2);
		b.hi = gsl_stats_quantile_from_sorted_data(drawn, 1, BOOTSTRAP_DRAWS,
							   1 - alpha / 2);
	}
	if (rng)
		gsl_rng_free(rng);
	free(drawn);
	free(pick);
	if (!err)
		*ret = b;
	return err;
}

struct ratio {
	const double *over, *under;
	double *picked;
};

static double median_of(const struct ratio *r, const double *value, const size_t *pick, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		r->picked[i] = value[pick[i]];
	gsl_sort(r->picked, 1, n);
	return gsl_stats_median_from_sorted_data(r->picked, 1, n);
}

static double ratio_of_medians(const size_t *pick, size_t n, void *arg)
{
	const struct ratio *r = arg;
	double under = median_of(r, r->under, pick, n);

	return under == 0 ? NAN : median_of(r, r->over, pick, n) / under;
}

int bootstrap_ratio(const double *over, const double *under, size_t n, double alpha, uint64_t seed,
		    struct bootstrap *ret)
{
	struct ratio r = { over, under, calloc(n + 1, sizeof(double)) };
	int err =
		r.picked ? bootstrap_interval(ratio_of_medians, &r, n, alpha, seed, ret) : -ENOMEM;

	free(r.picked);
	return err;
}
