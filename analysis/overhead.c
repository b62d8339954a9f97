/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CPUs of several tables (big and little ones) share one figure: all their latencies over all their
 * windows. */
#include "analysis/overhead.h"
#include <math.h>

double overhead_pct(const struct idle_sum *sum, const struct idle_state *state)
{
	if (!sum->readings || !(sum->window_ns > 0))
		return NAN;
	return sum->usage * state->latency_us * 1000 / sum->window_ns * 100;
}

double overhead_total_pct(const struct result *result, const struct idle_sum *sums)
{
	double lost_us = 0, window_ns = 0;

	for (size_t t = 0; t < result->tables; t++) {
		const struct state_table *table = &result->table[t];

		if (!table->states || !sums[table->first].readings)
			continue;
		window_ns += sums[table->first].window_ns;
		for (size_t s = 0; s < table->states; s++)
			lost_us += sums[table->first + s].usage * table->state[s].latency_us;
	}
	return window_ns > 0 ? lost_us * 1000 / window_ns * 100 : NAN;
}
