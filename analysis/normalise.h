/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recorded idle periods into gaps. Periods are products of the governor that was recorded: a tick
 * cuts them only because it kept the tick, and their ends have its exit latencies in them. Segments
 * between which no task ran are one gap, which ends when its cause came.
 */
#ifndef ANALYSIS_NORMALISE_H
#define ANALYSIS_NORMALISE_H

#include "analysis/gaps.h"
#include "analysis/machine.h"
#include "analysis/periods.h"

#define NORMALISE_NEAR_NS 50000 /* so close behind an interrupt nobody has run */

/* What is known of a CPU's periods beside what the trace says. */
struct normal_cpu {
	struct gaps gaps;
	size_t *gap_of; /* by period: the gap that it is a part of */
	int32_t *utilisation; /* by period: at its entry, 0 to 1024 */
};

/* How the gaps came to be; sums over all CPUs. */
struct normal_counts {
	size_t periods, gaps;
	size_t cause[GAP_CAUSES];
	size_t merged_ticks, merged_polls, merged_others;
	size_t timer_known, timer_guessed, timer_unknown; /* of gaps, at their start */
	size_t cut; /* gaps of more than GAP_MAX_NS, which lose what is above it at their begin */
	size_t answers; /* wakes by a CPU without idle events: they move with the woken CPU */
};

struct normal {
	struct normal_cpu *cpu; /* by position */
	size_t n;
	struct normal_counts counts;
};

/*
 * @recorded: of each CPU the states that it had when recorded, for their exit latencies. -ENOMEM.
 */
int normalise(const struct periods *periods, const struct machine *const *recorded,
	      struct normal *ret);
void normal_free(struct normal *normal);

/* When what woke the CPU came: the period less its exit latency. */
int64_t normalise_cause_ns(const struct machine *recorded, const struct trace_period *period);

/* Is the next timer, as if the tick were stopped, in the trace? *@ret_ns: when it is due;
 * *@ret_is_wheel: by the tick's device. */
bool normalise_timer(const struct trace_period *period, int64_t *ret_ns, bool *ret_is_wheel);

/* Did polling end by its time limit? @own_ns: the governor's own, 0 = the core's. */
bool normalise_is_poll_limit(const struct machine *recorded, const struct trace_period *period,
			     uint64_t own_ns);

#endif
