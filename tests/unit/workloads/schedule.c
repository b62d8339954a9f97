/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Schedules against figures made by hand, over a day and to the ends of the range. */
#include "workloads/schedule.h"
#include "lib/error.h"
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#define T0 1234567890123u
#define SECOND 1000000000ull

static struct schedule at(uint32_t num, uint32_t den)
{
	return (struct schedule){ .t0_ns = T0, .num = num, .den = den };
}

static void test_by_hand(void **state)
{
	struct schedule hz347 = at(347, 1), audio = at(375, 8); /* 48000 Hz / 1024 */

	(void)state;
	assert_int_equal(schedule_due_ns(&hz347, 0), T0);
	assert_int_equal(schedule_due_ns(&hz347, 1), T0 + 2881844); /* 2881844.38 */
	assert_int_equal(schedule_due_ns(&hz347, 3), T0 + 8645533); /* 8645533.14 */
	assert_int_equal(schedule_due_ns(&hz347, 347), T0 + SECOND);
	assert_int_equal(schedule_due_ns(&hz347, -1), T0 - 2881845);
	assert_int_equal(schedule_due_ns(&audio, 1), T0 + 21333333);
	assert_int_equal(schedule_due_ns(&audio, 3), T0 + 64000000);
	assert_int_equal(schedule_due_ns(&audio, -3), T0 - 64000000);
}

/* after an hour at 347 Hz, and after a day of every rate, the error is that of one rounding.
 */
static void test_no_drift(void **state)
{
	static const uint32_t rates[] = { 1, 7, 24, 30, 60, 73, 113, 211, 347, 401, 1000, 50000 };
	struct schedule ntsc = at(30000, 1001);

	(void)state;
	for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]); i++) {
		struct schedule schedule = at(rates[i], 1);

		for (int64_t s = 0; s <= 86400; s += 3600)
			assert_int_equal(schedule_due_ns(&schedule, s * rates[i]),
					 T0 + (uint64_t)s * SECOND);
	}
	assert_int_equal(schedule_due_ns(&ntsc, 30000ll * 100), T0 + 1001 * 100 * SECOND);
}

static void test_far(void **state)
{
	struct schedule fast = at(1000000, 1), slow = at(1, 1000);

	(void)state;
	/* 200 years */
	assert_int_equal(schedule_due_ns(&fast, 6307200000000000ll), T0 + 6307200000ull * SECOND);
	assert_int_equal(schedule_due_ns(&slow, 6307200), T0 + 6307200000ull * SECOND);
	assert_int_equal(schedule_last(&slow, T0 + 6307200000ull * SECOND), 6307200);
}

/* Last and first agree with the due times themselves, at each edge and beside it. */
static void test_edges(void **state)
{
	static const struct schedule all[] = { { T0, 347, 1 },	{ T0, 60, 1 },
					       { T0, 24, 1 },	{ T0, 375, 8 },
					       { T0, 1000, 1 }, { T0, 24000, 1001 },
					       { T0, 1, 1000 }, { T0, 1000000, 1 } };

	(void)state;
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		for (int64_t k = -1000; k <= 1000; k++) {
			uint64_t due;

			if (all[i].num == 1 && k < -1) /* before the clock's begin */
				continue;
			due = schedule_due_ns(&all[i], k);
			assert_int_equal(schedule_last(&all[i], due), k);
			assert_int_equal(schedule_last(&all[i], due - 1), k - 1);
			assert_int_equal(schedule_first(&all[i], due), k);
			assert_int_equal(schedule_first(&all[i], due + 1), k + 1);
		}
	}
}

static void test_rates(void **state)
{
	static const double bad[] = { 0, 0.0001, 23.9761, 1e6 + 1, -30 };
	struct schedule schedule = { .t0_ns = T0 };

	(void)state;
	assert_int_equal(schedule_set_rate(&schedule, 23.976), 0);
	assert_int_equal(schedule_due_ns(&schedule, 23976), T0 + 1000 * SECOND);
	assert_int_equal(schedule_set_rate(&schedule, 347), 0);
	assert_int_equal(schedule_due_ns(&schedule, 347), T0 + SECOND);
	assert_int_equal(schedule_set_rate(&schedule, 0.001), 0);
	assert_int_equal(schedule_due_ns(&schedule, 1), T0 + 1000 * SECOND);
	assert_int_equal(schedule_set_rate(&schedule, 1e6), 0);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(schedule_set_rate(&schedule, bad[i]), -EINVAL);
		assert_true(error_is_usage());
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_by_hand), cmocka_unit_test(test_no_drift),
		cmocka_unit_test(test_far),	cmocka_unit_test(test_edges),
		cmocka_unit_test(test_rates),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
