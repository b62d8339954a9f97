/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tick is restarted on its grid by every end of a gap. Where no timer is known, the kernel has
 * one due each second, as on any idle CPU; nobody waits for it, so it is no news to the gap, but it
 * bounds what a governor is told when an interrupt ends the gap.
 */
#include "analysis/replay_walk.h"
#include "governors/walk.h"
#include "lib/error.h"
#include <errno.h>

#define KERNEL_TIMER_NS 1000000000

/* A gap where it is replayed. */
struct place {
	const struct idle_gap *gap;
	int64_t end_ns, shift_ns;
	size_t inner; /* the first that is still to come */
};

void walk_sums_add(struct walk_sums *sum, const struct walk_sums *more)
{
	sum->gaps += more->gaps;
	sum->decisions += more->decisions;
	sum->entered += more->entered;
	for (int i = 0; i < GOVERNOR_STATES_MAX; i++)
		sum->usage[i] += more->usage[i];
	sum->above += more->above;
	sum->below += more->below;
	sum->as_oracle += more->as_oracle;
	sum->asked += more->asked;
	sum->tick_wakes += more->tick_wakes;
	sum->latency_ns += more->latency_ns;
	sum->energy_uj += more->energy_uj;
}

/* Times may be below the phase. */
static int64_t next_on_grid(int64_t phase_ns, int64_t step_ns, int64_t now_ns)
{
	int64_t steps = (now_ns - phase_ns) / step_ns;

	if (now_ns < phase_ns && (now_ns - phase_ns) % step_ns)
		steps--;
	return phase_ns + (steps + 1) * step_ns;
}

int64_t walk_next_tick(const struct gaps *gaps, int64_t tick_ns, int64_t now_ns)
{
	return next_on_grid(gaps->tick_phase_ns, tick_ns, now_ns);
}

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static bool is_known(enum gap_cause cause)
{
	return cause == GAP_TIMER || cause == GAP_WHEEL;
}

/* The next interrupt that wakes nobody; GAP_NOT_KNOWN = none. */
static int64_t inner_at(const struct walker *w, const struct place *at, size_t i)
{
	if (i >= at->gap->first + at->gap->inner)
		return GAP_NOT_KNOWN;
	return w->gaps->inner[i].at_ns + at->shift_ns;
}

/* The next timer before the gap's end or behind it, which the gap's end is not. */
static void find_timer(const struct walker *w, const struct place *at, int64_t now,
		       struct walk_period *p)
{
	const struct idle_gap *gap = at->gap;

	p->timer_at = next_on_grid(0, KERNEL_TIMER_NS, now);
	p->timer_is_wheel = true;
	if (gap->timer_ns != GAP_NOT_KNOWN) {
		int64_t known = gap->timer_ns + at->shift_ns;

		/* It is over where a gap lasts longer than in the recording. */
		if (known > now) {
			p->timer_at = known;
			p->timer_is_wheel = gap->timer_is_wheel;
		}
	}
	for (size_t i = at->inner; inner_at(w, at, i) < p->timer_at; i++) {
		enum gap_cause cause = w->gaps->inner[i].cause;

		if (!is_known(cause) || inner_at(w, at, i) <= now)
			continue;
		p->timer_at = inner_at(w, at, i);
		p->timer_is_wheel = cause == GAP_WHEEL;
		break;
	}
}

/* What the governor may see at @now. */
static void look(const struct walker *w, const struct place *at, int64_t now, bool stopped,
		 struct walk_period *p)
{
	const struct idle_gap *gap = at->gap;
	int64_t timer, event, wheel;

	find_timer(w, at, now, p);
	p->tick_at = walk_next_tick(w->gaps, w->machine->table.tick_ns, now);
	wheel = p->timer_is_wheel ? p->timer_at : GAP_NOT_KNOWN;
	if (gap->cause == GAP_WHEEL)
		wheel = least(wheel, at->end_ns);
	p->keeps_tick = !stopped && wheel <= p->tick_at;
	timer = is_known(gap->cause) ? least(at->end_ns, p->timer_at) : p->timer_at;
	event = stopped ? timer : least(p->tick_at, timer);
	p->in = (struct governor_input){
		.now_ns = (uint64_t)now,
		.sleep_ns = (p->keeps_tick ? event : timer) - now,
		.event_ns = event - now,
		.latency_ns = w->machine->limit_ns,
		.disabled = w->machine->disabled,
		.utilisation =
			gap->utilisation < 0 ? w->machine->utilisation : (uint32_t)gap->utilisation,
		.tick_stopped = stopped,
		.truth_ns = at->end_ns - now,
	};
}

/* When something that is not the gap's end wakes the CPU. */
static int64_t wake_at(const struct walker *w, const struct place *at, const struct walk_period *p)
{
	int64_t wake = least(p->timer_at, inner_at(w, at, at->inner));

	return p->stopped ? wake : least(p->tick_at, wake);
}

/* Did the tick's device fire before @end? With the tick stopped it is left to the wheel. */
static bool tick_fires(const struct walk_period *p, int64_t end)
{
	return (!p->stopped && p->tick_at < end) || (p->timer_is_wheel && p->timer_at < end);
}

/* Interrupts are served while polling and do not end it. */
static void poll(const struct walker *w, const struct place *at, int64_t now, struct walk_period *p)
{
	uint64_t own = w->cpu.poll_limit_ns;
	int64_t limit = own ? (int64_t)(own < INT32_MAX ? own : INT32_MAX) : w->poll_limit_ns;

	p->end_ns = least(at->end_ns, now + limit);
	p->out.residency_ns = p->end_ns - now;
	p->out.poll_limit = p->end_ns < at->end_ns;
	p->out.tick_fired = tick_fires(p, p->end_ns);
}

static void rest(const struct walker *w, const struct place *at, int64_t now, struct walk_period *p)
{
	int64_t wake = wake_at(w, at, p);
	int64_t exit = (int64_t)((double)w->machine->table.latency_ns[p->choice.state] *
				 w->machine->exit_share);

	p->end_ns = least(wake, at->end_ns) + exit;
	p->out.residency_ns = p->end_ns - now;
	p->early = wake < at->end_ns;
	p->out.tick_fired = p->early ? tick_fires(p, wake + 1) : at->gap->cause == GAP_WHEEL;
}

static void count(struct walker *w, const struct walk_period *p, int64_t end)
{
	const struct governor_table *table = &w->machine->table;
	struct walk_sums *s = &w->sums;
	int state = p->out.entered;

	s->decisions++;
	s->as_oracle += p->choice.state == p->oracle_state;
	s->asked += p->choice.asked;
	if (state < 0)
		return;
	s->entered++;
	s->usage[state]++;
	s->above += p->label == LABEL_ABOVE;
	s->below += p->label == LABEL_BELOW;
	s->tick_wakes += p->early && p->out.tick_fired;
	if (p->end_ns > end)
		s->latency_ns += (double)(p->end_ns - end);
	s->energy_uj += table->transition_uj[state] +
			table->power_w[state] * (double)p->out.residency_ns / 1e3;
}

/* One select, period and reflect; *now and *stopped go on. */
static int step(struct walker *w, struct place *at, bool empty, int64_t *now, bool *stopped)
{
	const struct governor_table *table = &w->machine->table;
	struct walk_period p = { .end_ns = *now };

	look(w, at, *now, *stopped, &p);
	if (w->before)
		w->before(w->context, w, &p);
	p.choice = governor_select(w->governor, &w->cpu, &p.in);
	p.oracle_state = governor_select(w->oracle, &w->oracle_cpu, &p.in).state;
	if (p.choice.state < 0 || p.choice.state >= table->states)
		return error_usage("governor %s chose state %d of %d, gap %zu", w->governor->name,
				   p.choice.state, table->states, w->gap);
	p.stopped = *stopped || (p.choice.stop_tick && !p.keeps_tick);
	p.out.entered = empty ? -EBUSY : p.choice.state;
	if (!empty) {
		if (walk_has(table->polling, p.choice.state))
			poll(w, at, *now, &p);
		else
			rest(w, at, *now, &p);
		p.label = governor_label(table, p.in.disabled, p.out.entered, p.out.residency_ns);
	}
	p.out.now_ns = (uint64_t)p.end_ns;
	governor_reflect(w->governor, &w->cpu, &p.out);
	count(w, &p, at->end_ns);
	if (w->behind)
		w->behind(w->context, w, &p);
	*now = p.end_ns;
	*stopped = p.stopped;
	while (inner_at(w, at, at->inner) <= *now)
		at->inner++;
	return 0;
}

void walk_begin(struct walker *w, const struct machine *machine, const struct gaps *gaps,
		const struct governor *governor)
{
	*w = (struct walker){ .machine = machine,
			      .gaps = gaps,
			      .governor = governor,
			      .oracle = governor_find("oracle"),
			      .poll_limit_ns =
				      governor_poll_limit_ns(&machine->table, machine->disabled) };
	governor_enable(governor, &machine->table, &w->cpu);
	governor_enable(w->oracle, &machine->table, &w->oracle_cpu);
}

int walk_gap(struct walker *w, size_t i, int64_t start_ns, int64_t end_ns, int64_t shift_ns,
	     int64_t *ret_awake_ns)
{
	struct place at = { .gap = &w->gaps->gap[i], .end_ns = end_ns, .shift_ns = shift_ns };
	int64_t now = start_ns;
	bool stopped = false;
	int err;

	w->gap = i;
	w->sums.gaps++;
	at.inner = at.gap->first;
	while (inner_at(w, &at, at.inner) <= now)
		at.inner++;
	do {
		err = step(w, &at, start_ns >= end_ns, &now, &stopped);
	} while (!err && now < end_ns);
	if (!err)
		*ret_awake_ns = now;
	return err;
}

int walk_all(struct walker *w)
{
	int64_t awake;
	int err = 0;

	for (size_t i = 0; !err && i < w->gaps->n; i++) {
		const struct idle_gap *gap = &w->gaps->gap[i];

		err = walk_gap(w, i, gap->start_ns, gap->start_ns + gap->length_ns, 0, &awake);
	}
	return err;
}
