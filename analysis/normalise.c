/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Did somebody run between two periods? Where tasks were recorded their wakes tell. Where not, a
 * tick (or the end of polling by its time limit) right before the next entry has made nobody run,
 * and every other interrupt counts as a wake.
 */
#include "analysis/normalise.h"
#include "governors/label.h"
#include "governors/walk.h"
#include "lib/error.h"
#include <math.h>
#include <stdlib.h>

#define HALF_LIFE_NS (32 * 1024000.0) /* of the utilisation's average */
#define FULL 1024.0
#define GUESS_MAX_NS 10000000000 /* a timer that is seen later than this was not known before */

bool normalise_timer(const struct trace_period *p, int64_t *ret_ns, bool *ret_is_wheel)
{
	bool next_known =
		p->next_known && p->next_ns > p->entry_ns && p->next_ns <= GAP_TIME_MAX_NS;

	/* What was due before was moved to another CPU, or cancelled unseen. */
	if (p->tick_stopped && next_known) {
		/* Stopped, the tick's own timer stands at the wheel's next. */
		*ret_ns = (int64_t)p->next_ns;
		*ret_is_wheel = p->next_is_tick;
		return true;
	}
	if (p->timer_known && p->timer_ns > p->entry_ns && p->timer_ns <= GAP_TIME_MAX_NS) {
		*ret_ns = (int64_t)p->timer_ns;
		*ret_is_wheel = p->timer_is_wheel;
		return true;
	}
	if (!next_known || p->next_is_tick)
		return false;
	*ret_ns = (int64_t)p->next_ns;
	*ret_is_wheel = false;
	return true;
}

bool normalise_is_poll_limit(const struct machine *m, const struct trace_period *p, uint64_t own_ns)
{
	uint64_t limit = own_ns ? own_ns : (uint64_t)governor_poll_limit_ns(&m->table, m->disabled);

	/* A wake would have ended it before. */
	return p->state < m->table.states && walk_has(m->table.polling, p->state) &&
	       p->exit_ns - p->entry_ns >= limit;
}

/* The recorded governor may have had a limit of its own: then something woke the CPU. */
static bool ends_polling(const struct machine *m, const struct trace_period *p)
{
	return normalise_is_poll_limit(m, p, 0) &&
	       (p->cause == TRACE_NO_INTERRUPT || p->cause == TRACE_UNKNOWN ||
		p->cause == TRACE_TICK);
}

static bool is_timer(uint8_t cause)
{
	return cause == TRACE_HRTIMER || cause == TRACE_WHEEL || cause == TRACE_TICK ||
	       cause == TRACE_TIMER;
}

int64_t normalise_cause_ns(const struct machine *m, const struct trace_period *p)
{
	int64_t entry = (int64_t)p->entry_ns, exit = (int64_t)p->exit_ns, latency;

	if (is_timer(p->cause) && p->next_known && p->next_ns > p->entry_ns &&
	    p->next_ns <= p->exit_ns)
		return (int64_t)p->next_ns;
	if (p->state >= m->table.states || walk_has(m->table.polling, p->state))
		return exit;
	latency = (int64_t)((double)m->table.latency_ns[p->state] * m->exit_share);
	if (latency >= exit - entry)
		return exit > entry ? entry + 1 : exit;
	return exit - latency;
}

/* The work of all periods of one CPU. */
struct normaliser {
	const struct periods *periods;
	const struct periods_cpu *cpu;
	const struct machine *machine;
	struct normal_cpu *out;
	struct normal_counts *counts;
	bool silent; /* some CPU has no idle event */
	size_t run; /* the first task's start that is not passed */
};

/* Did a woken task begin to run between the entries of two periods? */
static bool ran(struct normaliser *n, const struct trace_period *a, const struct trace_period *b)
{
	while (n->run < n->cpu->runs && n->cpu->run[n->run].run_ns < a->entry_ns)
		n->run++;
	return n->run < n->cpu->runs && n->cpu->run[n->run].run_ns < b->entry_ns;
}

static bool goes_on(struct normaliser *n, const struct trace_period *a,
		    const struct trace_period *b)
{
	bool is_near = b->entry_ns - a->exit_ns <= NORMALISE_NEAR_NS;
	bool limit = ends_polling(n->machine, a);

	if (b->after_loss)
		return false;
	if (n->periods->info->kinds & TRACE_HAS_SCHED && n->periods->info->format >= 2)
		return !b->ran;
	if (n->periods->info->kinds & TRACE_HAS_SCHED) {
		if (ran(n, a, b))
			return false;
		/* A task that was moved here is not seen to be woken. */
		return is_near;
	}
	return is_near && (a->cause == TRACE_TICK || limit);
}

static enum gap_cause cause_of(uint8_t cause)
{
	switch (cause) {
	case TRACE_HRTIMER:
	case TRACE_TIMER:
		return GAP_TIMER;
	case TRACE_WHEEL:
		return GAP_WHEEL;
	case TRACE_NO_INTERRUPT:
	case TRACE_RESCHEDULE:
	case TRACE_CALL:
		return GAP_PEER;
	default:
		return GAP_IRQ;
	}
}

/* Position of the CPU that was awake at @ns and woke up last; -1 = none is seen to be. Of a CPU
 * without idle events it is not known when it was awake: -1, too. */
static int32_t find_peer(const struct periods *p, const struct periods_cpu *self, uint64_t ns)
{
	uint64_t latest = 0;
	int32_t peer = -1;

	for (size_t i = 0; i < p->n; i++) {
		const struct periods_cpu *cpu = &p->cpu[i];
		size_t low = 0, high = cpu->n;

		if (cpu == self || !cpu->n)
			continue;
		/* The last period that was entered before. */
		while (low < high) {
			size_t middle = (low + high) / 2;

			if (cpu->period[middle].entry_ns <= ns)
				low = middle + 1;
			else
				high = middle;
		}
		if (!low || cpu->period[low - 1].exit_ns > ns ||
		    cpu->period[low - 1].exit_ns < latest)
			continue;
		latest = cpu->period[low - 1].exit_ns;
		peer = (int32_t)i;
	}
	return peer;
}

/* Position of the CPU that woke the task which ran first behind @end; -1 = not known. */
static int32_t find_waker(const struct normaliser *n, const struct trace_period *end)
{
	const struct periods_run *run = n->cpu->run;
	size_t low = 0, high = n->cpu->runs;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (run[middle].run_ns < end->exit_ns)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == n->cpu->runs || run[low].woken_ns < end->entry_ns ||
	    run[low].woken_ns > end->exit_ns || run[low].waker == n->cpu->cpu)
		return -1;
	return periods_position(n->periods, run[low].waker);
}

/* Who woke the CPU, of a gap that another CPU has ended: as the trace says, or as is likely. */
static void set_peer(struct normaliser *n, struct idle_gap *gap, const struct trace_period *end)
{
	uint64_t cause_ns = (uint64_t)(gap->start_ns + gap->length_ns);

	gap->peer = find_waker(n, end);
	if (gap->peer < 0)
		gap->peer = find_peer(n->periods, n->cpu, cause_ns);
	if (gap->peer < 0 ? n->silent : !n->periods->cpu[gap->peer].n) {
		gap->peer = (int32_t)(n->cpu - n->periods->cpu);
		n->counts->answers++;
	} else if (gap->peer < 0) {
		gap->cause = GAP_IRQ;
	}
}

/* A segment that is not the gap's last: what cut it. */
static void add_inner(struct normaliser *n, struct idle_gap *gap, const struct trace_period *p)
{
	struct gaps *gaps = &n->out->gaps;

	if (ends_polling(n->machine, p)) {
		n->counts->merged_polls++;
		return;
	}
	if (p->cause == TRACE_TICK) {
		n->counts->merged_ticks++;
		return;
	}
	n->counts->merged_others++;
	gaps->inner[gaps->inners++] =
		(struct gap_inner){ normalise_cause_ns(n->machine, p), cause_of(p->cause) };
	gap->inner++;
}

/* Periods @first to @last are one. */
static void make_gap(struct normaliser *n, size_t first, size_t last)
{
	struct gaps *gaps = &n->out->gaps;
	const struct trace_period *begin = &n->cpu->period[first], *end = &n->cpu->period[last];
	struct idle_gap *gap = &gaps->gap[gaps->n++];
	int64_t cause_ns = normalise_cause_ns(n->machine, end), timer_ns;
	bool wheel;

	*gap = (struct idle_gap){ .start_ns = (int64_t)begin->entry_ns,
				  .length_ns = cause_ns - (int64_t)begin->entry_ns,
				  .cause = cause_of(end->cause),
				  .timer_ns = GAP_NOT_KNOWN,
				  .first = gaps->inners,
				  .exit_ns = (int64_t)end->exit_ns - cause_ns,
				  .utilisation = n->out->utilisation[first] };
	if (gap->length_ns > GAP_MAX_NS) {
		gap->start_ns = cause_ns - GAP_MAX_NS;
		gap->length_ns = GAP_MAX_NS;
		n->counts->cut++;
	}
	for (size_t i = first; i <= last; i++) {
		if (i < last)
			add_inner(n, gap, &n->cpu->period[i]);
		n->out->gap_of[i] = gaps->n - 1;
		if (gap->timer_ns == GAP_NOT_KNOWN &&
		    normalise_timer(&n->cpu->period[i], &timer_ns, &wheel) && timer_ns > cause_ns) {
			gap->timer_ns = timer_ns;
			gap->timer_is_wheel = wheel;
		}
	}
	if (gap->cause == GAP_PEER)
		set_peer(n, gap, end);
}

/* Of a timer that is not known, the next that is seen later on this CPU. */
static void guess_timers(struct normaliser *n)
{
	struct gaps *gaps = &n->out->gaps;
	int64_t seen = GAP_NOT_KNOWN;
	bool wheel = false;

	for (size_t i = gaps->n; i-- > 0;) {
		struct idle_gap *gap = &gaps->gap[i];
		int64_t end = gap->start_ns + gap->length_ns;

		n->counts->cause[gap->cause]++;
		if (gap->timer_ns != GAP_NOT_KNOWN) {
			seen = gap->timer_ns;
			wheel = gap->timer_is_wheel;
			n->counts->timer_known++;
		} else if (seen != GAP_NOT_KNOWN && seen > end && seen - end < GUESS_MAX_NS) {
			gap->timer_ns = seen;
			gap->timer_is_wheel = wheel;
			gap->guessed = true;
			n->counts->timer_guessed++;
		} else {
			n->counts->timer_unknown++;
		}
		if (gap->cause == GAP_TIMER || gap->cause == GAP_WHEEL) {
			seen = end;
			wheel = gap->cause == GAP_WHEEL;
		}
	}
}

/* While a CPU is not idle the average rises, else it falls. */
static void follow_utilisation(struct normaliser *n)
{
	double u = 0;
	uint64_t last = n->cpu->n ? n->cpu->period[0].entry_ns : 0;

	for (size_t i = 0; i < n->cpu->n; i++) {
		const struct trace_period *p = &n->cpu->period[i];

		u = FULL - (FULL - u) * exp2(-(double)(p->entry_ns - last) / HALF_LIFE_NS);
		n->out->utilisation[i] = (int32_t)u;
		u *= exp2(-(double)(p->exit_ns - p->entry_ns) / HALF_LIFE_NS);
		last = p->exit_ns;
	}
}

/* The ticks' grid, of the first tick that is seen. */
static int64_t find_phase(const struct periods_cpu *cpu, int64_t tick_ns)
{
	for (size_t i = 0; i < cpu->n; i++) {
		const struct trace_period *p = &cpu->period[i];

		if (p->next_known && p->next_is_tick && !p->tick_stopped)
			return (int64_t)p->next_ns % tick_ns;
	}
	return 0;
}

static int normalise_cpu(struct normaliser *n)
{
	const struct periods_cpu *cpu = n->cpu;
	struct normal_cpu *out = n->out;
	size_t first = 0;

	out->gaps.gap = calloc(cpu->n + 1, sizeof(*out->gaps.gap));
	out->gaps.inner = calloc(cpu->n + 1, sizeof(*out->gaps.inner));
	out->gap_of = calloc(cpu->n + 1, sizeof(*out->gap_of));
	out->utilisation = calloc(cpu->n + 1, sizeof(*out->utilisation));
	if (!out->gaps.gap || !out->gaps.inner || !out->gap_of || !out->utilisation)
		return error_no_memory();
	out->gaps.tick_phase_ns = find_phase(cpu, n->machine->table.tick_ns);
	follow_utilisation(n);
	for (size_t i = 0; i < cpu->n; i++) {
		if (i + 1 < cpu->n && goes_on(n, &cpu->period[i], &cpu->period[i + 1]))
			continue;
		make_gap(n, first, i);
		first = i + 1;
	}
	guess_timers(n);
	n->counts->periods += cpu->n;
	n->counts->gaps += out->gaps.n;
	return 0;
}

static bool is_any_silent(const struct periods *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (!p->cpu[i].n)
			return true;
	return false;
}

int normalise(const struct periods *periods, const struct machine *const *recorded,
	      struct normal *ret)
{
	struct normal normal = { .n = periods->n };
	int err = 0;

	normal.cpu = calloc(periods->n + 1, sizeof(*normal.cpu));
	if (!normal.cpu)
		return error_no_memory();
	for (size_t i = 0; !err && i < periods->n; i++) {
		struct normaliser n = { .periods = periods,
					.cpu = &periods->cpu[i],
					.machine = recorded[i],
					.out = &normal.cpu[i],
					.counts = &normal.counts,
					.silent = is_any_silent(periods) };

		err = normalise_cpu(&n);
	}
	if (err)
		normal_free(&normal);
	else
		*ret = normal;
	return err;
}

void normal_free(struct normal *normal)
{
	for (size_t i = 0; normal->cpu && i < normal->n; i++) {
		gaps_free(&normal->cpu[i].gaps);
		free(normal->cpu[i].gap_of);
		free(normal->cpu[i].utilisation);
	}
	free(normal->cpu);
	*normal = (struct normal){ 0 };
}
