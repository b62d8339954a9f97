/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A suspended machine and a clock that is set, told by clocks that this program gives itself:
 * clock_gettime() below takes the place of the C library's.
 */
#include "tests/unit/run/suites.h"

#include "run/clocks.h"
#include <stdio.h>
#include <time.h>

#define SECOND INT64_C(1000000000)

static int64_t monotonic, boot, wall;
static int slow_reads; /* so many of the next reads take 5 ms */

/* The parameter is called as in <time.h>. */
int clock_gettime(clockid_t clock, struct timespec *ts)
{
	int64_t now = clock == CLOCK_BOOTTIME ? boot : clock == CLOCK_REALTIME ? wall : monotonic;

	ts->tv_sec = (time_t)(now / SECOND);
	ts->tv_nsec = (long)(now % SECOND);
	if (slow_reads && clock == CLOCK_MONOTONIC) {
		slow_reads--;
		monotonic += 5000000;
		boot += 5000000;
		wall += 5000000;
	}
	return 0;
}

static void start(struct clocks *first)
{
	monotonic = 1000 * SECOND;
	boot = 5000 * SECOND;
	wall = 1700000000 * SECOND;
	clocks_read(first);
}

static void pass(int64_t ns)
{
	monotonic += ns;
	boot += ns;
	wall += ns;
}

static bool jumped(const struct clocks *first, char text[128])
{
	struct clocks last;

	clocks_read(&last);
	return clocks_jumped(first, &last, text, 128);
}

static void clocks_that_keep_step_are_quiet(void **state)
{
	struct clocks first;
	char text[128];

	(void)state;
	start(&first);
	pass(3600 * SECOND);
	assert_false(jumped(&first, text));
}

static void a_suspended_machine_is_told(void **state)
{
	struct clocks first;
	char text[128];

	(void)state;
	start(&first);
	pass(90 * SECOND);
	boot += 7200 * SECOND; /* closed lid: only boot time and the wall clock go on */
	wall += 7200 * SECOND;
	assert_true(jumped(&first, text));
	assert_string_equal(text, "the machine was suspended for 7200.00 s during the run");
	start(&first);
	pass(SECOND);
	boot += 11000000;
	assert_true(jumped(&first, text));
}

static void a_set_clock_is_told_with_its_direction(void **state)
{
	struct clocks first;
	char text[128];

	(void)state;
	start(&first);
	pass(90 * SECOND);
	wall -= 3600 * SECOND;
	assert_true(jumped(&first, text));
	assert_string_equal(text, "the wall clock was set back by 3600.00 s during the run");
	start(&first);
	pass(90 * SECOND);
	wall += SECOND / 2;
	assert_true(jumped(&first, text));
	assert_string_equal(text, "the wall clock was set forward by 0.50 s during the run");
}

/* NTP slews by at most 500 ppm: 45 ms in a window of 90 s, 1.8 s in an hour. */
static void slewing_is_no_step(void **state)
{
	struct clocks first;
	char text[128];

	(void)state;
	start(&first);
	pass(3600 * SECOND);
	wall += 1800000000;
	assert_false(jumped(&first, text));
	wall += 200000000;
	assert_true(jumped(&first, text));
}

static void a_slow_read_is_made_again(void **state)
{
	struct clocks first, last;
	char text[128];

	(void)state;
	start(&first);
	slow_reads = 3; /* 5 ms between the reads of one look, and of the next */
	clocks_read(&last);
	assert_int_equal(slow_reads, 0);
	assert_int_equal(last.boot_ns - last.monotonic_ns, first.boot_ns - first.monotonic_ns);
	assert_false(clocks_jumped(&first, &last, text, sizeof(text)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(clocks_that_keep_step_are_quiet),
		cmocka_unit_test(a_suspended_machine_is_told),
		cmocka_unit_test(a_set_clock_is_told_with_its_direction),
		cmocka_unit_test(slewing_is_no_step),
		cmocka_unit_test(a_slow_read_is_made_again),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
