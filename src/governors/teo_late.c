/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * teo from 6.6 on: candidates are found without the sleep length, which is asked for only when the
 * choice could depend on it. After a select that did not ask, the sleep length counts as infinite,
 * so what follows is an intercept.
 *
 * One body serves all versions; struct rules is constant in each version's own entry.
 */
#include "governors/teo.h"

struct rules {
	struct teo_span_rules span; /* up to 6.12 */
	bool utilisation;
	bool asks_for_first; /* when intercepts have brought it to state 0 */
	bool clean_decay; /* to 0; and the total is the bins' sum (6.19) */
	bool strict_hits; /* 7.0 */
};

/* May the state be taken although the tick is stopped? */
GOVERNOR_INLINE bool is_deep(const struct governor_table *table, const struct governor_input *in,
			     int state)
{
	return !in->tick_stopped || table->residency_ns[state] >= table->tick_ns;
}

/* Down to the state below which half of the intercepts lie. */
GOVERNOR_INLINE int intercepted(const struct teo *teo, const struct governor_table *table,
				const struct governor_input *in, const struct teo_scan *s,
				bool by_all, bool by_recent, struct governor_notes *notes)
{
	uint32_t intercepts = 0, recent = 0;
	int fit = s->state;

	for (int i = s->state - 1; i >= 0; i--) {
		bool deep = is_deep(table, in, i), disabled = walk_has(in->disabled, i);

		intercepts += teo->intercepts[i];
		recent += teo->recent[i];
		GOVERNOR_NOTE(notes, "from %s on: intercepts %" PRIu32 " of %" PRIu32 "%s%s",
			      notes->name[i], intercepts, s->intercepts,
			      disabled ? ", disabled" : "",
			      deep ? "" : ", too shallow for a stopped tick");
		if ((!by_recent || 2 * recent > s->recent) &&
		    (!by_all || 2 * intercepts > s->intercepts))
			return deep && !disabled ? i : fit;
		if (disabled)
			continue;
		if (deep)
			fit = i;
		else if (fit == s->state)
			break;
	}
	return s->state;
}

/* The same from 6.19 on: nothing below the tick when it is stopped; 7.0 stops at the largest bin.
 */
GOVERNOR_INLINE int intercepted_simple(const struct teo *teo, const struct governor_table *table,
				       const struct governor_input *in, const struct teo_scan *s,
				       bool to_most, struct governor_notes *notes)
{
	int lowest = s->first, state = s->state;
	uint32_t intercepts = 0;

	if (in->tick_stopped) {
		while (lowest < state && table->residency_ns[lowest] < table->tick_ns)
			lowest++;
		if (to_most && table->residency_ns[lowest] == table->residency_ns[state])
			return state;
	}
	if (to_most)
		GOVERNOR_NOTE(notes, "the bin with most intercepts: %s", notes->name[s->most]);
	if (to_most && lowest >= s->most && !walk_has(in->disabled, lowest))
		return lowest;
	for (int i = s->state - 1; i >= lowest; i--) {
		intercepts += teo->intercepts[i];
		GOVERNOR_NOTE(notes, "from %s on: intercepts %" PRIu32 " of %" PRIu32 "%s",
			      notes->name[i], intercepts, s->intercepts,
			      walk_has(in->disabled, i) ? ", disabled" : "");
		if (walk_has(in->disabled, i))
			continue;
		state = i;
		if (2 * intercepts > s->intercepts && (!to_most || i <= s->most))
			break;
	}
	return state;
}

/* Now that the sleep length is known. */
GOVERNOR_INLINE struct governor_choice choose_asked(struct teo *teo,
						    const struct governor_table *table,
						    const struct governor_input *in, int state,
						    int first, const struct rules *rules,
						    bool ticks_dominate,
						    struct governor_notes *notes)
{
	int64_t duration_ns = in->sleep_ns;

	teo->clock.sleep_ns = in->sleep_ns;
	GOVERNOR_NOTE(notes, "asks for the sleep length: %" PRId64 " ns", in->sleep_ns);
	if (table->residency_ns[state] > duration_ns) {
		int fit = walk_shallower(table, state, duration_ns, in->disabled);

		if (rules->clean_decay || is_deep(table, in, fit))
			state = fit;
		GOVERNOR_NOTE(notes, "the candidate's target residency is above it: %s",
			      notes->name[state]);
	}
	if (table->residency_ns[state] < table->tick_ns && ticks_dominate) {
		duration_ns = table->tick_ns / 2;
		GOVERNOR_NOTE(notes, "most wakes came within a tick: it counts as half a tick");
	}
	return teo_end(table, in, state, duration_ns, in->event_ns, first, true, notes);
}

/* Two states and a utilised CPU: that decides. */
GOVERNOR_INLINE struct governor_choice utilised_pair(const struct governor_table *table,
						     const struct governor_input *in, int state,
						     int64_t event_ns, struct governor_notes *notes)
{
	GOVERNOR_NOTE(notes, "two states and utilised: that decides");
	if ((!state && !walk_has(table->polling, 0) && is_deep(table, in, 0)) ||
	    walk_has(in->disabled, 1))
		return (struct governor_choice){ .state = 0 };
	return teo_end(table, in, 1, table->residency_ns[1], event_ns, 0, false, notes);
}

/* 6.6 to 6.12. */
GOVERNOR_INLINE struct governor_choice select_span(struct governor_cpu *cpu,
						   const struct governor_input *in,
						   const struct rules *rules,
						   struct governor_notes *notes)
{
	struct teo *teo = teo_of(cpu);
	const struct governor_table *table = cpu->table;
	int64_t event_ns = table->tick_ns / 2; /* as long as nobody has asked */
	bool utilised = rules->utilisation && teo_utilised(cpu, in, notes), by_all, by_recent;
	struct teo_scan s;
	int state = walk_has(in->disabled, 0) ? -1 : 0;

	teo_span_learn(cpu, &rules->span, notes);
	teo_note_bins(teo, table, rules->span.recent, notes);
	teo->clock.span_ns = in->now_ns;
	teo->clock.sleep_ns = INT64_MAX;
	if (table->states < 2)
		return (struct governor_choice){ .state = 0 };
	if (table->states < 3 && utilised)
		return utilised_pair(table, in, state, event_ns, notes);
	s = teo_scan_up(teo, table, in, state, INT64_MAX);
	state = s.state;
	if (state < 0)
		return (struct governor_choice){ .state = 0 };
	GOVERNOR_NOTE(notes, "the deepest state is the candidate: %s", notes->name[state]);
	if (state == s.first)
		return teo_end(table, in, state, table->residency_ns[state], event_ns, s.first,
			       false, notes);
	by_all = teo_is_intercepted(teo, &s, notes);
	by_recent = rules->span.recent && teo_is_recent(&s, notes);
	if (by_all || by_recent) {
		state = intercepted(teo, table, in, &s, by_all, by_recent, notes);
		GOVERNOR_NOTE(notes, "taken: %s", notes->name[state]);
	}
	if (rules->asks_for_first && s.state && !state) {
		GOVERNOR_NOTE(notes, "%s: asks for the sleep length, only to learn from it",
			      notes->name[0]);
		teo->clock.sleep_ns = in->sleep_ns;
		return (struct governor_choice){ .asked = true };
	}
	state = teo_limit(&s, state, notes);
	if (utilised) {
		int shallow =
			walk_shallower(table, state, INT64_MAX, in->disabled | table->polling);

		if (is_deep(table, in, shallow))
			state = shallow;
		GOVERNOR_NOTE(notes, "utilised: one shallower, %s", notes->name[state]);
	}
	if (!state || (walk_has(table->polling, 0) && table->residency_ns[state] < TEO_SHORT_NS)) {
		GOVERNOR_NOTE(notes,
			      "%s is short enough: the sleep length is not asked for, the "
			      "tick is kept",
			      notes->name[state]);
		return (struct governor_choice){ .state = state };
	}
	return choose_asked(teo, table, in, state, s.first, rules,
			    s.all_intercepts + teo->intercepts[table->states - 1] >
				    teo->total / 2 + teo->total / 8,
			    notes);
}

GOVERNOR_INLINE uint32_t decay(uint32_t value, bool clean)
{
	return clean && value < 8 ? 0 : teo_decay(value);
}

/* The time measured, and whether it was a short idle. */
GOVERNOR_INLINE uint64_t measure(const struct governor_cpu *cpu, struct teo *teo)
{
	int64_t residency = cpu->last_residency_ns;
	int64_t latency = cpu->table->latency_ns[cpu->last_state];
	uint64_t ns = teo_measured_ns(residency, latency);

	if (residency < latency || ns < TEO_SHORT_NS)
		teo->short_idles += TEO_PULSE;
	return ns;
}

/* Adds to the bins. True when dominant tick wakes are all there is to say. */
GOVERNOR_INLINE bool learn_tick(struct teo *teo, int states, int timer, uint32_t before,
				const struct rules *rules)
{
	teo->tick_total += TEO_PULSE;
	if (3 * teo->tick_total > 2 * teo->total) {
		teo->hits[states - 1] += TEO_PULSE;
		return true;
	}
	if (rules->strict_hits && 3 * teo->tick_intercepts < 2 * before) {
		teo->hits[timer] += TEO_PULSE;
		return true;
	}
	return false;
}

GOVERNOR_INLINE void learn(struct governor_cpu *cpu, const struct rules *rules,
			   struct governor_notes *notes)
{
	struct teo *teo = teo_of(cpu);
	const struct governor_table *table = cpu->table;
	bool clean = rules->clean_decay, hit;
	int timer = 0, measured = 0;
	uint32_t before = 0;
	int64_t latency_ns;
	uint64_t ns;

	if (cpu->last_state < 0)
		return;
	latency_ns = table->latency_ns[cpu->last_state];
	teo->short_idles = decay(teo->short_idles, clean);
	if (clean ? cpu->poll_limit_hit : teo->artificial)
		ns = clean ? INT64_MAX : UINT64_MAX;
	else
		ns = measure(cpu, teo);
	if (clean)
		cpu->poll_limit_hit = false;
	cpu->last_state = -1;
	for (int i = 0; i < table->states; i++) {
		teo->hits[i] = decay(teo->hits[i], clean);
		teo->intercepts[i] = decay(teo->intercepts[i], clean);
		before += teo->hits[i] + teo->intercepts[i];
	}
	teo_find_bins(table, teo->clock.sleep_ns, ns, &timer, &measured);
	teo->total = (clean ? before : teo_decay(teo->total)) + TEO_PULSE;
	teo->tick_intercepts = decay(teo->tick_intercepts, clean);
	if (clean) {
		teo->tick_total = decay(teo->tick_total, clean);
		if (teo->tick_wake && learn_tick(teo, table->states, timer, before, rules)) {
			teo_note_learnt(cpu, teo, ns, "a tick wake, a hit", -1, notes);
			return;
		}
	}
	hit = timer == measured && (!rules->strict_hits ||
				    (int64_t)((uint64_t)teo->clock.sleep_ns - ns) < latency_ns / 2);
	if (hit) {
		teo_note_learnt(cpu, teo, ns, "a hit of", timer, notes);
		teo->hits[timer] += TEO_PULSE;
		return;
	}
	teo_note_learnt(cpu, teo, ns, "an intercept in the bin of", measured, notes);
	teo->intercepts[measured] += TEO_PULSE;
	/* Before 6.19 the condition is the reverse of its purpose. */
	if (clean ? ns <= (uint64_t)table->tick_ns : ns >= (uint64_t)table->tick_ns)
		teo->tick_intercepts += TEO_PULSE;
}

/* 6.14 and later. */
GOVERNOR_INLINE struct governor_choice select_flag(struct governor_cpu *cpu,
						   const struct governor_input *in,
						   const struct rules *rules,
						   struct governor_notes *notes)
{
	struct teo *teo = teo_of(cpu);
	const struct governor_table *table = cpu->table;
	bool ticks_dominate;
	struct teo_scan s;
	int state;

	learn(cpu, rules, notes);
	teo_note_bins(teo, table, false, notes);
	GOVERNOR_NOTE(notes, "total %" PRIu32 ", short idles %" PRIu32 ", tick intercepts %" PRIu32,
		      teo->total, teo->short_idles, teo->tick_intercepts);
	teo->clock.sleep_ns = INT64_MAX;
	if (table->states < 2)
		return (struct governor_choice){ .state = 0 };
	s = teo_scan_up(teo, table, in, walk_has(in->disabled, 0) ? -1 : 0, INT64_MAX);
	state = s.state;
	if (state < 0)
		return (struct governor_choice){ .state = 0 };
	GOVERNOR_NOTE(notes, "the deepest state is the candidate: %s", notes->name[state]);
	if (state == s.first)
		return teo_end(table, in, state, table->residency_ns[state], table->tick_ns / 2,
			       s.first, false, notes);
	if (teo_is_intercepted(teo, &s, notes)) {
		state = rules->clean_decay
				? intercepted_simple(teo, table, in, &s, rules->strict_hits, notes)
				: intercepted(teo, table, in, &s, true, false, notes);
		GOVERNOR_NOTE(notes, "taken: %s", notes->name[state]);
	}
	state = teo_limit(&s, state, notes);
	if ((!state || table->residency_ns[state] < TEO_SHORT_NS) &&
	    (2 * teo->short_idles >= teo->total || in->latency_ns < TEO_LATENCY_NS)) {
		GOVERNOR_NOTE(notes,
			      "%s, and %s: the sleep length is not asked for, the tick is "
			      "kept",
			      notes->name[state],
			      in->latency_ns < TEO_LATENCY_NS
				      ? "the latency limit is below 7.5 us"
				      : "half of the idles or more are short");
		return (struct governor_choice){ .state = state };
	}
	if (!state) {
		GOVERNOR_NOTE(notes, "%s: asks for the sleep length, only to learn from it",
			      notes->name[0]);
		teo->clock.sleep_ns = in->sleep_ns;
		return (struct governor_choice){ .asked = true };
	}
	ticks_dominate = rules->strict_hits
				 ? 3 * teo->tick_intercepts >= 2 * teo->total
				 : teo->tick_intercepts > teo->total / 2 + teo->total / 8;
	return choose_asked(teo, table, in, state, s.first, rules, ticks_dominate, notes);
}

static void reflect_6_14(struct governor_cpu *cpu, const struct governor_outcome *out)
{
	struct teo *teo = teo_of(cpu);

	cpu->last_state = out->entered;
	teo->artificial = cpu->poll_limit_hit ||
			  (out->tick_fired && teo->clock.sleep_ns > cpu->table->tick_ns);
	if (teo->artificial)
		cpu->poll_limit_hit = false;
}

static void reflect_6_19(struct governor_cpu *cpu, const struct governor_outcome *out)
{
	teo_of(cpu)->tick_wake = out->tick_fired;
	cpu->last_state = out->entered;
}

#define TEO(id, text, release, line, body, on_enable, on_reflect, ...)                             \
	static const struct rules rules_##id = { __VA_ARGS__ };                                    \
	GOVERNOR_DECIDES(id, body(cpu, in, &rules_##id, notes))                                    \
	const struct governor governor_teo_##id = {                                                \
		.name = "teo-" text,                                                               \
		.family = "teo",                                                                   \
		.since = release,                                                                  \
		.about = line,                                                                     \
		.enable = on_enable,                                                               \
		.select = select_##id,                                                             \
		.reflect = on_reflect,                                                             \
		.explain = explain_##id,                                                           \
	};

TEO(6_6, "6.6", "6.6", "Asks for the sleep length late and not always; tick hits (rjw)",
    select_span, teo_span_enable, teo_span_reflect, .span = { .recent = true, .tick_hits = true },
    .utilisation = true)
TEO(6_12, "6.12", "6.11", "Without utilisation and without recent intercepts", select_span,
    teo_span_enable, teo_span_reflect, .span = { .tick_hits = true }, .asks_for_first = true)
TEO(6_14, "6.14", "6.14", "Short idles and tick intercepts", select_flag, NULL, reflect_6_14, 0)
TEO(6_19, "6.19", "6.19", "Decays to 0; dominant tick wakes count as deepest hits", select_flag,
    NULL, reflect_6_19, .clean_decay = true)
TEO(7_0, "7.0", "7.0", "Looks up from the bin with most intercepts; stricter hits", select_flag,
    NULL, reflect_6_19, .clean_decay = true, .strict_hits = true)
