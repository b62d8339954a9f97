/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * waiters' figures from what its threads counted. The measured load is the threads' CPU time over
 * that of the CPUs in the measured part: it holds what a wake costs as well as the work.
 */
#include "workloads/waiters.h"
#include "lib/error.h"
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

const struct metric waiters_metrics[] = {
	{ "run_time_s", "s", BETTER_LOWER,
	  "From t0 to the end of the last round; NA when a window ended the run" },
	{ "late_mean_us", "us", BETTER_LOWER,
	  "Mean lateness of the wakes: from the time due to running" },
	{ "late_p50_us", "us", BETTER_LOWER, "Median lateness" },
	{ "late_p99_us", "us", BETTER_LOWER, "99th percentile" },
	{ "late_max_us", "us", BETTER_LOWER, "Greatest lateness" },
	{ "missed", "", BETTER_LOWER,
	  "Rounds that began late because the one before ended after their time: no wake, hence "
	  "no lateness" },
	{ "rounds", "", BETTER_HIGHER, "Rounds that ended in the measured part" },
	{ "rounds_planned", "", BETTER_NONE, "Rounds that were due in it" },
	{ "rate_hz", "Hz", BETTER_HIGHER, "Rounds a second of each thread, on the average" },
	{ "frequency_hz", "Hz", BETTER_NONE, "What was asked" },
	/* No direction: rounds that were missed take no CPU time. */
	{ "load_pct", "%", BETTER_NONE, "CPU time of the threads, of all CPUs that they may use" },
	{ "load_asked_pct", "%", BETTER_NONE, "What the work alone takes at unit_start_ns" },
	{ "busy_cpus", "", BETTER_NONE, "load_pct as a number of CPUs" },
	{ "cpus", "", BETTER_NONE, "CPUs that the threads may use" },
	{ "tasks", "", BETTER_NONE, "Threads" },
	{ "work_units", "", BETTER_NONE, "Units of work a round" },
	{ "unit_start_ns", "ns", BETTER_NONE, "Time per unit before the run" },
	{ "unit_end_ns", "ns", BETTER_NONE, "The same after the run" },
	{ "switches_per_round", "", BETTER_NONE,
	  "Voluntary context switches per round; 1 = each round was a sleep" },
	{ "timer_slack_ns", "ns", BETTER_NONE, "Timer slack read back in the threads" },
	{ "start_ms", "ms", BETTER_LOWER, "Time to make all threads and have them ready" },
	{ "memory_kib", "KiB", BETTER_NONE, "Largest resident set of the program" },
	{ 0 },
};

/* The counts of all threads together; *@ret_missed are part of done. */
static void add_up(const struct driver *driver, struct waiter *ret)
{
	const struct waiters *all = driver->data;

	*ret = (struct waiter){ 0 };
	for (int i = 0; i < driver->needs.tasks; i++) {
		ret->planned += all->waiter[i].planned;
		ret->done += all->waiter[i].done;
		ret->missed += all->waiter[i].missed;
	}
}

/* Every round that was begun is either a wake or missed, and none is lost. */
static int check_counts(const struct driver *driver, const struct waiter *sum,
			const struct hist *late)
{
	uint64_t begun = late->count + sum->missed;
	uint64_t threads = (uint64_t)driver->needs.tasks;

	if (!sum->done)
		return error_set(-ETIME, "not one round ended in the window");
	/* A round that t1 cut short is begun and not done, at most one a thread. */
	if (sum->done > sum->planned || begun < sum->done || begun > sum->done + threads)
		return error_set(-EPROTO,
				 "%" PRIu64 " rounds planned, %" PRIu64 " wakes and %" PRIu64
				 " missed, but %" PRIu64 " done",
				 sum->planned, late->count, sum->missed, sum->done);
	if (driver->loops && sum->done != driver->loops * threads)
		return error_set(-EPROTO, "%" PRIu64 " rounds instead of %" PRIu64, sum->done,
				 driver->loops * threads);
	return 0;
}

static void report_late(struct driver *driver, const struct hist *late)
{
	driver_metric(driver, "late_mean_us", hist_mean_ns(late) / 1e3);
	driver_metric(driver, "late_p50_us", hist_quantile_ns(late, 0.5) / 1e3);
	driver_metric(driver, "late_p99_us", hist_quantile_ns(late, 0.99) / 1e3);
	driver_metric(driver, "late_max_us", late->count ? (double)late->max_ns / 1e3 : NAN);
}

static void report_rate(struct driver *driver, const struct waiter *sum, double seconds)
{
	const struct waiters *all = driver->data;

	driver_metric(driver, "run_time_s", driver->loops ? seconds : NAN);
	driver_metric(driver, "missed", (double)sum->missed);
	driver_metric(driver, "rounds", (double)sum->done);
	driver_metric(driver, "rounds_planned", (double)sum->planned);
	driver_metric(driver, "rate_hz", (double)sum->done / driver->needs.tasks / seconds);
	driver_metric(driver, "frequency_hz", all->frequency_hz);
	driver_metric(driver, "switches_per_round",
		      (double)driver_switches(driver) / (double)sum->done);
}

static void report_load(struct driver *driver, double seconds)
{
	const struct waiters *all = driver->data;
	double cpus = (double)driver->options.cpus.n, cpu_s = 0;
	double asked = (double)all->units * driver->unit_start_ns / 1e9 * all->frequency_hz *
		       driver->needs.tasks;

	for (int i = 0; i < driver->needs.tasks; i++)
		cpu_s += (double)(driver->task[i].end.cpu_ns - driver->task[i].start.cpu_ns) / 1e9;
	driver_metric(driver, "load_pct", 100 * cpu_s / seconds / cpus);
	driver_metric(driver, "load_asked_pct", 100 * asked / cpus);
	driver_metric(driver, "busy_cpus", cpu_s / seconds);
	driver_metric(driver, "cpus", cpus);
}

static void report_facts(struct driver *driver)
{
	const struct waiters *all = driver->data;

	driver_metric(driver, "tasks", driver->needs.tasks);
	driver_metric(driver, "work_units", (double)all->units);
	driver_report_facts(driver);
	driver_report_start(driver);
}

int waiters_finish(struct driver *driver)
{
	struct waiters *all = driver->data;
	double seconds = (double)(driver->t1_ns - driver->t0_ns) / 1e9;
	struct hist *late = calloc(1, sizeof(*late)); /* kept: the files are written later */
	struct waiter sum;
	int rc;

	if (!late)
		return error_no_memory();
	cpu_hist_merge(&all->late, 0, late);
	cpu_hist_close(&all->late);
	add_up(driver, &sum);
	rc = check_counts(driver, &sum, late);
	if (rc) {
		free(late);
		return rc;
	}
	report_late(driver, late);
	report_rate(driver, &sum, seconds);
	report_load(driver, seconds);
	report_facts(driver);
	return driver_add_latency(driver, "waiter", late);
}
