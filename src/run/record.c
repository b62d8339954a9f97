/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rings are taken one after the other, which keeps the caches warm, unless timers or tasks' wakes
 * are asked for: these go from CPU to CPU, and the events of all rings are taken in the order of
 * time.
 */
#include "run/record.h"
#include "hw/ring.h"
#include "hw/ring_merge.h"
#include "lib/clock.h"
#include "lib/error.h"
#include "lib/log.h"
#include "run/privilege.h"
#include "run/record_event.h"
#include "run/record_info.h"
#include "run/record_wake.h"
#include "trace/assemble.h"
#include "trace/edge.h"
#include "trace/write.h"
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define RINGS_TOTAL (256u << 20) /* bytes of all rings together, */
#define RING_MOST (4u << 20) /* of one, */
#define RING_LEAST (128u << 10) /* and the least that is any use */

struct record {
	struct trace_info info;
	struct record_events events;
	struct assembler_setting setting;
	struct rings *rings;
	struct assembler *cpu;
	size_t n;
	struct record_wakes *wakes; /* NULL = not asked for */
	struct ring_merge *merge; /* NULL = neither timers nor wakes are asked for */
	struct trace_writer *writer;
};

static size_t ring_bytes(size_t cpus)
{
	size_t bytes = RING_MOST;

	while (bytes > RING_LEAST && bytes * cpus > RINGS_TOTAL)
		bytes /= 2;
	return bytes;
}

/* What needs the events of all CPUs in the order of time. */
static int make_order(struct record *r)
{
	if (r->events.kinds & TRACE_HAS_TIMERS &&
	    timers_make(&r->info.cpus, r->setting.tick_ns, &r->setting.timers))
		return -ENOMEM;
	return r->events.kinds & (TRACE_HAS_TIMERS | TRACE_HAS_SCHED)
		       ? ring_merge_make(r->n, &r->merge)
		       : 0;
}

static int make_cpus(struct record *r, const struct cpuidle *idle)
{
	r->n = idle->n;
	r->cpu = calloc(r->n + 1, sizeof(*r->cpu));
	if (r->events.kinds & TRACE_HAS_SCHED)
		r->wakes = calloc(1, sizeof(*r->wakes));
	if (!r->cpu || (r->events.kinds & TRACE_HAS_SCHED && !r->wakes) || make_order(r))
		return error_no_memory();
	for (size_t i = 0; i < r->n; i++) {
		r->cpu[i].setting = &r->setting;
		r->cpu[i].i = i;
		for (int s = 0; s < idle->cpu[i].states; s++)
			if (idle->cpu[i].state[s].polling)
				r->cpu[i].polling |= (uint16_t)(1u << idle->cpu[i].state[s].index);
	}
	return 0;
}

/* What needs root. */
static int open_rings(struct record *r, const struct record_order *order)
{
	struct tracefs *tracefs = NULL;
	int err = tracefs_open(order->root, order->formats, &tracefs);

	if (!err)
		err = record_events_find(tracefs, order->kinds, &r->events);
	tracefs_close(tracefs);
	if (!err)
		err = rings_open(&r->info.cpus, r->events.id, r->events.n,
				 ring_bytes(r->info.cpus.n), &r->rings);
	if (!err && r->events.kinds & TRACE_HAS_TIMERS)
		record_tick_functions(order->root, r->setting.tick_function);
	return err;
}

int record_open(const struct record_order *order, struct record **ret)
{
	struct record *r = calloc(1, sizeof(*r));
	int err;

	if (!r)
		return error_no_memory();
	err = record_info(order, &r->info);
	if (!err) {
		privilege_root();
		err = open_rings(r, order);
		privilege_user();
	}
	r->info.kinds = r->setting.kinds = r->events.kinds;
	r->setting.tick_ns = r->info.hz ? 1000000000u / r->info.hz : 0;
	if (!err)
		err = make_cpus(r, order->idle);
	r->info.t0_ns = clock_now_ns();
	if (!err)
		err = trace_create(order->path, &r->info, &r->writer);
	if (err) {
		record_abandon(r);
		return err;
	}
	*ret = r;
	return 0;
}

int record_start(struct record *r)
{
	return rings_start(r->rings);
}

static int take_sched(struct record *r, size_t i, const struct assembler_input *in,
		      const struct ring_record *record)
{
	struct trace_wake wake = { .pid = (uint32_t)in->value[0],
				   .cpu = (uint16_t)r->info.cpus.cpu[i] };
	const struct tracefs_field *name = &r->events.field[EVENT_SWITCH][1];

	if (in->event != EVENT_SWITCH) {
		record_wakes_woken(r->wakes, wake.pid, in->t_ns,
				   in->event == EVENT_WAKING ? wake.cpu : -1);
		return 0;
	}
	record_wakes_forget(r->wakes, (uint32_t)in->value[2]);
	if (!record_wakes_runs(r->wakes, &wake, in->t_ns))
		return 0;
	if ((size_t)name->offset + TRACE_NAME_MAX <= record->size)
		memcpy(wake.name, record->raw + name->offset, TRACE_NAME_MAX - 1);
	return trace_put_wake(r->writer, &wake);
}

static int take_record(struct record *r, size_t i, const struct ring_record *record)
{
	struct trace_period period;
	struct assembler_input in = { .t_ns = record->t_ns };
	bool complete;
	int event, err = 0;

	if (record->lost) {
		complete = assembler_lose(&r->cpu[i], record->lost, &period);
		return complete ? trace_put_period(r->writer, i, &period) : 0;
	}
	event = record_event_of(&r->events, record->raw, record->size);
	if (event < 0)
		return 0;
	in.event = (enum event)event;
	for (size_t f = 0; f < EVENT_FIELDS_MAX && r->events.field[event][f].name; f++)
		in.value[f] = tracefs_value(&r->events.field[event][f], record->raw, record->size);
	if (event == EVENT_TIMER_START && r->events.own_time)
		in.value[1] = timers_bucket(in.value[1], in.value[2],
					    (uint32_t)in.value[3] >> TIMERS_INDEX_SHIFT);
	if (event >= EVENT_WAKING)
		err = take_sched(r, i, &in, record);
	complete = assembler_take(&r->cpu[i], &in, &period);
	return complete && !err ? trace_put_period(r->writer, i, &period) : err;
}

static int take_ring(struct record *r, size_t i)
{
	struct ring_record record;
	int got, err = 0;

	while (!err && (got = ring_peek(r->rings, i, &record)) != 0) {
		err = got < 0 ? got : take_record(r, i, &record);
		ring_take(r->rings, i);
	}
	ring_release(r->rings, i);
	return err;
}

/*
 * All rings in the order of time, up to @until_ns: what is later waits, since an earlier event may
 * have come to a ring that had been looked at.
 */
static int take_in_order(struct record *r, uint64_t until_ns)
{
	const struct ring_record *record;
	int err = ring_merge_begin(r->merge, r->rings);
	size_t i;

	while (!err && ring_merge_first(r->merge, until_ns, &i, &record)) {
		err = take_record(r, i, record);
		if (!err)
			err = ring_merge_take(r->merge, r->rings);
	}
	for (i = 0; i < r->n; i++)
		ring_release(r->rings, i);
	return err;
}

/* What is known at this time goes to the file; periods that may still change wait. */
static int end_round(struct record *r, uint64_t t_ns)
{
	struct trace_period period;
	int err = 0;

	for (size_t i = 0; i < r->n && !err; i++) {
		struct assembler *cpu = &r->cpu[i];

		if (assembler_flush(cpu, t_ns, &period))
			err = trace_put_period(r->writer, i, &period);
		if (cpu->pending && cpu->period.exit_ns < t_ns)
			t_ns = cpu->period.exit_ns;
		trace_set_open(r->writer, i, cpu->idle || cpu->pending, cpu->period.state,
			       cpu->period.entry_ns);
		for (int c = 0; c < TRACE_COUNTS; c++)
			trace_count(r->writer, i, (enum trace_count)c, cpu->count[c]);
		memset(cpu->count, 0, sizeof(cpu->count));
	}
	return err ? err : trace_round(r->writer, t_ns);
}

static int take_all(struct record *r)
{
	uint64_t now = clock_now_ns();
	int err = 0;

	rings_look(r->rings);
	if (r->merge)
		err = take_in_order(r, now);
	else
		for (size_t i = 0; i < r->n && !err; i++)
			err = take_ring(r, i);
	return err ? err : end_round(r, now);
}

static bool readable(const int *fd, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct pollfd one = { fd[i], POLLIN, 0 };

		if (fd[i] >= 0 && poll(&one, 1, 0) > 0)
			return true;
	}
	return false;
}

int record_until(struct record *r, const int *fd, size_t n, uint64_t until_ns)
{
	int err = 0;

	while (!err && !readable(fd, n) && clock_now_ns() < until_ns) {
		err = rings_wait(r->rings, fd, n, until_ns);
		if (!err && !readable(fd, n) && clock_now_ns() < until_ns)
			err = take_all(r);
	}
	return err;
}

void record_bind(const struct topology *topology, int cpu)
{
	struct sched_param param = { .sched_priority = 1 };

	if (topology_bind_thread(topology, cpu))
		log_warn("%s", error_text());
	pthread_setschedparam(pthread_self(), SCHED_FIFO, &param);
}

/* Losses that no record told of: the last ones of a ring. */
static uint64_t count_lost(struct record *r)
{
	uint64_t lost = 0;

	for (size_t i = 0; i < r->n; i++) {
		uint64_t all = ring_lost(r->rings, i), told = ring_told(r->rings, i);

		trace_count(r->writer, i, TRACE_LOST, all - told);
		lost += all;
	}
	return lost;
}

static int find_deaf(const struct record *r, const struct trace_edge *edge, struct cpulist *ret)
{
	int err = 0;

	for (size_t i = 0; edge && i < r->n && !err; i++)
		if (edge_is_deaf(&edge[i], r->cpu[i].heard))
			err = cpulist_add(ret, r->info.cpus.cpu[i]);
	return err ? error_set(err, "out of memory") : 0;
}

int record_finish(struct record *r, const struct trace_edge *edge, struct record_result *ret)
{
	struct trace_period period;
	int err;

	*ret = (struct record_result){ 0 };
	rings_stop(r->rings);
	err = take_all(r);
	for (size_t i = 0; i < r->n && !err; i++)
		if (assembler_flush(&r->cpu[i], UINT64_MAX, &period))
			err = trace_put_period(r->writer, i, &period);
	ret->lost = count_lost(r);
	if (!err)
		err = end_round(r, clock_now_ns());
	ret->periods = trace_periods(r->writer);
	if (!err)
		err = find_deaf(r, edge, &ret->deaf);
	if (!err) {
		err = trace_finish(r->writer, edge, &ret->bytes);
		r->writer = NULL;
	}
	if (err)
		cpulist_free(&ret->deaf);
	record_abandon(r);
	return err;
}

void record_abandon(struct record *r)
{
	if (!r)
		return;
	rings_close(r->rings);
	trace_abandon(r->writer);
	trace_info_free(&r->info);
	free(r->cpu);
	free(r->wakes);
	timers_free(r->setting.timers);
	ring_merge_free(r->merge);
	free(r);
}
