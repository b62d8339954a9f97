/* SPDX-License-Identifier: GPL-2.0-or-later */
/* periodic before it runs: what it refuses, how long packets are, and when they are released. */
#include "tests/unit/workloads/periodic.h"
#include "lib/error.h"
#include <errno.h>
#include <math.h>

#define SECOND 1000000000ull
#define T0 987654321012345ull

static struct driver driver;
static struct param_value values[PERIODIC_PARAMS + 1];

static void test_needs(void **state)
{
	static const struct {
		const char *settings;
		int tasks;
		double window_ns;
	} cases[] = {
		{ "", 1, 2881845 },
		{ "threads=2 phase=together distance=same-cache", 2, 2881845 },
		{ "threads=all phase=spread", -1, 2881845 },
		{ "frequency=1kHz", 1, 1e6 },
		{ "ramp=yes", 1, 207e9 },
		{ "ramp=yes steps=2 step=100ms work=20us", 1, 0.5e9 },
		{ "load=101% catch-up=skip loops=5", 1, 2881845 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct workload_needs needs;

		periodic_parse(cases[i].settings, values);
		assert_int_equal(periodic_workload()->needs(values, &needs), 0);
		assert_int_equal(needs.tasks, cases[i].tasks);
		assert_int_equal(needs.cpus, cases[i].tasks);
		assert_true(needs.pinned && needs.timer_based);
		assert_true(needs.window_ns == cases[i].window_ns);
	}
}

/* what has no effect in its combination, and what cannot be done. */
static void test_refusals(void **state)
{
	static const struct {
		const char *settings, *says;
	} cases[] = {
		{ "load=3% work=20us", "load has no effect with work" },
		{ "phase=together", "phase has no effect with one thread" },
		{ "distance=same-cache", "distance has no effect with one thread" },
		{ "steps=5", "steps has no effect without ramp" },
		{ "step=1s", "step has no effect without ramp" },
		{ "ramp=yes load=3%", "load has no effect with ramp" },
		{ "ramp=yes loops=100", "loops has no effect with ramp" },
		{ "ramp=yes frequency=1Hz step=999ms", "shorter than one period" },
		{ "frequency=59.9401Hz", "not a multiple of 0.001Hz" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct workload_needs needs;

		periodic_parse(cases[i].settings, values);
		error_clear();
		assert_int_equal(periodic_workload()->needs(values, &needs), -EINVAL);
		assert_true(error_is_usage());
		assert_non_null(strstr(error_text(), cases[i].says));
	}
}

static void test_window(void **state)
{
	(void)state;
	assert_int_equal(workload_check_window(207e9, 207e9), 0);
	assert_int_equal(workload_check_window(0, 1e6), 0);
	assert_int_equal(workload_check_window(207e9, 206.9e9), -EINVAL);
	assert_true(error_is_usage());
	assert_non_null(strstr(error_text(), "206.9s"));
}

/* A load is a share of the period: 3 % of 2881.84 us are 86.455 us, 66504 units of 1.3 ns. */
static void test_resolve(void **state)
{
	static const struct {
		const char *settings;
		double units;
	} cases[] = {
		{ "", 66504 },
		{ "load=3%", 66504 },
		{ "load=0%", 0 },
		{ "load=101%", 2238971 },
		{ "load=50% frequency=1kHz", 384615 },
		{ "work=1234", 1234 },
		{ "work=13us", 10000 },
		{ "ramp=yes frequency=1kHz", 769231 },
		{ "ramp=yes work=500", 500 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct workload_needs needs;

		periodic_parse(cases[i].settings, values);
		assert_true(workload_needs_calibration(periodic_workload(), values));
		assert_int_equal(workload_resolve(periodic_workload(), values, 1.3, 2), 0);
		assert_true(values[PERIODIC_WORK].set && values[PERIODIC_WORK].given);
		assert_true(values[PERIODIC_WORK].number == cases[i].units);
		/* What the program is then started with is accepted, and gives the same. */
		assert_false(values[PERIODIC_LOAD].set);
		assert_int_equal(periodic_workload()->needs(values, &needs), 0);
		assert_int_equal(workload_resolve(periodic_workload(), values, 2.6, 2), 0);
		assert_true(values[PERIODIC_WORK].number == cases[i].units);
	}
}

static struct periodic_plan plan_of(const char *settings, int thread, uint64_t window_ns)
{
	struct periodic_plan plan;

	periodic_drive(&driver, values, settings, 1);
	assert_int_equal(periodic_plan(&driver, thread, T0,
				       driver.loops ? UINT64_MAX : T0 + window_ns, &plan),
			 0);
	return plan;
}

/* every release of an hour is the exact time rounded down to a nanosecond, in rational
 * arithmetic: 1,249,200 of them at 347 Hz. */
static void test_a09_hour(void **state)
{
	static const struct {
		const char *settings;
		unsigned int millihertz;
	} rates[] = {
		{ "frequency=347Hz", 347000 },	   { "frequency=73Hz", 73000 },
		{ "frequency=113Hz", 113000 },	   { "frequency=211Hz", 211000 },
		{ "frequency=401Hz", 401000 },	   { "frequency=59.94Hz", 59940 },
		{ "frequency=23.976Hz", 23976 },   { "frequency=0.347kHz", 347000 },
		{ "frequency=346.999Hz", 346999 }, { "frequency=0.1Hz", 100 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]); i++) {
		struct periodic_plan plan = plan_of(rates[i].settings, 0, 3600 * SECOND);
		uint64_t due0 = schedule_due_ns(&plan.schedule, 0);
		/* of nanosecond * millihertz, which an hour of them does not overflow */
		const uint64_t period = 1000 * SECOND;

		assert_true(plan.planned >= 3600ull * rates[i].millihertz / 1000);
		assert_true(rates[i].millihertz != 347000 || plan.planned == 1249200);
		for (uint64_t k = 0; k <= plan.planned; k++) {
			uint64_t got = schedule_due_ns(&plan.schedule, (int64_t)k) - due0;

			if (k * period - got * rates[i].millihertz >= rates[i].millihertz)
				fail_msg("%s: release %llu is off by 1 ns or more",
					 rates[i].settings, (unsigned long long)k);
		}
	}
}

/* as many packets as the window has periods, within one, for every phase. */
static void test_a08_planned(void **state)
{
	static const char *const rates[] = { "73Hz",  "113Hz",	 "211Hz",  "347Hz",
					     "401Hz", "59.94Hz", "1000Hz", "7.5Hz" };
	static const double windows[] = { 0.1333, 0.5, 1, 3.3, 5, 20, 60.0001, 207 };
	char settings[64];

	(void)state;
	for (size_t r = 0; r < sizeof(rates) / sizeof(rates[0]); r++) {
		for (int threads = 1; threads <= 5; threads++) {
			snprintf(settings, sizeof(settings), "frequency=%s threads=%d", rates[r],
				 threads);
			for (size_t w = 0; w < sizeof(windows) / sizeof(windows[0]); w++) {
				int i = threads - 1;
				struct periodic_plan plan =
					plan_of(settings, i, (uint64_t)(windows[w] * 1e9));
				double want = round(values[PERIODIC_FREQUENCY].number * windows[w]);

				assert_true(fabs((double)plan.planned - want) <= 1);
			}
		}
	}
	assert_int_equal(plan_of("", 0, 5 * SECOND).planned, 1735);
	assert_int_equal(plan_of("loops=77", 0, 0).planned, 77);
}

/* Releases lie between t0 and t1, never on them; spread evenly or together. */
static void test_phase(void **state)
{
	static const char *const all[] = { "frequency=1kHz threads=4",
					   "frequency=1kHz threads=4 phase=together" };
	static const uint64_t want[2][4] = { { 125000, 375000, 625000, 875000 },
					     { 500000, 500000, 500000, 500000 } };

	(void)state;
	for (int i = 0; i < 2; i++) {
		for (int thread = 0; thread < 4; thread++) {
			struct periodic_plan plan = plan_of(all[i], thread, SECOND);

			assert_int_equal(plan.schedule.t0_ns - T0, want[i][thread]);
			assert_int_equal(plan.planned, 1000);
			assert_true(schedule_due_ns(&plan.schedule, 999) < T0 + SECOND);
		}
	}
}

static void test_spans(void **state)
{
	static const struct {
		const char *settings;
		double window_s;
		uint64_t periods, spans;
	} cases[] = {
		{ "", 20, 347, 20 },
		{ "", 3, 104, 10 }, /* a tenth */
		{ "", 20.5, 347, 20 }, /* the rest belongs to the last */
		{ "loops=3", 0, 1, 3 },
		{ "loops=1", 0, 1, 1 },
		{ "frequency=1Hz", 5, 1, 5 },
		{ "loops=2500000", 0, 1221, 2047 },
		{ "ramp=yes", 207, 1041, 69 },
		{ "ramp=yes frequency=59.94Hz", 207, 179, 69 }, /* whole periods, so all fits */
		{ "ramp=yes steps=1023 step=100ms", 250, 34, 2047 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct periodic_plan plan =
			plan_of(cases[i].settings, 0, (uint64_t)(cases[i].window_s * 1e9));

		assert_int_equal(plan.span_periods, cases[i].periods);
		assert_int_equal(plan.spans, cases[i].spans);
		assert_true(plan.planned >= plan.spans * plan.span_periods);
		assert_true(plan.spans <= PERIODIC_SPANS_MAX);
	}
}

/* Up and down the same steps: 0 at both ends, the whole packet once in the middle. */
static void test_ramp(void **state)
{
	struct periodic_plan plan = plan_of("ramp=yes work=3400", 0, 207 * SECOND);

	(void)state;
	for (uint64_t i = 0; i <= 34; i++) {
		assert_int_equal(periodic_units(&plan, i), 100 * i);
		assert_int_equal(periodic_units(&plan, 68 - i), 100 * i);
		assert_true(fabs(periodic_level(&plan, i) - (double)i / 34) < 1e-12);
	}
	plan = plan_of("work=3400", 0, SECOND);
	for (uint64_t i = 0; i < plan.spans; i++)
		assert_int_equal(periodic_units(&plan, i), 3400);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_needs),	 cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_window),	 cmocka_unit_test(test_resolve),
		cmocka_unit_test(test_a09_hour), cmocka_unit_test(test_a08_planned),
		cmocka_unit_test(test_phase),	 cmocka_unit_test(test_spans),
		cmocka_unit_test(test_ramp),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
