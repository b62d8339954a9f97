/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ping-pong's figures from what its heads recorded. A ring's time per loop is the time from the
 * begin of its first counted loop to the end of its last over their number: loops touch, so this is
 * exact however few fit into the window.
 */
#include "lib/error.h"
#include "workloads/ping-pong.h"
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const struct metric ping_pong_metrics[] = {
	{ "loop_us", "us", BETTER_LOWER, "Time per loop of one ring; mean over the rings" },
	{ "hop_us", "us", BETTER_LOWER, "The same per hop: loop_us over stops_per_loop" },
	{ "loops_per_s", "1/s", BETTER_HIGHER, "Loops per second of all rings together" },
	{ "loops", "", BETTER_NONE, "Loops counted, of all rings" },
	{ "mean_us", "us", BETTER_LOWER, "Mean of all loops of all rings" },
	{ "sd_us", "us", BETTER_LOWER, "Standard deviation of single loops" },
	{ "min_us", "us", BETTER_LOWER, "Fastest loop" },
	{ "p50_us", "us", BETTER_LOWER, "Median loop" },
	{ "p99_us", "us", BETTER_LOWER, "99th percentile of the loops" },
	{ "p99_9_us", "us", BETTER_LOWER, "99.9th percentile of the loops" },
	{ "max_us", "us", BETTER_LOWER, "Slowest loop" },
	{ "blocks", "", BETTER_NONE,
	  "Blocks of all rings: 1 s, a tenth of a window below 10 s, or a thousandth of the loops" },
	{ "block_sd_us", "us", BETTER_LOWER, "Standard deviation of the block means" },
	{ "block_min_us", "us", BETTER_LOWER, "Smallest block mean" },
	{ "block_max_us", "us", BETTER_LOWER, "Largest block mean" },
	{ "block_range_us", "us", BETTER_LOWER, "Largest less smallest block mean" },
	{ "slowest_pair_us", "us", BETTER_LOWER, "Time per loop of the slowest ring; NA for one" },
	{ "fastest_pair_us", "us", BETTER_LOWER, "Time per loop of the fastest ring; NA for one" },
	{ "spread_pct", "%", BETTER_LOWER, "Slowest less fastest ring, of loop_us; NA for one" },
	{ "stops_per_loop", "", BETTER_NONE, "Tasks of one ring" },
	{ "tasks", "", BETTER_NONE, "Tasks of all rings" },
	{ "work_units", "", BETTER_NONE, "Units of work at each stop" },
	{ "unit_start_ns", "ns", BETTER_NONE,
	  "Time per unit on the first stop's CPU before the run" },
	{ "unit_end_ns", "ns", BETTER_NONE, "The same after the run" },
	{ "switches_per_loop", "", BETTER_NONE,
	  "Voluntary context switches of a ring's tasks per loop; below stops_per_loop: tokens "
	  "came before the sleep" },
	{ "cpu_share_pct", "%", BETTER_NONE, "CPU time of the tasks, of one CPU per task" },
	{ "timer_slack_ns", "ns", BETTER_NONE, "Timer slack read back in the tasks" },
	{ 0 },
};

static double ring_us(const struct ping_pong_ring *ring)
{
	return (double)(ring->end_ns - ring->begin_ns) / 1e3 / (double)ring->hist.count;
}

static int check_counts(const struct driver *driver, const struct ping_pong *all)
{
	for (int i = 0; i < driver->needs.tasks; i++) {
		const struct ping_pong_ring *ring = &all->ring[i / all->stops];

		if (i % all->stops && all->stop[i].passed != ring->total)
			return error_set(
				-EPROTO,
				"ring %d: %" PRIu64 " loops, but stop %d passed %" PRIu64 " tokens",
				i / all->stops, ring->total, i % all->stops, all->stop[i].passed);
	}
	for (int r = 0; r < all->rings; r++) {
		if (!all->ring[r].hist.count)
			return error_set(-ETIME, "ring %d: not one whole loop in the window", r);
		if (driver->loops && all->ring[r].hist.count != driver->loops)
			return error_set(-EPROTO, "ring %d: %" PRIu64 " loops instead of %" PRIu64,
					 r, all->ring[r].hist.count, driver->loops);
	}
	return 0;
}

/* Several rings: the headline is the mean over them. */
static void report_rings(struct driver *driver, const struct ping_pong *all)
{
	double sum = 0, rate = 0, slowest = 0, fastest = INFINITY, mean;
	bool several = all->rings > 1;

	for (int r = 0; r < all->rings; r++) {
		double us = ring_us(&all->ring[r]);

		sum += us;
		rate += 1e6 / us;
		slowest = fmax(slowest, us);
		fastest = fmin(fastest, us);
	}
	mean = sum / all->rings;
	driver_metric(driver, "loop_us", mean);
	driver_metric(driver, "hop_us", mean / all->stops);
	driver_metric(driver, "loops_per_s", rate);
	driver_metric(driver, "slowest_pair_us", several ? slowest : NAN);
	driver_metric(driver, "fastest_pair_us", several ? fastest : NAN);
	driver_metric(driver, "spread_pct", several ? 100 * (slowest - fastest) / mean : NAN);
}

/* Sum of squared distances from @mean_ns, from those to each ring's shift. */
static double squares_about(const struct ping_pong *all, double mean_ns)
{
	double sum = 0;

	for (int r = 0; r < all->rings; r++) {
		const struct ping_pong_ring *ring = &all->ring[r];
		double n = (double)ring->hist.count;
		double offset = (double)ring->hist.sum_ns / n - ring->shift_ns;
		double apart = (double)ring->hist.sum_ns / n - mean_ns;

		sum += ring->squares - n * offset * offset + n * apart * apart;
	}
	return sum > 0 ? sum : 0;
}

static int report_loops(struct driver *driver, const struct ping_pong *all)
{
	struct hist *hist = calloc(1, sizeof(*hist));
	double mean, n;

	if (!hist)
		return error_no_memory();
	for (int r = 0; r < all->rings; r++)
		hist_merge(hist, &all->ring[r].hist);
	mean = hist_mean_ns(hist);
	n = (double)hist->count;
	driver_metric(driver, "loops", n);
	driver_metric(driver, "mean_us", mean / 1e3);
	driver_metric(driver, "sd_us",
		      n > 1 ? sqrt(squares_about(all, mean) / (n - 1)) / 1e3 : NAN);
	driver_metric(driver, "min_us", (double)hist->min_ns / 1e3);
	driver_metric(driver, "p50_us", hist_quantile_ns(hist, 0.5) / 1e3);
	driver_metric(driver, "p99_us", hist_quantile_ns(hist, 0.99) / 1e3);
	driver_metric(driver, "p99_9_us", hist_quantile_ns(hist, 0.999) / 1e3);
	driver_metric(driver, "max_us", (double)hist->max_ns / 1e3);
	free(hist);
	return 0;
}

static void report_blocks(struct driver *driver, const struct ping_pong *all)
{
	struct blocks_summary summary = { 0 };
	bool any;

	for (int r = 0; r < all->rings; r++)
		blocks_summarize(&all->ring[r].blocks, &summary);
	any = summary.n > 0;
	driver_metric(driver, "blocks", (double)summary.n);
	driver_metric(driver, "block_sd_us", blocks_sd(&summary));
	driver_metric(driver, "block_min_us", any ? summary.min : NAN);
	driver_metric(driver, "block_max_us", any ? summary.max : NAN);
	driver_metric(driver, "block_range_us", any ? summary.max - summary.min : NAN);
}

static void report_facts(struct driver *driver, const struct ping_pong *all)
{
	double waits = 0;

	/* Between its marks a head waits once per loop, the others for the stop token as well. */
	for (int r = 0; r < all->rings; r++)
		waits += (double)all->ring[r].total * all->stops + all->stops - 1;
	driver_metric(driver, "stops_per_loop", all->stops);
	driver_metric(driver, "tasks", driver->needs.tasks);
	driver_metric(driver, "work_units", (double)all->units);
	driver_report_facts(driver);
	driver_metric(driver, "switches_per_loop",
		      (double)driver_switches(driver) / waits * all->stops);
	driver_metric(driver, "cpu_share_pct", driver_cpu_share_pct(driver));
}

static int report_files(struct driver *driver, const struct ping_pong *all)
{
	char role[16], name[32];
	int rc = 0;

	for (int r = 0; r < all->rings && !rc; r++) {
		const struct ping_pong_ring *ring = &all->ring[r];

		snprintf(role, sizeof(role), "ring%d", r);
		snprintf(name, sizeof(name), "ring%d.loop_us", r);
		rc = driver_add_latency(driver, role, &ring->hist);
		if (!rc)
			rc = driver_add_series(driver, name, ring->blocks.block, ring->blocks.n);
	}
	return rc;
}

int ping_pong_finish(struct driver *driver)
{
	struct ping_pong *all = driver->data;
	int rc = check_counts(driver, all);

	if (!rc)
		rc = report_loops(driver, all);
	if (rc)
		return rc;
	report_rings(driver, all);
	report_blocks(driver, all);
	report_facts(driver, all);
	return report_files(driver, all);
}
