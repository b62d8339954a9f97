/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * client-server's figures. A MB is 10^6 bytes of file data read or written, as tbench counts them:
 * not the headers, not the control messages (wire_mb_per_s has them too).
 */
#include "lib/error.h"
#include "workloads/client-server.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const struct metric client_server_metrics[] = {
	{ "mb_per_s", "MB/s", BETTER_HIGHER,
	  "File data that reads and writes carried, 10^6 bytes a second, all clients" },
	{ "max_latency_ms", "ms", BETTER_LOWER,
	  "Slowest operation; those under way at the end count with their age" },
	{ "p50_us", "us", BETTER_LOWER, "Median from request to answer, all operations" },
	{ "p99_us", "us", BETTER_LOWER, "99th percentile" },
	{ "p99_9_us", "us", BETTER_LOWER, "99.9th percentile" },
	{ "mean_us", "us", BETTER_LOWER, "Mean" },
	{ "ops_per_s", "1/s", BETTER_HIGHER, "Operations per second of all clients together" },
	{ "operations", "", BETTER_NONE, "Operations counted, of all clients" },
	{ "client_min_mb_per_s", "MB/s", BETTER_HIGHER, "The client that got least" },
	{ "client_max_mb_per_s", "MB/s", BETTER_NONE, "The client that got most" },
	{ "wire_mb_per_s", "MB/s", BETTER_HIGHER, "All bytes of both directions" },
	{ "clients", "", BETTER_NONE, "Clients; as many servers" },
	{ "warmup_s", "s", BETTER_NONE,
	  "Warm-up that the last client to begin had; alone, the default of --warmup is a quarter "
	  "of the window, a fifth of the whole" },
	{ "switches_per_op", "", BETTER_NONE,
	  "Voluntary context switches of clients and servers per operation; 2 when each waits "
	  "for the other every time" },
	{ "cpu_share_pct", "%", BETTER_NONE, "CPU time of the tasks, of one CPU per task" },
	{ "unit_start_ns", "ns", BETTER_NONE, "Time per unit of work before the run" },
	{ "unit_end_ns", "ns", BETTER_NONE, "The same after the run" },
	{ "timer_slack_ns", "ns", BETTER_NONE, "Timer slack read back in the tasks" },
	{ 0 },
};

static double mb(uint64_t bytes)
{
	return (double)bytes / 1e6;
}

/* Sums over the clients; tbench's users know the two figures returned. */
static void report_bytes(struct driver *driver, const struct client_server *all, double seconds,
			 double *ret_mb_per_s)
{
	uint64_t payload = 0, bytes = 0, least = UINT64_MAX, most = 0, warmup = UINT64_MAX;

	for (int i = 0; i < all->clients; i++) {
		const struct client_server_client *client = &all->client[i];

		payload += client->payload;
		bytes += client->bytes;
		least = client->payload < least ? client->payload : least;
		most = client->payload > most ? client->payload : most;
		warmup = client->warmup_ns < warmup ? client->warmup_ns : warmup;
	}
	*ret_mb_per_s = mb(payload) / seconds;
	driver_metric(driver, "mb_per_s", *ret_mb_per_s);
	driver_metric(driver, "client_min_mb_per_s", mb(least) / seconds);
	driver_metric(driver, "client_max_mb_per_s", mb(most) / seconds);
	driver_metric(driver, "wire_mb_per_s", mb(bytes) / seconds);
	driver_metric(driver, "warmup_s", (double)warmup / 1e9);
}

static void report_latency(struct driver *driver, const struct client_server *all,
			   const struct hist *hist, double *ret_max_ms)
{
	uint64_t slowest = hist->max_ns;

	for (int i = 0; i < all->clients; i++) {
		if (all->client[i].in_flight_ns > slowest)
			slowest = all->client[i].in_flight_ns;
	}
	*ret_max_ms = (double)slowest / 1e6;
	driver_metric(driver, "max_latency_ms", *ret_max_ms);
	driver_metric(driver, "p50_us", hist_quantile_ns(hist, 0.5) / 1e3);
	driver_metric(driver, "p99_us", hist_quantile_ns(hist, 0.99) / 1e3);
	driver_metric(driver, "p99_9_us", hist_quantile_ns(hist, 0.999) / 1e3);
	driver_metric(driver, "mean_us", hist_mean_ns(hist) / 1e3);
}

static void report_facts(struct driver *driver, const struct client_server *all, double operations)
{
	driver_metric(driver, "clients", all->clients);
	driver_metric(driver, "switches_per_op", (double)driver_switches(driver) / operations);
	driver_metric(driver, "cpu_share_pct", driver_cpu_share_pct(driver));
	driver_report_facts(driver);
}

int client_server_finish(struct driver *driver)
{
	const struct client_server *all = driver->data;
	struct hist *hist = calloc(1, sizeof(*hist)); /* lives until the files are written */
	double seconds = (double)(driver->t1_ns - driver->t0_ns) / 1e9, mb_per_s, max_ms;

	if (!hist)
		return error_no_memory();
	for (int i = 0; i < all->clients; i++)
		hist_merge(hist, &all->client[i].hist);
	if (!hist->count) {
		free(hist);
		return error_set(-ETIME, "not one whole operation in the window");
	}
	report_bytes(driver, all, seconds, &mb_per_s);
	report_latency(driver, all, hist, &max_ms);
	report_facts(driver, all, (double)hist->count);
	driver_metric(driver, "operations", (double)hist->count);
	driver_metric(driver, "ops_per_s", (double)hist->count / seconds);
	if (!driver->options.output)
		printf("Throughput %g MB/sec  %d clients  %d procs  max_latency=%.3f ms\n",
		       mb_per_s, all->clients, all->clients, max_ms);
	return driver_add_latency(driver, "operation", hist);
}
