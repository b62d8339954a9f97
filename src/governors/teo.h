/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the versions of teo from 5.15 on share: bins of hits and intercepts. Only for teo_*.c. */
#ifndef GOVERNORS_TEO_H
#define GOVERNORS_TEO_H

#include "governors/governor.h"
#include "governors/walk.h"
#include <inttypes.h>

#define TEO_PULSE 1024
#define TEO_SHORT_NS 15000
#define TEO_LATENCY_NS 7500 /* a limit below it: nobody needs the sleep length */
#define TEO_RECENT 9

/* How long the period was, by the clock. Each version up to 6.12 begins its memory with one. */
struct teo_clock {
	int64_t sleep_ns; /* the answer at the last select; INT64_MAX = not asked */
	uint64_t span_ns; /* at select the clock, at reflect the time since, or sleep_ns */
};

/*
 * Bin i is for idle times from state i's target residency up to that of state i + 1. A period is a
 * hit when the time measured and the sleep length fall into the same bin, else an intercept.
 */
struct teo {
	struct teo_clock clock;
	uint32_t hits[GOVERNOR_STATES_MAX], intercepts[GOVERNOR_STATES_MAX];
	uint32_t total; /* of both; wraps */
	uint32_t recent[GOVERNOR_STATES_MAX]; /* intercepts among the last 9; wraps below 0 */
	int8_t ring[TEO_RECENT]; /* bins of them, -1 = was a hit */
	uint8_t position;
	uint32_t tick_hits, tick_intercepts, tick_total, short_idles;
	bool artificial; /* the last wake was no news of the workload's */
	bool tick_wake;
};
_Static_assert(sizeof(struct teo) <= sizeof(((struct governor_cpu *)0)->memory), "teo");

GOVERNOR_INLINE struct teo *teo_of(struct governor_cpu *cpu)
{
	return (struct teo *)cpu->memory;
}

/* Values below 8 stay: before 6.19 nothing ever decays to 0. */
GOVERNOR_INLINE uint32_t teo_decay(uint32_t value)
{
	return value - (value >> 3);
}

/* Half of the exit latency is taken for waking. */
GOVERNOR_INLINE uint64_t teo_measured_ns(int64_t residency_ns, int64_t latency_ns)
{
	return (uint64_t)(residency_ns >= latency_ns ? residency_ns - latency_ns / 2
						     : residency_ns / 2);
}

/* A timer or a tick: as long as it gets. */
GOVERNOR_INLINE uint64_t teo_clock_measured_ns(const struct governor_cpu *cpu,
					       const struct teo_clock *clock)
{
	if ((int64_t)clock->span_ns >= clock->sleep_ns)
		return UINT64_MAX;
	return teo_measured_ns(cpu->last_residency_ns, cpu->table->latency_ns[cpu->last_state]);
}

GOVERNOR_INLINE void teo_clock_reflect(struct governor_cpu *cpu, struct teo_clock *clock,
				       const struct governor_outcome *out)
{
	cpu->last_state = out->entered;
	if (cpu->poll_limit_hit || (out->tick_fired && clock->sleep_ns > cpu->table->tick_ns)) {
		cpu->poll_limit_hit = false;
		clock->span_ns = (uint64_t)clock->sleep_ns;
	} else {
		clock->span_ns = out->now_ns - clock->span_ns;
	}
}

GOVERNOR_INLINE bool teo_utilised(const struct governor_cpu *cpu, const struct governor_input *in,
				  struct governor_notes *notes)
{
	bool utilised = in->utilisation > cpu->table->capacity >> 6;

	GOVERNOR_NOTE(notes, "utilisation %" PRIu32 " %s the capacity's 64th, %" PRIu32 ": %s",
		      in->utilisation, utilised ? "is above" : "is not above",
		      cpu->table->capacity >> 6, utilised ? "utilised" : "not utilised");
	return utilised;
}

/* The tick may stop when it is stopped already or the idle time is long; else the state has to fit
 * before the next event. */
GOVERNOR_INLINE struct governor_choice teo_end(const struct governor_table *table,
					       const struct governor_input *in, int state,
					       int64_t duration_ns, int64_t event_ns, int first,
					       bool asked, struct governor_notes *notes)
{
	if (in->tick_stopped ||
	    (!walk_has(table->polling, state) && duration_ns >= table->tick_ns)) {
		GOVERNOR_NOTE(notes, "%s: %s, the tick may stop",
			      in->tick_stopped ? "the tick is stopped" : "no less than a tick",
			      notes->name[state]);
		return (struct governor_choice){ state, true, asked };
	}
	GOVERNOR_NOTE(notes, "%s: the tick is kept",
		      walk_has(table->polling, state) ? "a polling state" : "less than a tick");
	if (state > first && table->residency_ns[state] > event_ns) {
		state = walk_shallower(table, state, event_ns, in->disabled);
		GOVERNOR_NOTE(notes, "it would not fit before the next event, %" PRId64 " ns: %s",
			      event_ns, notes->name[state]);
	}
	return (struct governor_choice){ state, false, asked };
}

/* The bins of the sleep length and of the time measured; *timer stays when none fits. */
GOVERNOR_INLINE void teo_find_bins(const struct governor_table *table, int64_t sleep_ns,
				   uint64_t measured_ns, int *timer, int *measured)
{
	for (int i = 0; i < table->states; i++) {
		if (table->residency_ns[i] > sleep_ns)
			continue;
		*timer = i;
		if ((uint64_t)table->residency_ns[i] <= measured_ns)
			*measured = i;
	}
}

/* What a look at all states from shallow to deep has found. */
struct teo_scan {
	int state, first; /* the deepest candidate, the shallowest enabled; state -1 = none */
	int limit; /* the deepest that the latency limit allows */
	int most; /* the bin with most intercepts, without the deepest */
	uint32_t intercepts, hits, recent; /* of the bins below state */
	uint32_t all_intercepts; /* without the deepest bin */
};

/* @state: 0, or -1 when state 0 is disabled. The scan ends at the first state longer than
 * @limit_ns. */
GOVERNOR_INLINE struct teo_scan teo_scan_up(const struct teo *teo,
					    const struct governor_table *table,
					    const struct governor_input *in, int state,
					    int64_t limit_ns)
{
	struct teo_scan s = { .state = state };
	uint32_t intercepts = 0, hits = 0, recent = 0, most = 0;

	for (int i = 1; i < table->states; i++) {
		intercepts += teo->intercepts[i - 1];
		hits += teo->hits[i - 1];
		recent += teo->recent[i - 1];
		if (teo->intercepts[i - 1] >= most) {
			most = teo->intercepts[i - 1];
			s.most = i - 1;
		}
		if (walk_has(in->disabled, i))
			continue;
		if (s.state < 0)
			s.state = s.first = i;
		if (table->residency_ns[i] > limit_ns)
			break;
		s.state = i;
		if (table->latency_ns[i] <= in->latency_ns)
			s.limit = i;
		s.intercepts = intercepts;
		s.hits = hits;
		s.recent = recent;
	}
	s.all_intercepts = intercepts;
	return s;
}

/* The bins, as they are. */
GOVERNOR_INLINE void teo_note_bins(const struct teo *teo, const struct governor_table *table,
				   bool recent, struct governor_notes *notes)
{
	for (int i = 0; notes && i < table->states; i++) {
		if (recent)
			GOVERNOR_NOTE(notes,
				      "bin %s: hits %" PRIu32 ", intercepts %" PRIu32
				      ", of the last 9 %" PRIu32,
				      notes->name[i], teo->hits[i], teo->intercepts[i],
				      teo->recent[i]);
		else
			GOVERNOR_NOTE(notes, "bin %s: hits %" PRIu32 ", intercepts %" PRIu32,
				      notes->name[i], teo->hits[i], teo->intercepts[i]);
		if (recent && teo->recent[i] > TEO_RECENT)
			notes->wrapped = true;
	}
}

/* Are most of what the candidate's bin and deeper would cover intercepted below it? */
GOVERNOR_INLINE bool teo_is_intercepted(const struct teo *teo, const struct teo_scan *s,
					struct governor_notes *notes)
{
	bool intercepted = 2 * s->intercepts > teo->total - s->hits;

	if (notes && s->hits > teo->total) {
		notes->wrapped = true;
		GOVERNOR_NOTE(notes, "the total less the hits is below 0 and wraps");
	}
	GOVERNOR_NOTE(notes,
		      "twice the intercepts below it, 2 * %" PRIu32 ", %s the total less the hits "
		      "below it, %" PRIu32 " - %" PRIu32 ": %s",
		      s->intercepts, intercepted ? "is above" : "is not above", teo->total, s->hits,
		      intercepted ? "look for a shallower one" : "it stays");
	return intercepted;
}

/* Were most of the last periods intercepted below it? */
GOVERNOR_INLINE bool teo_is_recent(const struct teo_scan *s, struct governor_notes *notes)
{
	bool recent = s->recent > TEO_RECENT / 2;

	GOVERNOR_NOTE(notes, "of the last 9 periods %" PRIu32 " were intercepts below it: %s",
		      s->recent, recent ? "more than half" : "not more than half");
	return recent;
}

/* No deeper than the latency limit allows. */
GOVERNOR_INLINE int teo_limit(const struct teo_scan *s, int state, struct governor_notes *notes)
{
	if (state <= s->limit)
		return state;
	GOVERNOR_NOTE(notes, "the latency limit allows no more than %s", notes->name[s->limit]);
	return s->limit;
}

/* Up to 6.12. */
void teo_span_enable(struct governor_cpu *cpu);
void teo_span_reflect(struct governor_cpu *cpu, const struct governor_outcome *out);

struct teo_span_rules {
	bool recent; /* counts recent intercepts */
	bool tick_hits;
};

/* What the last period was taken for. */
GOVERNOR_INLINE void teo_note_learnt(const struct governor_cpu *cpu, const struct teo *teo,
				     uint64_t ns, const char *as, int bin,
				     struct governor_notes *notes)
{
	if (!notes)
		return;
	if (ns >= INT64_MAX)
		GOVERNOR_NOTE(notes,
			      "last period: as long as it gets (a timer or a tick ended it)");
	else
		GOVERNOR_NOTE(notes,
			      "last period: %" PRIu64 " ns measured, %" PRId64 " ns with the exit",
			      ns, cpu->last_residency_ns);
	if (teo->clock.sleep_ns == INT64_MAX)
		GOVERNOR_NOTE(notes, "its sleep length was not asked for and counts as infinite");
	else
		GOVERNOR_NOTE(notes, "its sleep length was %" PRId64 " ns", teo->clock.sleep_ns);
	if (bin >= 0 && bin < cpu->table->states)
		GOVERNOR_NOTE(notes, "that was %s %s", as, notes->name[bin]);
	else
		GOVERNOR_NOTE(notes, "that was %s", as);
}

/* Learns from the last period once. */
GOVERNOR_INLINE void teo_span_learn(struct governor_cpu *cpu, const struct teo_span_rules *rules,
				    struct governor_notes *notes)
{
	struct teo *teo = teo_of(cpu);
	const struct governor_table *table = cpu->table;
	int timer = 0, measured = 0, deepest = table->states - 1;
	int8_t *slot = &teo->ring[teo->position];
	uint64_t ns;

	if (cpu->last_state < 0)
		return;
	ns = teo_clock_measured_ns(cpu, &teo->clock);
	cpu->last_state = -1;
	teo->total = 0;
	for (int i = 0; i < table->states; i++) {
		teo->hits[i] = teo_decay(teo->hits[i]);
		teo->intercepts[i] = teo_decay(teo->intercepts[i]);
		teo->total += teo->hits[i] + teo->intercepts[i];
	}
	teo_find_bins(table, teo->clock.sleep_ns, ns, &timer, &measured);
	if (rules->recent) {
		teo->position = (uint8_t)((teo->position + 1) % TEO_RECENT);
		if (*slot >= 0)
			teo->recent[*slot]--;
	}
	if (rules->tick_hits && table->residency_ns[deepest] < table->tick_ns) {
		teo->tick_hits = teo_decay(teo->tick_hits);
		teo->total += teo->tick_hits;
		if (table->tick_ns <= teo->clock.sleep_ns) {
			timer = table->states; /* a bin that does not exist */
			if ((uint64_t)table->tick_ns <= ns) {
				/* The ring's slot stays although it was counted down: as it is. */
				teo->tick_hits += TEO_PULSE;
				teo->total += TEO_PULSE;
				teo_note_learnt(cpu, teo, ns, "a hit of the tick", -1, notes);
				return;
			}
		}
	}
	if (timer == measured) {
		teo_note_learnt(cpu, teo, ns, "a hit of", timer, notes);
		teo->hits[timer] += TEO_PULSE;
		*slot = -1;
	} else {
		teo_note_learnt(cpu, teo, ns, "an intercept in the bin of", measured, notes);
		teo->intercepts[measured] += TEO_PULSE;
		teo->recent[measured]++;
		*slot = (int8_t)measured;
	}
	teo->total += TEO_PULSE;
}

#endif
