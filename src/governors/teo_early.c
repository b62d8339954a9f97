/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * teo of 5.15 to 6.5: asks for the sleep length first, and only states that fit it are candidates.
 * 6.3 adds one step down on a utilised CPU without cutting the duration, so that the tick may stop
 * for a shallow state.
 */
#include "governors/teo.h"

void teo_span_enable(struct governor_cpu *cpu)
{
	memset(teo_of(cpu)->ring, -1, sizeof(teo_of(cpu)->ring));
}

void teo_span_reflect(struct governor_cpu *cpu, const struct governor_outcome *out)
{
	teo_clock_reflect(cpu, &teo_of(cpu)->clock, out);
}

/* Down to the state below which half of the intercepts lie; the middle of its bin is the new
 * duration. */
static int intercepted(const struct teo *teo, const struct governor_table *table,
		       const struct governor_input *in, const struct teo_scan *s, bool by_all,
		       bool by_recent, int64_t *duration_ns, struct governor_notes *notes)
{
	uint32_t intercepts = 0, recent = 0;
	int64_t fit_ns = *duration_ns;
	int fit = s->state;

	for (int i = s->state - 1; i >= 0; i--) {
		int64_t middle_ns = (table->residency_ns[i] + table->residency_ns[i + 1]) / 2;
		bool is_long = !in->tick_stopped || middle_ns >= table->tick_ns;
		bool disabled = walk_has(in->disabled, i);

		intercepts += teo->intercepts[i];
		recent += teo->recent[i];
		GOVERNOR_NOTE(notes,
			      "from %s on: intercepts %" PRIu32 " of %" PRIu32 ", recent %" PRIu32
			      " of %" PRIu32 ", middle of its bin %" PRId64 " ns%s%s",
			      notes->name[i], intercepts, s->intercepts, recent, s->recent,
			      middle_ns, disabled ? ", disabled" : "",
			      is_long ? "" : ", too short for a stopped tick");
		if ((!by_recent || 2 * recent > s->recent) &&
		    (!by_all || 2 * intercepts > s->intercepts)) {
			*duration_ns = is_long && !disabled ? middle_ns : fit_ns;
			return is_long && !disabled ? i : fit;
		}
		if (disabled)
			continue;
		if (is_long) {
			fit = i;
			fit_ns = middle_ns;
		} else if (fit == s->state) {
			break;
		}
	}
	return s->state;
}

GOVERNOR_INLINE struct governor_choice select_by(struct governor_cpu *cpu,
						 const struct governor_input *in,
						 bool looks_at_utilisation,
						 struct governor_notes *notes)
{
	static const struct teo_span_rules rules = { .recent = true };
	struct teo *teo = teo_of(cpu);
	const struct governor_table *table = cpu->table;
	int64_t duration_ns = in->sleep_ns, event_ns = in->event_ns;
	bool utilised = looks_at_utilisation && teo_utilised(cpu, in, notes), by_all, by_recent;
	struct teo_scan s;
	int state = walk_has(in->disabled, 0) ? -1 : 0;

	teo_span_learn(cpu, &rules, notes);
	teo_note_bins(teo, table, true, notes);
	teo->clock.span_ns = in->now_ns;
	teo->clock.sleep_ns = in->sleep_ns;
	GOVERNOR_NOTE(notes, "asks for the sleep length: %" PRId64 " ns", in->sleep_ns);
	if (table->states < 2 || (!state && table->residency_ns[1] > duration_ns)) {
		GOVERNOR_NOTE(notes, "only the first state fits it");
		return teo_end(table, in, 0, duration_ns, event_ns, 0, true, notes);
	}
	if (table->states < 3 && utilised) {
		int first = walk_first(table, in->disabled | table->polling);

		GOVERNOR_NOTE(notes, "two states and utilised: the first that does not poll");
		if (first >= 0)
			return teo_end(table, in, first, duration_ns, event_ns, 0, true, notes);
	}
	s = teo_scan_up(teo, table, in, state, in->sleep_ns);
	GOVERNOR_NOTE(notes, "the deepest state that fits it: %s",
		      notes->name[s.state < 0 ? 0 : s.state]);
	if (s.state < 0 || s.state == s.first)
		return teo_end(table, in, s.state < 0 ? 0 : s.state, duration_ns, event_ns, s.first,
			       true, notes);
	by_all = teo_is_intercepted(teo, &s, notes);
	by_recent = teo_is_recent(&s, notes);
	state = s.state;
	if (by_all || by_recent) {
		state = intercepted(teo, table, in, &s, by_all, by_recent, &duration_ns, notes);
		GOVERNOR_NOTE(notes, "taken: %s, for %" PRId64 " ns", notes->name[state],
			      duration_ns);
	}
	state = teo_limit(&s, state, notes);
	if (utilised) {
		state = walk_shallower(table, state, duration_ns, in->disabled | table->polling);
		GOVERNOR_NOTE(notes, "utilised: one shallower, %s; the duration stays",
			      notes->name[state]);
	}
	return teo_end(table, in, state, duration_ns, event_ns, s.first, true, notes);
}

GOVERNOR_DECIDES(6_1, select_by(cpu, in, false, notes))

GOVERNOR_DECIDES(6_3, select_by(cpu, in, true, notes))

const struct governor governor_teo_6_1 = {
	.name = "teo-6.1",
	.family = "teo",
	.since = "5.15",
	.about = "Bins of hits and intercepts, and the last 9 intercepts",
	.enable = teo_span_enable,
	.select = select_6_1,
	.reflect = teo_span_reflect,
	.explain = explain_6_1,
};

const struct governor governor_teo_6_3 = {
	.name = "teo-6.3",
	.family = "teo",
	.since = "6.3",
	.about = "And one state shallower on a utilised CPU",
	.enable = teo_span_enable,
	.select = select_6_3,
	.reflect = teo_span_reflect,
	.explain = explain_6_3,
};
