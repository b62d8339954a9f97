/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why runs are compared within repeats and as ratios: the tests and intervals that could have been
 * chosen, side by side on the same simulated runs. IDLE_TEST_LONG prints the tables of
 * docs/statistics.md; the short form checks what was concluded from them.
 */
#include "analysis/bootstrap.h"
#include "analysis/stats.h"
#include "analysis/stratified.h"
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#define BLOCKS_MAX 12
#define BOOTSTRAP_EVERY 8

struct truth {
	size_t blocks;
	double sd, drift, effect_pct; /* sd: of logarithms, run to run; drift: in sds, per block */
};

/* Shares of the simulated campaigns in percent, widths in percent of the reference. */
struct found {
	double sign; /* van Elteren's test of pairs: only signs count */
	double blocked; /* signed ranks */
	double two; /* Mann-Whitney of all runs */
	double t; /* paired t test, for scale */
	double held_blocked, held_two, held_bootstrap; /* intervals that hold the effect */
	double wide_blocked, wide_two, wide_bootstrap;
};

static size_t campaigns(void)
{
	return getenv("IDLE_TEST_LONG") ? 8000 : 240;
}

static double sign_test(const double *difference, size_t n)
{
	size_t above = 0, less;

	for (size_t i = 0; i < n; i++)
		above += difference[i] > 0;
	less = above < n - above ? above : n - above;
	return fmin(1, 2 * gsl_cdf_binomial_P((unsigned int)less, 0.5, (unsigned int)n));
}

static double t_test(const double *difference, size_t n)
{
	double t =
		gsl_stats_mean(difference, 1, n) / gsl_stats_sd(difference, 1, n) * sqrt((double)n);

	return 2 * gsl_cdf_tdist_Q(fabs(t), (double)n - 1);
}

static void one(gsl_rng *rng, const struct truth *t, double share, uint64_t seed, struct found *f)
{
	struct stratified_run blocked[2 * BLOCKS_MAX], two[2 * BLOCKS_MAX];
	double a[BLOCKS_MAX], b[BLOCKS_MAX], difference[BLOCKS_MAX], base, lo, hi;
	double effect = t->effect_pct / 100;
	struct stratified s;
	struct bootstrap boot;

	for (size_t i = 0; i < t->blocks; i++) {
		double drift = gsl_ran_gaussian(rng, 1) * t->drift;

		a[i] = exp((drift + gsl_ran_gaussian(rng, 1)) * t->sd);
		b[i] = exp((drift + gsl_ran_gaussian(rng, 1)) * t->sd) * (1 + effect);
		difference[i] = log(b[i] / a[i]);
		blocked[2 * i] = (struct stratified_run){ log(a[i]), (int)i, false };
		blocked[2 * i + 1] = (struct stratified_run){ log(b[i]), (int)i, true };
		two[2 * i] = (struct stratified_run){ a[i], 0, false };
		two[2 * i + 1] = (struct stratified_run){ b[i], 0, true };
	}
	f->sign += (sign_test(difference, t->blocks) < STATS_ALPHA) * share;
	f->t += (t_test(difference, t->blocks) < STATS_ALPHA) * share;
	assert_int_equal(stratified_compare(blocked, 2 * t->blocks, STATS_ALPHA, &s), 0);
	f->blocked += (s.p < STATS_ALPHA) * share;
	f->held_blocked += (s.lo <= log1p(effect) && log1p(effect) <= s.hi) * share;
	f->wide_blocked += (exp(s.hi) - exp(s.lo)) * share;
	assert_int_equal(stratified_compare(two, 2 * t->blocks, STATS_ALPHA, &s), 0);
	base = stats_estimate(a, t->blocks).median;
	lo = s.lo / base;
	hi = s.hi / base;
	f->two += (s.p < STATS_ALPHA) * share;
	f->held_two += (lo <= effect && effect <= hi) * share;
	f->wide_two += (hi - lo) * share;
	if (seed % BOOTSTRAP_EVERY) /* it takes as long as a hundred tests */
		return;
	share *= BOOTSTRAP_EVERY;
	assert_int_equal(bootstrap_ratio(b, a, t->blocks, STATS_ALPHA, seed, &boot), 0);
	f->held_bootstrap += (boot.lo <= 1 + effect && 1 + effect <= boot.hi) * share;
	f->wide_bootstrap += (boot.hi - boot.lo) * share;
}

static struct found simulate(const struct truth *t, size_t n, unsigned long seed)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	struct found f = { 0 };

	gsl_rng_set(rng, seed);
	for (size_t i = 0; i < n; i++)
		one(rng, t, 100.0 / (double)n, i, &f);
	gsl_rng_free(rng);
	return f;
}

static const double drifts[] = { 0, 1, 5 };
static const size_t blocks[] = { 6, 8, 12 };

/* Without drift Mann-Whitney finds more, with drift it finds nothing. */
static void tests_by_drift(void **state)
{
	static const double effects[] = { 0, 1, 2, 5 };

	(void)state;
	printf("# sd 1 %%: share found, %%: sign, signed rank, Mann-Whitney, t\n");
	for (size_t i = 0; i < 3; i++) {
		for (size_t j = 0; j < 3; j++) {
			for (size_t k = 0; k < 4; k++) {
				const struct truth t = { blocks[i], 0.01, drifts[j], effects[k] };
				struct found f = simulate(&t, campaigns(), 1 + i);

				printf("# %zu blocks, drift %g sd, effect %g %%: %.1f %.1f %.1f "
				       "%.1f\n",
				       t.blocks, t.drift, t.effect_pct, f.sign, f.blocked, f.two,
				       f.t);
				if (effects[k] == 0)
					assert_true(f.blocked < 8);
				if (effects[k] > 0)
					assert_true(f.blocked >= f.sign);
				if (effects[k] == 2 && drifts[j] == 0)
					assert_true(f.two > f.blocked - 2 && f.blocked > 50);
				if (effects[k] == 2 && drifts[j] == 5)
					assert_true(f.two < 10 && f.blocked > 50);
			}
		}
	}
}

/* The old interval took the reference's median for a constant; with large spreads that shows. */
static void intervals_by_drift(void **state)
{
	static const double sds[] = { 0.01, 0.1 }, effects[] = { 2, 100 };

	(void)state;
	printf("# share of 95 %% intervals that hold the effect (mean width, %%): ratio within blocks, "
	       "shift in %% of the reference's median, bootstrap\n");
	for (size_t k = 0; k < 2; k++) {
		for (size_t i = 0; i < 3; i++) {
			for (size_t j = 0; j < 3; j++) {
				const struct truth t = { blocks[i], sds[k], drifts[j], effects[k] };
				struct found f = simulate(&t, campaigns(), 50 + i);

				printf("# effect %g %%, sd %g %%, %zu blocks, drift %g sd: %.1f "
				       "(%.3g) %.1f (%.3g) %.1f (%.3g)\n",
				       t.effect_pct, t.sd * 100, t.blocks, t.drift, f.held_blocked,
				       f.wide_blocked, f.held_two, f.wide_two, f.held_bootstrap,
				       f.wide_bootstrap);
				assert_true(f.held_blocked > 92);
				assert_true(f.held_bootstrap > 80);
				if (drifts[j] == 5)
					assert_true(f.wide_two > 3 * f.wide_blocked);
			}
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tests_by_drift),
		cmocka_unit_test(intervals_by_drift),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
