/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A token goes round a ring of tasks; each does its work, passes the token on and sleeps until it
 * comes back. Every wake comes from another task, none from a timer.
 *
 * Stop 0 of a ring is its head: it alone reads the clock, once per loop. A mark token that does no
 * work goes round before the first counted loop and a stop token behind the last, so that every
 * stop can say how many tokens it passed in between: all have to agree.
 */
#include "workloads/ping-pong.h"
#include "lib/clock.h"
#include "lib/error.h"
#include "workloads/work.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct param params[] = {
	[PING_PONG_CORES] = { "cores", PARAM_CPUS, "2", 2, 4096,
			      .help = "Stops of the ring, one task each" },
	[PING_PONG_PAIRS] = { "pairs", PARAM_CPUS, NULL, 1, 2048,
			      .help = "Independent rings of 2 stops, instead of one of --cores" },
	[PING_PONG_WORK] = { "work", PARAM_WORK, "0", 0, 1e11,
			     .help = "Work at each stop before the token goes on; a time is turned "
				     "into units by a calibration" },
	[PING_PONG_LOOPS] = { "loops", PARAM_COUNT, NULL, 1, 1e15,
			      .help = "Loops of each ring to count, instead of --window" },
	[PING_PONG_TRANSPORT] = { "transport", PARAM_CHOICE, "pipe", .choices = TRANSPORTS,
				  .help = "What carries the token; spin waits without sleeping" },
	[PING_PONG_TASK] = { "task", PARAM_CHOICE, "process", .choices = "process|thread",
			     .help = "What a stop is" },
	[PING_PONG_AFFINITY] = { "affinity", PARAM_CHOICE, "pinned", .choices = "pinned|free",
				 .help = "One CPU per stop, or the scheduler's choice" },
	[PING_PONG_DISTANCE] = { "distance", PARAM_CHOICE, "any", .choices = WORKLOAD_DISTANCES,
				 .placement = true,
				 .help = "What neighbouring stops share; the runner chooses the CPUs" },
	[PING_PONG_PARAMS] = { 0 },
};

#define HOP_NS 1500 /* without work, of the published runs */

static int needs(const struct param_value *values, struct workload_needs *ret)
{
	bool pairs = values[PING_PONG_PAIRS].set;
	bool pinned = values[PING_PONG_AFFINITY].choice == PING_PONG_PINNED;
	int tasks = (int)values[PING_PONG_CORES].number, stops = pairs ? 2 : tasks;
	double work_ns = values[PING_PONG_WORK].number *
			 (values[PING_PONG_WORK].is_time ? 1 : WORK_NOMINAL_NS);

	if (pairs && values[PING_PONG_CORES].given)
		return error_usage("cores has no effect with pairs (independent rings of 2)");
	if (!pinned && values[PING_PONG_DISTANCE].given)
		return error_usage("distance has no effect with affinity = free");
	if (pairs)
		tasks = 2 * (int)values[PING_PONG_PAIRS].number;
	if (pairs && tasks < 0 && pinned)
		return error_usage("pairs = all is two tasks a core: it needs affinity = free");
	*ret = (struct workload_needs){
		.tasks = tasks,
		.cpus = pinned ? tasks : 0,
		.group = pairs ? 2 : tasks,
		.distance = values[PING_PONG_DISTANCE].choice,
		.pinned = pinned,
		.loop_ns = stops < 0 ? 0 : stops * (HOP_NS + work_ns),
	};
	return 0;
}

static int check_spin(const struct driver *driver, const struct ping_pong *all)
{
	const struct driver_options *options = &driver->options;

	if (all->transport->spins && !options->unbound &&
	    options->cpus.n < (size_t)driver->needs.tasks)
		return error_usage(
			"transport spin needs a CPU for each of the %d tasks, there are %zu",
			driver->needs.tasks, options->cpus.n);
	return 0;
}

static int setup(struct driver *driver)
{
	const struct param_value *values = driver->values;
	struct ping_pong *all = calloc(1, sizeof(*all));
	void *memory;
	int rc;

	if (!all)
		return error_no_memory();
	driver->data = all;
	driver->threads = values[PING_PONG_TASK].choice == PING_PONG_THREAD;
	all->transport = &transport_table[values[PING_PONG_TRANSPORT].choice];
	all->units = (uint64_t)values[PING_PONG_WORK].number;
	all->stops = values[PING_PONG_PAIRS].set ? 2 : driver->needs.tasks;
	all->rings = driver->needs.tasks / all->stops;
	driver->grace_ns += (uint64_t)(4 * driver->unit_start_ns * values[PING_PONG_WORK].number *
				       driver->needs.tasks);
	rc = check_spin(driver, all);
	if (!rc)
		rc = transport_open_all(all->transport, (size_t)driver->needs.tasks,
					driver->threads, &all->channel);
	if (!rc)
		rc = driver_alloc((size_t)all->rings * sizeof(*all->ring), &memory);
	if (rc)
		return rc;
	all->ring = memory;
	rc = driver_alloc((size_t)driver->needs.tasks * sizeof(*all->stop), &memory);
	if (rc)
		return rc;
	all->stop = memory;
	for (int i = 0; i < driver->needs.tasks; i++)
		snprintf(driver->task[i].role, sizeof(driver->task[i].role), "ring%d",
			 i / all->stops);
	return 0;
}

/* A task's own copy of what it touches in every loop. */
struct ends {
	const struct transport *transport;
	struct channel in, out;
	uint64_t units;
};

static int token_error(int token)
{
	if (token < 0 && token != -EPROTO)
		return error_set(token, "the token stopped: %s", strerror(-token));
	return error_set(-EPROTO, "a token was lost or doubled");
}

/* Sends @token round; only it may come back. */
static int round_trip(struct ends *ends, enum token token)
{
	int got = ends->transport->pass(&ends->out, token);

	if (!got)
		got = ends->transport->wait(&ends->in);
	return got == (int)token ? 0 : token_error(got);
}

static inline int one_loop(struct ends *ends)
{
	work_do(ends->units);
	return round_trip(ends, TOKEN_GO);
}

/* Counts loops until t1 is over or @loops are done. */
static int count_loops(struct ends *ends, struct ping_pong_ring *ring, uint64_t t1, uint64_t loops)
{
	uint64_t begin = ring->begin_ns, now, total = 0;
	double offset;
	int rc;

	do {
		rc = one_loop(ends);
		if (rc)
			return rc;
		now = clock_now_ns();
		total++;
		if (now > t1)
			break;
		if (total == 1)
			ring->shift_ns = (double)(now - begin);
		offset = (double)(now - begin) - ring->shift_ns;
		ring->squares += offset * offset;
		hist_add(&ring->hist, now - begin);
		blocks_add(&ring->blocks, now);
		begin = now;
	} while (total != loops);
	ring->end_ns = begin;
	ring->total = total;
	blocks_end(&ring->blocks, begin);
	return 0;
}

static int run_head(struct driver *driver, struct ends *ends, struct ping_pong_ring *ring,
		    struct driver_task *task)
{
	uint64_t t0 = driver->gate->t0_ns, t1 = driver->gate->t1_ns;
	int rc;

	do
		rc = one_loop(ends);
	while (!rc && clock_now_ns() < t0);
	if (!rc)
		rc = round_trip(ends, TOKEN_MARK);
	if (rc)
		return rc;
	driver_mark(&task->start);
	ring->begin_ns = clock_now_ns();
	blocks_begin(&ring->blocks, ring->begin_ns, t1 - t0, driver->loops);
	rc = count_loops(ends, ring, t1, driver->loops ? driver->loops : UINT64_MAX);
	if (rc)
		return rc;
	driver_mark(&task->end);
	task->done_ns = ring->end_ns;
	return round_trip(ends, TOKEN_STOP);
}

static int run_stop(struct ends *ends, struct ping_pong_stop *stop, struct driver_task *task)
{
	const struct transport *transport = ends->transport;
	uint64_t passed = 0;
	int token, rc;

	for (;;) {
		token = transport->wait(&ends->in);
		if (token == TOKEN_GO) {
			work_do(ends->units);
			passed++;
		} else if (token == TOKEN_MARK) {
			driver_mark(&task->start);
			passed = 0;
		} else if (token == TOKEN_STOP) {
			driver_mark(&task->end);
			stop->passed = passed;
		} else {
			return token_error(token);
		}
		rc = transport->pass(&ends->out, (enum token)token);
		if (rc)
			return token_error(rc);
		if (token == TOKEN_STOP)
			return 0;
	}
}

static int task(struct driver *driver, int index)
{
	struct ping_pong *all = driver->data;
	int ring = index / all->stops, place = index % all->stops;
	int before = ring * all->stops + (place + all->stops - 1) % all->stops;
	struct ends ends = {
		.transport = all->transport,
		.in = all->channel[before],
		.out = all->channel[index],
		.units = all->units,
	};

	if (place)
		return run_stop(&ends, &all->stop[index], &driver->task[index]);
	/* Page tables of shared memory are not inherited: fault them in now, not in the window. */
	memset(&all->ring[ring], 0, sizeof(all->ring[ring]));
	return run_head(driver, &ends, &all->ring[ring], &driver->task[index]);
}

const struct workload workload_ping_pong = {
	.name = "ping-pong",
	.about = "Tasks pass a token round a ring; each is woken by its neighbour, works and "
		 "passes on.",
	.params = params,
	.metrics = ping_pong_metrics,
	.needs = needs,
	.setup = setup,
	.task = task,
	.finish = ping_pong_finish,
};
