/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A CPU whose counters moved while no idle event of it came. Some kernels give none from the idle
 * task of a CPU, neither to perf nor to ftrace: its periods are not in the trace, and nothing that
 * is said of all CPUs holds.
 */
#ifndef TRACE_EDGE_H
#define TRACE_EDGE_H

#include "trace/trace.h"

/* Entries into all states between the readings; 0 also when they are not known. */
uint64_t edge_entries(const struct trace_edge *edge);

/* Of one counter of a state; 0 also when it is not known. */
uint64_t edge_growth(const struct trace_edge *edge, int state, enum trace_edge_counter counter);

/* Where a period ended: counters grow at the exit, and what ends while they are read may be in them
 * or not. */
enum edge_side { EDGE_OUTSIDE, EDGE_READING, EDGE_BETWEEN };

static inline enum edge_side edge_side(const struct trace_edge *edge, uint64_t exit_ns)
{
	if (exit_ns > edge->done_ns[0] && exit_ns <= edge->t_ns[1])
		return EDGE_BETWEEN;
	return exit_ns <= edge->t_ns[0] || exit_ns > edge->done_ns[1] ? EDGE_OUTSIDE : EDGE_READING;
}

/* Is something of the CPU in a trace with so many periods and counts? What is lost counts, too. */
bool edge_is_heard(uint64_t periods, const uint64_t count[TRACE_COUNTS]);

/* NULL for @edge: not known, so false. */
bool edge_is_deaf(const struct trace_edge *edge, bool heard);

#endif
