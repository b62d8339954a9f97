/* SPDX-License-Identifier: GPL-2.0-or-later */
/* wakeup: its combinations, the orders of its sleepers, the classes of gaps. */
#include "workloads/wakeup.h"
#include "tests/unit/workloads/ask.h"
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static void test_needs(void **state)
{
	struct workload_needs got;

	(void)state;
	assert_int_equal(ask("wakeup", "", &got), 0);
	assert_int_equal(got.tasks, 501); /* and the waker */
	assert_true(got.pinned && got.wrap);
	assert_false(got.timer_based);
	assert_int_equal(ask("wakeup", "by=timer threads=3", &got), 0);
	assert_int_equal(got.tasks, 3);
	assert_int_equal(got.cpus, 3);
	assert_true(got.timer_based);
	assert_int_equal(ask("wakeup", "threads=1 distance=smt-sibling", &got), 0);
	assert_int_equal(got.cpus, 2);
	assert_int_equal(got.group, 2);
	assert_int_equal(got.distance, DISTANCE_SMT_SIBLING);
	assert_int_equal(ask("wakeup", "affinity=free waker=sleep", &got), 0);
	assert_int_equal(got.cpus, 0);
	assert_false(got.pinned || got.timer_based);
}

/* */
static void test_refusals(void **state)
{
	static const struct {
		const char *settings, *text;
	} cases[] = {
		{ "by=timer waker=sleep", "waker has no effect" },
		{ "threads=1 order=random", "order has no effect" },
		{ "seed=3", "seed has no effect" },
		{ "order=sequential seed=3", "seed has no effect" },
		{ "threads=2 distance=any", "distance has no effect" },
		{ "threads=1 by=timer distance=any", "distance has no effect" },
		{ "threads=1 affinity=free distance=any", "distance has no effect" },
		{ "interval=1.0005us", "whole number of nanoseconds" },
	};
	struct workload_needs got;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(ask("wakeup", cases[i].settings, &got), -EINVAL);
		assert_true(error_is_usage());
		assert_non_null(strstr(error_text(), cases[i].text));
	}
}

/* In every cycle each sleeper has one slot, and both sides agree which. */
static void check_cycles(const struct wakeup_order *order)
{
	int n = order->n;

	for (int64_t cycle = -70; cycle < 70; cycle++) {
		int64_t sum = 0;

		for (int sleeper = 0; sleeper < n; sleeper++) {
			int64_t slot = wakeup_order_slot(order, cycle, sleeper);

			assert_true(slot >= cycle * n && slot < (cycle + 1) * n);
			assert_int_equal(wakeup_order_who(order, slot), sleeper);
			assert_int_equal(wakeup_order_cycle(order, slot), cycle);
			sum += slot - cycle * n;
		}
		assert_int_equal(sum, (int64_t)n * (n - 1) / 2);
	}
}

static void test_orders(void **state)
{
	static const int sizes[] = { 1, 2, 3, 7, 64, 500 };

	(void)state;
	for (size_t i = 0; i < 2 * sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct wakeup_order order;

		assert_int_equal(wakeup_order_open(sizes[i / 2], i % 2, 1, &order), 0);
		check_cycles(&order);
		wakeup_order_close(&order);
	}
}

static int64_t differences(const struct wakeup_order *a, const struct wakeup_order *b)
{
	int64_t n = 0;

	for (int64_t slot = 0; slot < 1000; slot++)
		n += wakeup_order_who(a, slot) != wakeup_order_who(b, slot);
	return n;
}

/* The same seed gives the same order; another seed, or the next cycle, another one. */
static void test_seeds(void **state)
{
	struct wakeup_order sequential, one, again, two;
	int64_t n = 0;

	(void)state;
	assert_int_equal(wakeup_order_open(100, false, 1, &sequential), 0);
	assert_int_equal(wakeup_order_open(100, true, 1, &one), 0);
	assert_int_equal(wakeup_order_open(100, true, 1, &again), 0);
	assert_int_equal(wakeup_order_open(100, true, 2, &two), 0);
	for (int64_t slot = 0; slot < 1000; slot++)
		assert_int_equal(wakeup_order_who(&sequential, slot), slot % 100);
	assert_int_equal(differences(&one, &again), 0);
	assert_true(differences(&one, &two) > 900);
	assert_true(differences(&one, &sequential) > 900);
	for (int64_t slot = 0; slot < 100; slot++)
		n += wakeup_order_who(&one, slot) != wakeup_order_who(&one, slot + 100);
	assert_true(n > 80);
	wakeup_order_close(&one);
	wakeup_order_close(&again);
	wakeup_order_close(&two);
}

static void test_gaps(void **state)
{
	static const struct {
		uint64_t gap_ns;
		enum wakeup_gap want;
	} cases[] = {
		{ 0, WAKEUP_GAP_0US },
		{ 999, WAKEUP_GAP_0US },
		{ 1000, WAKEUP_GAP_1US },
		{ 9999, WAKEUP_GAP_1US },
		{ 10000, WAKEUP_GAP_10US },
		{ 99999, WAKEUP_GAP_10US },
		{ 100000, WAKEUP_GAP_100US },
		{ 1000000, WAKEUP_GAP_1MS },
		{ 9999999, WAKEUP_GAP_1MS },
		{ 10000000, WAKEUP_GAP_10MS },
		{ 999999999, WAKEUP_GAP_100MS },
		{ 1000000000, WAKEUP_GAP_1S },
		{ 1000000000000, WAKEUP_GAP_1S },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(wakeup_gap_of(5000, 5000 + cases[i].gap_ns), cases[i].want);
	/* Sent while another sleeper still ran there. */
	assert_int_equal(wakeup_gap_of(5000, 4999), WAKEUP_GAP_BUSY);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_needs),  cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_orders), cmocka_unit_test(test_seeds),
		cmocka_unit_test(test_gaps),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
