/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Three models go along: one with the likeliest inputs; one that takes each unknown sleep length
 * for the next clock event, to see whether a miss comes of such a guess; and one that is begun anew
 * now and then, to see whether a miss comes of what was learnt before.
 */
#include "analysis/fidelity.h"
#include "analysis/fidelity_miss.h"
#include "analysis/replay_walk.h"
#include "governors/walk.h"
#include "lib/error.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#define FRESH 1000 /* periods after which the third model begins anew */
#define KERNEL_TIMER_NS 1000000000

/* Was the tick stopped before this period's select? Leaving the idle loop restarts it. */
static bool was_stopped(const struct trace_info *info, const struct normal_cpu *normal,
			const struct periods_cpu *cpu, size_t p)
{
	if (info->format >= 2)
		return cpu->period[p].was_stopped;
	return p && normal->gap_of[p] == normal->gap_of[p - 1] && cpu->period[p - 1].tick_stopped;
}

/* When the next timer is due as if the tick were stopped; the trace's, or what is likely. */
static int64_t timer_of(const struct normal_cpu *normal, const struct trace_period *period,
			size_t p, bool *ret_is_wheel, bool *ret_known)
{
	const struct idle_gap *gap = &normal->gaps.gap[normal->gap_of[p]];
	int64_t timer, entry = (int64_t)period->entry_ns, end = gap->start_ns + gap->length_ns;

	*ret_known = normalise_timer(period, &timer, ret_is_wheel);
	if (*ret_known)
		return timer;
	timer = (entry / KERNEL_TIMER_NS + 1) * KERNEL_TIMER_NS;
	*ret_is_wheel = true;
	if (gap->timer_ns != GAP_NOT_KNOWN) {
		timer = gap->timer_ns;
		*ret_is_wheel = gap->timer_is_wheel;
	}
	if ((gap->cause == GAP_TIMER || gap->cause == GAP_WHEEL) && end < timer) {
		timer = end;
		*ret_is_wheel = gap->cause == GAP_WHEEL;
	}
	return timer;
}

struct governor_input fidelity_input(const struct scene *scene, size_t c, size_t p, bool *ret_known)
{
	size_t i = scene->cpu[c].i;
	const struct machine *m = &scene->cpu[c].group->recorded;
	const struct normal_cpu *normal = &scene->normal.cpu[i];
	const struct trace_period *period = &scene->periods.cpu[i].period[p];
	const struct idle_gap *gap = &normal->gaps.gap[normal->gap_of[p]];
	int64_t entry = (int64_t)period->entry_ns, timer, event, tick;
	int64_t lead = scene->periods.cpu[i].lead_ns;
	bool stopped = was_stopped(scene->periods.info, normal, &scene->periods.cpu[i], p), wheel;

	timer = timer_of(normal, period, p, &wheel, ret_known);
	tick = walk_next_tick(&normal->gaps, m->table.tick_ns, entry);
	event = stopped || timer < tick ? timer : tick;
	/* Once this select has stopped the tick, what was next before is no longer there. */
	if (period->next_known && (stopped || !period->tick_stopped))
		event = (int64_t)period->next_ns;
	/*
	 * A clock event that is overdue, its interrupt late, leaves nothing to sleep for, whatever
	 * the timers: an emulated guest is in that state for ms on end.
	 */
	if ((!stopped && wheel && timer <= tick) || event <= entry)
		timer = event;
	return (struct governor_input){
		.now_ns = period->entry_ns,
		.sleep_ns = timer - entry + lead,
		.event_ns = event - entry + lead,
		.latency_ns = m->limit_ns,
		.disabled = m->disabled,
		.utilisation = scene->utilisation_set ? scene->cpu[c].group->machine.utilisation
						      : (uint32_t)normal->utilisation[p],
		.tick_stopped = stopped,
		.truth_ns = gap->start_ns + gap->length_ns - entry,
	};
}

struct governor_outcome fidelity_outcome(const struct scene *scene, size_t c, size_t p,
					 const struct governor_cpu *cpu)
{
	const struct machine *m = &scene->cpu[c].group->recorded;
	const struct trace_period *period = &scene->periods.cpu[scene->cpu[c].i].period[p];
	int64_t length = (int64_t)(period->exit_ns - period->entry_ns);

	return (struct governor_outcome){
		.entered = period->state < m->table.states ? period->state : 0,
		.residency_ns =
			length > scene->periods.traced_ns ? length - scene->periods.traced_ns : 0,
		.now_ns = period->exit_ns,
		.tick_fired = period->cause == TRACE_TICK || period->cause == TRACE_WHEEL,
		.poll_limit = normalise_is_poll_limit(m, period, cpu->poll_limit_ns),
	};
}

const struct governor *fidelity_governor(const struct trace_info *info, const char **ret_why_not)
{
	const struct governor *found;
	char name[64];

	*ret_why_not = NULL;
	if (!info->governor || !info->kernel) {
		*ret_why_not = "the trace does not name its governor and kernel (--recorded NAME)";
		return NULL;
	}
	snprintf(name, sizeof(name), "%.20s@%.40s", info->governor, info->kernel);
	found = governor_find(name);
	if (!found) {
		*ret_why_not = "the recorded governor is none of the modelled ones";
		error_clear();
	}
	return found;
}

static void print_miss(FILE *out, const struct scene *scene, size_t c, size_t p,
		       const struct miss_place *at, enum miss_class class)
{
	const struct machine *m = &scene->cpu[c].group->recorded;
	const struct trace_period *period = at->period;

	fprintf(out,
		"%d\t%zu\t%" PRIu64 "\t%s\t%s\t%" PRId64 "\t%d\t%" PRId64 "\t%d\t%" PRIu32 "\t%s\n",
		scene->cpu[c].cpu, p, period->entry_ns,
		period->state < m->table.states ? m->state[period->state] : "", m->state[at->got],
		at->in.sleep_ns, at->timer_known, at->in.event_ns, at->in.tick_stopped,
		at->in.utilisation, miss_class_name[class]);
}

/* Do kernel and model agree on the tick? Where a timer is due before it, stopping is refused. */
static void count_tick(const struct scene *scene, const struct miss_place *at, struct fidelity *f)
{
	bool refused = !at->in.tick_stopped && at->in.sleep_ns <= at->in.event_ns;
	bool stopped = at->in.tick_stopped || (at->choice.stop_tick && !refused);

	if (!(scene->periods.info->kinds & TRACE_HAS_TIMERS))
		return;
	f->ticks++;
	f->ticks_equal += stopped == at->period->tick_stopped;
}

/* The kernel's choice has told what it slept for: what is learnt from this period is that. */
static void hold_tick(struct miss_place *at)
{
	struct governor_input in = miss_held_tick(at);

	at->cpu = at->asleep;
	governor_select(at->governor, &at->cpu, &in);
}

/* One CPU; the periods' states are told to the models whatever they have chosen. */
static void measure_cpu(const struct scene *scene, size_t c, FILE *misses, struct fidelity *f)
{
	const struct scene_cpu *cpu = &scene->cpu[c];
	const struct periods_cpu *periods = &scene->periods.cpu[cpu->i];
	const struct governor_table *table = &cpu->group->recorded.table;
	struct miss_place at = { .governor = f->governor,
				 .machine = &cpu->group->recorded,
				 .tick_known = scene->periods.info->format >= 2 };
	size_t since = 0;

	governor_enable(f->governor, table, &at.cpu);
	governor_enable(f->governor, table, &at.other);
	for (size_t p = 0; p < periods->n; p++, since++) {
		struct governor_outcome out;
		struct governor_input guess;
		int want = periods->period[p].state;

		if (periods->period[p].after_loss)
			since = 0;
		if (p % FRESH == 0)
			governor_enable(f->governor, table, &at.fresh);
		at.period = &periods->period[p];
		at.in = guess = fidelity_input(scene, c, p, &at.timer_known);
		if (!at.timer_known)
			guess.sleep_ns = guess.event_ns;
		at.other_got = governor_select(f->governor, &at.other, &guess).state;
		at.fresh_got = governor_select(f->governor, &at.fresh, &at.in).state;
		at.fresh_age = p % FRESH;
		at.asleep = at.cpu;
		at.choice = governor_select(f->governor, &at.cpu, &at.in);
		at.got = at.choice.state;
		f->periods++;
		f->timer_known += at.timer_known;
		f->equal += at.got == want;
		count_tick(scene, &at, f);
		if (want < table->states)
			f->confusion[want][at.got]++;
		if (at.got != want) {
			enum miss_class class = miss_classify(&at, want, since);

			f->miss[class]++;
			if (class == MISS_HELD)
				hold_tick(&at);
			if (misses)
				print_miss(misses, scene, c, p, &at, class);
		}
		at.before = at.cpu;
		at.before_out = out = fidelity_outcome(scene, c, p, &at.cpu);
		at.before_cause = at.period->cause;
		at.has_before = true;
		governor_reflect(f->governor, &at.cpu, &out);
		governor_reflect(f->governor, &at.other, &out);
		governor_reflect(f->governor, &at.fresh, &out);
	}
}

static uint64_t count_equal(const struct scene *scene, size_t c, const struct governor *governor)
{
	const struct scene_cpu *cpu = &scene->cpu[c];
	const struct periods_cpu *periods = &scene->periods.cpu[cpu->i];
	struct governor_cpu model;
	uint64_t equal = 0;

	governor_enable(governor, &cpu->group->recorded.table, &model);
	for (size_t p = 0; p < periods->n; p++) {
		struct governor_outcome out = fidelity_outcome(scene, c, p, &model);
		bool known;
		struct governor_input in = fidelity_input(scene, c, p, &known);

		equal += governor_select(governor, &model, &in).state == periods->period[p].state;
		governor_reflect(governor, &model, &out);
	}
	return equal;
}

static void measure_versions(const struct scene *scene, struct fidelity *f)
{
	for (size_t i = 0; governor_list[i]; i++) {
		const struct governor *g = governor_list[i];

		if (g == f->governor || strcmp(g->family, f->governor->family) ||
		    f->versions == FIDELITY_VERSIONS_MAX)
			continue;
		f->version[f->versions] = g;
		for (size_t c = 0; c < scene->n; c++)
			f->version_equal[f->versions] += count_equal(scene, c, g);
		f->versions++;
	}
}

void fidelity_measure(const struct scene *scene, const struct governor *recorded, FILE *misses,
		      struct fidelity *ret)
{
	*ret = (struct fidelity){ .governor = recorded };
	if (!recorded)
		ret->governor = fidelity_governor(scene->periods.info, &ret->why_not);
	if (misses)
		fputs("cpu\tperiod\tentry_ns\tkernel\tmodel\tsleep_ns\tsleep_known\tevent_ns\t"
		      "tick_stopped\tutilisation\tclass\n",
		      misses);
	if (!ret->governor)
		return;
	for (size_t c = 0; c < scene->n; c++)
		measure_cpu(scene, c, misses, ret);
	for (int state = 0; state < GOVERNOR_STATES_MAX; state++) {
		uint64_t n = 0;

		for (int got = 0; got < GOVERNOR_STATES_MAX; got++)
			n += ret->confusion[state][got];
		if (n > ret->commonest)
			ret->commonest = n;
	}
	measure_versions(scene, ret);
}
