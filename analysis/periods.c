/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Wakes are sorted by CPU and time, because the file has them as they were written. */
#include "analysis/periods.h"
#include "analysis/trace_text.h"
#include "lib/error.h"
#include "trace/edge.h"
#include "trace/format.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEAD_MAX_NS 10000 /* what is longer is no lead */
#define TIME_MAX_NS 1000000000000000000

bool periods_detect(const char *path)
{
	FILE *file = fopen(path, "re");
	unsigned char magic[4];
	bool found;

	if (!file)
		return false;
	found = fread(magic, 1, 4, file) == 4 &&
		((uint32_t)magic[0] | (uint32_t)magic[1] << 8 | (uint32_t)magic[2] << 16 |
		 (uint32_t)magic[3] << 24) == FORMAT_BLOCK_MAGIC;
	fclose(file);
	return found || trace_text_detect(path);
}

/* Room for @more elements of @size in *@array; false when out of memory. */
static bool grow(void **array, size_t *room, size_t n, size_t more, size_t size)
{
	size_t want = *room ? *room : 1024;
	void *moved;

	if (n + more <= *room)
		return true;
	while (want < n + more)
		want *= 2;
	moved = reallocarray(*array, want, size);
	if (!moved)
		return false;
	*array = moved;
	*room = want;
	return true;
}

static int add_periods(struct periods_cpu *cpu, const struct trace_item *item)
{
	void *array = cpu->period;

	if (!grow(&array, &cpu->room, cpu->n, item->n, sizeof(*cpu->period)))
		return -ENOMEM;
	cpu->period = array;
	if (item->n && item->period[item->n - 1].exit_ns > TIME_MAX_NS)
		return -EBADMSG;
	if (item->n)
		memcpy(cpu->period + cpu->n, item->period, item->n * sizeof(*cpu->period));
	cpu->n += item->n;
	for (int c = 0; c < TRACE_COUNTS; c++)
		cpu->count[c] += item->count[c];
	return 0;
}

int periods_position(const struct periods *p, int cpu)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->cpu[i].cpu == cpu)
			return (int)i;
	return -1;
}

static int add_wakes(struct periods *p, const struct trace_item *item)
{
	for (size_t i = 0; i < item->n; i++) {
		const struct trace_wake *wake = &item->wake[i];
		int position = periods_position(p, wake->cpu);
		struct periods_cpu *cpu = &p->cpu[position < 0 ? 0 : position];
		void *array = cpu->run;

		if (position < 0)
			continue;
		if (!grow(&array, &cpu->runs_room, cpu->runs, 1, sizeof(*cpu->run)))
			return -ENOMEM;
		cpu->run = array;
		cpu->run[cpu->runs++] =
			(struct periods_run){ wake->t_ns, wake->t_ns + wake->latency_ns,
					      wake->waker };
	}
	return 0;
}

static int by_time(const void *a, const void *b)
{
	uint64_t x = ((const struct periods_run *)a)->run_ns;
	uint64_t y = ((const struct periods_run *)b)->run_ns;

	return (x > y) - (x < y);
}

/* Of the states of a CPU whose entries the counters confirm. */
struct confirmed {
	uint64_t periods, trace_ns, counter_ns;
};

/* The edge stands behind all periods of its CPU. */
static void add_confirmed(struct confirmed *sum, const struct periods_cpu *cpu,
			  const struct trace_edge *edge)
{
	uint64_t n[TRACE_STATES_MAX] = { 0 }, ns[TRACE_STATES_MAX] = { 0 };

	for (size_t p = 0; p < cpu->n; p++) {
		const struct trace_period *period = &cpu->period[p];

		if (period->state >= TRACE_STATES_MAX ||
		    edge_side(edge, period->exit_ns) != EDGE_BETWEEN)
			continue;
		n[period->state]++;
		ns[period->state] += period->exit_ns - period->entry_ns;
	}
	for (int s = 0; s < edge->states; s++) {
		if (!n[s] || edge_growth(edge, s, TRACE_EDGE_USAGE) != n[s] ||
		    !edge->counter[s][TRACE_EDGE_TIME_US].known)
			continue;
		sum->periods += n[s];
		sum->trace_ns += ns[s];
		sum->counter_ns += edge_growth(edge, s, TRACE_EDGE_TIME_US) * 1000;
	}
}

static int64_t traced_ns(const struct confirmed *sum)
{
	return sum->periods && sum->trace_ns > sum->counter_ns
		       ? (int64_t)((sum->trace_ns - sum->counter_ns) / sum->periods)
		       : 0;
}

/*
 * A governor counts from when the idle loop was entered or the last interrupt ended, and the entry
 * comes when it has chosen. No event says when that was; it cannot be longer than the way from an
 * exit, and where nothing else was done in between it is about that.
 */
static int64_t lead_ns(const struct periods_cpu *cpu)
{
	uint64_t least = UINT64_MAX;

	for (size_t p = 1; p < cpu->n; p++)
		if (cpu->period[p].entry_ns - cpu->period[p - 1].exit_ns < least)
			least = cpu->period[p].entry_ns - cpu->period[p - 1].exit_ns;
	return least < LEAD_MAX_NS ? (int64_t)least : 0;
}

static int read_all(struct periods *p)
{
	struct trace_item item = { .type = TRACE_ROUND };
	struct confirmed confirmed = { 0 };
	int err = 0;

	while (!err && item.type != TRACE_END) {
		err = trace_next(p->reader, &item);
		if (err)
			return err;
		if (item.type == TRACE_PERIODS)
			err = add_periods(&p->cpu[item.i], &item);
		else if (item.type == TRACE_WAKES)
			err = add_wakes(p, &item);
		else if (item.type == TRACE_EDGE)
			add_confirmed(&confirmed, &p->cpu[item.i], &item.edge);
		p->damages += item.type == TRACE_DAMAGE;
	}
	if (err)
		return error_set(err, err == -EBADMSG ? "a time in the trace is out of range"
						      : "out of memory");
	for (size_t i = 0; i < p->n; i++)
		if (p->cpu[i].runs)
			qsort(p->cpu[i].run, p->cpu[i].runs, sizeof(struct periods_run), by_time);
	for (size_t i = 0; i < p->n; i++)
		p->cpu[i].lead_ns = lead_ns(&p->cpu[i]);
	p->whole = trace_is_whole(p->reader);
	p->traced_ns = traced_ns(&confirmed);
	return 0;
}

static int load(const char *path, struct periods *p)
{
	int err = trace_open(path, &p->reader);

	if (err)
		return err;
	p->info = trace_info(p->reader);
	p->n = p->info->cpus.n;
	p->cpu = calloc(p->n + 1, sizeof(*p->cpu));
	if (!p->cpu)
		return error_no_memory();
	for (size_t i = 0; i < p->n; i++) {
		p->cpu[i].cpu = p->info->cpus.cpu[i];
		p->cpu[i].table = trace_table_of(p->info, p->cpu[i].cpu);
	}
	return read_all(p);
}

int periods_load(const char *path, struct periods *ret)
{
	char temporary[] = "/tmp/idle-trace-XXXXXX";
	struct periods p = { 0 };
	int err;

	if (trace_text_detect(path)) {
		/* Text becomes a trace first, in a file that has no name any more when it is used.
		 */
		err = trace_text_temporary(path, temporary);
		p.left_out = err > 0;
		if (err >= 0)
			err = load(temporary, &p);
		remove(temporary);
	} else {
		err = load(path, &p);
	}
	if (err < 0) {
		periods_free(&p);
		return err;
	}
	*ret = p;
	return 0;
}

void periods_free(struct periods *p)
{
	for (size_t i = 0; p->cpu && i < p->n; i++) {
		free(p->cpu[i].period);
		free(p->cpu[i].run);
	}
	free(p->cpu);
	if (p->reader)
		trace_close(p->reader);
	*p = (struct periods){ 0 };
}

uint64_t periods_total(const struct periods *p, enum trace_count what)
{
	uint64_t total = 0;

	for (size_t i = 0; i < p->n; i++)
		total += p->cpu[i].count[what];
	return total;
}
