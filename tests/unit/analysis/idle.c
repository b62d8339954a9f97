/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shares and rates from sums of idle counters. */
#include "analysis/idle.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#define close_to(a, b, by) assert_true(fabs((a) - (b)) <= (by))

/* Two CPUs of 10 s each, 5 s and 7.5 s in the state. */
static const struct idle_sum sum = {
	.readings = 2,
	.window_ns = 20e9,
	.time_us = 12.5e6,
	.per_s = 300,
	.usage = 3000,
	.above = 30,
	.below = 600,
};

static void quantities(void **state)
{
	(void)state;
	close_to(idle_quantity(&sum, IDLE_RESIDENCY), 62.5, 1e-9);
	close_to(idle_quantity(&sum, IDLE_ENTRIES), 300, 1e-9);
	close_to(idle_quantity(&sum, IDLE_TOO_DEEP), 1, 1e-9);
	close_to(idle_quantity(&sum, IDLE_TOO_SHALLOW), 20, 1e-9);
}

/* P-23: no usage gives no percentage; P-26: a missing file gives nothing at all. */
static void not_available(void **state)
{
	struct idle_sum s = sum, none = { 0 };

	(void)state;
	s.usage = 0;
	s.above = 0;
	assert_true(isnan(idle_quantity(&s, IDLE_TOO_DEEP)));
	s = sum;
	s.above = NAN;
	assert_true(isnan(idle_quantity(&s, IDLE_TOO_DEEP)));
	assert_false(isnan(idle_quantity(&s, IDLE_TOO_SHALLOW)));
	assert_true(isnan(idle_quantity(&none, IDLE_ENTRIES)));
}

static void rest_is_not_idle_and_not_clamped(void **state)
{
	struct idle_sum sums[2] = { sum, sum };
	struct state_table table = { .states = 2, .first = 0 };

	(void)state;
	close_to(idle_not_idle(sums, &table), -25, 1e-9);
	sums[1].time_us = 2e6;
	close_to(idle_not_idle(sums, &table), 27.5, 1e-9);
}

/* The rate of pooled runs is entries over time, not a sum over runs. */
static void pooling(void **state)
{
	struct idle_sum pooled = { 0 }, shorter = sum, none = { 0 };

	(void)state;
	shorter.window_ns = 10e9;
	shorter.per_s = 600;
	idle_pool(&pooled, &sum);
	idle_pool(&pooled, &none);
	idle_pool(&pooled, &shorter);
	close_to(pooled.per_s, 400, 1e-9);
	close_to(pooled.usage, 6000, 1e-9);
	close_to(pooled.window_ns, 30e9, 1);
	assert_int_equal(pooled.readings, 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quantities),
		cmocka_unit_test(not_available),
		cmocka_unit_test(rest_is_not_idle_and_not_clamped),
		cmocka_unit_test(pooling),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
