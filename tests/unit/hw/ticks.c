/* SPDX-License-Identifier: GPL-2.0-or-later */
/* the two counters of each CPU in /proc/timer_list, and nothing else of that text. */
#include "machine.h"
#include "hw/ticks.h"
#include "lib/clock.h"

#define FILE_NAME "proc/timer_list"

static struct ticks *open_ticks(const struct machine *machine, const struct cpulist *cpus)
{
	struct ticks *ticks;

	if (ticks_open(&machine->root, cpus, &ticks))
		fail_msg("%s", error_text());
	return ticks;
}

static void put_cpu(FILE *out, int cpu, int timers, unsigned long calls, unsigned long sleeps)
{
	fprintf(out, "cpu: %d\n clock 0:\n  .base:       00000000e1d0d5f2\n  .index:      0\n",
		cpu);
	fprintf(out, "active timers:\n");
	for (int i = 0; i < timers; i++)
		fprintf(out,
			" #%d: <000000003d2c26a9>, hrtimer_wakeup, S:01\n"
			" # expires at 11457347331801-11457347381801 nsecs [in 511 to 511 nsecs]\n",
			i);
	fprintf(out,
		"  .nr_events      : 77\n  .idle_jiffies   : 4297756000\n"
		"  .idle_calls     : %lu\n  .idle_sleeps    : %lu\n"
		"  .idle_sleeptime : 5284162018996 nsecs\n\n",
		calls, sleeps);
}

static void put_list(const struct machine *machine, int timers, unsigned long more)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	fprintf(out, "Timer List Version: v0.10\nHRTIMER_MAX_CLOCK_BASES: 8\nnow at 7 nsecs\n\n");
	for (int cpu = 0; cpu < 4; cpu++)
		put_cpu(out, cpu, timers, 100000000000ul + (unsigned long)cpu * 10 + more,
			(unsigned long)cpu * 100 + more);
	fprintf(out, "Tick Device: mode:     1\nBroadcast device\n");
	fclose(out);
	machine_put(machine, FILE_NAME, text);
	free(text);
}

static void counters_of_the_cpus_asked_for(void **state)
{
	struct machine machine = machine_make(NULL);
	struct ticks_reading reading;
	struct ticks_count count[3];
	struct cpulist cpus;
	struct ticks *ticks;

	(void)state;
	assert_int_equal(cpulist_parse("3,0,9", &cpus), 0);
	put_list(&machine, 2, 0);
	ticks = open_ticks(&machine, &cpus);
	assert_int_equal(ticks_read(ticks, count, &reading), 0);
	assert_true(reading.t_before_ns && reading.t_after_ns >= reading.t_before_ns);
	assert_true(count[0].known && count[1].known);
	assert_false(count[2].known); /* CPU 9 is not in it: not available, and no 0 */
	assert_true(count[0].calls == 100000000030u && count[0].sleeps == 300);
	assert_true(count[1].calls == 100000000000u && count[1].sleeps == 0);
	ticks_close(ticks);
	cpulist_free(&cpus);
	machine_free(&machine);
}

/* Longer than the piece that is read at a time; lines are cut anywhere. */
static void long_lists(void **state)
{
	struct machine machine = machine_make(NULL);
	struct ticks_reading reading;
	struct ticks_count count[4];
	struct cpulist cpus;

	(void)state;
	assert_int_equal(cpulist_parse("0-3", &cpus), 0);
	for (int timers = 400; timers < 440; timers++) {
		struct ticks *ticks;

		put_list(&machine, timers, (unsigned long)timers);
		ticks = open_ticks(&machine, &cpus);
		for (int again = 0; again < 2; again++) {
			assert_int_equal(ticks_read(ticks, count, &reading), 0);
			for (size_t i = 0; i < 4; i++) {
				assert_true(count[i].known);
				assert_true(count[i].sleeps == i * 100 + (unsigned int)timers);
			}
		}
		ticks_close(ticks);
	}
	cpulist_free(&cpus);
	machine_free(&machine);
}

/* An older kernel, and damage: not available, never 0. */
static void counters_that_are_not_there(void **state)
{
	static const char *const text[] = {
		"",
		"cpu: 0\n  .idle_calls     : 5\n",
		"cpu: 0\n  .idle_calls     : 5\n  .idle_sleeps    : x\n",
		"cpu: 0\n  .idle_calls     : 5\n  .idle_sleeps    : -1\n",
		"cpu: x\n  .idle_calls     : 5\n  .idle_sleeps    : 4\n",
		"  .idle_calls     : 5\n  .idle_sleeps    : 4\n",
		"cpu: 0\n  .idle_calls     : 5\ncpu: 1\n  .idle_sleeps    : 4\n",
	};
	struct machine machine = machine_make(NULL);
	struct cpulist cpus;
	struct ticks *ticks;

	(void)state;
	assert_int_equal(cpulist_parse("0", &cpus), 0);
	assert_int_equal(ticks_open(&machine.root, &cpus, &ticks), -ENOENT);
	assert_non_null(strstr(error_text(), FILE_NAME));
	for (size_t i = 0; i < sizeof(text) / sizeof(text[0]); i++) {
		struct ticks_reading reading;
		struct ticks_count count;

		machine_put(&machine, FILE_NAME, text[i]);
		ticks = open_ticks(&machine, &cpus);
		assert_int_equal(ticks_read(ticks, &count, &reading), 0);
		if (count.known)
			fail_msg("known: %s", text[i]);
		ticks_close(ticks);
	}
	cpulist_free(&cpus);
	machine_free(&machine);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counters_of_the_cpus_asked_for),
		cmocka_unit_test(long_lists),
		cmocka_unit_test(counters_that_are_not_there),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
