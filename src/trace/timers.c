/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Three heaps a CPU, tick, hrtimers and wheel, and a hash from a timer's address to its place in
 * them.
 *
 * A wheel timer's time is in ticks of a counter that an event shows only as it stood, which may be
 * late: of all events the one that stood highest against the clock was right.
 */
#include "trace/timers.h"
#include <errno.h>
#include <stdlib.h>

#define SLOTS (2 * TIMERS_MAX) /* of the hash; a power of two */
#define FLAG_CPU 0x0003ffffu /* of a wheel timer: timer.h of the kernel, since 4.2 */
#define FLAG_DEFERRABLE 0x00080000u
#define BUCKETS 64 /* a level of the wheel, each level 8 times as coarse as the one below */
#define LEVEL_SHIFT 3
#define WHEEL_FAR 0x3fffffff /* ticks: the wheel itself holds fewer */

enum kind { TICK, HRTIMER, WHEEL, KINDS };

struct node {
	uint64_t timer, expires_ns;
	uint32_t heap, at; /* which heap, and the place in it */
};

struct heap {
	uint32_t *node;
	size_t n, room;
};

struct timers {
	size_t cpus;
	int *position; /* by CPU number; -1 = not recorded */
	size_t positions;
	struct heap *heap; /* [KINDS * position + kind] */
	struct node *node;
	uint32_t *slot; /* node + 1; 0 = free */
	uint32_t *unused; /* nodes */
	size_t unused_n;
	uint64_t tick_ns, phase_ns; /* of the ticks' times; phase UINT64_MAX = not known */
	int64_t jiffies0; /* the counter at the tick that began at phase_ns */
	bool jiffies_known;
};

static int make_arrays(struct timers *t, const struct cpulist *cpus)
{
	for (size_t i = 0; i < cpus->n; i++)
		if ((size_t)cpus->cpu[i] >= t->positions)
			t->positions = (size_t)cpus->cpu[i] + 1;
	t->position = malloc((t->positions + 1) * sizeof(*t->position));
	t->heap = calloc(KINDS * t->cpus + 1, sizeof(*t->heap));
	t->node = malloc(TIMERS_MAX * sizeof(*t->node));
	t->slot = calloc(SLOTS, sizeof(*t->slot));
	t->unused = malloc(TIMERS_MAX * sizeof(*t->unused));
	if (!t->position || !t->heap || !t->node || !t->slot || !t->unused)
		return -ENOMEM;
	for (size_t i = 0; i < t->positions; i++)
		t->position[i] = -1;
	for (size_t i = 0; i < cpus->n; i++)
		t->position[cpus->cpu[i]] = (int)i;
	for (uint32_t i = 0; i < TIMERS_MAX; i++)
		t->unused[t->unused_n++] = TIMERS_MAX - 1 - i;
	return 0;
}

int timers_make(const struct cpulist *cpus, uint64_t tick_ns, struct timers **ret)
{
	struct timers *t = calloc(1, sizeof(*t));

	if (!t)
		return -ENOMEM;
	t->cpus = cpus->n;
	t->tick_ns = tick_ns;
	t->phase_ns = UINT64_MAX;
	if (make_arrays(t, cpus)) {
		timers_free(t);
		return -ENOMEM;
	}
	*ret = t;
	return 0;
}

void timers_free(struct timers *t)
{
	if (!t)
		return;
	for (size_t h = 0; t->heap && h < KINDS * t->cpus; h++)
		free(t->heap[h].node);
	free(t->position);
	free(t->heap);
	free(t->node);
	free(t->slot);
	free(t->unused);
	free(t);
}

/* Where the timer is in the hash, or would be. */
static size_t slot_of(const struct timers *t, uint64_t timer)
{
	size_t at = (size_t)((timer >> 3) * 0x9e3779b97f4a7c15u >> 40) % SLOTS;

	while (t->slot[at] && t->node[t->slot[at] - 1].timer != timer)
		at = (at + 1) % SLOTS;
	return at;
}

/* Frees a place of the hash; those behind it that had to give way to it move up. */
static void free_slot(struct timers *t, size_t hole)
{
	size_t at = hole;

	t->slot[hole] = 0;
	for (;;) {
		uint32_t moved;

		at = (at + 1) % SLOTS;
		moved = t->slot[at];
		if (!moved)
			return;
		t->slot[at] = 0;
		t->slot[slot_of(t, t->node[moved - 1].timer)] = moved;
	}
}

static void place(struct timers *t, struct heap *h, size_t at, uint32_t node)
{
	h->node[at] = node;
	t->node[node].at = (uint32_t)at;
}

/* Moves the node at @at to where it belongs. */
static void settle(struct timers *t, struct heap *h, size_t at)
{
	uint32_t node = h->node[at];
	uint64_t expires = t->node[node].expires_ns;

	while (at && t->node[h->node[(at - 1) / 2]].expires_ns > expires) {
		place(t, h, at, h->node[(at - 1) / 2]);
		at = (at - 1) / 2;
	}
	for (;;) {
		size_t child = 2 * at + 1;

		if (child + 1 < h->n &&
		    t->node[h->node[child + 1]].expires_ns < t->node[h->node[child]].expires_ns)
			child++;
		if (child >= h->n || t->node[h->node[child]].expires_ns >= expires)
			break;
		place(t, h, at, h->node[child]);
		at = child;
	}
	place(t, h, at, node);
}

static void drop(struct timers *t, uint32_t node)
{
	struct heap *h = &t->heap[t->node[node].heap];
	size_t at = t->node[node].at;
	uint32_t last = h->node[--h->n];

	free_slot(t, slot_of(t, t->node[node].timer));
	t->unused[t->unused_n++] = node;
	if (last == node)
		return;
	place(t, h, at, last);
	settle(t, h, at);
}

void timers_forget(struct timers *t, uint64_t timer)
{
	uint32_t found = t->slot[slot_of(t, timer)];

	if (found)
		drop(t, found - 1);
}

static void add(struct timers *t, size_t heap, uint64_t timer, uint64_t expires_ns)
{
	struct heap *h = &t->heap[heap];
	uint32_t node;

	if (h->n == h->room) {
		size_t room = h->room ? 2 * h->room : 64;
		uint32_t *more = reallocarray(h->node, room, sizeof(*more));

		if (!more) /* as if there were no room for it in the table */
			return;
		h->node = more;
		h->room = room;
	}
	if (!t->unused_n)
		return;
	node = t->unused[--t->unused_n];
	t->node[node] = (struct node){ timer, expires_ns, (uint32_t)heap, (uint32_t)h->n };
	t->slot[slot_of(t, timer)] = node + 1;
	h->node[h->n++] = node;
	settle(t, h, h->n - 1);
}

void timers_start(struct timers *t, size_t i, uint64_t timer, uint64_t expires_ns)
{
	timers_forget(t, timer);
	add(t, KINDS * i + HRTIMER, timer, expires_ns);
}

void timers_start_tick(struct timers *t, size_t i, uint64_t timer, uint64_t expires_ns)
{
	uint64_t phase = t->tick_ns ? expires_ns % t->tick_ns : UINT64_MAX;

	timers_forget(t, timer);
	add(t, KINDS * i + TICK, timer, expires_ns);
	/* With skew_tick the other CPUs' ticks are later than the counter's steps. */
	if (phase < t->phase_ns) {
		t->phase_ns = phase;
		t->jiffies_known = false;
	}
}

/* How far the counter stood above the number of the tick; the highest was not late. */
static void learn_jiffies(struct timers *t, uint64_t t_ns, uint64_t jiffies)
{
	int64_t above = (int64_t)(jiffies - (t_ns - t->phase_ns) / t->tick_ns);

	if (!t->jiffies_known || above > t->jiffies0)
		t->jiffies0 = above;
	t->jiffies_known = true;
}

uint64_t timers_bucket(uint64_t expires, uint64_t jiffies, unsigned int index)
{
	unsigned int shift = index / BUCKETS * LEVEL_SHIFT;

	if ((int64_t)(expires - jiffies) < 0 || shift >= 63)
		return jiffies;
	return ((expires >> shift) + 1) << shift;
}

void timers_start_wheel(struct timers *t, uint64_t t_ns, const struct timers_wheel *start)
{
	/* Where a long has 32 bits both wrap. */
	int64_t ahead = (start->expires | start->jiffies) >> 32
				? (int64_t)(start->expires - start->jiffies)
				: (int32_t)(start->expires - start->jiffies);
	uint32_t cpu = start->flags & FLAG_CPU;
	int64_t tick;

	timers_forget(t, start->timer);
	if (t->phase_ns == UINT64_MAX || t_ns < t->phase_ns)
		return;
	learn_jiffies(t, t_ns, start->jiffies);
	if (start->flags & FLAG_DEFERRABLE || cpu >= t->positions || t->position[cpu] < 0 ||
	    ahead < -WHEEL_FAR || ahead > WHEEL_FAR)
		return;
	tick = (int64_t)(start->jiffies - (uint64_t)t->jiffies0) + ahead;
	if (tick >= 0)
		add(t, KINDS * (size_t)t->position[cpu] + WHEEL, start->timer,
		    t->phase_ns + (uint64_t)tick * t->tick_ns);
}

void timers_forget_all(struct timers *t, size_t i)
{
	for (size_t kind = 0; kind < KINDS; kind++)
		while (t->heap[KINDS * i + kind].n)
			drop(t, t->heap[KINDS * i + kind].node[0]);
}

/* The earliest that is not stale. */
static uint64_t first_of(struct timers *t, size_t heap, uint64_t t_ns, uint64_t stale_ns)
{
	struct heap *h = &t->heap[heap];

	while (h->n && t->node[h->node[0]].expires_ns + stale_ns < t_ns)
		drop(t, h->node[0]);
	return h->n ? t->node[h->node[0]].expires_ns : 0;
}

void timers_run(struct timers *t, size_t i, uint64_t t_ns)
{
	first_of(t, KINDS * i + HRTIMER, t_ns, TIMERS_LATE_NS);
}

struct timers_next timers_next(struct timers *t, size_t i, uint64_t t_ns)
{
	return (struct timers_next){
		.tick_ns = first_of(t, KINDS * i + TICK, t_ns, TIMERS_STALE_NS),
		.hrtimer_ns = first_of(t, KINDS * i + HRTIMER, t_ns, TIMERS_STALE_NS),
		.wheel_ns = first_of(t, KINDS * i + WHEEL, t_ns, 3 * t->tick_ns),
	};
}
