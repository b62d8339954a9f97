/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * menu: predicts the idle time from the next timer, corrected by how much earlier than the timer
 * the CPU was woken before, and from the typical one of the last 8 intervals.
 *
 * One body serves all versions; what differs is in struct rules, constant in each version's own
 * entry, so that the compiler makes a straight function of each. Predictions and intervals are in
 * us and 32 bits wide, products wrap in 64.
 */
#include "governors/governor.h"
#include "governors/walk.h"

#define INTERVALS 8
#define BUCKETS 12 /* the upper 6 for CPUs with tasks in iowait */
#define UNITY 8192 /* of a correction factor: 1.0 */
#define DECAY 8
#define RESOLUTION 1024
#define LONG_NS 50000000 /* idles that count as full */
#define TICK_WAKE_NS 45000000
#define SHORT_NS 15000
#define NONE UINT32_MAX /* no typical interval */

struct menu {
	int64_t next_timer_ns;
	uint32_t bucket, position;
	uint32_t factor[BUCKETS];
	uint32_t interval_us[INTERVALS];
	bool needs_update, tick_wake;
};
_Static_assert(sizeof(struct menu) <= sizeof(((struct governor_cpu *)0)->memory), "menu");

enum typical {
	TYPICAL_BELOW, /* drops the largest; gives up at once when all are above the prediction */
	TYPICAL_ANY, /* without that */
	TYPICAL_BOTH_MAX, /* drops outliers at both ends; the maximum as a last resort */
	TYPICAL_BOTH, /* without that resort */
};

struct rules {
	enum typical typical;
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
	menu->position = (menu->position + 1) % INTERVALS;
}

static uint32_t bucket_of(int64_t ns, uint32_t iowait)
{
	uint32_t bucket = iowait ? BUCKETS / 2 : 0;

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
static void update(struct governor_cpu *cpu, struct menu *menu)
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
}

struct spread {
	uint32_t count, min, max, average;
	uint64_t variance;
};

static struct spread spread_of(const uint32_t *value, int64_t above, int64_t below)
{
	struct spread s = { .min = UINT32_MAX };
	uint64_t sum = 0, squares = 0;

	for (int i = 0; i < INTERVALS; i++) {
		if (value[i] <= above || value[i] >= below)
			continue;
		s.count++;
		sum += value[i];
		squares += (uint64_t)value[i] * value[i];
		if (value[i] > s.max)
			s.max = value[i];
		if (value[i] < s.min)
			s.min = value[i];
	}
	if (!s.count)
		return s;
	s.average = (uint32_t)(sum / s.count);
	s.variance = squares / s.count - (uint64_t)s.average * s.average;
	return s;
}

/* The versions up to 6.14 sum the squares of the differences. */
static uint64_t mean_square_difference(const uint32_t *value, int64_t below, const struct spread *s)
{
	uint64_t sum = 0;

	for (int i = 0; i < INTERVALS; i++) {
		int64_t difference = (int64_t)value[i] - s->average;

		if (value[i] < below)
			sum += (uint64_t)(difference * difference);
	}
	return sum / s->count;
}

/* Close enough together, or together at all and enough of them. */
static bool is_typical(const struct spread *s)
{
	return s->variance <= UINT64_MAX / 36 &&
	       (((uint64_t)s->average * s->average > 36 * s->variance &&
		 4 * s->count >= 3 * INTERVALS) ||
		s->variance <= 400);
}

GOVERNOR_INLINE uint32_t typical_us(const struct menu *menu, enum typical how,
				    uint32_t predicted_us)
{
	bool both = how == TYPICAL_BOTH || how == TYPICAL_BOTH_MAX;
	int64_t above = -1, below = both ? (int64_t)UINT32_MAX : (int64_t)INT32_MAX + 1;

	for (;;) {
		struct spread s = spread_of(menu->interval_us, above, below);

		if (how == TYPICAL_BELOW ? s.min >= predicted_us : !s.max)
			return NONE;
		if (!both)
			s.variance = mean_square_difference(menu->interval_us, below, &s);
		if (is_typical(&s))
			return s.average;
		if (4 * s.count <= 3 * INTERVALS)
			return how == TYPICAL_BOTH_MAX && s.count >= INTERVALS / 2 ? s.max : NONE;
		if (both && s.average - s.min > s.max - s.average)
			above = s.min;
		else
			below = s.max;
	}
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

static void ask(struct menu *menu, const struct governor_input *in, uint32_t iowait,
		struct prediction *p)
{
	bool over = in->sleep_ns < 0;

	p->asked = true;
	p->event_ns = over ? 0 : in->event_ns;
	menu->next_timer_ns = over ? 0 : in->sleep_ns;
	menu->bucket = bucket_of(menu->next_timer_ns, iowait);
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
					  const struct rules *rules)
{
	struct prediction p = { .event_ns = tick_ns / 2 };

	p.ns = (uint64_t)typical_us(menu, rules->typical, 0) * 1000;
	if (p.ns > SHORT_NS || (rules->asks_when_stopped && in->tick_stopped)) {
		uint64_t by_timer;

		ask(menu, in, iowait, &p);
		by_timer = (uint64_t)timer_us(menu) * 1000;
		if (by_timer < p.ns)
			p.ns = by_timer;
		if (rules->asks_when_stopped && in->tick_stopped && p.ns < (uint64_t)tick_ns)
			p.ns = (uint64_t)menu->next_timer_ns;
	} else {
		menu->next_timer_ns = INT64_MAX;
		menu->bucket = bucket_of(INT64_MAX, iowait);
	}
	return p;
}

/* The scan from shallow to deep; true when it ends the select with the tick stopped. */
GOVERNOR_INLINE bool scan(const struct governor_table *table, const struct menu *menu,
			  const struct governor_input *in, int64_t limit_ns, struct prediction *p,
			  const struct rules *rules, int *choice)
{
	int c = walk_first(table, in->disabled);

	for (int i = c < 0 ? table->states : c; i < table->states; i++) {
		int64_t residency = table->residency_ns[i], latency = table->latency_ns[i];

		if (walk_has(in->disabled, i))
			continue;
		if (rules->limit_first && latency > limit_ns)
			break;
		if ((uint64_t)residency > p->ns) {
			if (walk_has(table->polling, c) && residency <= menu->next_timer_ns &&
			    latency <= limit_ns &&
			    (!rules->poll_by_exit || (uint64_t)latency <= p->ns) &&
			    (!rules->poll_by_residency || residency < SHORT_NS)) {
				p->ns = (uint64_t)residency;
				c = i;
				break;
			}
			if (p->ns < (uint64_t)table->tick_ns)
				break;
			if (!in->tick_stopped) {
				p->ns = (uint64_t)table->residency_ns[c];
				break;
			}
			if (table->residency_ns[c] < table->tick_ns && residency <= p->event_ns)
				c = i;
			*choice = c;
			return true;
		}
		if (latency > limit_ns)
			break;
		c = i;
	}
	*choice = c < 0 ? 0 : c;
	return false;
}

GOVERNOR_INLINE void learn(struct governor_cpu *cpu, struct menu *menu, const struct rules *rules)
{
	if (menu->needs_update) {
		update(cpu, menu);
		menu->needs_update = false;
	} else if (rules->unknown && !cpu->last_residency_ns) {
		push(menu, NONE);
	}
}

GOVERNOR_INLINE struct governor_choice select_by(struct governor_cpu *cpu,
						 const struct governor_input *in,
						 const struct rules *rules)
{
	struct menu *menu = (struct menu *)cpu->memory;
	const struct governor_table *table = cpu->table;
	uint32_t iowait = rules->iowait ? in->iowait : 0, us;
	int64_t limit_ns = in->latency_ns;
	struct prediction p = { 0 };
	int choice;

	learn(cpu, menu, rules);
	if (rules->asks_always)
		ask(menu, in, iowait, &p);
	else
		p = predict(menu, in, iowait, table->tick_ns, rules);
	if (only_first(table, menu, in))
		return (struct governor_choice){ 0, !walk_has(table->polling, 0), p.asked };
	if (rules->asks_always) {
		us = timer_us(menu);
		p.ns = typical_us(menu, rules->typical, us);
		p.ns = (p.ns < us ? p.ns : us) * 1000;
	}
	if (in->tick_stopped) {
		if (!rules->keeps_prediction && p.ns < (uint64_t)table->tick_ns)
			p.ns = (uint64_t)menu->next_timer_ns;
	} else if (rules->cuts_limit && p.ns / (1 + 10ull * iowait) < (uint64_t)limit_ns) {
		limit_ns = (int64_t)(p.ns / (1 + 10ull * iowait));
	}
	if (scan(table, menu, in, limit_ns, &p, rules, &choice))
		return (struct governor_choice){ choice, true, p.asked };
	if ((walk_has(table->polling, choice) || p.ns < (uint64_t)table->tick_ns) &&
	    !in->tick_stopped) {
		if (choice > 0 && table->residency_ns[choice] > p.event_ns)
			choice = walk_shallower(table, choice, p.event_ns, in->disabled);
		return (struct governor_choice){ choice, false, p.asked };
	}
	return (struct governor_choice){ choice, true, p.asked };
}

static void menu_enable(struct governor_cpu *cpu)
{
	struct menu *menu = (struct menu *)cpu->memory;

	for (int i = 0; i < BUCKETS; i++)
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
	static struct governor_choice select_##id(struct governor_cpu *cpu,                        \
						  const struct governor_input *in)                 \
	{                                                                                          \
		static const struct rules rules = { __VA_ARGS__ };                                 \
		return select_by(cpu, in, &rules);                                                 \
	}                                                                                          \
	const struct governor governor_menu_##id = {                                               \
		.name = "menu-" text,                                                              \
		.family = "menu",                                                                  \
		.since = release,                                                                  \
		.about = line,                                                                     \
		.enable = menu_enable,                                                             \
		.select = select_##id,                                                             \
		.reflect = menu_reflect,                                                           \
	};

MENU(6_1, "6.1", "5.0", "Timer times correction factor, or the typical interval; always asks",
     .typical = TYPICAL_BELOW, .asks_always = true, .iowait = true, .cuts_limit = true)
MENU(6_6, "6.6", "6.6", "Does not ask for the sleep length when it predicts a short one",
     .typical = TYPICAL_ANY, .iowait = true, .cuts_limit = true)
MENU(6_13, "6.13", "6.13", "Without iowait", .typical = TYPICAL_ANY, .cuts_limit = true)
MENU(6_15, "6.15", "6.15", "Drops outliers at both ends; the maximum as a last resort",
     .typical = TYPICAL_BOTH_MAX, .cuts_limit = true)
MENU(6_17, "6.17", "6.17", "A rejected state is an unknown interval; the limit is kept",
     .typical = TYPICAL_BOTH_MAX, .unknown = true, .limit_first = true)
MENU(6_18, "6.18", "6.18", "No maximum; no polling where the exit takes longer than predicted",
     .typical = TYPICAL_BOTH, .unknown = true, .limit_first = true, .poll_by_exit = true)
MENU(6_19, "6.19", "6.19", "Polls instead of states below 15 us only", .typical = TYPICAL_BOTH,
     .unknown = true, .limit_first = true, .poll_by_exit = true, .poll_by_residency = true)
MENU(7_0, "7.0", "7.0", "Always asks while the tick is stopped", .typical = TYPICAL_BOTH,
     .unknown = true, .limit_first = true, .poll_by_exit = true, .poll_by_residency = true,
     .asks_when_stopped = true, .keeps_prediction = true)
