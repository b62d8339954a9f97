/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Medians, intervals, shifts, rank tests and Holm against values worked out by hand or published.
 */
#include "analysis/stats.h"
#include <errno.h>
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

/* P-50: the smallest two-sided p is 0.10 for 3+3, 0.029 for 4+4, 0.0022 for 6+6. */
static void smallest_p(void **state)
{
	const double a[] = { 1, 2, 3, 4, 5, 6 }, b[] = { 11, 12, 13, 14, 15, 16 };
	struct shift s;

	(void)state;
	assert_int_equal(stats_shift(a, 3, b, 3, &s), 0);
	close_to(s.p, 0.1, 1e-12);
	assert_int_equal(stats_shift(a, 4, b, 4, &s), 0);
	close_to(s.p, 2.0 / 70, 1e-12);
	assert_int_equal(stats_shift(b, 6, a, 6, &s), 0);
	close_to(s.p, 2.0 / 924, 1e-12);
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

/* Differences of {1,2,3} to {4,6,8}: 1 2 3 3 4 5 5 6 7, median 4. */
static void hodges_lehmann_by_hand(void **state)
{
	const double a[] = { 3, 1, 2 }, b[] = { 8, 4, 6 };
	struct shift s;

	(void)state;
	assert_int_equal(stats_shift(a, 3, b, 3, &s), 0);
	assert_true(s.hl == 4);
	assert_false(s.interval); /* 3+3 cannot give 95 % */
	assert_int_equal(stats_shift(b, 3, a, 3, &s), 0);
	assert_true(s.hl == -4);
}

/*
 * 6+6: the interval is the 6th smallest to the 6th largest of 36 differences. With a = 0..5 and b =
 * a + 10 (times 1.001 to keep ties away) they lie near 10 - 2.5 and 10 + 2.5: rank 6 is 10 - 3.
 */
static void shift_interval_rank(void **state)
{
	double a[6], b[6];
	struct shift s;
	size_t i;

	(void)state;
	for (i = 0; i < 6; i++) {
		a[i] = (double)i;
		b[i] = 10 + 1.001 * (double)i;
	}
	assert_int_equal(stats_shift(a, 6, b, 6, &s), 0);
	assert_true(s.interval);
	close_to(s.lo, 7, 0.01);
	close_to(s.hi, 13, 0.01);
	close_to(s.hl, 10, 0.01);
}

/* Hollander and Wolfe, table 4.1: permeability, 10 and 5 values; HL 0.305, 96 % interval
 * -0.15..0.76 (ranks 9 and 42), W = 30, two-sided p 0.2544. */
static void published_example(void **state)
{
	const double x[] = { 0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46 };
	const double y[] = { 1.15, 0.88, 0.90, 0.74, 1.21 };
	struct shift s;

	(void)state;
	assert_int_equal(stats_shift(y, 5, x, 10, &s), 0);
	close_to(s.hl, 0.305, 1e-9);
	close_to(s.p, 0.2544, 5e-5);
	close_to(s.lo, -0.15, 1e-9);
	close_to(s.hi, 0.76, 1e-9);
}

static void ties_do_not_become_significance(void **state)
{
	const double same[] = { 5, 5, 5, 5, 5, 5 }, mixed[] = { 1, 2, 2, 3, 3, 4 };
	struct shift s;

	(void)state;
	assert_int_equal(stats_shift(same, 6, same, 6, &s), 0);
	assert_true(s.p == 1 && s.hl == 0); /* P-57: equal values must not give noise */
	assert_int_equal(stats_shift(mixed, 6, mixed, 6, &s), 0);
	assert_true(s.p > 0.9);
}

/* 60+60 without overlap: z = (1800 - 0.5) / sqrt(60 * 60 * 121 / 12) = 9.44. */
static void large_samples_use_the_normal_distribution(void **state)
{
	double a[60], b[60];
	struct shift s;
	size_t i;

	(void)state;
	for (i = 0; i < 60; i++) {
		a[i] = (double)i;
		b[i] = 1000.5 + (double)i;
	}
	assert_int_equal(stats_shift(a, 60, b, 60, &s), 0);
	assert_true(s.p > 0 && s.p < 1e-19);
	assert_true(s.interval && s.lo <= s.hl && s.hl <= s.hi);
	assert_true(s.lo > 980 && s.hi < 1020);
}

static void empty_samples_are_refused(void **state)
{
	const double a[] = { 1 };
	struct shift s = { .p = 7 };

	(void)state;
	assert_int_equal(stats_shift(a, 1, a, 0, &s), -EINVAL);
	assert_int_equal(stats_shift(a, 0, a, 1, &s), -EINVAL);
	assert_true(s.p == 7);
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
		cmocka_unit_test(smallest_p),
		cmocka_unit_test(u_distribution_of_three_and_three),
		cmocka_unit_test(u_critical_values),
		cmocka_unit_test(hodges_lehmann_by_hand),
		cmocka_unit_test(shift_interval_rank),
		cmocka_unit_test(published_example),
		cmocka_unit_test(ties_do_not_become_significance),
		cmocka_unit_test(large_samples_use_the_normal_distribution),
		cmocka_unit_test(empty_samples_are_refused),
		cmocka_unit_test(holm_by_hand),
		cmocka_unit_test(holm_never_exceeds_one),
		cmocka_unit_test(percents_of_published_pairs),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
