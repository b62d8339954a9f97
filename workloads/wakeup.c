/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sleepers that are woken one after the other, by a waker's writes or by their own timers: the
 * parameters, what they need, and the set-up. What runs is in wakeup-run.c.
 *
 * The waker has a CPU of its own, the first one; the sleepers share the others in turn. So a wake
 * always comes from another CPU, and the waker's wait for the next one never delays a sleeper.
 */
#include "workloads/wakeup.h"
#include "lib/clock.h"
#include "lib/error.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct param params[] = {
	[WAKEUP_THREADS] = { "threads", PARAM_COUNT, "500", 1, WAKEUP_MAX, .help = "Sleepers" },
	[WAKEUP_INTERVAL] = { "interval", PARAM_TIME, "20us", 1e3, 1e9,
			      .help = "Time from one wake to the next, of all sleepers together" },
	[WAKEUP_BY] = { "by", PARAM_CHOICE, "pipe", .choices = "pipe|eventfd|futex|socket|timer",
			.help = "What wakes: a waker through one of these, or a timer of each "
				"sleeper's own" },
	[WAKEUP_WAKER] = { "waker", PARAM_CHOICE, "spin", .choices = "spin|sleep",
			   .help = "How the waker waits for the next wake: on time, its CPU busy "
				   "throughout, or asleep, and late by a wake of its own" },
	[WAKEUP_ORDER] = { "order", PARAM_CHOICE, "sequential", .choices = "sequential|random",
			   .help = "Order of the sleepers; random: another one each time that all "
				   "have had their turn" },
	[WAKEUP_SEED] = { "seed", PARAM_COUNT, "1", 0, 9007199254740991.0,
			  .help = "Of the random orders" },
	[WAKEUP_LOOPS] = { "loops", PARAM_COUNT, NULL, 1, 1e9,
			   .help = "Wakes to count, of all sleepers, instead of --window" },
	[WAKEUP_AFFINITY] = { "affinity", PARAM_CHOICE, "pinned", .choices = "pinned|free",
			      .help = "The waker bound to the first CPU and the sleepers to the "
				      "others in turn, or the scheduler's choice" },
	[WAKEUP_DISTANCE] = { "distance", PARAM_CHOICE, "any", .choices = WORKLOAD_DISTANCES,
			      .placement = true,
			      .help = "What the waker and the one sleeper of threads = 1 share" },
	[WAKEUP_PARAMS] = { 0 },
};

/* what has no effect in its combination is refused. */
static int check_effect(const struct param_value *values)
{
	bool timer = values[WAKEUP_BY].choice == WAKEUP_TIMER;
	bool one = values[WAKEUP_THREADS].number == 1;

	if (timer && values[WAKEUP_WAKER].given)
		return error_usage("waker has no effect with by = timer, where there is none");
	if (one && values[WAKEUP_ORDER].given)
		return error_usage("order has no effect with threads = 1");
	if (values[WAKEUP_ORDER].choice != WAKEUP_RANDOM && values[WAKEUP_SEED].given)
		return error_usage("seed has no effect with order = sequential");
	if (values[WAKEUP_DISTANCE].given && timer)
		return error_usage("distance has no effect with by = timer");
	if (values[WAKEUP_DISTANCE].given && !one)
		return error_usage("distance has no effect with more than one sleeper");
	if (values[WAKEUP_DISTANCE].given && values[WAKEUP_AFFINITY].choice == WAKEUP_FREE)
		return error_usage("distance has no effect with affinity = free");
	if (values[WAKEUP_INTERVAL].number != floor(values[WAKEUP_INTERVAL].number))
		return error_usage("interval: %.10gns is not a whole number of nanoseconds",
				   values[WAKEUP_INTERVAL].number);
	return 0;
}

static int needs(const struct param_value *values, struct workload_needs *ret)
{
	bool timer = values[WAKEUP_BY].choice == WAKEUP_TIMER;
	bool pinned = values[WAKEUP_AFFINITY].choice == WAKEUP_PINNED;
	int threads = (int)values[WAKEUP_THREADS].number, tasks = threads + !timer;
	int rc = check_effect(values);

	if (rc)
		return rc;
	*ret = (struct workload_needs){
		.tasks = tasks,
		.cpus = pinned ? tasks : 0,
		.wrap = pinned,
		.group = threads == 1 && !timer ? 2 : 0,
		.distance = values[WAKEUP_DISTANCE].choice,
		.pinned = pinned,
		.timer_based = timer,
		.loop_ns = values[WAKEUP_INTERVAL].number,
	};
	return 0;
}

static const struct transport *find_transport(int by)
{
	static const char *const names[] = { "pipe", "eventfd", "futex", "socket" };
	const struct transport *transport = transport_table;

	if (by == WAKEUP_TIMER)
		return NULL;
	while (strcmp(transport->name, names[by]))
		transport++;
	return transport;
}

/* The waker is task 0. */
static int place_tasks(struct driver *driver, const struct wakeup *all)
{
	const struct cpulist *cpus = &driver->options.cpus;
	bool waker = all->transport;

	if (waker && all->spins && cpus->n < 2 && !driver->options.unbound)
		return error_usage("waker = spin keeps a CPU busy and there is one: the sleepers "
				   "need another (or waker = sleep)");
	for (int i = 0; i < driver->needs.tasks; i++) {
		struct driver_task *task = &driver->task[i];

		snprintf(task->role, sizeof(task->role), waker && !i ? "waker" : "sleeper");
		if (waker && i && cpus->n > 1 && driver->needs.pinned)
			task->cpu_asked = cpus->cpu[1 + (size_t)(i - 1) % (cpus->n - 1)];
	}
	return 0;
}

static int get_memory(struct driver *driver, struct wakeup *all)
{
	void *memory;
	int rc = cpu_hist_open(&driver->options.cpus, WAKEUP_GAPS + 1, &all->latency);

	if (!rc)
		rc = driver_alloc((size_t)all->sleepers * sizeof(*all->sleeper), &memory);
	if (rc)
		return rc;
	all->sleeper = memory;
	rc = driver_alloc(all->latency.cpus * sizeof(*all->left), &memory);
	if (rc)
		return rc;
	all->left = memory;
	for (size_t i = 0; i < all->latency.cpus; i++)
		atomic_store(&all->left[i].ns, clock_now_ns());
	return 0;
}

static int setup(struct driver *driver)
{
	const struct param_value *values = driver->values;
	struct wakeup *all;
	void *memory;
	int rc = driver_alloc(sizeof(*all), &memory);

	if (rc)
		return rc;
	driver->data = all = memory;
	driver->threads = true;
	all->transport = find_transport(values[WAKEUP_BY].choice);
	all->sleepers = (int)values[WAKEUP_THREADS].number;
	all->spins = values[WAKEUP_WAKER].choice == WAKEUP_SPIN;
	/* An interval of n ns is a rate of 10^9/n Hz. */
	all->schedule.num = 1000000000;
	all->schedule.den = (uint32_t)values[WAKEUP_INTERVAL].number;
	rc = place_tasks(driver, all);
	if (!rc)
		rc = wakeup_order_open(all->sleepers, values[WAKEUP_ORDER].choice == WAKEUP_RANDOM,
				       (uint64_t)values[WAKEUP_SEED].number, &all->order);
	if (!rc)
		rc = get_memory(driver, all);
	if (!rc && all->transport)
		rc = transport_open_all(all->transport, (size_t)all->sleepers, true, &all->channel);
	return rc;
}

static int task(struct driver *driver, int index)
{
	const struct wakeup *all = driver->data;
	struct driver_task *task = &driver->task[index];

	if (!all->transport)
		return wakeup_run_timed(driver, index, task);
	return index ? wakeup_run_sleeper(driver, index - 1, task) : wakeup_run_waker(driver, task);
}

const struct workload workload_wakeup = {
	.name = "wakeup",
	.about = "Sleepers are woken one after the other at an interval; how long each takes to "
		 "run, by how long its CPU had been free.",
	.timer_note = "unless by = timer",
	.params = params,
	.metrics = wakeup_metrics,
	.needs = needs,
	.setup = setup,
	.task = task,
	.finish = wakeup_finish,
};
