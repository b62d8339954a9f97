/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The thread that reads runs on the CPU, which is not idle meanwhile unless the thread has to wait:
 * hence both times.
 */
#include "run/record_edges.h"
#include "lib/error.h"
#include "lib/log.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void take_edge(const struct cpuidle_cpu *cpu, const struct window_edge *from,
		      struct trace_edge *to)
{
	const struct cpuidle_reading *reading[2] = { &from->first, &from->last };

	if (from->err) {
		log_warn("cpu%d: its counters could not be read at both ends: %s%s", cpu->cpu,
			 strerror(-from->err),
			 from->err == -ENODEV ? " (the governor was switched)" : "");
		return;
	}
	for (int end = 0; end < 2; end++) {
		to->t_ns[end] = reading[end]->t_before_ns;
		to->done_ns[end] = reading[end]->t_after_ns;
		for (int p = 0; p < cpu->states; p++) {
			int s = cpu->state[p].index;

			if (s < 0 || s >= TRACE_STATES_MAX)
				continue;
			to->states = s >= to->states ? s + 1 : to->states;
			for (int c = 0; c < TRACE_EDGE_COUNTERS; c++) {
				to->counter[s][c].known = reading[0]->counter[p][c].known &&
							  reading[1]->counter[p][c].known;
				to->counter[s][c].value[end] = reading[end]->counter[p][c].value;
			}
		}
	}
}

static void take_ticks(const struct window_ticks *ticks, size_t i, struct trace_edge *to)
{
	if (!ticks || !ticks->count0[i].known || !ticks->count1[i].known)
		return;
	to->ticks_known = true;
	to->idle_calls = ticks->count1[i].calls - ticks->count0[i].calls;
	to->idle_sleeps = ticks->count1[i].sleeps - ticks->count0[i].sleeps;
}

int record_edges(const struct cpuidle *idle, const struct window *window, struct trace_edge **ret)
{
	struct trace_edge *edge = calloc(idle->n + 1, sizeof(*edge));

	if (!edge)
		return error_no_memory();
	for (size_t i = 0; i < idle->n; i++) {
		take_edge(&idle->cpu[i], &window_edges(window)[i], &edge[i]);
		take_ticks(window_ticks(window), i, &edge[i]);
	}
	*ret = edge;
	return 0;
}
