/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tick is on a grid that begins at 0 and is restarted on it by every end of a gap. A kernel
 * timer is due each second, as on any idle CPU; nobody waits for it, so it is no news to the gap,
 * but it bounds what a governor is told when an interrupt ends the gap.
 */
#include "analysis/replay_run.h"
#include "governors/label.h"
#include "governors/walk.h"
#include "lib/error.h"
#include <errno.h>
#include <inttypes.h>

#define KERNEL_TIMER_NS 1000000000

/* One governor's way through the gaps. */
struct walker {
	const struct machine *machine;
	const struct governor *governor, *oracle;
	struct governor_cpu cpu, oracle_cpu;
	int64_t poll_limit_ns; /* by the core's rule */
	struct replay_sums sums;
	FILE *rows;
	size_t gap; /* its number, for the rows */
};

/* From one decision to the next. */
struct period {
	struct governor_input in;
	struct governor_choice choice;
	struct governor_outcome out;
	int64_t tick_at, timer_at; /* the next tick if it runs, the kernel's next timer */
	bool keeps_tick; /* a timer within the tick: a stop is ignored */
	bool stopped; /* the tick, during the period */
	int64_t end_ns; /* of the period, the exit in it */
	int oracle_state;
	enum governor_label label;
};

static int64_t next_on_grid(int64_t now_ns, int64_t step_ns)
{
	return (now_ns / step_ns + 1) * step_ns;
}

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* What the governor may see at @now. */
static void look(const struct walker *w, const struct gap *gap, int64_t now, bool stopped,
		 struct period *p)
{
	int64_t end = gap->start_ns + gap->length_ns, period = w->machine->table.tick_ns;
	int64_t timer, event;

	p->timer_at = next_on_grid(now, KERNEL_TIMER_NS);
	p->tick_at = next_on_grid(now, period);
	p->keeps_tick = !stopped && p->timer_at <= p->tick_at;
	timer = gap->timer ? least(end, p->timer_at) : p->timer_at;
	event = stopped ? timer : least(p->tick_at, timer);
	p->in = (struct governor_input){
		.now_ns = (uint64_t)now,
		.sleep_ns = (p->keeps_tick ? event : timer) - now,
		.event_ns = event - now,
		.latency_ns = w->machine->limit_ns,
		.disabled = w->machine->disabled,
		.utilisation = w->machine->utilisation,
		.tick_stopped = stopped,
		.truth_ns = end - now,
	};
}

/* When the tick's device wakes the CPU: with the tick stopped it is left to the kernel's timer. */
static int64_t device_at(const struct period *p)
{
	return p->stopped ? p->timer_at : least(p->tick_at, p->timer_at);
}

/* Interrupts are served while polling and do not end it. */
static void poll(const struct walker *w, int64_t now, int64_t end, struct period *p)
{
	uint64_t own = w->cpu.poll_limit_ns;
	int64_t limit = own ? (int64_t)(own < INT32_MAX ? own : INT32_MAX) : w->poll_limit_ns;

	p->end_ns = least(end, now + limit);
	p->out.residency_ns = p->end_ns - now;
	p->out.poll_limit = p->end_ns < end;
	p->out.tick_fired = device_at(p) < p->end_ns;
}

static void rest(const struct walker *w, int64_t now, int64_t end, struct period *p)
{
	int64_t wake = device_at(p);
	int64_t exit = (int64_t)((double)w->machine->table.latency_ns[p->choice.state] *
				 w->machine->exit_share);

	p->out.tick_fired = wake < end;
	p->end_ns = least(wake, end) + exit;
	p->out.residency_ns = p->end_ns - now;
}

static void count(struct walker *w, const struct period *p, int64_t end)
{
	const struct governor_table *table = &w->machine->table;
	struct replay_sums *s = &w->sums;
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
	s->tick_wakes += p->out.tick_fired && !walk_has(table->polling, state);
	if (p->end_ns > end)
		s->latency_ns += (double)(p->end_ns - end);
	s->energy_uj += table->transition_uj[state] +
			table->power_w[state] * (double)p->out.residency_ns / 1e3;
}

void replay_rows_header(FILE *rows)
{
	fputs("governor\tgap\tnow_ns\tsleep_ns\tevent_ns\ttick_stopped\ttruth_ns\tstate\tstop_tick\t"
	      "asked\toracle_state\tentered\tresidency_ns\ttick_fired\tpoll_limit\tlabel\n",
	      rows);
}

static void print_row(const struct walker *w, const struct period *p)
{
	static const char *const label[] = {
		[LABEL_FITS] = "", [LABEL_ABOVE] = "above", [LABEL_BELOW] = "below"
	};
	bool entered = p->out.entered >= 0;

	fprintf(w->rows, "%s\t%zu\t%" PRIu64 "\t%" PRId64 "\t%" PRId64 "\t%d\t%" PRId64 "\t",
		w->governor->name, w->gap, p->in.now_ns, p->in.sleep_ns, p->in.event_ns,
		p->in.tick_stopped, p->in.truth_ns);
	fprintf(w->rows, "%s\t%d\t%d\t%s\t", w->machine->state[p->choice.state],
		p->choice.stop_tick, p->choice.asked, w->machine->state[p->oracle_state]);
	if (!entered)
		fputs("\t\t\t\t\n", w->rows);
	else
		fprintf(w->rows, "%s\t%" PRId64 "\t%d\t%d\t%s\n", w->machine->state[p->out.entered],
			p->out.residency_ns, p->out.tick_fired, p->out.poll_limit, label[p->label]);
}

/* One select, period and reflect; *now and *stopped go on. */
static int step(struct walker *w, const struct gap *gap, int64_t *now, bool *stopped)
{
	const struct governor_table *table = &w->machine->table;
	int64_t end = gap->start_ns + gap->length_ns;
	struct period p = { .end_ns = *now };

	look(w, gap, *now, *stopped, &p);
	p.choice = governor_select(w->governor, &w->cpu, &p.in);
	p.oracle_state = governor_select(w->oracle, &w->oracle_cpu, &p.in).state;
	if (p.choice.state < 0 || p.choice.state >= table->states)
		return error_usage("governor %s chose state %d of %d, gap %zu", w->governor->name,
				   p.choice.state, table->states, w->gap);
	p.stopped = *stopped || (p.choice.stop_tick && !p.keeps_tick);
	p.out.entered = gap->length_ns ? p.choice.state : -EBUSY;
	if (gap->length_ns) {
		if (walk_has(table->polling, p.choice.state))
			poll(w, *now, end, &p);
		else
			rest(w, *now, end, &p);
		p.label = governor_label(table, p.in.disabled, p.out.entered, p.out.residency_ns);
	}
	p.out.now_ns = (uint64_t)p.end_ns;
	governor_reflect(w->governor, &w->cpu, &p.out);
	count(w, &p, end);
	if (w->rows)
		print_row(w, &p);
	*now = p.end_ns;
	*stopped = p.stopped;
	return 0;
}

int replay_run(const struct machine *machine, const struct gaps *gaps,
	       const struct governor *governor, FILE *rows, struct replay_sums *ret)
{
	struct walker w = { .machine = machine,
			    .governor = governor,
			    .oracle = governor_find("oracle"),
			    .poll_limit_ns =
				    governor_poll_limit_ns(&machine->table, machine->disabled),
			    .rows = rows };
	int err = 0;

	governor_enable(governor, &machine->table, &w.cpu);
	governor_enable(w.oracle, &machine->table, &w.oracle_cpu);
	for (w.gap = 0; !err && w.gap < gaps->n; w.gap++) {
		const struct gap *gap = &gaps->gap[w.gap];
		int64_t now = gap->start_ns;
		bool stopped = false;

		do {
			err = step(&w, gap, &now, &stopped);
		} while (!err && now < gap->start_ns + gap->length_ns);
	}
	if (!err)
		*ret = w.sums;
	return err;
}
