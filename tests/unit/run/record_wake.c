/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From woken to running: which events make a wake, and which only look like one.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "run/record_wake.h"

static struct record_wakes wakes;
static struct trace_wake wake;

static int setup(void **state)
{
	(void)state;
	memset(&wakes, 0, sizeof(wakes));
	return 0;
}

static bool runs(uint32_t pid, uint64_t t_ns)
{
	wake = (struct trace_wake){ .pid = pid };
	return record_wakes_runs(&wakes, &wake, t_ns);
}

static void a_wake_begins_where_it_is_asked_for(void **state)
{
	(void)state;
	record_wakes_woken(&wakes, 42, 100, 3);
	record_wakes_woken(&wakes, 42, 160, -1); /* by the CPU that was woken */
	assert_true(runs(42, 180));
	assert_int_equal(wake.t_ns, 100);
	assert_int_equal(wake.latency_ns, 80);
	assert_int_equal(wake.waker, 3);
	assert_false(runs(42, 200)); /* it goes on after a preemption */
}

static void without_the_waker_the_wake_itself_counts(void **state)
{
	(void)state;
	record_wakes_woken(&wakes, 42, 160, -1);
	assert_true(runs(42, 180));
	assert_int_equal(wake.latency_ns, 20);
	assert_int_equal(wake.waker, -1);
}

static void a_task_that_runs_is_not_woken(void **state)
{
	(void)state;
	record_wakes_woken(&wakes, 42, 100, 3);
	record_wakes_forget(&wakes, 42); /* it is switched away only now */
	assert_false(runs(42, 900));
	record_wakes_woken(&wakes, 42, 1000, 3);
	record_wakes_forget(&wakes, 43);
	record_wakes_forget(&wakes, 42 + RECORD_WAKES); /* shares its place */
	assert_true(runs(42, 1001));
}

static void the_idle_task_is_never_woken(void **state)
{
	(void)state;
	record_wakes_forget(&wakes, 0);
	assert_false(runs(0, 900));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_wake_begins_where_it_is_asked_for, setup),
		cmocka_unit_test_setup(without_the_waker_the_wake_itself_counts, setup),
		cmocka_unit_test_setup(a_task_that_runs_is_not_woken, setup),
		cmocka_unit_test_setup(the_idle_task_is_never_woken, setup),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
