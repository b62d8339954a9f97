/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sorted intervals of n CPUs are intersected: of those that are looked at, one a CPU, the one
 * that ends first cannot meet any later interval, and is passed.
 */
#include "analysis/trace_together.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct span {
	uint64_t begin_ns, end_ns; /* end UINT64_MAX = goes on */
	unsigned int levels; /* bits */
};

struct queue {
	struct span *span;
	size_t n, room;
	bool open; /* the last span goes on */
	unsigned int deepest; /* state number */
	unsigned int polling; /* bits of states */
};

struct group {
	struct cpulist cpus;
	const char *what;
	size_t *member; /* positions */
	struct trace_shared shared[TRACE_LEVELS];
};

struct trace_together {
	struct queue *queue;
	size_t n;
	struct group *group;
	size_t groups;
	size_t *at; /* one a CPU: the span that is looked at */
	uint64_t t_begin_ns, t_ns; /* looked at up to here */
};

static void set_states(const struct trace_table *table, struct queue *q)
{
	q->deepest = TRACE_STATE_OTHER;
	for (int s = 0; table && s < table->states; s++) {
		const struct trace_state *state = &table->state[s];

		if (!state->name[0])
			continue;
		if (!state->disabled)
			q->deepest = (unsigned int)s;
		if (!strcmp(state->name, "POLL") || !strcmp(state->name, "snooze"))
			q->polling |= 1u << s;
	}
}

static int add_group(struct trace_together *t, const struct trace_info *info,
		     const struct cpulist *cpus, const char *what)
{
	struct group *g = &t->group[t->groups];
	size_t n = 0;

	t->groups++;
	g->what = what;
	g->member = calloc(cpus->n + 1, sizeof(*g->member));
	if (!g->member || cpulist_copy(cpus, &g->cpus))
		return -ENOMEM;
	for (size_t i = 0; i < info->cpus.n; i++)
		if (cpulist_has(cpus, info->cpus.cpu[i]))
			g->member[n++] = i;
	if (n == cpus->n)
		return 0;
	t->groups--;
	cpulist_free(&g->cpus);
	free(g->member);
	return -EBADMSG;
}

static size_t packages_of(const struct trace_info *info)
{
	size_t n = 0;

	for (size_t p = 0; p < info->packages; p++)
		n += !info->package[p].cluster;
	return n;
}

int trace_together_make(const struct trace_info *info, struct trace_together **ret)
{
	struct trace_together *t = calloc(1, sizeof(*t));
	int err = t ? 0 : -ENOMEM;

	if (!err) {
		t->n = info->cpus.n;
		t->t_begin_ns = t->t_ns = info->t0_ns;
		t->queue = calloc(t->n + 1, sizeof(*t->queue));
		t->at = calloc(t->n + 1, sizeof(*t->at));
		t->group = calloc(info->packages + 1, sizeof(*t->group));
		err = t->queue && t->at && t->group ? add_group(t, info, &info->cpus, "all")
						    : -ENOMEM;
	}
	for (size_t i = 0; !err && i < t->n; i++)
		set_states(trace_table_of(info, info->cpus.cpu[i]), &t->queue[i]);
	/* One with CPUs that were not recorded is no group; nor is the only package. */
	for (size_t p = 0; !err && p < info->packages; p++)
		if (info->package[p].cpus.n && (info->package[p].cluster || packages_of(info) > 1))
			err = add_group(t, info, &info->package[p].cpus,
					info->package[p].cluster ? "cluster" : "package") == -ENOMEM
				      ? -ENOMEM
				      : 0;
	if (err) {
		trace_together_free(t);
		return err;
	}
	*ret = t;
	return 0;
}

static int push(struct queue *q, uint64_t begin, uint64_t end, unsigned int state)
{
	struct span *span;

	if (q->n == q->room) {
		size_t room = q->room ? 2 * q->room : 256;

		span = reallocarray(q->span, room, sizeof(*span));
		if (!span)
			return -ENOMEM;
		q->span = span;
		q->room = room;
	}
	span = &q->span[q->n++];
	*span = (struct span){ .begin_ns = begin, .end_ns = end };
	if (!(q->polling & 1u << state))
		span->levels |= 1u << TRACE_ALL_IDLE;
	if (state == q->deepest)
		span->levels |= 1u << TRACE_ALL_DEEP;
	return 0;
}

int trace_together_periods(struct trace_together *t, const struct trace_item *item)
{
	struct queue *q = &t->queue[item->i];
	int err = 0;

	if (q->open)
		q->n--;
	for (size_t p = 0; p < item->n && !err; p++)
		err = push(q, item->period[p].entry_ns, item->period[p].exit_ns,
			   item->period[p].state);
	q->open = item->open && !err;
	if (q->open)
		err = push(q, item->open_ns, UINT64_MAX, item->open_state);
	return err;
}

static void add_shared(struct trace_shared *s, uint64_t begin, uint64_t end)
{
	if (!s->times || begin > s->last_end_ns) {
		s->times++;
		s->last_start_ns = begin;
	}
	s->ns += end - begin;
	s->last_end_ns = end;
	if (end - s->last_start_ns > s->longest_ns)
		s->longest_ns = end - s->last_start_ns;
}

/* Moves a CPU's place to the next span of the level; false when there is none before @t_ns. */
static bool find(const struct queue *q, size_t *at, unsigned int level, uint64_t t_ns)
{
	while (*at < q->n && !(q->span[*at].levels & 1u << level))
		++*at;
	return *at < q->n && q->span[*at].begin_ns < t_ns;
}

static void intersect(struct trace_together *t, struct group *g, unsigned int level, uint64_t t_ns)
{
	memset(t->at, 0, t->n * sizeof(*t->at));
	for (;;) {
		uint64_t begin = t->t_ns, end = t_ns;
		size_t first = g->member[0];

		for (size_t m = 0; m < g->cpus.n; m++) {
			size_t i = g->member[m];
			const struct span *span;

			if (!find(&t->queue[i], &t->at[i], level, t_ns))
				return;
			span = &t->queue[i].span[t->at[i]];
			begin = span->begin_ns > begin ? span->begin_ns : begin;
			if (span->end_ns <= end) {
				end = span->end_ns;
				first = i;
			}
		}
		if (begin < end)
			add_shared(&g->shared[level], begin, end);
		if (end == t_ns)
			return;
		t->at[first]++;
	}
}

/* What ended before @t_ns is done with. */
static void drop(struct queue *q, uint64_t t_ns)
{
	size_t keep = 0;

	while (keep < q->n && q->span[keep].end_ns <= t_ns)
		keep++;
	if (keep)
		memmove(q->span, q->span + keep, (q->n - keep) * sizeof(*q->span));
	q->n -= keep;
}

void trace_together_round(struct trace_together *t, uint64_t t_ns)
{
	if (t_ns <= t->t_ns)
		return;
	for (size_t g = 0; g < t->groups; g++)
		for (unsigned int level = 0; level < TRACE_LEVELS; level++)
			intersect(t, &t->group[g], level, t_ns);
	for (size_t i = 0; i < t->n; i++)
		drop(&t->queue[i], t_ns);
	t->t_ns = t_ns;
}

void trace_together_free(struct trace_together *t)
{
	if (!t)
		return;
	for (size_t i = 0; t->queue && i < t->n; i++)
		free(t->queue[i].span);
	for (size_t g = 0; g < t->groups; g++) {
		cpulist_free(&t->group[g].cpus);
		free(t->group[g].member);
	}
	free(t->queue);
	free(t->group);
	free(t->at);
	free(t);
}

size_t trace_together_groups(const struct trace_together *t)
{
	return t->groups;
}

const struct cpulist *trace_together_cpus(const struct trace_together *t, size_t group)
{
	return &t->group[group].cpus;
}

const char *trace_together_what(const struct trace_together *t, size_t group)
{
	return t->group[group].what;
}

const struct trace_shared *trace_together_of(const struct trace_together *t, size_t group,
					     enum trace_level level)
{
	return &t->group[group].shared[level];
}

uint64_t trace_together_ns(const struct trace_together *t)
{
	return t->t_ns - t->t_begin_ns;
}
