/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * haltpoll, for guests: polls before it halts, as long as halts were short enough for polling to
 * have caught them. It never asks for the sleep length and does not look at disabled states, nor
 * beyond the first two.
 */
#include "governors/walk.h"
#include <inttypes.h>

/* The module's parameters, at their defaults. */
#define POLL_MAX_NS 200000u
#define GROW 2u
#define GROW_START_NS 50000u
#define SHRINK 2u

GOVERNOR_INLINE struct governor_choice select_by(struct governor_cpu *cpu,
						 const struct governor_input *in,
						 struct governor_notes *notes)
{
	bool polled = !cpu->last_state && cpu->poll_limit_hit;

	GOVERNOR_NOTE(notes, "poll limit %" PRIu64 " ns; last state %d%s", cpu->poll_limit_ns,
		      cpu->last_state, polled ? ", which polled to the end" : "");
	if (cpu->table->states < 2 || !in->latency_ns) {
		GOVERNOR_NOTE(notes, "one state only, or a latency limit of 0: %s", notes->name[0]);
		return (struct governor_choice){ .state = 0 };
	}
	if (!cpu->poll_limit_ns || polled) {
		GOVERNOR_NOTE(notes, "%s: %s", polled ? "it has polled in vain" : "no polling",
			      notes->name[1]);
		return (struct governor_choice){ .state = 1, .stop_tick = true };
	}
	GOVERNOR_NOTE(notes, "polls first: %s, the tick is kept", notes->name[0]);
	return (struct governor_choice){ .state = 0 };
}

GOVERNOR_DECIDES(haltpoll, select_by(cpu, in, notes))

static void adjust(struct governor_cpu *cpu, uint64_t halted_ns, bool stops)
{
	uint64_t limit = cpu->poll_limit_ns;

	if (halted_ns > limit && halted_ns <= POLL_MAX_NS) {
		limit *= GROW;
		if (limit < GROW_START_NS)
			limit = GROW_START_NS;
		if (limit > POLL_MAX_NS)
			limit = POLL_MAX_NS;
	} else if (halted_ns > POLL_MAX_NS) {
		limit /= SHRINK;
		if (stops && limit < GROW_START_NS)
			limit = 0;
	}
	cpu->poll_limit_ns = limit;
}

static void reflect(struct governor_cpu *cpu, const struct governor_outcome *out, bool stops)
{
	cpu->last_state = out->entered;
	if (out->entered)
		adjust(cpu, (uint64_t)out->residency_ns, stops);
}

static void reflect_6_1(struct governor_cpu *cpu, const struct governor_outcome *out)
{
	reflect(cpu, out, false);
}

static void reflect_6_12(struct governor_cpu *cpu, const struct governor_outcome *out)
{
	reflect(cpu, out, true);
}

const struct governor governor_haltpoll_6_1 = {
	.name = "haltpoll-6.1",
	.family = "haltpoll",
	.since = "5.4",
	.about = "Guests: polls for a time that follows the halts, then halts",
	.select = select_haltpoll,
	.reflect = reflect_6_1,
	.explain = explain_haltpoll,
};

const struct governor governor_haltpoll_6_12 = {
	.name = "haltpoll-6.12",
	.family = "haltpoll",
	.since = "6.9",
	.about = "And stops polling when that time has shrunk below its start",
	.select = select_haltpoll,
	.reflect = reflect_6_12,
	.explain = explain_haltpoll,
};
