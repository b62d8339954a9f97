/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Derived figures of a run: the published arithmetic, and nothing where an input is missing. */
#include "analysis/derived.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define close_to(a, b, by) assert_true(fabs((a) - (b)) <= (by))

static double value_of(const struct loaded_run *run, const char *name)
{
	for (size_t i = 0; i < run->metrics; i++)
		if (!strcmp(run->metric[i].name, name))
			return run->metric[i].value;
	return NAN;
}

/*
 * The ring of 6 with 147,097 units a stop: 1162.13 us a loop and 1.8 us a hop beside the work tell
 * the unit, 1.30444 ns; 1266.45 us of the other governor are then 19.2 us a hop, 17.4 us more.
 */
static void excess_of_a_hop(void **state)
{
	double unit_ns = (1162.13 / 6 - 1.8) * 1000 / 147097;
	double teo = derived_hop_excess_us(1162.13, 6, 147097, unit_ns);
	double rjw = derived_hop_excess_us(1266.45, 6, 147097, unit_ns);

	(void)state;
	close_to(unit_ns, 1.3045, 0.0005);
	close_to(teo, 1.8, 1e-9);
	close_to(rjw, 19.2, 0.05);
	close_to(rjw - teo, 17.4, 0.05);
	assert_true(isnan(derived_hop_excess_us(NAN, 6, 1, 1)));
	assert_true(isnan(derived_hop_excess_us(1, 6, NAN, 1)));
	assert_true(isnan(derived_hop_excess_us(1, 6, 1, NAN)));
	assert_true(isnan(derived_hop_excess_us(1, 0, 1, 1)));
}

static void of_a_run(void **state)
{
	struct result r = { 0 };
	struct metric_value metric[] = {
		{ "loop_us", "us", "lower", 10 },	{ "loops_per_s", "1/s", "higher", 200000 },
		{ "stops_per_loop", "", "none", 2 },	{ "work_units", "", "none", 1000 },
		{ "unit_start_ns", "ns", "none", 1.2 }, { "unit_end_ns", "ns", "none", 1.4 },
	};
	struct loaded_run run = { .metric = metric, .metrics = 6 };

	(void)state;
	run.power.package_w = 20;
	derived_load(&r, &run);
	/* Two pairs: 20 W over 200,000 loops are 100 uJ each, and each took 10 us. */
	close_to(value_of(&run, "package_uj_per_loop"), 100, 1e-9);
	close_to(value_of(&run, "energy_delay_uj_us"), 1000, 1e-9);
	close_to(value_of(&run, "hop_excess_us"), 3.7, 1e-9);
	assert_true(isnan(value_of(&run, "exit_latency_pct")));
	assert_string_equal(run.metric[0].name, "loop_us");
	pool_free(&r.pool);
}

static void missing_inputs(void **state)
{
	struct result r = { 0 };
	struct metric_value metric[] = { { "loop_us", "us", "lower", 10 },
					 { "loops_per_s", "1/s", "higher", 100000 } };
	struct loaded_run run = { .metric = metric, .metrics = 2 };

	(void)state;
	run.power.package_w = NAN;
	derived_load(&r, &run);
	assert_int_equal(run.metrics, 2);
	run.power.package_w = 5;
	metric[1].value = 0;
	derived_load(&r, &run);
	assert_int_equal(run.metrics, 2);
	run.metrics = 0;
	derived_load(&r, &run);
	assert_int_equal(run.metrics, 0);
	pool_free(&r.pool);
}

/* Wakes that a timer gives: energy each, but no delay to weigh. */
static void paced(void **state)
{
	struct result r = { 0 };
	struct metric_value metric[] = { { "wakes_per_s", "1/s", "higher", 1000 } };
	struct loaded_run run = { .metric = metric, .metrics = 1 };

	(void)state;
	run.power.package_w = 5;
	derived_load(&r, &run);
	close_to(value_of(&run, "package_uj_per_loop"), 5000, 1e-9);
	assert_true(isnan(value_of(&run, "energy_delay_uj_us")));
	pool_free(&r.pool);
}

static void entries_of_the_workload(void **state)
{
	struct idle_state c6 = { .latency_us = 100 };
	struct state_table table = { .state = &c6, .states = 1 };
	struct result r = { .table = &table, .tables = 1, .states = 1 };
	struct idle_sum idle[SETS] = {
		[SET_WORKLOAD] = { .readings = 1, .window_ns = 1e9, .usage = 1000 },
		[SET_ALL] = { .readings = 4, .window_ns = 4e9, .usage = 1000 },
	};
	struct metric_value metric[] = { { "loop_us", "us", "lower", 10 } };
	struct loaded_run run = { .metric = metric, .metrics = 1, .idle = idle };

	(void)state;
	run.power.package_w = NAN;
	run.info.cpus.n = 1;
	derived_load(&r, &run);
	close_to(value_of(&run, "exit_latency_pct"), 10, 1e-9);
	run.metric = metric;
	run.metrics = 1;
	run.info.cpus.n = 0;
	derived_load(&r, &run);
	close_to(value_of(&run, "exit_latency_pct"), 2.5, 1e-9);
	pool_free(&r.pool);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(excess_of_a_hop),	   cmocka_unit_test(of_a_run),
		cmocka_unit_test(missing_inputs),	   cmocka_unit_test(paced),
		cmocka_unit_test(entries_of_the_workload),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
