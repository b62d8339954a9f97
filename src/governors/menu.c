/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * menu: predicts the idle time from the next timer, corrected by how much earlier than the timer
 * the CPU was woken before, and from the typical one of the last 8 intervals.
 *
 * One body serves all versions; what differs is in struct rules, constant in each version's own
 * entry, so that the compiler makes a straight function of each. Predictions and intervals are in
 * us and 32 bits wide, products wrap in 64.
 */
#include "governors/menu.h"
#include <inttypes.h>

#define UNITY 8192 /* of a correction factor: 1.0 */
#define DECAY 8
#define RESOLUTION 1024
#define LONG_NS 50000000 /* idles that count as full */
#define TICK_WAKE_NS 45000000
#define SHORT_NS 15000

struct rules {
	enum menu_typical typical;
	bool asks_always, asks_when_stopped;
	bool iowait; /* counts */
	bool cuts_limit; /* to the prediction */
	bool keeps_prediction; /* with the tick stopped a short one is not replaced by the timer */
	bool unknown; /* a rejected state pushes "unknown" */
	bool limit_first; /* the limit is looked at before the residency */
	bool poll_by_exit, poll_by_residency; /* further conditions for polling instead */
};

static void push(struct menu *menu, uint32_t us)
{
	menu->interval_us[menu->position] = us;
	menu->position = (menu->position + 1) % MENU_INTERVALS;
}

static uint32_t bucket_of(int64_t ns, uint32_t iowait)
{
	uint32_t bucket = iowait ? MENU_BUCKETS / 2 : 0;

	for (int64_t limit = 10000; limit < 1000000000 && ns >= limit; limit *= 10)
		bucket++;
	return bucket;
}

static int64_t measured_ns(const struct governor_cpu *cpu, const struct menu *menu)
{
	int64_t residency = cpu->last_residency_ns;
	int64_t latency = cpu->table->latency_ns[cpu->last_state];

	if (menu->tick_wake && menu->next_timer_ns > cpu->table->tick_ns)
		return TICK_WAKE_NS;
	if (walk_has(cpu->table->polling, cpu->last_state) && cpu->poll_limit_hit)
		return menu->next_timer_ns;
	return residency > 2 * latency ? residency - latency : residency / 2;
}

/* Learns from the period that is over. */
GOVERNOR_INLINE void update(struct governor_cpu *cpu, struct menu *menu,
			    struct governor_notes *notes)
{
	int64_t ns = measured_ns(cpu, menu);
	uint32_t factor = menu->factor[menu->bucket];

	if (ns > menu->next_timer_ns)
		ns = menu->next_timer_ns;
	factor -= factor / DECAY;
	if (menu->next_timer_ns > 0 && ns < LONG_NS)
		factor += (uint32_t)(RESOLUTION * (uint64_t)ns / (uint64_t)menu->next_timer_ns);
	else
		factor += RESOLUTION;
	menu->factor[menu->bucket] = factor;
	push(menu, (uint32_t)(ns / 1000));
	GOVERNOR_NOTE(notes,
		      "last period: %" PRId64 " ns measured (%" PRId64 " with the exit%s), the "
		      "timer was %" PRId64 " ns away; correction of bucket %" PRIu32 " is now %.3f",
		      ns, cpu->last_residency_ns, menu->tick_wake ? ", a tick" : "",
		      menu->next_timer_ns, menu->bucket, (double)factor / UNITY);
}

/* What a select has found out so far. */
struct prediction {
	uint64_t ns;
	int64_t event_ns;
	bool asked;
};

static uint32_t timer_us(const struct menu *menu)
{
	uint64_t scaled = (uint64_t)menu->next_timer_ns * menu->factor[menu->bucket];

	return (uint32_t)((scaled + UNITY * 500ull) / (UNITY * 1000ull));
}

GOVERNOR_INLINE void ask(struct menu *menu, const struct governor_input *in, uint32_t iowait,
			 struct prediction *p, struct governor_notes *notes)
{
	bool over = in->sleep_ns < 0;

	p->asked = true;
	p->event_ns = over ? 0 : in->event_ns;
	menu->next_timer_ns = over ? 0 : in->sleep_ns;
	menu->bucket = bucket_of(menu->next_timer_ns, iowait);
	GOVERNOR_NOTE(
		notes,
		"asks for the sleep length: %" PRId64 " ns, bucket %" PRIu32 ", correction %.3f",
		menu->next_timer_ns, menu->bucket, (double)menu->factor[menu->bucket] / UNITY);
}

/* Too short for any state but the first, whatever is predicted. */
static bool only_first(const struct governor_table *table, const struct menu *menu,
		       const struct governor_input *in)
{
	return table->states <= 1 || !in->latency_ns ||
	       (!walk_has(in->disabled, 0) && (menu->next_timer_ns < table->residency_ns[1] ||
					       in->latency_ns < table->latency_ns[1]));
}

GOVERNOR_INLINE struct prediction predict(struct menu *menu, const struct governor_input *in,
					  uint32_t iowait, int64_t tick_ns,
					  const struct rules *rules, struct governor_notes *notes)
{
	struct prediction p = { .event_ns = tick_ns / 2 };

	p.ns = (uint64_t)menu_typical_us(menu, rules->typical, 0, notes) * 1000;
	if (p.ns > SHORT_NS || (rules->asks_when_stopped && in->tick_stopped)) {
		uint64_t by_timer;

		ask(menu, in, iowait, &p, notes);
		by_timer = (uint64_t)timer_us(menu) * 1000;
		GOVERNOR_NOTE(notes, "by the timer and its correction: %" PRIu64 " ns", by_timer);
		if (by_timer < p.ns)
			p.ns = by_timer;
		if (rules->asks_when_stopped && in->tick_stopped && p.ns < (uint64_t)tick_ns)
			p.ns = (uint64_t)menu->next_timer_ns;
	} else {
		menu->next_timer_ns = INT64_MAX;
		menu->bucket = bucket_of(INT64_MAX, iowait);
		GOVERNOR_NOTE(notes, "short: the sleep length is not asked for");
	}
	return p;
}

/* The scan from shallow to deep; true when it ends the select with the tick stopped. */
GOVERNOR_INLINE bool scan(const struct governor_table *table, const struct menu *menu,
			  const struct governor_input *in, int64_t limit_ns, struct prediction *p,
			  const struct rules *rules, int *choice, struct governor_notes *notes)
{
	int c = walk_first(table, in->disabled);

	for (int i = c < 0 ? table->states : c; i < table->states; i++) {
		int64_t residency = table->residency_ns[i], latency = table->latency_ns[i];

		if (walk_has(in->disabled, i))
			continue;
		if (rules->limit_first && latency > limit_ns) {
			GOVERNOR_NOTE(notes, "%s: exit latency above the limit", notes->name[i]);
			break;
		}
		if ((uint64_t)residency > p->ns) {
			if (walk_has(table->polling, c) && residency <= menu->next_timer_ns &&
			    latency <= limit_ns &&
			    (!rules->poll_by_exit || (uint64_t)latency <= p->ns) &&
			    (!rules->poll_by_residency || residency < SHORT_NS)) {
				GOVERNOR_NOTE(notes,
					      "%s instead of polling: it fits before the timer",
					      notes->name[i]);
				p->ns = (uint64_t)residency;
				c = i;
				break;
			}
			GOVERNOR_NOTE(notes,
				      "%s: target residency %" PRId64 " ns is above the prediction",
				      notes->name[i], residency);
			if (p->ns < (uint64_t)table->tick_ns)
				break;
			if (!in->tick_stopped) {
				GOVERNOR_NOTE(notes,
					      "a tick or more is predicted, but nothing "
					      "deeper fits: %s for its target residency",
					      notes->name[c]);
				p->ns = (uint64_t)table->residency_ns[c];
				break;
			}
			if (table->residency_ns[c] < table->tick_ns && residency <= p->event_ns)
				c = i;
			*choice = c;
			return true;
		}
		if (latency > limit_ns) {
			GOVERNOR_NOTE(notes, "%s: exit latency above %" PRId64 " ns",
				      notes->name[i], limit_ns);
			break;
		}
		c = i;
	}
	*choice = c < 0 ? 0 : c;
	return false;
}

GOVERNOR_INLINE void learn(struct governor_cpu *cpu, struct menu *menu, const struct rules *rules,
			   struct governor_notes *notes)
{
	if (menu->needs_update) {
		update(cpu, menu, notes);
		menu->needs_update = false;
	} else if (rules->unknown && !cpu->last_residency_ns) {
		push(menu, MENU_NONE);
		GOVERNOR_NOTE(notes, "nothing was entered before: an unknown interval");
	}
}

GOVERNOR_INLINE struct governor_choice select_by(struct governor_cpu *cpu,
						 const struct governor_input *in,
						 const struct rules *rules,
						 struct governor_notes *notes)
{
	struct menu *menu = (struct menu *)cpu->memory;
	const struct governor_table *table = cpu->table;
	uint32_t iowait = rules->iowait ? in->iowait : 0, us;
	int64_t limit_ns = in->latency_ns;
	struct prediction p = { 0 };
	int choice;

	learn(cpu, menu, rules, notes);
	if (rules->asks_always)
		ask(menu, in, iowait, &p, notes);
	else
		p = predict(menu, in, iowait, table->tick_ns, rules, notes);
	if (only_first(table, menu, in)) {
		GOVERNOR_NOTE(notes, "only %s: the timer or the latency limit leaves no other",
			      notes->name[0]);
		return (struct governor_choice){ 0, !walk_has(table->polling, 0), p.asked };
	}
	if (rules->asks_always) {
		us = timer_us(menu);
		GOVERNOR_NOTE(notes, "by the timer and its correction: %" PRIu32 " us", us);
		p.ns = menu_typical_us(menu, rules->typical, us, notes);
		p.ns = (p.ns < us ? p.ns : us) * 1000;
	}
	if (in->tick_stopped) {
		if (!rules->keeps_prediction && p.ns < (uint64_t)table->tick_ns) {
			p.ns = (uint64_t)menu->next_timer_ns;
			GOVERNOR_NOTE(notes, "the tick is stopped: the timer counts, not the "
					     "short prediction");
		}
	} else if (rules->cuts_limit && p.ns / (1 + 10ull * iowait) < (uint64_t)limit_ns) {
		limit_ns = (int64_t)(p.ns / (1 + 10ull * iowait));
	}
	GOVERNOR_NOTE(notes, "prediction %" PRIu64 " ns, latency limit %" PRId64 " ns", p.ns,
		      limit_ns);
	if (scan(table, menu, in, limit_ns, &p, rules, &choice, notes)) {
		GOVERNOR_NOTE(notes, "the tick is stopped and nothing deeper fits: %s",
			      notes->name[choice]);
		return (struct governor_choice){ choice, true, p.asked };
	}
	GOVERNOR_NOTE(notes, "the deepest that fits: %s", notes->name[choice]);
	if ((walk_has(table->polling, choice) || p.ns < (uint64_t)table->tick_ns) &&
	    !in->tick_stopped) {
		GOVERNOR_NOTE(notes, "%s: the tick is kept",
			      walk_has(table->polling, choice) ? "a polling state"
							       : "less than a tick");
		if (choice > 0 && table->residency_ns[choice] > p.event_ns) {
			choice = walk_shallower(table, choice, p.event_ns, in->disabled);
			GOVERNOR_NOTE(notes,
				      "it would not fit before the next event, %" PRId64 " ns: %s",
				      p.event_ns, notes->name[choice]);
		}
		return (struct governor_choice){ choice, false, p.asked };
	}
	GOVERNOR_NOTE(notes, "%s: the tick may stop",
		      in->tick_stopped ? "the tick is stopped" : "a tick or more");
	return (struct governor_choice){ choice, true, p.asked };
}

static void menu_enable(struct governor_cpu *cpu)
{
	struct menu *menu = (struct menu *)cpu->memory;

	for (int i = 0; i < MENU_BUCKETS; i++)
		menu->factor[i] = UNITY;
}

static void menu_reflect(struct governor_cpu *cpu, const struct governor_outcome *out)
{
	struct menu *menu = (struct menu *)cpu->memory;

	cpu->last_state = out->entered;
	menu->needs_update = true;
	menu->tick_wake = out->tick_fired;
}

#define MENU(id, text, release, line, ...)                                                         \
	static const struct rules rules_##id = { __VA_ARGS__ };                                    \
	GOVERNOR_DECIDES(id, select_by(cpu, in, &rules_##id, notes))                               \
	const struct governor governor_menu_##id = {                                               \
		.name = "menu-" text,                                                              \
		.family = "menu",                                                                  \
		.since = release,                                                                  \
		.about = line,                                                                     \
		.enable = menu_enable,                                                             \
		.select = select_##id,                                                             \
		.reflect = menu_reflect,                                                           \
		.explain = explain_##id,                                                           \
	};

MENU(6_1, "6.1", "5.0", "Timer times correction factor, or the typical interval; always asks",
     .typical = MENU_TYPICAL_BELOW, .asks_always = true, .iowait = true, .cuts_limit = true)
MENU(6_6, "6.6", "6.6", "Does not ask for the sleep length when it predicts a short one",
     .typical = MENU_TYPICAL_ANY, .iowait = true, .cuts_limit = true)
MENU(6_13, "6.13", "6.13", "Without iowait", .typical = MENU_TYPICAL_ANY, .cuts_limit = true)
MENU(6_15, "6.15", "6.15", "Drops outliers at both ends; the maximum as a last resort",
     .typical = MENU_TYPICAL_BOTH_MAX, .cuts_limit = true)
MENU(6_17, "6.17", "6.17", "A rejected state is an unknown interval; the limit is kept",
     .typical = MENU_TYPICAL_BOTH_MAX, .unknown = true, .limit_first = true)
MENU(6_18, "6.18", "6.18", "No maximum; no polling where the exit takes longer than predicted",
     .typical = MENU_TYPICAL_BOTH, .unknown = true, .limit_first = true, .poll_by_exit = true)
MENU(6_19, "6.19", "6.19", "Polls instead of states below 15 us only", .typical = MENU_TYPICAL_BOTH,
     .unknown = true, .limit_first = true, .poll_by_exit = true, .poll_by_residency = true)
MENU(7_0, "7.0", "7.0", "Always asks while the tick is stopped", .typical = MENU_TYPICAL_BOTH,
     .unknown = true, .limit_first = true, .poll_by_exit = true, .poll_by_residency = true,
     .asks_when_stopped = true, .keeps_prediction = true)
