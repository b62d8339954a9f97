/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's rule for one period, the times at which all CPUs are idle against a count by hand
 * and by brute force, and lines of trace text.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "analysis/trace.h"
#include "analysis/trace_line.h"
#include "analysis/trace_together.h"
#include "lib/random.h"
#include <stdlib.h>
#include <string.h>

static struct trace_table intel(void)
{
	struct trace_table table = { .states = 4 };

	table.state[0] = (struct trace_state){ "POLL", 0, 0, false };
	table.state[1] = (struct trace_state){ "C1", 2, 2, false };
	table.state[2] = (struct trace_state){ "C1E", 10, 20, false };
	table.state[3] = (struct trace_state){ "C6", 133, 600, false };
	return table;
}

static void check(const struct trace_table *table, unsigned int s, uint64_t us,
		  enum trace_miss miss, int ideal)
{
	int got;

	assert_int_equal(trace_judge(table, s, us * 1000, &got), miss);
	assert_int_equal(got, ideal);
}

static void the_rule_is_the_kernels(void **state)
{
	struct trace_table table = intel();

	(void)state;
	check(&table, 3, 599, TRACE_ABOVE, 2);
	check(&table, 3, 600, TRACE_FIT, 3);
	check(&table, 3, 1, TRACE_ABOVE, 0);
	check(&table, 2, 609, TRACE_FIT, 2); /* 599 us are left behind the exit latency */
	check(&table, 2, 610, TRACE_BELOW, 3);
	check(&table, 1, 610, TRACE_BELOW, 3);
	check(&table, 1, 22, TRACE_BELOW, 2);
	check(&table, 0, 1, TRACE_FIT, 0);
	check(&table, 0, 3, TRACE_BELOW, 1);
}

static void only_the_next_enabled_state_decides(void **state)
{
	struct trace_table table = intel();
	int ideal;

	(void)state;
	table.state[2].disabled = true;
	check(&table, 1, 100, TRACE_FIT, 1);
	check(&table, 1, 602, TRACE_BELOW, 3);
	table.state[0].disabled = table.state[1].disabled = true;
	check(&table, 3, 1, TRACE_FIT, 3); /* nothing shallower is enabled */
	table.state[3].residency_us = -1;
	assert_int_equal(trace_judge(&table, 3, 1, &ideal), TRACE_FIT);
	assert_int_equal(ideal, -1);
	assert_int_equal(trace_judge(NULL, 0, 1, &ideal), TRACE_FIT);
}

#define LENGTH 4000

/* Random periods of three CPUs on a grid of ns, given in rounds that end at random times. */
static void together_is_what_counting_says(void **state)
{
	static bool idle[3][LENGTH], deep[3][LENGTH];
	static struct trace_period period[3][LENGTH];
	uint64_t seed = 11, ns[2] = { 0 }, times[2] = { 0 }, t = 0;
	size_t n[3] = { 0 }, given[3] = { 0 };
	struct trace_table table = intel();
	struct trace_info info = { .tables = 1, .table = &table };
	struct trace_together *together;

	(void)state;
	for (int c = 0; c < 3; c++) {
		assert_false(cpulist_add(&info.cpus, c) || cpulist_add(&table.cpus, c));
		for (uint64_t at = 1; at < LENGTH - 100;) {
			struct trace_period *p = &period[c][n[c]++];
			uint64_t s = random_below(&seed, 4), length = random_below(&seed, 60);

			*p = (struct trace_period){ .entry_ns = at,
						    .exit_ns = at + length,
						    .state = (uint8_t)s };
			for (uint64_t i = at; i < at + length; i++) {
				idle[c][i] = s > 0;
				deep[c][i] = s == 3;
			}
			at += length + 1 + random_below(&seed, 5);
		}
	}
	for (int i = 0; i < LENGTH; i++) {
		bool now[2] = { idle[0][i] && idle[1][i] && idle[2][i],
				deep[0][i] && deep[1][i] && deep[2][i] };
		bool was[2] = { i && idle[0][i - 1] && idle[1][i - 1] && idle[2][i - 1],
				i && deep[0][i - 1] && deep[1][i - 1] && deep[2][i - 1] };

		for (int level = 0; level < 2; level++) {
			ns[level] += now[level];
			times[level] += now[level] && !was[level];
		}
	}
	assert_false(trace_together_make(&info, &together));
	while (t < LENGTH) {
		t += 1 + random_below(&seed, 300);
		for (size_t c = 0; c < 3; c++) {
			struct trace_item item = { .type = TRACE_PERIODS, .i = c };
			size_t k = given[c];

			while (k < n[c] && period[c][k].exit_ns <= t)
				k++;
			item.period = &period[c][given[c]];
			item.n = k - given[c];
			item.open = k < n[c] && period[c][k].entry_ns < t;
			if (item.open) {
				item.open_ns = period[c][k].entry_ns;
				item.open_state = period[c][k].state;
			}
			assert_false(trace_together_periods(together, &item));
			given[c] = k;
		}
		trace_together_round(together, t);
	}
	for (int level = 0; level < 2; level++) {
		const struct trace_shared *s =
			trace_together_of(together, 0, (enum trace_level)level);

		assert_int_equal(s->ns, ns[level]);
		assert_int_equal(s->times, times[level]);
	}
	assert_true(ns[0] && ns[1]);
	trace_together_free(together);
	cpulist_free(&info.cpus);
	cpulist_free(&table.cpus);
}

/* The only package is all CPUs; one of them that was not recorded makes no group. */
static void clusters_are_groups(void **state)
{
	int cpus[4] = { 0, 1, 2, 3 }, more[2] = { 3, 4 };
	struct trace_package package[3] = { { { cpus, 4 }, false },
					    { { cpus + 2, 2 }, true },
					    { { more, 2 }, true } };
	struct trace_info info = { .cpus = { cpus, 4 }, .package = package, .packages = 3 };
	struct trace_together *together;

	(void)state;
	assert_false(trace_together_make(&info, &together));
	assert_int_equal(trace_together_groups(together), 2);
	assert_string_equal(trace_together_what(together, 0), "all");
	assert_string_equal(trace_together_what(together, 1), "cluster");
	assert_int_equal(trace_together_cpus(together, 1)->cpu[0], 2);
	trace_together_free(together);
	package[1].cluster = false;
	assert_false(trace_together_make(&info, &together));
	assert_int_equal(trace_together_groups(together), 3);
	assert_string_equal(trace_together_what(together, 2), "package");
	trace_together_free(together);
}

static void lines_of_three_tools_are_read(void **state)
{
	static const char *const idle[] = {
		"          <idle>-0       [034] d..1. 763120.481960: cpu_idle: state=2 cpu_id=34",
		"          <idle>-0     [034] 763120.481960000: cpu_idle:             state=2 cpu_id=34",
		"         swapper     0 [034] 763120.481960: power:cpu_idle: state=2 cpu_id=34",
		"  odd [1] 7.5: name-12 [034] 763120.481960: cpu_idle: state=2 cpu_id=34",
	};
	struct trace_line line;

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(trace_line_read(idle[i], &line), TRACE_LINE_EVENT);
		assert_int_equal(line.cpu, 34);
		assert_int_equal(line.in.event, EVENT_IDLE);
		assert_true(line.in.t_ns == 763120481960000u);
		assert_int_equal(line.in.value[0], 2);
	}
	assert_int_equal(trace_line_read("  x-0 [003] .N.1. 7.5: cpu_idle_miss: cpu_id=3 state=2 "
					 "type=below",
					 &line),
			 TRACE_LINE_EVENT);
	assert_int_equal(line.in.value[1], 1);
	assert_int_equal(trace_line_read("x-0 [001] 1.000001: hrtimer_start: hrtimer=0xff88 "
					 "function=tick_nohz_handler expires=5000 softexpires=5000",
					 &line),
			 TRACE_LINE_EVENT);
	assert_int_equal(line.in.value[1], TRACE_LINE_TICK);
}

static void other_lines_are_told_apart(void **state)
{
	struct trace_line line;

	(void)state;
	assert_int_equal(trace_line_read("# tracer: nop", &line), TRACE_LINE_NONE);
	assert_int_equal(trace_line_read("", &line), TRACE_LINE_NONE);
	assert_int_equal(trace_line_read("x-1 [001] 1.5: sched_switch: a", &line), TRACE_LINE_NONE);
	assert_int_equal(trace_line_read("cpus=6", &line), TRACE_LINE_CPUS);
	assert_int_equal(line.cpu, 6);
	assert_int_equal(trace_line_read("CPU:3 [LOST 123 EVENTS]", &line), TRACE_LINE_LOST);
	assert_int_equal(line.cpu, 3);
	assert_int_equal(line.lost, 123);
	assert_int_equal(trace_line_read("CPU:2 [7 EVENTS DROPPED]", &line), TRACE_LINE_LOST);
	assert_int_equal(line.lost, 7);
	assert_int_equal(trace_line_read("x-0 [001] 1.5: cpu_idle: state=x cpu_id=1", &line),
			 TRACE_LINE_BAD);
	assert_int_equal(trace_line_read("x-0 [001] 1.5: cpu_idle: state=1", &line),
			 TRACE_LINE_BAD);
	assert_int_equal(trace_line_read("x-0 1.5: cpu_idle: state=1 cpu_id=1", &line),
			 TRACE_LINE_BAD);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_rule_is_the_kernels),
		cmocka_unit_test(only_the_next_enabled_state_decides),
		cmocka_unit_test(together_is_what_counting_says),
		cmocka_unit_test(clusters_are_groups),
		cmocka_unit_test(lines_of_three_tools_are_read),
		cmocka_unit_test(other_lines_are_told_apart),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
