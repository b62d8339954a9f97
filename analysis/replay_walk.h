/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A modelled CPU under one governor, gap by gap: what the governor brings about (tick wakes, exit
 * latencies, selecting again) is simulated anew. docs/governors.md has the world's rules.
 */
#ifndef ANALYSIS_REPLAY_WALK_H
#define ANALYSIS_REPLAY_WALK_H

#include "analysis/gaps.h"
#include "analysis/machine.h"
#include "governors/label.h"

/* From one decision to the next. */
struct walk_period {
	struct governor_input in;
	struct governor_choice choice;
	struct governor_outcome out;
	int64_t tick_at, timer_at; /* the next tick if it runs, the next timer that wakes nobody */
	bool timer_is_wheel; /* it comes by the tick's device */
	int64_t end_ns; /* of the period, the exit in it */
	bool keeps_tick; /* a timer of the wheel within the tick: a stop is ignored */
	bool stopped; /* the tick, during the period */
	bool early; /* no polling, and ended by something else than the gap's end */
	int oracle_state;
	enum governor_label label;
};

struct walk_sums {
	uint64_t gaps, decisions, entered;
	uint64_t usage[GOVERNOR_STATES_MAX];
	uint64_t above, below; /* too deep, too shallow by the core's rule */
	uint64_t as_oracle; /* decisions for the label oracle's state */
	uint64_t asked; /* decisions that asked for the sleep length */
	uint64_t tick_wakes;
	double latency_ns; /* from the wake causes to the ends of the exits */
	double energy_uj; /* only of a machine with powers */
};

void walk_sums_add(struct walk_sums *sum, const struct walk_sums *more);

struct walker {
	const struct machine *machine;
	const struct gaps *gaps;
	const struct governor *governor, *oracle;
	struct governor_cpu cpu, oracle_cpu;
	int64_t poll_limit_ns; /* by the core's rule */
	struct walk_sums sums;
	size_t gap; /* its number */

	/* Sees each select before it happens (the governor as it was), and each period behind it.
	 * Either may be NULL. */
	void (*before)(void *context, const struct walker *walker,
		       const struct walk_period *period);
	void (*behind)(void *context, const struct walker *walker,
		       const struct walk_period *period);
	void *context;
};

/* On a CPU that starts fresh; the observers are set afterwards. */
void walk_begin(struct walker *walker, const struct machine *machine, const struct gaps *gaps,
		const struct governor *governor);

/*
 * The @i-th gap, moved: it starts at @start_ns and ends at @end_ns; timers and interrupts inside
 * move by @shift_ns. *@ret_awake_ns: when the exit behind it has ended. -EINVAL when the governor
 * names a state that there is not.
 */
int walk_gap(struct walker *walker, size_t i, int64_t start_ns, int64_t end_ns, int64_t shift_ns,
	     int64_t *ret_awake_ns);

/* All of them where they are. */
int walk_all(struct walker *walker);

/* When the tick after @now_ns is due. */
int64_t walk_next_tick(const struct gaps *gaps, int64_t tick_ns, int64_t now_ns);

#endif
