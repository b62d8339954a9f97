/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rule by which the kernel counts above and below, for durations that the trace has to the ns.
 */
#include "analysis/trace.h"

static bool usable(const struct trace_table *table, int s)
{
	return table->state[s].name[0] && !table->state[s].disabled &&
	       table->state[s].residency_us >= 0;
}

/* The deepest enabled state from @from down to 0 that @ns would do for; the shallowest when none.
 */
static int deepest_for(const struct trace_table *table, int from, uint64_t ns)
{
	int shallowest = -1;

	for (int s = from; s >= 0; s--) {
		if (!usable(table, s))
			continue;
		if ((uint64_t)table->state[s].residency_us * 1000 <= ns)
			return s;
		shallowest = s;
	}
	return shallowest;
}

enum trace_miss trace_judge(const struct trace_table *table, unsigned int state, uint64_t ns,
			    int *ret_ideal)
{
	const struct trace_state *own;
	int deeper, ideal;
	uint64_t left;

	*ret_ideal = -1;
	if (!table || (int)state >= table->states || !table->state[state].name[0] ||
	    table->state[state].residency_us < 0 || table->state[state].latency_us < 0)
		return TRACE_FIT;
	own = &table->state[state];
	*ret_ideal = (int)state;
	if (ns < (uint64_t)own->residency_us * 1000) {
		ideal = deepest_for(table, (int)state - 1, ns);
		if (ideal < 0)
			return TRACE_FIT;
		*ret_ideal = ideal;
		return TRACE_ABOVE;
	}
	if (ns <= (uint64_t)own->latency_us * 1000)
		return TRACE_FIT;
	left = ns - (uint64_t)own->latency_us * 1000;
	for (deeper = (int)state + 1; deeper < table->states && !usable(table, deeper); deeper++)
		;
	if (deeper >= table->states || left < (uint64_t)table->state[deeper].residency_us * 1000)
		return TRACE_FIT;
	*ret_ideal = deepest_for(table, table->states - 1, left);
	return TRACE_BELOW;
}
