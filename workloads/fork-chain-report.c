/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fork-chain's figures. Children touch: the time from the begin of the first counted to the reap of
 * the last over their number is exact however few fit into the window.
 */
#include "lib/error.h"
#include "workloads/fork-chain.h"
#include <errno.h>
#include <math.h>

const struct metric fork_chain_metrics[] = {
	{ "pids_per_s", "1/s", BETTER_HIGHER, "Own children reaped per second" },
	{ "children", "", BETTER_NONE, "Children counted; one that fails ends the run" },
	{ "run_time_s", "s", BETTER_LOWER, "From the first start to the last reap" },
	{ "one_cpu_ratio", "", BETTER_LOWER,
	  "mean_us over one_cpu_us; NA with affinity one, which is the reference itself" },
	{ "one_cpu_us", "us", BETTER_NONE,
	  "Time per child bound to the first CPU, taken before the run in half a second" },
	{ "mean_us", "us", BETTER_LOWER, "Time per child from start to reap" },
	{ "p50_us", "us", BETTER_LOWER, "Median of the same" },
	{ "p99_us", "us", BETTER_LOWER, "99th percentile of the same" },
	{ "max_us", "us", BETTER_LOWER, "Slowest child" },
	{ "blocks", "", BETTER_NONE,
	  "Blocks: 1 s, a tenth of a window below 10 s, or a thousandth of the loops" },
	{ "block_sd_us", "us", BETTER_LOWER, "Standard deviation of the block means" },
	{ "block_min_us", "us", BETTER_LOWER, "Smallest block mean" },
	{ "block_max_us", "us", BETTER_LOWER, "Largest block mean" },
	{ "other_cpu_pct", "%", BETTER_NONE,
	  "Children whose first step was on another CPU than their parent's" },
	{ "child_cpu_us", "us", BETTER_NONE, "CPU time of a child, as the kernel accounts for it" },
	{ "cpu_share_pct", "%", BETTER_NONE, "CPU time of parent and children, of one CPU" },
	{ "work_units", "", BETTER_NONE, "Units of work of each child" },
	{ "unit_start_ns", "ns", BETTER_NONE, "Time per unit on the first CPU before the run" },
	{ "unit_end_ns", "ns", BETTER_NONE, "The same after the run" },
	{ "timer_slack_ns", "ns", BETTER_NONE, "Timer slack read back in the parent" },
	{ 0 },
};

static void report_times(struct driver *driver, const struct fork_chain *all)
{
	const struct fork_chain_count *count = all->count;
	double n = (double)count->hist.count;
	double us = (double)(count->end_ns - count->begin_ns) / 1e3;

	driver_metric(driver, "pids_per_s", n / us * 1e6);
	driver_metric(driver, "children", n);
	driver_metric(driver, "run_time_s", us / 1e6);
	driver_metric(driver, "one_cpu_ratio", us / n / all->one_cpu_us);
	driver_metric(driver, "one_cpu_us", all->one_cpu_us);
	driver_metric(driver, "mean_us", us / n);
	driver_metric(driver, "p50_us", hist_quantile_ns(&count->hist, 0.5) / 1e3);
	driver_metric(driver, "p99_us", hist_quantile_ns(&count->hist, 0.99) / 1e3);
	driver_metric(driver, "max_us", (double)count->hist.max_ns / 1e3);
}

static void report_blocks(struct driver *driver, const struct blocks *blocks)
{
	struct blocks_summary summary = { 0 };

	blocks_summarize(blocks, &summary);
	driver_metric(driver, "blocks", (double)summary.n);
	driver_metric(driver, "block_sd_us", blocks_sd(&summary));
	driver_metric(driver, "block_min_us", summary.n ? summary.min : NAN);
	driver_metric(driver, "block_max_us", summary.n ? summary.max : NAN);
}

static void report_facts(struct driver *driver, const struct fork_chain *all)
{
	const struct fork_chain_count *count = all->count;
	const struct driver_task *task = &driver->task[0];
	double wall = (double)(task->end.t_ns - task->start.t_ns);
	double children = (double)count->children_cpu_ns;

	driver_metric(driver, "other_cpu_pct",
		      100 * (double)count->others / (double)count->hist.count);
	driver_metric(driver, "child_cpu_us", children / 1e3 / (double)count->started);
	driver_metric(driver, "cpu_share_pct",
		      driver_cpu_share_pct(driver) + 100 * children / wall);
	driver_metric(driver, "work_units", (double)all->kind.units);
	driver_report_facts(driver);
}

int fork_chain_finish(struct driver *driver)
{
	struct fork_chain *all = driver->data;
	const struct fork_chain_count *count = all->count;
	int rc;

	if (!count->hist.count)
		return error_set(-ETIME, "not one whole child in the window");
	if (driver->loops && count->hist.count != driver->loops)
		return error_set(-EPROTO, "%llu children instead of %llu",
				 (unsigned long long)count->hist.count,
				 (unsigned long long)driver->loops);
	report_times(driver, all);
	report_blocks(driver, &count->blocks);
	report_facts(driver, all);
	rc = driver_add_latency(driver, "chain", &count->hist);
	if (!rc)
		rc = driver_add_series(driver, "chain.child_us", count->blocks.block,
				       count->blocks.n);
	return rc;
}
