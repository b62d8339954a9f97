/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The clock: it advances, an absolute sleep lasts until its moment and no signal is hidden, the
 * wall time has the form that people read.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "lib/clock.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

static void now_never_goes_back(void **state)
{
	uint64_t last = clock_now_ns(), now;
	int i;

	(void)state;
	assert_true(last > 0);
	for (i = 0; i < 10000; i++) {
		now = clock_now_ns();
		assert_true(now >= last);
		last = now;
	}
}

static void sleep_ends_at_or_after_its_moment(void **state)
{
	uint64_t begin = clock_now_ns(), until = begin + 20000000;

	(void)state;
	assert_int_equal(clock_sleep_until(until), 0);
	assert_true(clock_now_ns() >= until);
}

static void the_past_returns_at_once(void **state)
{
	(void)state;
	assert_int_equal(clock_sleep_until(0), 0);
	assert_int_equal(clock_sleep_until(clock_now_ns() - 1), 0);
}

static void on_alarm(int signal)
{
	(void)signal;
}

static void a_signal_ends_the_sleep(void **state)
{
	struct sigaction action = { .sa_handler = on_alarm };
	struct itimerval soon = { .it_value.tv_usec = 20000, .it_interval.tv_usec = 20000 };
	struct itimerval never = { 0 };
	uint64_t until = clock_now_ns() + UINT64_C(5000000000);
	int r;

	(void)state;
	assert_int_equal(sigaction(SIGALRM, &action, NULL), 0);
	assert_int_equal(setitimer(ITIMER_REAL, &soon, NULL), 0);
	r = clock_sleep_until(until);
	setitimer(ITIMER_REAL, &never, NULL);
	assert_int_equal(r, -EINTR);
	assert_true(clock_now_ns() < until);
}

static void wall_text_in_zone(const char *zone, const char *offset)
{
	char text[26];
	struct tm parsed = { 0 };
	const char *end;

	setenv("TZ", zone, 1);
	tzset();
	clock_wall_text(text, sizeof(text));
	assert_int_equal(strlen(text), 25);
	assert_string_equal(text + 19, offset);
	text[19] = '\0';
	end = strptime(text, "%Y-%m-%dT%H:%M:%S", &parsed);
	assert_non_null(end);
	assert_int_equal(*end, '\0');
	parsed.tm_isdst = -1;
	assert_true(labs((long)(mktime(&parsed) - time(NULL))) <= 2);
}

static void wall_text_has_date_time_and_offset(void **state)
{
	(void)state;
	wall_text_in_zone("UTC0", "+00:00");
	wall_text_in_zone("IST-5:30", "+05:30");
	wall_text_in_zone("NST3:30", "-03:30");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(now_never_goes_back),
		cmocka_unit_test(sleep_ends_at_or_after_its_moment),
		cmocka_unit_test(the_past_returns_at_once),
		cmocka_unit_test(a_signal_ends_the_sleep),
		cmocka_unit_test(wall_text_has_date_time_and_offset),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
