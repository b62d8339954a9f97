/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wakeup's figures. Every wake that was planned is found again: it came, or its sleeper was awake,
 * or its turn had not come when the window was over. Anything else is an error of this program.
 */
#include "lib/error.h"
#include "workloads/wakeup.h"
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

const struct metric wakeup_metrics[] = {
	{ "p50_us", "us", BETTER_LOWER,
	  "Median latency: from just before the waking write, or from the time due, to running" },
	{ "min_us", "us", BETTER_LOWER, "Shortest latency" },
	{ "mean_us", "us", BETTER_LOWER, "Mean" },
	{ "p90_us", "us", BETTER_LOWER, "90th percentile" },
	{ "p99_us", "us", BETTER_LOWER, "99th percentile" },
	{ "p99_9_us", "us", BETTER_LOWER, "99.9th percentile" },
	{ "max_us", "us", BETTER_LOWER, "Longest" },
	{ "wakes", "", BETTER_HIGHER, "Wakes that came" },
	{ "wakes_planned", "", BETTER_NONE, "Wakes that were due" },
	{ "not_asleep", "", BETTER_LOWER,
	  "Wakes whose sleeper was still awake when they were due: not sent" },
	{ "not_sent", "", BETTER_LOWER,
	  "Wakes that the waker had not come to when the window was over; NA by timer" },
	{ "wakes_per_s", "1/s", BETTER_HIGHER, "Wakes that came, a second" },
	{ "interval_us", "us", BETTER_NONE, "What was asked, from one wake to the next" },
	{ "sent_late_p50_us", "us", BETTER_NONE,
	  "How late the waker itself was, median; NA by timer" },
	{ "sent_late_p99_us", "us", BETTER_NONE, "The same, 99th percentile" },
	{ "free_pct", "%", BETTER_NONE,
	  "Wakes that found their CPU free of other sleepers, of all that came" },
	{ "gap_p50_us", "us", BETTER_NONE, "How long it had been free, median" },
	{ "tasks", "", BETTER_NONE, "Sleepers, and the waker" },
	{ "switches_per_wake", "", BETTER_NONE,
	  "Voluntary context switches of the sleepers per wake; below 1: wakes that came before "
	  "the sleep" },
	{ "waker_share_pct", "%", BETTER_NONE, "CPU time of the waker, of one CPU; NA by timer" },
	{ "unit_start_ns", "ns", BETTER_NONE,
	  "Time per unit of work on the first CPU before the run" },
	{ "unit_end_ns", "ns", BETTER_NONE, "The same after the run" },
	{ "timer_slack_ns", "ns", BETTER_NONE, "Timer slack read back in the threads" },
	{ "start_ms", "ms", BETTER_LOWER, "Time to make all threads and have them ready" },
	{ "memory_kib", "KiB", BETTER_NONE, "Largest resident set of the program" },
	{ 0 },
};

/* By enum wakeup_gap: the role in latency.tsv, and what a run with such wakes adds. */
static const struct {
	const char *role, *p50, *p99;
} gaps[] = {
	[WAKEUP_GAP_BUSY] = { "gap_busy", "gap_busy_p50_us", "gap_busy_p99_us" },
	[WAKEUP_GAP_0US] = { "gap_0us", "gap_0us_p50_us", "gap_0us_p99_us" },
	[WAKEUP_GAP_1US] = { "gap_1us", "gap_1us_p50_us", "gap_1us_p99_us" },
	[WAKEUP_GAP_10US] = { "gap_10us", "gap_10us_p50_us", "gap_10us_p99_us" },
	[WAKEUP_GAP_100US] = { "gap_100us", "gap_100us_p50_us", "gap_100us_p99_us" },
	[WAKEUP_GAP_1MS] = { "gap_1ms", "gap_1ms_p50_us", "gap_1ms_p99_us" },
	[WAKEUP_GAP_10MS] = { "gap_10ms", "gap_10ms_p50_us", "gap_10ms_p99_us" },
	[WAKEUP_GAP_100MS] = { "gap_100ms", "gap_100ms_p50_us", "gap_100ms_p99_us" },
	[WAKEUP_GAP_1S] = { "gap_1s", "gap_1s_p50_us", "gap_1s_p99_us" },
};

/* What became of the planned wakes. */
struct counts {
	uint64_t planned, woken, not_asleep, not_sent;
};

static struct counts count_wakes(const struct driver *driver, const struct wakeup *all)
{
	struct counts counts = {
		.planned = (uint64_t)wakeup_planned(driver),
		.not_asleep = all->not_asleep,
		.not_sent = all->not_sent,
	};

	for (int i = 0; i < all->sleepers; i++) {
		counts.woken += all->sleeper[i].woken;
		counts.not_asleep += all->sleeper[i].not_asleep;
	}
	return counts;
}

static int check_counts(const struct counts *counts, uint64_t recorded)
{
	if (counts->woken + counts->not_asleep + counts->not_sent != counts->planned ||
	    recorded != counts->woken)
		return error_set(-EPROTO,
				 "%" PRIu64 " wakes planned, but %" PRIu64 " came (%" PRIu64
				 " recorded), %" PRIu64 " found their sleeper awake, %" PRIu64
				 " were not sent",
				 counts->planned, counts->woken, recorded, counts->not_asleep,
				 counts->not_sent);
	if (!counts->woken)
		return error_set(-ETIME, "not one wake in the window");
	return 0;
}

static void report_latency(struct driver *driver, const struct hist *hist)
{
	driver_metric(driver, "p50_us", hist_quantile_ns(hist, 0.5) / 1e3);
	driver_metric(driver, "min_us", (double)hist->min_ns / 1e3);
	driver_metric(driver, "mean_us", hist_mean_ns(hist) / 1e3);
	driver_metric(driver, "p90_us", hist_quantile_ns(hist, 0.9) / 1e3);
	driver_metric(driver, "p99_us", hist_quantile_ns(hist, 0.99) / 1e3);
	driver_metric(driver, "p99_9_us", hist_quantile_ns(hist, 0.999) / 1e3);
	driver_metric(driver, "max_us", (double)hist->max_ns / 1e3);
}

static void report_counts(struct driver *driver, const struct wakeup *all,
			  const struct counts *counts)
{
	double seconds = (double)(driver->t1_ns - driver->t0_ns) / 1e9;

	driver_metric(driver, "wakes", (double)counts->woken);
	driver_metric(driver, "wakes_planned", (double)counts->planned);
	driver_metric(driver, "not_asleep", (double)counts->not_asleep);
	driver_metric(driver, "not_sent", all->transport ? (double)counts->not_sent : NAN);
	driver_metric(driver, "wakes_per_s", (double)counts->woken / seconds);
	driver_metric(driver, "interval_us", all->schedule.den / 1e3);
	driver_metric(driver, "sent_late_p50_us", hist_quantile_ns(&all->late, 0.5) / 1e3);
	driver_metric(driver, "sent_late_p99_us", hist_quantile_ns(&all->late, 0.99) / 1e3);
}

/* A sleeper that a waker tells to end has slept once more for that. */
static void report_facts(struct driver *driver, const struct wakeup *all,
			 const struct counts *counts)
{
	const struct driver_mark *start = &driver->task[0].start, *end = &driver->task[0].end;
	double switches = (double)driver_switches(driver), sleeps = (double)counts->woken;

	if (all->transport) {
		switches -= (double)(end->switches - start->switches);
		sleeps += all->sleepers;
	}
	driver_metric(driver, "tasks", driver->needs.tasks);
	driver_metric(driver, "switches_per_wake", switches / sleeps);
	driver_metric(driver, "waker_share_pct",
		      all->transport ? 100 * (double)(end->cpu_ns - start->cpu_ns) /
					       (double)(end->t_ns - start->t_ns)
				     : NAN);
	driver_report_facts(driver);
	driver_report_start(driver);
}

/* The classes that occurred: a role in latency.tsv and two metrics each. */
static int report_gaps(struct driver *driver, const struct hist *gap)
{
	int rc = 0;

	for (size_t i = 0; i < WAKEUP_GAPS && !rc; i++) {
		if (!gap[i].count)
			continue;
		rc = driver_add_latency(driver, gaps[i].role, &gap[i]);
		if (!rc)
			rc = driver_add_metric(driver, gaps[i].p50, "us", BETTER_LOWER,
					       hist_quantile_ns(&gap[i], 0.5) / 1e3);
		if (!rc)
			rc = driver_add_metric(driver, gaps[i].p99, "us", BETTER_LOWER,
					       hist_quantile_ns(&gap[i], 0.99) / 1e3);
	}
	return rc;
}

int wakeup_finish(struct driver *driver)
{
	struct wakeup *all = driver->data;
	struct counts counts = count_wakes(driver, all);
	/* By class, the gaps themselves, and all latencies. Kept: the files are written later. */
	struct hist *hist = calloc(WAKEUP_GAPS + 2, sizeof(*hist));
	struct hist *gaps_ns, *latency;
	int rc;

	if (!hist)
		return error_no_memory();
	gaps_ns = &hist[WAKEUP_GAPS];
	latency = &hist[WAKEUP_GAPS + 1];
	for (size_t i = 0; i <= WAKEUP_GAPS; i++)
		cpu_hist_merge(&all->latency, i, &hist[i]);
	cpu_hist_close(&all->latency);
	free(all->channel);
	for (size_t i = 0; i < WAKEUP_GAPS; i++)
		hist_merge(latency, &hist[i]);
	rc = check_counts(&counts, latency->count);
	if (rc)
		return rc;
	report_latency(driver, latency);
	report_counts(driver, all, &counts);
	driver_metric(driver, "free_pct", 100 * (double)gaps_ns->count / (double)counts.woken);
	driver_metric(driver, "gap_p50_us", hist_quantile_ns(gaps_ns, 0.5) / 1e3);
	report_facts(driver, all, &counts);
	return report_gaps(driver, hist);
}
