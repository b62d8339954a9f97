/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Levels of looks against published bounds, and against walks that are drawn. sequential.c has what
 * comes of them in campaigns.
 */
#include "analysis/spending.h"
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

static void close_to(double got, double want, double share)
{
	assert_true(fabs(got - want) <= share * want);
}

/* Five equally spaced looks, two-sided 0.05, Lan and DeMets' function of Pocock's type: bounds as
 * in the tables of gsDesign (sfLDPocock) and ldbounds. */
static void published_bounds(void **state)
{
	static const double bound[] = { 2.4380, 2.4268, 2.4101, 2.3966, 2.3859 };
	struct pool pool = { 0 };
	const struct spending *s = spending_make(&pool, 1, 5);

	(void)state;
	for (size_t i = 0; i < 5; i++)
		close_to(gsl_cdf_ugaussian_Qinv(spending_level(s, i + 1, 0.05) / 2), bound[i],
			 0.0005);
	pool_free(&pool);
}

/* Sums of normal blocks leave the bounds at some look as often as was asked for. */
static void walks_err_as_often_as_asked(void **state)
{
	static const struct {
		size_t first, last;
		double alpha;
	} design[] = { { 6, 40, 0.05 }, { 6, 40, 0.005 }, { 6, 100, 0.05 }, { 12, 20, 0.2 } };
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	const size_t walks = 20000;

	(void)state;
	for (size_t k = 0; k < sizeof(design) / sizeof(design[0]); k++) {
		struct pool pool = { 0 };
		const struct spending *s = spending_make(&pool, design[k].first, design[k].last);
		double alpha = design[k].alpha, bound[SPENDING_LAST_MAX + 1];
		size_t left = 0;

		for (size_t n = design[k].first; n <= design[k].last; n++)
			bound[n] = sqrt((double)n) *
				   gsl_cdf_ugaussian_Qinv(spending_level(s, n, alpha) / 2);
		for (size_t i = 0; i < walks; i++) {
			double sum = 0;
			size_t n = 1;

			for (; n <= design[k].last; n++) {
				sum += gsl_ran_gaussian_ziggurat(rng, 1);
				if (n >= design[k].first && fabs(sum) > bound[n])
					break;
			}
			left += n <= design[k].last;
		}
		printf("# looks after %zu to %zu blocks at %g: %.4f of the walks leave\n",
		       design[k].first, design[k].last, alpha, (double)left / (double)walks);
		assert_true(fabs((double)left / (double)walks - alpha) <
			    3.5 * sqrt(alpha * (1 - alpha) / (double)walks));
		pool_free(&pool);
	}
	gsl_rng_free(rng);
}

static void there_and_back(void **state)
{
	static const double alpha[] = { 1e-6, 1e-4, 0.003, 0.05, 0.3, 0.75 };
	struct pool pool = { 0 };
	const struct spending *s = spending_make(&pool, 6, 40);

	(void)state;
	for (size_t n = 3; n <= 50; n++)
		for (size_t i = 0; i < sizeof(alpha) / sizeof(alpha[0]); i++)
			close_to(spending_p(s, n, spending_level(s, n, alpha[i])), alpha[i], 1e-9);
	pool_free(&pool);
}

/* A smaller p is never worth less, a level never more than was asked for: what Holm's procedure on
 * repeated p values rests on. */
static void levels_grow(void **state)
{
	struct pool pool = { 0 };
	const struct spending *s = spending_make(&pool, 6, 60);

	(void)state;
	for (size_t n = 6; n <= 60; n++) {
		double before = 0, p_before = 0;

		for (double at = 1e-7; at < 1; at *= 1.3) {
			double level = spending_level(s, n, at), p = spending_p(s, n, at);

			assert_true(level >= before && (level <= at || at < 1e-6 || at > 0.8));
			assert_true(p >= p_before && p <= 1);
			before = level;
			p_before = p;
		}
	}
	pool_free(&pool);
}

/* The ends: NULL, nothing, looks beyond the last, before the first. */
static void ends(void **state)
{
	struct pool pool = { 0 };
	const struct spending *s = spending_make(&pool, 6, 40);

	(void)state;
	assert_true(spending_level(NULL, 9, 0.05) == 0.05 && spending_p(NULL, 9, 0.3) == 0.3);
	assert_true(isnan(spending_p(s, 9, NAN)));
	assert_true(spending_p(s, 9, 1) == 1 && spending_p(s, 3, 1) == 1);
	assert_int_equal(spending_last(NULL), 0);
	assert_int_equal(spending_last(s), 40);
	assert_true(spending_level(s, 41, 0.05) == spending_level(s, 40, 0.05));
	close_to(spending_level(s, 4, 0.05), 0.05 * log1p((M_E - 1) * 0.1), 1e-12);
	/* The first planned look has what may be spent by then. */
	close_to(spending_level(s, 6, 0.05), 0.05 * log1p((M_E - 1) * 0.15), 1e-9);
	pool_free(&pool);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(published_bounds),
		cmocka_unit_test(walks_err_as_often_as_asked),
		cmocka_unit_test(there_and_back),
		cmocka_unit_test(levels_grow),
		cmocka_unit_test(ends),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
