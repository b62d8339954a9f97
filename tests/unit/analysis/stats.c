/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Medians, intervals, the tables of rank tests and Holm against values worked out by hand or
 * published. Shifts: stratified.c. */
#include "analysis/stats.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#define close_to(a, b, by) assert_true(fabs((a) - (b)) <= (by))

static void median_of_odd_and_even(void **state)
{
	const double odd[] = { 9, 1, 5 }, even[] = { 4, 1, 3, 2 };

	(void)state;
	assert_true(stats_estimate(odd, 3).median == 5);
	assert_true(stats_estimate(even, 4).median == 2.5);
}

static void nothing_is_not_available(void **state)
{
	struct estimate e = stats_estimate(NULL, 0);

	(void)state;
	assert_int_equal(e.n, 0);
	assert_true(isnan(e.median) && isnan(e.lo) && isnan(e.max));
	assert_false(e.interval);
}

/* P-50: a 95 % interval of a median needs n >= 6; there it is min..max, 96.9 %. */
static void interval_begins_at_six(void **state)
{
	const double six[] = { 6, 2, 4, 1, 5, 3 };
	struct estimate five = stats_estimate(six, 5), e = stats_estimate(six, 6);

	(void)state;
	assert_false(five.interval);
	assert_true(five.lo == 1 && five.hi == 6);
	assert_true(e.interval);
	assert_true(e.lo == 1 && e.hi == 6 && e.median == 3.5);
}

/* Tables of the sign test: n = 9 gives the 2nd smallest, n = 12 the 3rd, n = 20 the 6th. */
static void interval_ranks_are_those_of_tables(void **state)
{
	static const struct {
		size_t n;
		double lo, hi;
	} want[] = { { 8, 1, 8 }, { 9, 2, 8 }, { 12, 3, 10 }, { 20, 6, 15 } };
	double value[20];
	size_t i;

	(void)state;
	for (i = 0; i < 20; i++)
		value[i] = (double)i + 1;
	for (i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		struct estimate e = stats_estimate(value, want[i].n);

		assert_true(e.lo == want[i].lo);
		assert_true(e.hi == want[i].hi);
	}
}

/* All 20 orders of 3+3: U = 0 1 2 3 4 occurs 1 1 2 3 3 times. */
static void u_distribution_of_three_and_three(void **state)
{
	static const double cumulated[] = { 1, 2, 4, 7, 10, 13, 16, 18, 19, 20 };
	size_t u;

	(void)state;
	for (u = 0; u < 10; u++)
		close_to(stats_u_cdf(3, 3, u), cumulated[u] / 20, 1e-12);
}

/* Critical values of Mann-Whitney tables, two-sided 0.05: 5 for 6+6, 23 for 10+10, 127 for 20+20.
 */
static void u_critical_values(void **state)
{
	static const struct {
		size_t n, u;
	} want[] = { { 6, 5 }, { 8, 13 }, { 10, 23 }, { 15, 64 }, { 20, 127 } };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		assert_true(stats_u_cdf(want[i].n, want[i].n, want[i].u) <= 0.025);
		assert_true(stats_u_cdf(want[i].n, want[i].n, want[i].u + 1) > 0.025);
	}
	close_to(stats_u_cdf(50, 50, 2500), 1, 1e-9);
	close_to(stats_u_cdf(50, 50, 1249), 0.5, 0.01);
}

/* P-50: the smallest two-sided p, and the ends of the interval, which are its counterpart. */
static void smallest_samples(void **state)
{
	static const struct {
		size_t n;
		double p;
	} two[] = { { 3, 0.1 }, { 4, 2.0 / 70 }, { 6, 2.0 / 924 } },
	  pairs[] = { { 5, 0.0625 }, { 6, 0.03125 } };
	double level;

	(void)state;
	for (size_t i = 0; i < 3; i++)
		close_to(2 * stats_u_cdf(two[i].n, two[i].n, 0), two[i].p, 1e-12);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(stats_signed_rank_rank(pairs[i].n, pairs[i].p, &level), 1);
		close_to(level, pairs[i].p, 1e-12);
	}
	assert_int_equal(stats_u_rank(3, 3, STATS_ALPHA, &level), 0);
	assert_true(isnan(level));
	assert_int_equal(stats_u_rank(4, 4, STATS_ALPHA, &level), 1);
	close_to(level, 2.0 / 70, 1e-12);
	assert_int_equal(stats_signed_rank_rank(5, STATS_ALPHA, &level), 0);
	assert_true(isnan(level));
	assert_int_equal(stats_signed_rank_rank(6, STATS_ALPHA, &level), 1);
	close_to(level, 0.03125, 1e-12);
}

/* All 16 signs of the ranks 1 to 4: W+ = 0 to 4 occurs 1 1 1 2 2 times, 10 to 6 likewise. */
static void w_distribution_of_four(void **state)
{
	static const double cumulated[] = { 1, 2, 3, 5, 7 };
	double level;
	size_t w;

	(void)state;
	for (w = 0; w < 5; w++) {
		assert_int_equal(stats_signed_rank_rank(4, 2 * cumulated[w] / 16, &level), w + 1);
		close_to(level, 2 * cumulated[w] / 16, 1e-12);
	}
}

/* Critical values of Wilcoxon's tables, two-sided 0.05: 0 for 6, 3 for 8, 8 for 10, 52 for 20. */
static void w_critical_values(void **state)
{
	static const struct {
		size_t n, w;
	} want[] = { { 6, 0 }, { 7, 2 }, { 8, 3 }, { 9, 5 }, { 10, 8 }, { 12, 13 }, { 20, 52 } };
	double level;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(want) / sizeof(want[0]); i++)
		assert_int_equal(stats_signed_rank_rank(want[i].n, STATS_ALPHA, &level),
				 want[i].w + 1);
}

/* Beyond 50 by 50 the normal approximation; the exact 127 + 1 of 20 and 20 shows how near it is. */
static void large_samples_use_the_normal_distribution(void **state)
{
	double level;

	(void)state;
	assert_int_equal(stats_u_rank(20, 20, STATS_ALPHA, &level), 128);
	/* 60 * 60 / 2 - 1.95996 sqrt(60 * 60 * 121 / 12) = 1426.58 */
	assert_int_equal(stats_u_rank(60, 60, STATS_ALPHA, &level), 1426);
	/* 100 * 101 / 4 - 1.95996 sqrt(100 * 101 * 201 / 24) = 1954.97 */
	assert_int_equal(stats_signed_rank_rank(100, STATS_ALPHA, &level), 1954);
	assert_true(level == 0.05);
}

/* 0.01 0.04 0.03 0.005: sorted times 4 3 2 1, made monotone. */
static void holm_by_hand(void **state)
{
	double p[] = { 0.01, 0.04, NAN, 0.03, 0.005 };

	(void)state;
	assert_int_equal(stats_holm(p, 5), 0);
	close_to(p[4], 0.02, 1e-12);
	close_to(p[0], 0.03, 1e-12);
	close_to(p[3], 0.06, 1e-12);
	close_to(p[1], 0.06, 1e-12);
	assert_true(isnan(p[2]));
}

static void holm_never_exceeds_one(void **state)
{
	double p[] = { 0.9, 0.5, 0.8 };

	(void)state;
	assert_int_equal(stats_holm(p, 3), 0);
	assert_true(p[0] == 1 && p[1] == 1 && p[2] == 1);
}

/* Published pairs: medium loops 11.355 against 11.2971 us, idle power 2.112 against 1.752 W. */
static void percents_of_published_pairs(void **state)
{
	(void)state;
	close_to(stats_percent(11.2971, 11.355), 0.51, 0.005);
	close_to(stats_percent(1.752, 2.112), 20.55, 0.005);
	close_to(stats_percent(21.34, 20.56), -3.655, 0.005); /* P-53: this is better */
	assert_true(isnan(stats_percent(0, 1)));
	assert_true(isnan(stats_percent(NAN, 1)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(median_of_odd_and_even),
		cmocka_unit_test(nothing_is_not_available),
		cmocka_unit_test(interval_begins_at_six),
		cmocka_unit_test(interval_ranks_are_those_of_tables),
		cmocka_unit_test(u_distribution_of_three_and_three),
		cmocka_unit_test(u_critical_values),
		cmocka_unit_test(smallest_samples),
		cmocka_unit_test(w_distribution_of_four),
		cmocka_unit_test(w_critical_values),
		cmocka_unit_test(large_samples_use_the_normal_distribution),
		cmocka_unit_test(holm_by_hand),
		cmocka_unit_test(holm_never_exceeds_one),
		cmocka_unit_test(percents_of_published_pairs),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
