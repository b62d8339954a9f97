/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A trace held to counters at both ends: what ends while they are read is named and in neither, a
 * CPU that gave no idle event is told from one that had none, and text has timers of the wheel.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "analysis/trace.h"
#include "analysis/trace_text.h"
#include "trace/write.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[] = "/tmp/trace-edges-XXXXXX";
static struct trace_analysis analysis;
static char *text;

static int setup(void **state)
{
	int fd;

	(void)state;
	strcpy(path + strlen(path) - 6, "XXXXXX");
	fd = mkstemp(path);
	text = NULL;
	return fd < 0 || close(fd) ? -1 : 0;
}

static int teardown(void **state)
{
	(void)state;
	trace_analysis_free(&analysis);
	free(text);
	return unlink(path);
}

static struct trace_edge edge_of(uint64_t usage)
{
	struct trace_edge edge = { .t_ns = { 1000, 9000 }, .done_ns = { 1200, 9300 }, .states = 1 };

	for (int c = 0; c < 2; c++)
		edge.counter[0][c].known = true;
	edge.counter[0][0].value[0] = 70;
	edge.counter[0][0].value[1] = 70 + usage;
	return edge;
}

static void print(void)
{
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	trace_print_tables(&analysis, out);
	assert_false(fclose(out));
}

/* CPU 0 has the periods, CPU 1 none; their counters grew by that. */
static void make(const uint64_t (*period)[2], size_t n, const uint64_t usage[2])
{
	struct trace_edge edge[2] = { edge_of(usage[0]), edge_of(usage[1]) };
	int cpus[2] = { 0, 1 };
	struct trace_info info = { .cpus = { cpus, 2 } };
	struct trace_writer *w;
	uint64_t bytes;

	assert_false(trace_create(path, &info, &w));
	for (size_t i = 0; i < n; i++)
		assert_false(trace_put_period(w, 0,
					      &(struct trace_period){ .entry_ns = period[i][0],
								      .exit_ns = period[i][1] }));
	assert_false(trace_round(w, 10000));
	assert_false(trace_finish(w, edge, &bytes));
	assert_false(trace_analyse(path, &analysis));
	print();
}

static void what_ends_during_a_reading_is_named(void **state)
{
	static const uint64_t period[][2] = {
		{ 900, 990 }, /* before */
		{ 1010, 1100 }, /* during the first reading */
		{ 1150, 1300 }, /* ended behind it: the counter grew between */
		{ 2000, 3000 }, { 8000, 9000 }, { 9100, 9200 }, /* during the last */
		{ 9250, 9400 }, /* behind */
	};

	(void)state;
	make(period, 7, (const uint64_t[]){ 4, 0 });
	assert_int_equal(analysis.cpu[0].between[0].periods, 3);
	assert_int_equal(analysis.cpu[0].between[0].reading, 2);
	assert_int_equal(analysis.names, 2);
	assert_int_equal(analysis.named[0].entry_ns, 1010);
	assert_int_equal(analysis.named[1].exit_ns, 9200);
	assert_non_null(
		strstr(text, "1 of 2 rows differ in entries; 1 of them by the periods named"));
	assert_non_null(strstr(text, "cpu0 state 0, 0.090 us"));
	assert_int_equal(trace_deaf(&analysis), 0);
}

static void more_than_these_explains_nothing(void **state)
{
	static const uint64_t period[][2] = { { 2000, 3000 }, { 9100, 9200 } };

	(void)state;
	make(period, 2, (const uint64_t[]){ 3, 0 });
	assert_non_null(strstr(text, "1 of 2 rows differ in entries\n"));
}

static void a_cpu_that_gave_nothing_is_named(void **state)
{
	static const uint64_t period[][2] = { { 2000, 3000 } };

	(void)state;
	make(period, 1, (const uint64_t[]){ 1, 12 });
	assert_true(analysis.cpu[1].deaf && !analysis.cpu[0].deaf);
	assert_int_equal(trace_deaf(&analysis), 1);
	assert_non_null(
		strstr(text, "cpu1: NO IDLE EVENTS came of it, and its counters grew by 12 "));
	assert_non_null(strstr(text, "not known: no idle events of one of them"));
	assert_null(strstr(text, "all idle"));
	assert_non_null(strstr(text, "all CPUs (1,"));
}

static void text_has_the_timers_of_a_period(void **state)
{
	/* The trace's clock is 24 us ahead of the timers', the tick 4 ms long. */
	static const char lines[] =
		"x-1 [000] d.h1. 7.996024: hrtimer_expire_entry: hrtimer=00000000a1 "
		"function=tick_nohz_handler now=7996000000\n"
		"x-1 [000] d.h1. 7.996030: hrtimer_start: hrtimer=00000000a1 "
		"function=tick_nohz_handler expires=8000000000 softexpires=8000000000 mode=ABS\n"
		"x-1 [000] d.h1. 8.000030: hrtimer_start: hrtimer=00000000a1 "
		"function=tick_nohz_handler expires=8004000000 softexpires=8004000000 mode=ABS\n"
		"x-1 [000] d.h1. 8.000100: timer_start: timer=00000000b2 function=f expires=4294940500 "
		"[timeout=10] bucket_expiry=4294940504 cpu=0 idx=1 flags=P\n"
		"x-1 [000] d.h1. 8.000110: timer_start: timer=00000000b3 function=f expires=4294940491 "
		"[timeout=1] bucket_expiry=4294940492 cpu=0 idx=1 flags=D|P\n"
		"<idle>-0 [000] d..1. 8.000200: cpu_idle: state=1 cpu_id=0\n"
		"<idle>-0 [000] d..1. 8.000300: cpu_idle: state=4294967295 cpu_id=0\n";
	char made[sizeof(path) + 8];
	struct trace_reader *reader;
	struct trace_item item;
	FILE *file = fopen(path, "we");

	(void)state;
	memset(&analysis, 0, sizeof(analysis));
	snprintf(made, sizeof(made), "%s.made", path);
	assert_true(file && fputs(lines, file) >= 0 && !fclose(file));
	assert_int_equal(trace_text_convert(path, made), 0);
	assert_false(trace_open(made, &reader));
	unlink(made);
	assert_int_equal(trace_info(reader)->hz, 250);
	assert_false(trace_next(reader, &item));
	assert_int_equal(item.type, TRACE_PERIODS);
	assert_int_equal(item.n, 1);
	assert_true(item.period[0].next_is_tick && item.period[0].timer_is_wheel);
	assert_int_equal(item.period[0].next_ns, 8004024000);
	assert_int_equal(item.period[0].timer_ns, 8056024000); /* 14 ticks behind 8 s */
	trace_close(reader);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_ends_during_a_reading_is_named, setup,
						teardown),
		cmocka_unit_test_setup_teardown(more_than_these_explains_nothing, setup, teardown),
		cmocka_unit_test_setup_teardown(a_cpu_that_gave_nothing_is_named, setup, teardown),
		cmocka_unit_test_setup_teardown(text_has_the_timers_of_a_period, setup, teardown),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
