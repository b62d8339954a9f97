/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * periodic's thread in a made-up time: every wake, overrun and nanosecond of CPU time is known.
 *
 * A unit takes 1 ns, a reading of the CPU clock READ ns of CPU time, a wake WAKE ns of it and
 * late(wake number) ns of time.
 */
#include "tests/unit/workloads/periodic.h"
#include "lib/error.h"
#include "workloads/blocks.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define SECOND 1000000000ull
#define MS 1000000ull
#define T0 (1000 * SECOND)
#define READ 200
#define WAKE 7000

static struct {
	uint64_t now_ns, cpu_ns;
	uint64_t wakes, packets;
	uint64_t asked_ns; /* of the last sleep */
	uint64_t longer_packet, longer_ns; /* packet of that number takes so much more */
	uint64_t units; /* of all packets */
	uint64_t (*late)(uint64_t wake);
	int interrupt, fail; /* -errno of the next sleep */
} fake;

static uint64_t fake_now(void)
{
	return fake.now_ns;
}

static uint64_t fake_cpu(void)
{
	return fake.cpu_ns += READ;
}

static int fake_sleep(uint64_t t_ns)
{
	int rc = fake.interrupt;

	fake.interrupt = 0;
	if (rc || fake.fail)
		return rc ? rc : fake.fail;
	fake.asked_ns = t_ns;
	if (t_ns > fake.now_ns)
		fake.now_ns = t_ns;
	fake.now_ns += fake.late(fake.wakes++);
	fake.cpu_ns += WAKE;
	return 0;
}

static void fake_work(uint64_t units)
{
	uint64_t ns = units + (fake.packets++ == fake.longer_packet ? fake.longer_ns : 0);

	fake.units += units;
	fake.now_ns += ns;
	fake.cpu_ns += ns;
}

static const struct periodic_time fake_time = { fake_now, fake_cpu, fake_sleep, fake_work };

static struct driver driver;
static struct driver_task task[4];
static struct param_value values[PERIODIC_PARAMS + 1];
static struct periodic_thread thread[4];

static uint64_t late_50us(uint64_t wake)
{
	(void)wake;
	return 50000;
}

/* 0 to 99,999 ns, each wake another. */
static uint64_t late_mixed(uint64_t wake)
{
	return wake * 7919 % 100000;
}

/* Thread @i of the settings, from its begin; the window is from T0, @window_ns long. */
static int run_at(const char *settings, int i, uint64_t window_ns, uint64_t begin)
{
	uint64_t (*late)(uint64_t) = fake.late ? fake.late : late_50us;

	periodic_drive(&driver, values, settings, 1);
	free(thread[i].series);
	memset(&thread[i], 0, sizeof(thread[i]));
	assert_int_equal(periodic_plan(&driver, i, T0, driver.loops ? UINT64_MAX : T0 + window_ns,
				       &thread[i].plan),
			 0);
	fake.now_ns = begin;
	fake.late = late;
	fake.packets = fake.wakes = fake.units = 0;
	return periodic_run(&thread[i], &fake_time, &task[i]);
}

/* The same without a warm-up: packet 0 is the first of all. */
static void run(const char *settings, uint64_t window_ns)
{
	assert_int_equal(run_at(settings, 0, window_ns, T0), 0);
}

static int set_up(void **state)
{
	(void)state;
	memset(&fake, 0, sizeof(fake));
	fake.longer_packet = UINT64_MAX;
	return 0;
}

static struct periodic_span total(const struct periodic_thread *one)
{
	struct periodic_span sum = { 0 };

	for (uint64_t i = 0; i < PERIODIC_SPANS_MAX; i++) {
		sum.done += one->span[i].done;
		sum.overruns += one->span[i].overruns;
		sum.wakes += one->span[i].wakes;
		sum.late_ns += one->span[i].late_ns;
		sum.packet_ns += one->span[i].packet_ns;
		sum.cpu_ns += one->span[i].cpu_ns;
	}
	return sum;
}

/* an hour of wakes, all late, and the last one was asked for at its exact time. A-08: none
 * is lost. */
static void test_a09_hour(void **state)
{
	uint64_t due0;

	(void)state;
	fake.late = late_mixed;
	run("loops=1249201 work=86000", 0);
	due0 = T0 + 1440922; /* half a period */
	assert_int_equal(fake.asked_ns, due0 + 3600 * SECOND);
	assert_int_equal(total(&thread[0]).done, 1249201);
	assert_int_equal(total(&thread[0]).overruns, 0);
	assert_int_equal(thread[0].lateness.count, 1249201);
	assert_int_equal(thread[0].first_ns, due0);
	assert_int_equal(thread[0].last_ns, due0 + 3600 * SECOND + late_mixed(1249200));
}

static void test_lateness(void **state)
{
	struct periodic_span sum;
	uint64_t late = 0;

	(void)state;
	fake.late = late_mixed;
	run("frequency=1kHz work=100us", 2 * SECOND);
	sum = total(&thread[0]);
	for (uint64_t i = 0; i < 2000; i++)
		late += late_mixed(i);
	assert_int_equal(sum.done, 2000);
	assert_int_equal(sum.wakes, 2000);
	assert_int_equal(sum.late_ns, late);
	assert_int_equal(thread[0].lateness.sum_ns, late);
	assert_int_equal(thread[0].lateness.min_ns, 0); /* late_mixed(0): A-13 */
	for (uint64_t i = 0; i < thread[0].plan.spans; i++)
		assert_int_equal(thread[0].span[i].done, thread[0].plan.span_periods);
}

/* A packet of 101 % of the period, loop after loop. */
static void test_a10_burst(void **state)
{
	(void)state;
	run("frequency=1kHz work=1010us loops=300", 0);
	assert_int_equal(total(&thread[0]).done, 300);
	assert_int_equal(total(&thread[0]).overruns, 300);
	/* Only the first was slept for; the others give no lateness, least of all 0. */
	assert_int_equal(thread[0].lateness.count, 1);
	assert_int_equal(thread[0].lateness.min_ns, 50000);
	assert_int_equal(thread[0].max_overrun_ns, 50000 + 300 * 10000);
	assert_int_equal(fake.wakes, 1);
}

static void test_a10_skip(void **state)
{
	(void)state;
	run("frequency=1kHz work=1010us loops=300 catch-up=skip", 0);
	assert_int_equal(total(&thread[0]).done, 150);
	assert_int_equal(total(&thread[0]).overruns, 150);
	assert_int_equal(thread[0].lateness.count, 150);
	assert_int_equal(thread[0].lateness.min_ns, 50000);
	assert_int_equal(thread[0].max_overrun_ns, 60000);
}

/* One packet of 3.5 ms at 1 kHz. Burst: it and the three behind it are late, then all is well. */
static void test_stall(void **state)
{
	(void)state;
	fake.longer_packet = 5;
	fake.longer_ns = 3400000;
	run("frequency=1kHz work=100us loops=20", 0);
	/* 5 ends at 8.55 (from release 0), 6 at 8.65, 7 at 8.75, 8 at 8.85: in time */
	assert_int_equal(total(&thread[0]).overruns, 3);
	assert_int_equal(total(&thread[0]).done, 20);
	assert_int_equal(thread[0].lateness.count, 17);
	assert_int_equal(thread[0].max_overrun_ns, 2550000);

	run("frequency=1kHz work=100us loops=20 catch-up=skip", 0);
	assert_int_equal(total(&thread[0]).overruns, 1);
	assert_int_equal(total(&thread[0]).done, 17); /* 6, 7 and 8 are left out */
	assert_int_equal(thread[0].lateness.count, 17);
	assert_int_equal(thread[0].max_overrun_ns, 2550000);
}

/* The deadline itself is in time, and one nanosecond later is not. */
static void test_edge(void **state)
{
	(void)state;
	run("frequency=1kHz work=950000 loops=1", 0);
	assert_int_equal(total(&thread[0]).overruns, 0);
	run("frequency=1kHz work=950001 loops=1", 0);
	assert_int_equal(total(&thread[0]).overruns, 1);
	assert_int_equal(thread[0].max_overrun_ns, 1);
	run("frequency=1kHz work=1ms loops=7 catch-up=skip", 0);
	assert_int_equal(total(&thread[0]).overruns, 4); /* 0 2 4 6 */
}

/* A wake that is later than a whole period is a lateness and an overrun. */
static uint64_t late_once(uint64_t wake)
{
	return wake == 3 ? 2200000 : 50000;
}

static void test_late_wake(void **state)
{
	(void)state;
	fake.late = late_once;
	run("frequency=1kHz work=100us loops=10", 0);
	assert_int_equal(thread[0].lateness.max_ns, 2200000);
	assert_int_equal(total(&thread[0]).overruns, 2); /* 3 at 5.3, 4 at 5.4 */
	assert_int_equal(total(&thread[0]).done, 10);
	assert_int_equal(thread[0].lateness.count, 8); /* 4 and 5 were not slept for */
}

/* What still waits at t1 is not begun: planned, not done. */
static void test_t1(void **state)
{
	(void)state;
	run("frequency=1kHz work=1500us", SECOND);
	assert_int_equal(thread[0].plan.planned, 1000);
	assert_int_equal(total(&thread[0]).done, 667); /* the first begins 0.55 ms after t0 */
	assert_int_equal(total(&thread[0]).overruns, 667);
}

/* Warm-up packets come on the same schedule and are not counted. */
static void test_warm_up(void **state)
{
	(void)state;
	assert_int_equal(run_at("frequency=1kHz work=100us loops=10", 0, 0, T0 - 100 * MS), 0);
	assert_int_equal(fake.wakes, 110);
	assert_int_equal(fake.packets, 110);
	assert_int_equal(total(&thread[0]).done, 10);
	assert_int_equal(thread[0].lateness.count, 10);
	assert_int_equal(thread[0].first_ns, T0 + MS / 2 + 50000);
	/* t0 was long over: the packets that waited make up for it, without a lateness. */
	assert_int_equal(run_at("frequency=1kHz work=100us loops=10", 0, 0, T0 + 5 * MS), 0);
	assert_int_equal(total(&thread[0]).done, 10);
	assert_int_equal(total(&thread[0]).overruns, 4); /* 4 ends at 5.5, which is its deadline */
	assert_int_equal(thread[0].lateness.count, 5);
}

/* The packets' CPU time without the clock's readings; the thread's with all of it. */
static void test_cpu_time(void **state)
{
	struct periodic_span sum;

	(void)state;
	run("frequency=1kHz work=100us loops=1000", 0);
	sum = total(&thread[0]);
	assert_int_equal(sum.packet_ns, 1000 * 100000);
	/* From the first packet on: a reading before it, and 999 wakes behind. */
	assert_int_equal(sum.cpu_ns, 1000 * (100000 + 2 * READ) + 999 * WAKE);
}

static void test_ramp(void **state)
{
	(void)state;
	/* 5 levels of 200 ms, then the window's rest at the last one, which is 0 again */
	run("frequency=1kHz ramp=yes steps=2 step=200ms work=800us", 1100 * MS);
	assert_int_equal(thread[0].plan.spans, 5);
	for (uint64_t i = 0; i < 5; i++) {
		static const uint64_t units[] = { 0, 400000, 800000, 400000, 0 };

		assert_int_equal(thread[0].span[i].done, i < 4 ? 200 : 300);
		assert_int_equal(thread[0].span[i].packet_ns, units[i] * 200);
	}
	assert_int_equal(fake.units, 200 * (400000ull + 800000 + 400000));
}

static void test_sleep_errors(void **state)
{
	(void)state;
	fake.interrupt = -EINTR; /* once */
	run("loops=3", 0);
	assert_int_equal(total(&thread[0]).done, 3);
	fake.fail = -EINVAL;
	assert_int_equal(run_at("loops=3", 0, 0, T0), -EINVAL);
	assert_non_null(strstr(error_text(), "cannot sleep"));
	fake.fail = 0;
}

static double metric(const char *name)
{
	for (size_t i = 0; periodic_metrics[i].name; i++) {
		if (strcmp(periodic_metrics[i].name, name))
			continue;
		assert_true(driver.metric_set[i]);
		return driver.metric[i];
	}
	fail_msg("no metric %s", name);
	return NAN;
}

/* All threads of the settings, then the report. */
static int report(const char *settings, uint64_t window_ns)
{
	static double metrics[64];
	static bool set[64];
	int threads = 1, rc;

	for (int i = 0; i < threads; i++) {
		snprintf(task[i].role, sizeof(task[i].role), "thread%hu", (unsigned short)i);
		rc = run_at(settings, i, window_ns, T0);
		assert_int_equal(rc, 0);
		threads = driver.needs.tasks;
	}
	memset(set, 0, sizeof(set));
	driver.metric = metrics;
	driver.metric_set = set;
	driver.task = task;
	driver.data = thread;
	return periodic_finish(&driver);
}

static void assert_near(const char *name, double want)
{
	if (!(fabs(metric(name) - want) <= 1e-9 * fmax(1, fabs(want))))
		fail_msg("%s is %.12g, not %.12g", name, metric(name), want);
}

static void test_metrics(void **state)
{
	(void)state;
	assert_int_equal(report("frequency=1kHz work=100us threads=3", 2 * SECOND), 0);
	for (size_t i = 0; periodic_metrics[i].name; i++)
		assert_true(driver.metric_set[i]);
	assert_near("loops_done", 6000);
	assert_near("loops_planned", 6000);
	assert_near("overruns", 0);
	assert_true(isnan(metric("max_overrun_us"))); /* NA, not 0 */
	assert_near("lateness_mean_us", 50);
	assert_near("lateness_max_us", 50);
	assert_near("load_pct", 10);
	assert_near("packet_us", 100);
	assert_near("wake_cpu_us", 7.4 + 0.4 / 1999); /* a wake and two readings */
	assert_near("rate_hz", 1000);
	assert_near("rate_error_ppm", 0);
	assert_int_equal(driver.latencies, 3);
	assert_int_equal(driver.all_series, 3 * 4);
	assert_string_equal(driver.series[9].name, "thread2.load_pct");
	assert_int_equal(driver.series[9].n, thread[0].plan.spans);
	for (size_t b = 0; b < driver.series[9].n; b++)
		assert_true(fabs(driver.series[9].block[b].mean_us - 10) < 1e-9);
}

static void test_metrics_overrun(void **state)
{
	(void)state;
	assert_int_equal(report("frequency=1kHz work=1010us catch-up=skip", 2 * SECOND), 0);
	assert_near("loops_done", 1000);
	assert_near("loops_planned", 2000);
	assert_near("overruns", 1000);
	assert_near("max_overrun_us", 60);
	assert_near("rate_hz", 500);
	assert_near("rate_error_ppm", -500000);
	assert_int_equal(report("frequency=1kHz work=1010us", 2 * SECOND), 0);
	assert_near("overruns", metric("loops_done"));
	assert_near("lateness_max_us", 50);
	assert_true(metric("loops_done") < metric("loops_planned"));
}

/* The ramp's steps as series: what was asked for, and the load that it was. */
static void test_metrics_ramp(void **state)
{
	static const double want[] = { 0, 25, 50, 25, 0 };
	const struct driver_series *step, *load;

	(void)state;
	assert_int_equal(report("frequency=1kHz ramp=yes steps=2 step=200ms work=500us", SECOND),
			 0);
	assert_int_equal(driver.all_series, 5);
	load = &driver.series[1];
	step = &driver.series[4];
	assert_string_equal(step->name, "thread0.step_pct");
	assert_int_equal(step->n, 5);
	assert_int_equal(load->n, 5);
	for (int i = 0; i < 5; i++) {
		assert_true(fabs(step->block[i].mean_us - 2 * want[i]) < 1e-9);
		assert_true(fabs(load->block[i].mean_us - want[i]) < 1e-9);
		assert_int_equal(step->block[i].t_ns, T0 + MS / 2 + (uint64_t)(i + 1) * 200 * MS);
	}
}

/* No packet at all is no result. */
static void test_nothing(void **state)
{
	(void)state;
	periodic_drive(&driver, values, "", 1);
	free(thread[0].series);
	memset(&thread[0], 0, sizeof(thread[0]));
	driver.task = task;
	driver.data = thread;
	assert_int_equal(periodic_finish(&driver), -ETIME);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_a09_hour, set_up),
		cmocka_unit_test_setup(test_lateness, set_up),
		cmocka_unit_test_setup(test_a10_burst, set_up),
		cmocka_unit_test_setup(test_a10_skip, set_up),
		cmocka_unit_test_setup(test_stall, set_up),
		cmocka_unit_test_setup(test_edge, set_up),
		cmocka_unit_test_setup(test_late_wake, set_up),
		cmocka_unit_test_setup(test_t1, set_up),
		cmocka_unit_test_setup(test_warm_up, set_up),
		cmocka_unit_test_setup(test_cpu_time, set_up),
		cmocka_unit_test_setup(test_ramp, set_up),
		cmocka_unit_test_setup(test_sleep_errors, set_up),
		cmocka_unit_test_setup(test_metrics, set_up),
		cmocka_unit_test_setup(test_metrics_overrun, set_up),
		cmocka_unit_test_setup(test_metrics_ramp, set_up),
		cmocka_unit_test_setup(test_nothing, set_up),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
