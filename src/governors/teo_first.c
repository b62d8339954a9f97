/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * teo as it was up to 5.14: for each state hits, misses and early hits, and the last 8 intervals. A
 * latency limit picks the first state that violates it, a defect that these kernels have.
 */
#include "governors/teo.h"

#define INTERVALS 8

struct first {
	struct teo_clock clock;
	uint32_t hits[GOVERNOR_STATES_MAX], misses[GOVERNOR_STATES_MAX];
	uint32_t early[GOVERNOR_STATES_MAX];
	uint64_t interval_ns[INTERVALS];
	uint32_t position;
};
_Static_assert(sizeof(struct first) <= sizeof(((struct governor_cpu *)0)->memory), "teo");

static void teo_enable(struct governor_cpu *cpu)
{
	struct first *teo = (struct first *)cpu->memory;

	for (int i = 0; i < INTERVALS; i++)
		teo->interval_ns[i] = UINT64_MAX;
}

GOVERNOR_INLINE void update(struct governor_cpu *cpu, struct first *teo,
			    struct governor_notes *notes)
{
	const struct governor_table *table = cpu->table;
	uint64_t ns = teo_clock_measured_ns(cpu, &teo->clock);
	int timer = 0, measured = 0;

	for (int i = 0; i < table->states; i++) {
		teo->early[i] = teo_decay(teo->early[i]);
		if (table->residency_ns[i] > teo->clock.sleep_ns)
			continue;
		timer = i;
		if ((uint64_t)table->residency_ns[i] <= ns)
			measured = i;
	}
	teo->hits[timer] = teo_decay(teo->hits[timer]);
	teo->misses[timer] = teo_decay(teo->misses[timer]);
	if (timer == measured) {
		teo->hits[timer] += TEO_PULSE;
	} else {
		teo->misses[timer] += TEO_PULSE;
		teo->early[measured] += TEO_PULSE;
	}
	if (ns == UINT64_MAX)
		GOVERNOR_NOTE(notes,
			      "last period: as long as it gets (a timer or a tick ended it)");
	else
		GOVERNOR_NOTE(notes, "last period: %" PRIu64 " ns measured", ns);
	GOVERNOR_NOTE(notes, "that was a %s of %s", timer == measured ? "hit" : "miss",
		      notes->name[timer]);
	teo->interval_ns[teo->position] = ns;
	teo->position = (teo->position + 1) % INTERVALS;
}

/* The state by the timer, and the one with most early hits. */
struct candidates {
	int state, first, limit; /* limit: the first state that violates the latency limit */
	int best, before_best;
	uint32_t hits, misses, early;
};

static bool is_long(const struct governor_table *table, const struct governor_input *in, int64_t ns)
{
	return !in->tick_stopped || ns >= table->tick_ns;
}

static void take_best(struct candidates *c, int state, uint32_t early)
{
	c->before_best = c->best;
	c->early = early;
	c->best = state;
}

static void pass_disabled(const struct first *teo, const struct governor_table *table,
			  const struct governor_input *in, int i, struct candidates *c)
{
	if (table->residency_ns[i] > in->sleep_ns)
		return;
	c->hits = teo->hits[i];
	c->misses = teo->misses[i];
	if (c->early >= teo->early[i] || c->state < 0)
		return;
	if (c->best == c->state)
		c->early = teo->early[i];
	else if (is_long(table, in, table->residency_ns[c->state]))
		take_best(c, c->state, teo->early[i]);
}

static struct candidates find_candidates(const struct first *teo,
					 const struct governor_table *table,
					 const struct governor_input *in)
{
	struct candidates c = {
		.state = -1, .first = -1, .limit = table->states, .best = -1, .before_best = -1
	};

	for (int i = 0; i < table->states; i++) {
		if (walk_has(in->disabled, i)) {
			pass_disabled(teo, table, in, i, &c);
			continue;
		}
		if (c.state < 0) {
			c.state = c.first = i;
			c.hits = teo->hits[i];
			c.misses = teo->misses[i];
		}
		if (table->residency_ns[i] > in->sleep_ns)
			break;
		if (table->latency_ns[i] > in->latency_ns && c.limit > i)
			c.limit = i;
		c.state = i;
		c.hits = teo->hits[i];
		c.misses = teo->misses[i];
		if (c.early < teo->early[i] && is_long(table, in, table->residency_ns[i]))
			take_best(&c, i, teo->early[i]);
	}
	return c;
}

/* Mean of the intervals below @ns when most are; -1 otherwise. */
static int64_t usual_ns(const struct first *teo, int64_t ns)
{
	uint64_t sum = 0, count = 0;

	for (int i = 0; i < INTERVALS; i++) {
		if (teo->interval_ns[i] >= (uint64_t)ns)
			continue;
		count++;
		sum += teo->interval_ns[i];
	}
	return count > INTERVALS / 2 ? (int64_t)(sum / count) : -1;
}

static void note_metrics(const struct first *teo, const struct governor_table *table,
			 const struct candidates *c, struct governor_notes *notes)
{
	for (int i = 0; i < table->states; i++)
		GOVERNOR_NOTE(notes,
			      "%s: hits %" PRIu32 ", misses %" PRIu32 ", early hits %" PRIu32,
			      notes->name[i], teo->hits[i], teo->misses[i], teo->early[i]);
	if (c->state >= 0)
		GOVERNOR_NOTE(notes, "the deepest state that fits the sleep length: %s",
			      notes->name[c->state]);
}

GOVERNOR_INLINE struct governor_choice select_by(struct governor_cpu *cpu,
						 const struct governor_input *in,
						 struct governor_notes *notes)
{
	struct first *teo = (struct first *)cpu->memory;
	const struct governor_table *table = cpu->table;
	struct candidates c;
	int64_t duration = in->sleep_ns, usual;
	struct governor_choice choice = { .stop_tick = true, .asked = true };

	if (cpu->last_state >= 0) {
		update(cpu, teo, notes);
		cpu->last_state = -1;
	}
	teo->clock.span_ns = in->now_ns;
	teo->clock.sleep_ns = in->sleep_ns;
	c = find_candidates(teo, table, in);
	GOVERNOR_NOTE(notes, "asks for the sleep length: %" PRId64 " ns", in->sleep_ns);
	if (notes)
		note_metrics(teo, table, &c, notes);
	if (c.hits <= c.misses) {
		GOVERNOR_NOTE(notes, "its hits are not above its misses: the one with most early "
				     "hits is taken, if there is any");
		if (c.state == c.best)
			c.best = c.before_best;
		if (c.best >= 0) {
			c.state = c.best;
			duration = table->residency_ns[c.state];
		}
	}
	if (c.limit < c.state) {
		c.state = c.limit;
		GOVERNOR_NOTE(notes, "the latency limit: %s, the first that violates it",
			      notes->name[c.state]);
	}
	if (c.state < 0) {
		c.state = 0;
	} else if (c.state > c.first) {
		usual = usual_ns(teo, duration);
		if (usual >= 0 && is_long(table, in, usual)) {
			duration = usual;
			GOVERNOR_NOTE(notes,
				      "most of the last 8 intervals are shorter: mean %" PRId64
				      " ns",
				      usual);
			if (table->residency_ns[c.state] > usual)
				c.state = walk_shallower(table, c.state, usual, in->disabled);
		}
	}
	if ((walk_has(table->polling, c.state) || duration < table->tick_ns) && !in->tick_stopped) {
		choice.stop_tick = false;
		GOVERNOR_NOTE(notes, "less than a tick, or a polling state: the tick is kept");
		if (c.state > c.first && table->residency_ns[c.state] > in->event_ns)
			c.state = walk_shallower(table, c.state, in->event_ns, in->disabled);
	}
	choice.state = c.state;
	return choice;
}

GOVERNOR_DECIDES(5_13, select_by(cpu, in, notes))

static void teo_reflect(struct governor_cpu *cpu, const struct governor_outcome *out)
{
	teo_clock_reflect(cpu, &((struct first *)cpu->memory)->clock, out);
}

const struct governor governor_teo_5_13 = {
	.name = "teo-5.13",
	.family = "teo",
	.since = "5.13",
	.about = "Hits, misses and early hits of each state, and 8 intervals",
	.enable = teo_enable,
	.select = select_5_13,
	.reflect = teo_reflect,
	.explain = explain_5_13,
};
