/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ebizzy's figures from what its threads counted, 64 bits each, summed after all have ended:
 * 128 threads that never sleep pass 2^32 records within a day or two.
 */
#include "workloads/ebizzy.h"
#include "lib/error.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>

const struct metric ebizzy_metrics[] = {
	{ "records_per_s", "1/s", BETTER_HIGHER, "Records per second of all threads together" },
	{ "records", "", BETTER_NONE, "Records counted, of all threads" },
	{ "run_time_s", "s", BETTER_LOWER, "From t0 to the end of the last record, or the window" },
	{ "thread_min_per_s", "1/s", BETTER_HIGHER, "Records per second of the slowest thread" },
	{ "thread_max_per_s", "1/s", BETTER_NONE, "Records per second of the fastest thread" },
	{ "record_p50_us", "us", BETTER_LOWER, "Median time of a record, without its sleep" },
	{ "record_p99_us", "us", BETTER_LOWER, "99th percentile of the same" },
	{ "sleeps", "", BETTER_NONE, "Sleeps counted, of all threads" },
	{ "overshoot_p50_us", "us", BETTER_LOWER,
	  "Median of how much later than asked a sleep ended; NA without sleeps" },
	{ "overshoot_p99_us", "us", BETTER_LOWER, "99th percentile of the same" },
	{ "overshoot_max_us", "us", BETTER_LOWER, "Largest of the same" },
	{ "batches", "", BETTER_NONE,
	  "Batches of 1 s, or a tenth of a window below 10 s, in which records were counted" },
	{ "batch_sd_per_s", "1/s", BETTER_LOWER, "Standard deviation of the batches' rates" },
	{ "batch_min_per_s", "1/s", BETTER_HIGHER, "Slowest batch" },
	{ "batch_max_per_s", "1/s", BETTER_NONE, "Fastest batch" },
	{ "threads", "", BETTER_NONE, "Threads" },
	{ "cpus_used", "", BETTER_NONE, "CPU time of all threads, in CPUs" },
	{ "cpu_share_pct", "%", BETTER_NONE, "The same of one CPU per thread" },
	{ "unit_start_ns", "ns", BETTER_NONE,
	  "Time per unit of work on the first CPU before the run; nothing here does such work, it "
	  "tells the CPU's speed" },
	{ "unit_end_ns", "ns", BETTER_NONE, "The same after the run" },
	{ "timer_slack_ns", "ns", BETTER_NONE, "Timer slack read back in the threads" },
	{ 0 },
};

uint64_t ebizzy_period_ns(uint64_t t0_ns, uint64_t t1_ns, uint64_t loops)
{
	return loops ? 1000000000u : blocks_period_ns(t1_ns - t0_ns);
}

/* Per second; a thread's time ends with its last record where only the loops end it. */
static double thread_rate(const struct driver *driver, const struct ebizzy_thread *thread)
{
	uint64_t end = driver->loops ? thread->end_ns : driver->t1_ns;

	return (double)thread->records / ((double)(end - driver->t0_ns) / 1e9);
}

static int report_rates(struct driver *driver, const struct ebizzy *all)
{
	double seconds = (double)(driver->t1_ns - driver->t0_ns) / 1e9;
	double slowest = INFINITY, fastest = 0;
	uint64_t records = 0;

	for (int i = 0; i < driver->needs.tasks; i++) {
		const struct ebizzy_thread *thread = &all->thread[i];

		if (driver->loops && thread->records != driver->loops)
			return error_set(-EPROTO, "thread %d: %llu records instead of %llu", i,
					 (unsigned long long)thread->records,
					 (unsigned long long)driver->loops);
		records += thread->records;
		slowest = fmin(slowest, thread_rate(driver, thread));
		fastest = fmax(fastest, thread_rate(driver, thread));
	}
	if (!records)
		return error_set(-ETIME, "not one whole record in the window");
	driver_metric(driver, "records_per_s", (double)records / seconds);
	driver_metric(driver, "records", (double)records);
	driver_metric(driver, "run_time_s", seconds);
	driver_metric(driver, "thread_min_per_s", slowest);
	driver_metric(driver, "thread_max_per_s", fastest);
	return 0;
}

static int report_times(struct driver *driver, const struct ebizzy *all)
{
	struct hist *record = calloc(1, sizeof(*record)), *overshoot = calloc(1, sizeof(*record));
	int rc;

	if (!record || !overshoot) {
		free(record);
		free(overshoot);
		return error_no_memory();
	}
	for (int i = 0; i < driver->needs.tasks; i++) {
		hist_merge(record, &all->thread[i].record);
		hist_merge(overshoot, &all->thread[i].overshoot);
	}
	driver_metric(driver, "record_p50_us", hist_quantile_ns(record, 0.5) / 1e3);
	driver_metric(driver, "record_p99_us", hist_quantile_ns(record, 0.99) / 1e3);
	driver_metric(driver, "sleeps", (double)overshoot->count);
	driver_metric(driver, "overshoot_p50_us", hist_quantile_ns(overshoot, 0.5) / 1e3);
	driver_metric(driver, "overshoot_p99_us", hist_quantile_ns(overshoot, 0.99) / 1e3);
	driver_metric(driver, "overshoot_max_us",
		      overshoot->count ? (double)overshoot->max_ns / 1e3 : NAN);
	rc = driver_add_latency(driver, "record", record);
	return rc ? rc : driver_add_latency(driver, "overshoot", overshoot);
}

/* A rest of less than half a batch at the end is left out, as with all blocks. */
static void sum_batches(const struct driver *driver, struct ebizzy *all)
{
	uint64_t period = ebizzy_period_ns(driver->t0_ns, driver->t1_ns, driver->loops);
	uint64_t begin = driver->t0_ns;

	for (size_t b = 0; b < BLOCKS_MAX && driver->t1_ns > begin; b++) {
		uint64_t left = driver->t1_ns - begin, length = left < period ? left : period;
		uint64_t sum = 0;

		if (length < period / 2)
			break;
		for (int i = 0; i < driver->needs.tasks; i++)
			sum += all->thread[i].batch[b];
		begin += length;
		all->batches->block[all->batches->n++] = (struct block){
			.t_ns = begin,
			.mean_us = (double)sum / ((double)length / 1e9), /* records per second */
		};
	}
}

static int report_batches(struct driver *driver, struct ebizzy *all)
{
	struct blocks_summary summary = { 0 };
	bool any;

	all->batches = calloc(1, sizeof(*all->batches));
	if (!all->batches)
		return error_no_memory();
	sum_batches(driver, all);
	blocks_summarize(all->batches, &summary);
	any = summary.n > 0;
	driver_metric(driver, "batches", (double)summary.n);
	driver_metric(driver, "batch_sd_per_s", blocks_sd(&summary));
	driver_metric(driver, "batch_min_per_s", any ? summary.min : NAN);
	driver_metric(driver, "batch_max_per_s", any ? summary.max : NAN);
	return driver_add_series(driver, "records_per_s", all->batches->block, all->batches->n);
}

/* Over the run's own time: the threads' marks lie up to a sleep beside its ends. */
static double cpus_used(const struct driver *driver)
{
	uint64_t sum = 0;

	for (int i = 0; i < driver->needs.tasks; i++)
		sum += driver->task[i].end.cpu_ns - driver->task[i].start.cpu_ns;
	return (double)sum / (double)(driver->t1_ns - driver->t0_ns);
}

static void report_facts(struct driver *driver)
{
	double cpus = cpus_used(driver);

	driver_metric(driver, "threads", driver->needs.tasks);
	driver_metric(driver, "cpus_used", cpus);
	driver_metric(driver, "cpu_share_pct", 100 * cpus / driver->needs.tasks);
	driver_report_facts(driver);
}

int ebizzy_finish(struct driver *driver)
{
	struct ebizzy *all = driver->data;
	int rc = report_rates(driver, all);

	if (!rc)
		rc = report_times(driver, all);
	if (!rc)
		rc = report_batches(driver, all);
	if (!rc)
		report_facts(driver);
	return rc;
}
