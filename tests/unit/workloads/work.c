/* SPDX-License-Identifier: GPL-2.0-or-later */
/* twice the work takes twice the time, whatever the compiler does with the loop. */
#include "workloads/work.h"
#include "lib/clock.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#define UNITS 1000000u
#define TRIALS 40

static uint64_t time_of(uint64_t units)
{
	uint64_t begin = clock_now_ns();

	work_do(units);
	return clock_now_ns() - begin;
}

/*
 * Minimum times, because others on the machine only add. The trials alternate, so that a change of
 * frequency meets both; on a machine that changes it all the time the best of several rounds
 * counts.
 */
static double ratio(void)
{
	uint64_t once = UINT64_MAX, twice = UINT64_MAX;

	for (int i = 0; i < TRIALS; i++) {
		uint64_t a = time_of(UNITS), b = time_of(2 * UNITS);

		once = a < once ? a : once;
		twice = b < twice ? b : twice;
	}
	return (double)twice / (double)once;
}

static void test_twice(void **state)
{
	double best = 0;

	(void)state;
	for (int i = 0; i < 10 && fabs(best - 2) > 0.02; i++) {
		double now = ratio();

		if (fabs(now - 2) < fabs(best - 2))
			best = now;
	}
	print_message("# time(2W)/time(W) = %.4f\n", best);
	assert_true(fabs(best - 2) <= 0.02);
}

/* A chain of a multiplication and an addition takes 4 cycles or more: at most 8 GHz is plausible.
 */
static void test_calibration(void **state)
{
	double first = work_calibrate_ns(), again = work_calibrate_ns();

	(void)state;
	print_message("# %.4f and %.4f ns per unit\n", first, again);
	assert_true(first > 0.4 && first < 20);
	assert_true(fabs(first - again) < 0.5 * first);
}

static void test_none(void **state)
{
	(void)state;
	/* Zero units return at once (a loop that counts down from 0 would take centuries). */
	assert_true(time_of(0) < 1000000000u);
}

static void test_units(void **state)
{
	(void)state;
	assert_int_equal(work_units(0, 1.3), 0);
	assert_int_equal(work_units(1300, 1.3), 1000);
	assert_int_equal(work_units(1.9, 1.3), 1);
	assert_int_equal(work_units(2.0, 1.3), 2);
	assert_int_equal(work_units(20000, 1.2963), 15429);
	assert_int_equal(work_units(1e11, 0.5), 200000000000u);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_twice),
		cmocka_unit_test(test_calibration),
		cmocka_unit_test(test_none),
		cmocka_unit_test(test_units),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
