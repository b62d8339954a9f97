/* SPDX-License-Identifier: GPL-2.0-or-later */
/* waiters: which loads may be given, what they become, and when the threads are due. */
#include "workloads/waiters.h"
#include "tests/unit/workloads/ask.h"
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static struct param_value values[64];

static const struct workload *parse(const char *settings)
{
	return ask_values("waiters", settings, values);
}

static void test_needs(void **state)
{
	struct workload_needs got;

	(void)state;
	assert_int_equal(ask("waiters", "", &got), 0);
	assert_int_equal(got.tasks, 500);
	assert_int_equal(got.cpus, 0);
	assert_false(got.pinned);
	assert_true(got.timer_based);
	assert_int_equal(ask("waiters", "threads=2000 affinity=pinned", &got), 0);
	assert_int_equal(got.cpus, 2000);
	assert_true(got.pinned && got.wrap); /* on however few CPUs there are */
}

/* exactly one of the three. */
static void test_refusals(void **state)
{
	static const struct {
		const char *settings, *text;
	} cases[] = {
		{ "work=0 load=3%", "load has no effect with work" },
		{ "work=3us machine_load=68%", "machine_load has no effect with work" },
		{ "load=3% machine_load=68%", "machine_load has no effect with load" },
		{ "frequency=10.0001Hz", "frequency: " },
	};
	struct workload_needs got;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(ask("waiters", cases[i].settings, &got), -EINVAL);
		assert_true(error_is_usage());
		assert_non_null(strstr(error_text(), cases[i].text));
	}
}

/* Every way to say a load ends in one count of units, by figures made by hand. */
static void test_resolve(void **state)
{
	static const struct {
		const char *settings;
		size_t cpus;
		double ns_per_unit, units;
	} cases[] = {
		/* The seed's: 0.0163 of a CPU each are 8.15 CPUs of 12, 67.917 % of the machine. */
		{ "load=1.63%", 12, 1.25, 1304000 },
		{ "machine_load=68%", 12, 1.25, 1305600 },
		{ "", 12, 1.25, 1305600 },
		{ "", 2, 2, 136000 },
		{ "threads=1 frequency=347Hz load=3%", 2, 1, 86455 },
		{ "threads=2 machine_load=100% frequency=1kHz", 2, 1, 1000000 },
		{ "work=20us", 2, 1.25, 16000 },
		{ "work=1234", 64, 1.25, 1234 },
		{ "work=0", 2, 1, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct workload *workload = parse(cases[i].settings);

		assert_int_equal(
			workload_resolve(workload, values, cases[i].ns_per_unit, cases[i].cpus), 0);
		assert_true(values[WAITERS_WORK].number == cases[i].units);
		assert_true(values[WAITERS_WORK].given);
		assert_false(values[WAITERS_LOAD].given || values[WAITERS_MACHINE_LOAD].given);
		assert_false(workload_needs_calibration(workload, values));
	}
}

static void test_too_much(void **state)
{
	const struct workload *workload = parse("threads=2 machine_load=68%");

	(void)state;
	assert_int_equal(workload_resolve(workload, values, 1, 12), -EINVAL);
	assert_true(error_is_usage());
	assert_non_null(strstr(error_text(), "more than a CPU"));
}

/* Thread i is i/threads of a period behind, to the nanosecond, so all wakes are evenly spread. */
static void test_phases(void **state)
{
	struct schedule schedule = { .t0_ns = 0 };

	(void)state;
	assert_int_equal(schedule_set_rate(&schedule, 10), 0);
	for (int i = 0; i < 500; i++)
		assert_int_equal(waiters_phase_ns(&schedule, i, 500), i * 200000);
	assert_int_equal(schedule_set_rate(&schedule, 113), 0);
	for (int i = 1; i < 2000; i++) {
		double step = (double)(waiters_phase_ns(&schedule, i, 2000) -
				       waiters_phase_ns(&schedule, i - 1, 2000));

		assert_true(fabs(step - 1e9 / 113 / 2000) < 1);
	}
	assert_int_equal(schedule_set_rate(&schedule, 0.1), 0);
	assert_int_equal(waiters_phase_ns(&schedule, WAITERS_MAX - 1, WAITERS_MAX), 9998779296);
}

/* Rounds that were missed take no CPU time: less of it is not better. */
static void test_load_has_no_direction(void **state)
{
	const struct metric *m = waiters_metrics;

	(void)state;
	while (m->name && strcmp(m->name, "load_pct"))
		m++;
	assert_non_null(m->name);
	assert_int_equal(m->better, BETTER_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_needs),	cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_resolve), cmocka_unit_test(test_too_much),
		cmocka_unit_test(test_phases),	cmocka_unit_test(test_load_has_no_direction),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
