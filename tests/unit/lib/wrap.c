/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The difference of a counter that wraps: the ranges of real energy counters, and both edges. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "lib/wrap.h"

#define INTEL UINT64_C(262143328850)
#define HASWELL UINT64_C(262143999938)
#define AMD UINT64_C(65532610987)
#define SERVER_DRAM UINT64_C(65712999613)

static uint64_t delta(uint64_t first, uint64_t last, uint64_t range)
{
	uint64_t got = 0;

	assert_int_equal(wrap_delta(first, last, range, &got), 0);
	return got;
}

static void p01_wrap_by_own_range(void **state)
{
	(void)state;
	assert_int_equal(delta(262143000000, 500000, INTEL), 828850);
	assert_int_equal(delta(262143000000, 500000, HASWELL), 1499938);
	assert_int_equal(delta(65532000000, 500000, AMD), 1110987);
	assert_int_equal(delta(65712000000, 500000, SERVER_DRAM), 1499613);
	assert_int_equal(delta(10, 25, AMD), 15);
	assert_int_equal(delta(25, 25, AMD), 0);
}

/* Published as -250,769.468 J. */
static void p01_never_negative(void **state)
{
	(void)state;
	assert_int_equal(delta(INTEL, 0, INTEL), 0);
	assert_int_equal(delta(250869468000, 100000000, INTEL), UINT64_C(11373860850));
}

static void p01_no_sum_overflows(void **state)
{
	(void)state;
	assert_int_equal(delta(UINT64_MAX - 1, 5, UINT64_MAX), 6);
	assert_int_equal(delta(0, UINT64_MAX, 0), UINT64_MAX);
}

static void p03_no_range_no_correction(void **state)
{
	uint64_t got = 42;

	(void)state;
	assert_int_equal(wrap_delta(10, 5, 0, &got), -ERANGE);
	assert_int_equal(got, 42);
	assert_int_equal(delta(5, 10, 0), 5);
}

static void p01_readings_above_the_range_are_refused(void **state)
{
	uint64_t got = 42;

	(void)state;
	assert_int_equal(wrap_delta(200, 5, 100, &got), -ERANGE);
	assert_int_equal(wrap_delta(5, 200, 100, &got), -ERANGE);
	assert_int_equal(got, 42);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(p01_wrap_by_own_range),
		cmocka_unit_test(p01_never_negative),
		cmocka_unit_test(p01_no_sum_overflows),
		cmocka_unit_test(p03_no_range_no_correction),
		cmocka_unit_test(p01_readings_above_the_range_are_refused),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
