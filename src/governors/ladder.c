/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ladder: one step at a time, up after enough long idles, down after a short one. It never asks for
 * the sleep length and always lets the tick stop.
 *
 * The mainline rules compare the residency less the exit latency as unsigned numbers, so an idle
 * shorter than the exit latency counts as a very long one and promotes. The RFC series of November
 * 2022 compares signed.
 */
#include "governors/governor.h"
#include "governors/walk.h"
#include <inttypes.h>

struct ladder {
	uint32_t promotions[GOVERNOR_STATES_MAX], demotions[GOVERNOR_STATES_MAX];
};
_Static_assert(sizeof(struct ladder) <= sizeof(((struct governor_cpu *)0)->memory), "ladder");

static int first_state(const struct governor_table *table)
{
	return walk_has(table->polling, 0) && table->states > 1 ? 1 : 0;
}

static void ladder_enable(struct governor_cpu *cpu)
{
	cpu->last_state = first_state(cpu->table);
}

/* Leaves state @from for @to. */
static struct governor_choice move(struct governor_cpu *cpu, int from, int to)
{
	struct ladder *ladder = (struct ladder *)cpu->memory;

	ladder->promotions[from] = ladder->demotions[from] = 0;
	cpu->last_state = to;
	return (struct governor_choice){ .state = to, .stop_tick = true };
}

/* What it looks at; @x: the residency less the exit latency, as it is compared. */
GOVERNOR_INLINE void note_inputs(const struct governor_cpu *cpu, int at, int64_t x,
				 struct governor_notes *notes)
{
	const struct ladder *ladder = (const struct ladder *)cpu->memory;

	GOVERNOR_NOTE(notes,
		      "in %s: last residency %" PRId64 " ns less exit latency %" PRId64 " ns is "
		      "%" PRId64 " ns; promotions %" PRIu32 ", demotions %" PRIu32,
		      notes->name[at], cpu->last_residency_ns, cpu->table->latency_ns[at], x,
		      ladder->promotions[at], ladder->demotions[at]);
}

GOVERNOR_INLINE bool promotes(struct governor_cpu *cpu, const struct governor_input *in, int at,
			      uint64_t x, struct governor_notes *notes)
{
	const struct governor_table *table = cpu->table;
	struct ladder *ladder = (struct ladder *)cpu->memory;
	bool below = at < first_state(table);

	if (at >= table->states - 1 || walk_has(in->disabled, at + 1) ||
	    x <= (below ? 0 : (uint64_t)table->latency_ns[at]) ||
	    table->latency_ns[at + 1] > in->latency_ns)
		return false;
	ladder->promotions[at]++;
	ladder->demotions[at] = 0;
	GOVERNOR_NOTE(notes, "that is %s%s: promotion %" PRIu32 " of %d",
		      (int64_t)x < 0 ? "below 0, which compares as a very large number and so "
				     : "",
		      "above the state's exit latency", ladder->promotions[at], below ? 0 : 4);
	return ladder->promotions[at] >= (below ? 0 : 4);
}

GOVERNOR_INLINE struct governor_choice select_by(struct governor_cpu *cpu,
						 const struct governor_input *in,
						 struct governor_notes *notes)
{
	const struct governor_table *table = cpu->table;
	struct ladder *ladder = (struct ladder *)cpu->memory;
	int at = cpu->last_state, first = first_state(table), to = at - 1;
	uint64_t x = (uint64_t)cpu->last_residency_ns - (uint64_t)table->latency_ns[at];

	note_inputs(cpu, at, (int64_t)x, notes);
	if (!in->latency_ns) {
		GOVERNOR_NOTE(notes, "the latency limit is 0: %s", notes->name[0]);
		return move(cpu, at, 0);
	}
	if (promotes(cpu, in, at, x, notes)) {
		GOVERNOR_NOTE(notes, "a step up, to %s", notes->name[at + 1]);
		return move(cpu, at, at + 1);
	}
	if (at > first && (walk_has(in->disabled, at) || table->latency_ns[at] > in->latency_ns)) {
		while (to > first && table->latency_ns[to] > in->latency_ns)
			to--;
		GOVERNOR_NOTE(notes, "it is disabled or over the latency limit: down to %s",
			      notes->name[to]);
		return move(cpu, at, to);
	}
	if (at > first && x < (uint64_t)table->latency_ns[at]) {
		ladder->promotions[at] = 0;
		GOVERNOR_NOTE(notes, "that is below its exit latency: a step down, to %s",
			      notes->name[at - 1]);
		return move(cpu, at, at - 1);
	}
	GOVERNOR_NOTE(notes, "it stays in %s", notes->name[at]);
	return (struct governor_choice){ .state = at, .stop_tick = true };
}

GOVERNOR_DECIDES(ladder, select_by(cpu, in, notes))

static void ladder_reflect(struct governor_cpu *cpu, const struct governor_outcome *out)
{
	if (out->entered > 0)
		cpu->last_state = out->entered;
}

const struct governor governor_ladder = {
	.name = "ladder",
	.family = "ladder",
	.since = "2.6.24",
	.about = "A step up after 4 long idles, down after a short one",
	.enable = ladder_enable,
	.select = select_ladder,
	.reflect = ladder_reflect,
	.explain = explain_ladder,
};

/* The rules of the RFC. */

#define RFC_PROMOTE 2
#define RFC_DEMOTE 4

/* From @state upwards the first enabled one, or the deepest below that the limit allows. */
static int rfc_up(const struct governor_table *table, const struct governor_input *in, int state,
		  int64_t limit_ns)
{
	int first = walk_first(table, in->disabled);

	for (int i = state; i < table->states; i++) {
		if (walk_has(in->disabled, i))
			continue;
		if (table->latency_ns[i] <= limit_ns)
			return i;
		break;
	}
	for (int i = state - 1; i >= 0; i--) {
		if (!walk_has(in->disabled, i) && table->latency_ns[i] <= limit_ns)
			return i;
	}
	return first < 0 ? 0 : first;
}

/* From @state downwards the first that may be had, else the next above, else any. */
static int rfc_down(const struct governor_table *table, const struct governor_input *in, int state,
		    uint32_t avoid)
{
	int first = walk_first(table, in->disabled);

	avoid |= in->disabled;
	for (int i = state; i >= 0; i--) {
		if (!walk_has(avoid, i) && table->latency_ns[i] <= in->latency_ns)
			return i;
	}
	for (int i = state + 1; i < table->states; i++) {
		if (walk_has(in->disabled, i))
			continue;
		if (table->latency_ns[i] <= in->latency_ns)
			return i;
		break;
	}
	return first < 0 ? 0 : first;
}

GOVERNOR_INLINE int rfc_choose(struct governor_cpu *cpu, const struct governor_input *in,
			       struct governor_notes *notes)
{
	const struct governor_table *table = cpu->table;
	struct ladder *ladder = (struct ladder *)cpu->memory;
	int at = cpu->last_state, first = first_state(table), to;
	bool below = at < first;
	int64_t x = (int64_t)((uint64_t)cpu->last_residency_ns - (uint64_t)table->latency_ns[at]);
	int64_t up_ns = below ? 0 : at == table->states - 1 ? INT64_MAX : table->latency_ns[at];
	int64_t down_ns = below ? 0 : at == first ? INT64_MIN : table->latency_ns[at];

	note_inputs(cpu, at, x, notes);
	if (!in->latency_ns)
		return rfc_up(table, in, 0, 0);
	if (table->latency_ns[at] > in->latency_ns)
		return rfc_down(table, in, at - 1, 0);
	if (x > up_ns) {
		to = rfc_up(table, in, at + 1, in->latency_ns);
		if (to <= at)
			return to;
		ladder->promotions[at]++;
		ladder->demotions[at] = 0;
		GOVERNOR_NOTE(notes, "that is above %" PRId64 " ns: promotion %" PRIu32 " of %d",
			      up_ns, ladder->promotions[at], below ? 0 : RFC_PROMOTE);
		if (ladder->promotions[at] >= (below ? 0 : RFC_PROMOTE))
			return to;
	} else if (x < down_ns) {
		to = rfc_down(table, in, at - 1, table->polling);
		if (to >= at)
			return to;
		ladder->demotions[at]++;
		ladder->promotions[at] = 0;
		GOVERNOR_NOTE(notes, "that is below %" PRId64 " ns: demotion %" PRIu32 " of %d",
			      down_ns, ladder->demotions[at], below ? 0 : RFC_DEMOTE);
		if (ladder->demotions[at] >= (below ? 0 : RFC_DEMOTE))
			return to;
	}
	return rfc_down(table, in, at, table->polling);
}

GOVERNOR_INLINE struct governor_choice rfc_select_by(struct governor_cpu *cpu,
						     const struct governor_input *in,
						     struct governor_notes *notes)
{
	int at = cpu->last_state, to = rfc_choose(cpu, in, notes);

	GOVERNOR_NOTE(notes, "%s %s", to == at ? "it stays in" : "it goes to", notes->name[to]);
	if (to != at)
		return move(cpu, at, to);
	return (struct governor_choice){ .state = at, .stop_tick = true };
}

GOVERNOR_DECIDES(rfc, rfc_select_by(cpu, in, notes))

const struct governor governor_ladder_rfc = {
	.name = "ladder-rfc",
	.family = "ladder-rfc",
	.about = "The series of November 2022: signed comparison, up after 2, down after 4",
	.enable = ladder_enable,
	.select = select_rfc,
	.reflect = ladder_reflect,
	.explain = explain_rfc,
};
