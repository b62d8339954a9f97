/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What periodic publishes. The times of several threads are pooled; rates and loads are means over
 * the threads.
 *
 * CPU time is counted from the first packet's begin to the last one's end, which holds one wake
 * less than packets: a wake's share is made from the wakes in between.
 */
#include "lib/error.h"
#include "workloads/blocks.h"
#include "workloads/periodic.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const struct metric periodic_metrics[] = {
	{ "lateness_p50_us", "us", BETTER_LOWER,
	  "Lateness of a wake: from the release to the thread's first instruction" },
	{ "lateness_mean_us", "us", BETTER_LOWER, "Mean of it" },
	{ "lateness_p90_us", "us", BETTER_LOWER, "90th percentile" },
	{ "lateness_p99_us", "us", BETTER_LOWER, "99th percentile" },
	{ "lateness_p99_9_us", "us", BETTER_LOWER, "99.9th percentile" },
	{ "lateness_max_us", "us", BETTER_LOWER, "Longest" },
	{ "overruns", "", BETTER_LOWER,
	  "Packets that ended after their deadline, which is the next release" },
	{ "max_overrun_us", "us", BETTER_LOWER, "By how much at most; NA without an overrun" },
	{ "loops_done", "", BETTER_NONE, "Packets done by all threads" },
	{ "loops_planned", "", BETTER_NONE,
	  "Releases between t0 and t1; more than are done when some were skipped or still "
	  "waited at t1" },
	{ "packet_us", "us", BETTER_NONE, "Median CPU time of a packet; NA with a ramp" },
	{ "load_pct", "%", BETTER_NONE,
	  "CPU time of the packets, of one CPU per thread; interrupts in them are part of it" },
	{ "cpu_share_pct", "%", BETTER_NONE,
	  "CPU time of the threads, of one CPU per thread: packets and wakes" },
	{ "wake_cpu_us", "us", BETTER_LOWER,
	  "CPU time of a thread per packet outside of it: to sleep and to wake" },
	{ "rate_hz", "Hz", BETTER_NONE, "Packets a second from the first to the last one's begin" },
	{ "rate_error_ppm", "ppm", BETTER_NONE,
	  "The same against --frequency, of the thread that is furthest off" },
	{ "threads", "", BETTER_NONE, "Threads that worked" },
	{ "work_units", "", BETTER_NONE,
	  "Units of work in a packet; with a ramp, at its highest step" },
	{ "unit_start_ns", "ns", BETTER_NONE,
	  "Time per unit on the first thread's CPU before the run" },
	{ "unit_end_ns", "ns", BETTER_NONE, "The same after the run" },
	{ "switches_per_loop", "", BETTER_NONE,
	  "Voluntary context switches per packet; below 1: packets that were not slept for" },
	{ "timer_slack_ns", "ns", BETTER_NONE, "Timer slack read back in the threads" },
	{ 0 },
};

/* All of a thread's spans in one. */
static struct periodic_span total(const struct periodic_thread *thread)
{
	struct periodic_span sum = { 0 };

	for (uint64_t i = 0; i < thread->plan.spans; i++) {
		sum.done += thread->span[i].done;
		sum.overruns += thread->span[i].overruns;
		sum.packet_ns += thread->span[i].packet_ns;
		sum.cpu_ns += thread->span[i].cpu_ns;
	}
	return sum;
}

static double length_ns(const struct schedule *schedule, uint64_t from, uint64_t to)
{
	return (double)(schedule_due_ns(schedule, (int64_t)to) -
			schedule_due_ns(schedule, (int64_t)from));
}

static int report_times(struct driver *driver, const struct periodic_thread *thread)
{
	struct hist *late = calloc(2, sizeof(*late)), *packet = late + 1;
	bool ramp = thread->plan.steps > 0;

	if (!late)
		return error_no_memory();
	for (int i = 0; i < driver->needs.tasks; i++) {
		hist_merge(late, &thread[i].lateness);
		hist_merge(packet, &thread[i].packet);
	}
	driver_metric(driver, "lateness_p50_us", hist_quantile_ns(late, 0.5) / 1e3);
	driver_metric(driver, "lateness_mean_us", hist_mean_ns(late) / 1e3);
	driver_metric(driver, "lateness_p90_us", hist_quantile_ns(late, 0.9) / 1e3);
	driver_metric(driver, "lateness_p99_us", hist_quantile_ns(late, 0.99) / 1e3);
	driver_metric(driver, "lateness_p99_9_us", hist_quantile_ns(late, 0.999) / 1e3);
	driver_metric(driver, "lateness_max_us", late->count ? (double)late->max_ns / 1e3 : NAN);
	driver_metric(driver, "packet_us", ramp ? NAN : hist_quantile_ns(packet, 0.5) / 1e3);
	free(late);
	return 0;
}

static void report_loops(struct driver *driver, const struct periodic_thread *thread)
{
	uint64_t done = 0, planned = 0, overruns = 0, longest = 0;

	for (int i = 0; i < driver->needs.tasks; i++) {
		struct periodic_span sum = total(&thread[i]);

		done += sum.done;
		overruns += sum.overruns;
		planned += thread[i].plan.planned;
		if (thread[i].max_overrun_ns > longest)
			longest = thread[i].max_overrun_ns;
	}
	driver_metric(driver, "overruns", (double)overruns);
	driver_metric(driver, "max_overrun_us", overruns ? (double)longest / 1e3 : NAN);
	driver_metric(driver, "loops_done", (double)done);
	driver_metric(driver, "loops_planned", (double)planned);
	driver_metric(driver, "switches_per_loop", (double)driver_switches(driver) / (double)done);
}

static void report_load(struct driver *driver, const struct periodic_thread *thread)
{
	double load = 0, share = 0, wake = 0, n = driver->needs.tasks;

	for (int i = 0; i < driver->needs.tasks; i++) {
		const struct periodic_plan *plan = &thread[i].plan;
		struct periodic_span sum = total(&thread[i]);
		double length = length_ns(&plan->schedule, 0, plan->planned);
		double apart = (double)sum.cpu_ns - (double)sum.packet_ns;
		double each = sum.done > 1 ? apart / (double)(sum.done - 1) : NAN;

		load += (double)sum.packet_ns / length;
		share += ((double)sum.packet_ns + each * (double)sum.done) / length;
		wake += each;
	}
	driver_metric(driver, "load_pct", 100 * load / n);
	driver_metric(driver, "cpu_share_pct", 100 * share / n);
	driver_metric(driver, "wake_cpu_us", wake / n / 1e3);
}

static void report_rate(struct driver *driver, const struct periodic_thread *thread)
{
	double asked = driver->values[PERIODIC_FREQUENCY].number, sum = 0, worst = 0;
	int n = driver->needs.tasks;

	for (int i = 0; i < n; i++) {
		double done = (double)total(&thread[i]).done;
		double hz = done > 1 ? (done - 1) * 1e9 /
					       (double)(thread[i].last_ns - thread[i].first_ns)
				     : NAN;
		double error = (hz / asked - 1) * 1e6;

		sum += hz;
		if (isnan(error) || fabs(error) > fabs(worst))
			worst = error;
	}
	driver_metric(driver, "rate_hz", sum / n);
	driver_metric(driver, "rate_error_ppm", worst);
}

static void report_facts(struct driver *driver, const struct periodic_thread *thread)
{
	driver_metric(driver, "threads", driver->needs.tasks);
	driver_metric(driver, "work_units", (double)thread->plan.units);
	driver_report_facts(driver);
}

/* Series of each thread. */
enum { LATENESS, LOAD, CPU_SHARE, OVERRUNS, STEP, SERIES };
static const char *const series_name[SERIES] = {
	[LATENESS] = "lateness_us", [LOAD] = "load_pct", [CPU_SHARE] = "cpu_share_pct",
	[OVERRUNS] = "overruns",    [STEP] = "step_pct",
};

/* What span @i shows; NAN = nothing. */
static void read_span(const struct periodic_thread *thread, uint64_t i, uint64_t end,
		      double value[SERIES])
{
	const struct periodic_plan *plan = &thread->plan;
	const struct periodic_span *span = &thread->span[i];
	double length = length_ns(&plan->schedule, i * plan->span_periods, end);

	value[LATENESS] = span->wakes ? (double)span->late_ns / (double)span->wakes / 1e3 : NAN;
	value[LOAD] = 100 * (double)span->packet_ns / length;
	value[CPU_SHARE] = 100 * (double)span->cpu_ns / length;
	value[OVERRUNS] = (double)span->overruns;
	value[STEP] = plan->steps ? 100 * periodic_level(plan, i) : NAN;
}

static int add_series(struct driver *driver, const char *role, struct periodic_thread *thread)
{
	const struct periodic_plan *plan = &thread->plan;
	struct block *block = calloc(SERIES * plan->spans, sizeof(*block));
	size_t n[SERIES] = { 0 };
	char name[32];
	int rc = block ? 0 : error_no_memory();

	thread->series = block;
	for (uint64_t i = 0; i < plan->spans && !rc; i++) {
		uint64_t end = i + 1 < plan->spans ? (i + 1) * plan->span_periods : plan->planned;
		double value[SERIES];

		read_span(thread, i, end, value);
		for (int s = 0; s < SERIES; s++)
			if (!isnan(value[s]))
				block[s * plan->spans + n[s]++] = (struct block){
					schedule_due_ns(&plan->schedule, (int64_t)end), value[s]
				};
	}
	for (int s = 0; s < SERIES && !rc; s++) {
		snprintf(name, sizeof(name), "%s.%s", role, series_name[s]);
		if (n[s])
			rc = driver_add_series(driver, name, block + s * plan->spans, n[s]);
	}
	return rc;
}

int periodic_finish(struct driver *driver)
{
	struct periodic_thread *thread = driver->data;
	int rc = 0;

	for (int i = 0; i < driver->needs.tasks && !rc; i++) {
		const char *role = driver->task[i].role;

		if (!total(&thread[i]).done)
			return error_set(-ETIME, "%s: not one packet between t0 and t1", role);
		rc = driver_add_latency(driver, role, &thread[i].lateness);
		if (!rc)
			rc = add_series(driver, role, &thread[i]);
	}
	if (!rc)
		rc = report_times(driver, thread);
	if (rc)
		return rc;
	report_loops(driver, thread);
	report_load(driver, thread);
	report_rate(driver, thread);
	report_facts(driver, thread);
	return 0;
}
