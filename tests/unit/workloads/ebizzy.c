/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ebizzy's needs and refusals, and its report over counters put there by hand. */
#include "workloads/ebizzy.h"
#include "tests/unit/workloads/ask.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define THREADS 128
#define SECOND 1000000000ull

static void test_needs(void **state)
{
	static const struct {
		const char *settings;
		int tasks, cpus;
		bool pinned, timer_based;
	} cases[] = {
		{ "", 128, 0, false, true },
		{ "interval=0us", 128, 0, false, false },
		{ "interval=10us every=100 loops=5", 128, 0, false, true },
		{ "threads=4 affinity=pinned", 4, 4, true, true },
		{ "threads=4096 interval=10s alloc=mmap size=4KiB", 4096, 0, false, true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct workload_needs got;

		assert_int_equal(ask("ebizzy", cases[i].settings, &got), 0);
		assert_int_equal(got.tasks, cases[i].tasks);
		assert_int_equal(got.cpus, cases[i].cpus);
		assert_int_equal(got.pinned, cases[i].pinned);
		assert_int_equal(got.wrap, cases[i].pinned); /* 128 on fewer CPUs share them */
		assert_int_equal(got.timer_based, cases[i].timer_based);
	}
}

/* */
static void test_refusals(void **state)
{
	static const char *const cases[][2] = {
		{ "interval=0us every=1", "every has no effect with interval 0" },
		{ "interval=0s every=10", "every has no effect with interval 0" },
		{ "size=4097B", "not a multiple of 8B" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct workload_needs got;

		assert_int_equal(ask("ebizzy", cases[i][0], &got), -EINVAL);
		assert_true(error_is_usage());
		assert_non_null(strstr(error_text(), cases[i][1]));
	}
}

/* A driver whose threads have ended. */
static struct driver *made(uint64_t t0, uint64_t t1, uint64_t loops)
{
	struct driver *driver = calloc(1, sizeof(*driver));
	struct ebizzy *all = calloc(1, sizeof(*all));
	size_t metrics = 0;

	assert_non_null(driver);
	assert_non_null(all);
	driver->workload = workload_find("ebizzy");
	while (driver->workload->metrics[metrics].name)
		metrics++;
	driver->metric = calloc(metrics, sizeof(*driver->metric));
	driver->metric_set = calloc(metrics, sizeof(*driver->metric_set));
	driver->task = calloc(THREADS, sizeof(*driver->task));
	all->thread = calloc(THREADS, sizeof(*all->thread));
	assert_true(driver->metric && driver->metric_set && driver->task && all->thread);
	driver->needs.tasks = THREADS;
	driver->data = all;
	driver->t0_ns = t0;
	driver->t1_ns = t1;
	driver->loops = loops;
	return driver;
}

static void unmake(struct driver *driver)
{
	struct ebizzy *all = driver->data;

	for (size_t i = 0; i < driver->latencies; i++)
		free((void *)driver->latency[i].hist);
	free(all->batches);
	free(all->thread);
	free(all);
	free(driver->task);
	free(driver->metric_set);
	free(driver->metric);
	free(driver);
}

static double metric(const struct driver *driver, const char *name)
{
	const struct metric *metrics = driver->workload->metrics;

	for (size_t i = 0; metrics[i].name; i++) {
		if (strcmp(metrics[i].name, name))
			continue;
		assert_true(driver->metric_set[i]);
		return driver->metric[i];
	}
	fail_msg("no metric %s", name);
	return NAN;
}

/* more than 2^32 records of one thread, and of all together. */
static void test_beyond_32_bits(void **state)
{
	struct driver *driver = made(5 * SECOND, 100005 * SECOND, 0);
	struct ebizzy *all = driver->data;

	(void)state;
	for (int i = 0; i < THREADS; i++)
		all->thread[i].records = 5000000000u + (uint64_t)i;
	driver->task[3].start.cpu_ns = 7 * SECOND;
	driver->task[3].end.cpu_ns = 50007 * SECOND;
	assert_int_equal(ebizzy_finish(driver), 0);
	assert_true(metric(driver, "records") == 128 * 5e9 + 127 * 128 / 2);
	assert_true(fabs(metric(driver, "records_per_s") - 6400000.08128) < 1e-6);
	assert_true(metric(driver, "thread_min_per_s") == 50000);
	assert_true(fabs(metric(driver, "thread_max_per_s") - 50000.00127) < 1e-9);
	assert_true(metric(driver, "cpus_used") == 0.5);
	assert_true(metric(driver, "cpu_share_pct") == 50. / THREADS);
	assert_true(metric(driver, "sleeps") == 0);
	assert_true(isnan(metric(driver, "overshoot_p50_us")));
	assert_true(isnan(metric(driver, "overshoot_max_us")));
	unmake(driver);
}

/* 2.7 s of loops: two batches of a second and one of 0.7 s; each thread has its own end. */
static void test_loops(void **state)
{
	struct driver *driver = made(SECOND, 37 * SECOND / 10, 300);
	struct ebizzy *all = driver->data;

	(void)state;
	for (int i = 0; i < THREADS; i++) {
		all->thread[i].records = 300;
		all->thread[i].end_ns = (i ? 2 : 3) * SECOND;
		all->thread[i].batch[0] = 100;
		all->thread[i].batch[1] = 130;
		all->thread[i].batch[2] = 70;
		hist_add(&all->thread[i].overshoot, i == 5 ? 3000 : 0); /* 0 counts */
	}
	assert_int_equal(ebizzy_finish(driver), 0);
	assert_true(metric(driver, "records") == 300 * THREADS);
	assert_true(fabs(metric(driver, "run_time_s") - 2.7) < 1e-9);
	assert_true(fabs(metric(driver, "records_per_s") - 300 * THREADS / 2.7) < 1e-6);
	assert_true(metric(driver, "thread_min_per_s") == 150);
	assert_true(metric(driver, "thread_max_per_s") == 300);
	assert_true(metric(driver, "sleeps") == THREADS);
	assert_true(metric(driver, "overshoot_p50_us") == 0);
	assert_true(metric(driver, "overshoot_max_us") == 3);
	assert_true(metric(driver, "batches") == 3);
	assert_int_equal(driver->series[0].n, 3);
	assert_int_equal(driver->series[0].block[1].t_ns, 3 * SECOND);
	assert_true(driver->series[0].block[1].mean_us == 130 * THREADS);
	assert_int_equal(driver->series[0].block[2].t_ns, 37 * SECOND / 10);
	assert_true(fabs(driver->series[0].block[2].mean_us - 100 * THREADS) < 1e-6);
	assert_true(fabs(metric(driver, "batch_min_per_s") - 100 * THREADS) < 1e-6);
	assert_true(metric(driver, "batch_max_per_s") == 130 * THREADS);
	unmake(driver);
}

static void test_faults(void **state)
{
	struct driver *driver = made(SECOND, 2 * SECOND, 0);
	struct ebizzy *all = driver->data;

	(void)state;
	assert_int_equal(ebizzy_finish(driver), -ETIME);
	for (int i = 0; i < THREADS; i++)
		all->thread[i].records = i == 77 ? 9 : 10;
	driver->loops = 10;
	assert_int_equal(ebizzy_finish(driver), -EPROTO);
	assert_non_null(strstr(error_text(), "thread 77: 9 records instead of 10"));
	unmake(driver);
}

static void test_period(void **state)
{
	(void)state;
	assert_int_equal(ebizzy_period_ns(7, 7 + 60 * SECOND, 0), SECOND);
	assert_int_equal(ebizzy_period_ns(7, 7 + SECOND, 0), SECOND / 10);
	assert_int_equal(ebizzy_period_ns(7, UINT64_MAX, 5), SECOND);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_needs),	       cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_beyond_32_bits), cmocka_unit_test(test_loops),
		cmocka_unit_test(test_faults),	       cmocka_unit_test(test_period),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
