/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bootstrap's interval against the exact distribution of a draw: six blocks have so few
 * different medians that their probabilities can be worked out by hand.
 */
#include "analysis/bootstrap.h"
#include "analysis/stats.h"
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#define close_to(a, b, by) assert_true(fabs((a) - (b)) <= (by))

static double largest(const size_t *pick, size_t n, void *arg)
{
	const double *value = arg;
	double most = value[pick[0]];

	for (size_t i = 1; i < n; i++)
		most = fmax(most, value[pick[i]]);
	return most;
}

/* P(largest of 6 draws from 1..6 <= k) = (k / 6)^6: 2.5 % lies in 4 (1.6 % at 3, 8.8 % at 4). */
static void quantiles_of_a_known_distribution(void **state)
{
	double value[] = { 3, 1, 6, 2, 5, 4 };
	struct bootstrap b;

	(void)state;
	assert_int_equal(bootstrap_interval(largest, value, 6, STATS_ALPHA, 1, &b), 0);
	assert_true(b.value == 6);
	assert_true(b.interval && b.lo == 4 && b.hi == 6);
}

/* Energy 2 to 7 J, loops all 2: the ratio's median is 2.25. */
static void ratio_by_hand(void **state)
{
	const double over[] = { 2, 3, 4, 5, 6, 7 }, under[] = { 2, 2, 2, 2, 2, 2 };
	struct bootstrap b;

	(void)state;
	assert_int_equal(bootstrap_ratio(over, under, 6, STATS_ALPHA, 9, &b), 0);
	assert_true(b.value == 2.25);
	assert_true(b.interval && b.lo >= 1 && b.lo < 2.25 && b.hi > 2.25 && b.hi <= 3.5);
}

/* Both sides of a block are drawn together: where they rise and fall as one, nothing is unsure. */
static void blocks_stay_together(void **state)
{
	const double over[] = { 2, 40, 6, 80, 10, 120, 14 }, under[] = { 1, 20, 3, 40, 5, 60, 7 };
	struct bootstrap b;

	(void)state;
	assert_int_equal(bootstrap_ratio(over, under, 7, STATS_ALPHA, 1, &b), 0);
	assert_true(b.value == 2 && b.interval && b.lo == 2 && b.hi == 2);
}

static void a_seed_gives_the_same_bytes(void **state)
{
	const double over[] = { 2.1, 3.7, 4.2, 5.9, 6.3, 7.7, 8.4, 9.1 };
	const double under[] = { 1.9, 2.2, 2.1, 1.7, 2.4, 2.3, 1.8, 2.6 };
	struct bootstrap a, b, c;

	(void)state;
	assert_int_equal(bootstrap_ratio(over, under, 8, STATS_ALPHA, 42, &a), 0);
	assert_int_equal(bootstrap_ratio(over, under, 8, STATS_ALPHA, 42, &b), 0);
	assert_int_equal(bootstrap_ratio(over, under, 8, STATS_ALPHA, UINT64_C(42) << 32 | 7, &c),
			 0);
	assert_true(a.lo == b.lo && a.hi == b.hi && a.value == b.value);
	assert_true(a.value == c.value && (a.lo != c.lo || a.hi != c.hi));
}

static void scale_of_both_sides(void **state)
{
	double over[] = { 2.1, 3.7, 4.2, 5.9, 6.3, 7.7 };
	double under[] = { 1.9, 2.2, 2.1, 1.7, 2.4, 2.3 };
	struct bootstrap a, b;

	(void)state;
	assert_int_equal(bootstrap_ratio(over, under, 6, STATS_ALPHA, 3, &a), 0);
	for (int i = 0; i < 6; i++) {
		over[i] *= 1024;
		under[i] *= 2;
	}
	assert_int_equal(bootstrap_ratio(over, under, 6, STATS_ALPHA, 3, &b), 0);
	close_to(b.value, 512 * a.value, 1e-9);
	close_to(b.lo, 512 * a.lo, 1e-9);
	close_to(b.hi, 512 * a.hi, 1e-9);
}

/* P-50: five blocks have no interval. A ratio to 0 has neither. */
static void no_interval(void **state)
{
	const double over[] = { 1, 2, 3, 4, 5, 6 }, zero[] = { 0, 0, 0, 0, 1, 1 };
	struct bootstrap b = { .value = 7 };

	(void)state;
	assert_int_equal(bootstrap_ratio(over, over, 0, STATS_ALPHA, 1, &b), -EINVAL);
	assert_true(b.value == 7);
	assert_int_equal(bootstrap_ratio(over, over, 5, STATS_ALPHA, 1, &b), 0);
	assert_true(b.value == 1 && !b.interval && isnan(b.lo));
	assert_int_equal(bootstrap_ratio(over, zero, 6, STATS_ALPHA, 1, &b), 0);
	assert_true(isnan(b.value) && !b.interval);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quantiles_of_a_known_distribution),
		cmocka_unit_test(ratio_by_hand),
		cmocka_unit_test(blocks_stay_together),
		cmocka_unit_test(a_seed_gives_the_same_bytes),
		cmocka_unit_test(scale_of_both_sides),
		cmocka_unit_test(no_interval),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
