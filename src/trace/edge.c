/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sums over states; what is not known of a state adds nothing. */
#include "trace/edge.h"

#define USAGE 0 /* of the counters */

uint64_t edge_entries(const struct trace_edge *edge)
{
	uint64_t entries = 0;

	for (int s = 0; s < edge->states; s++)
		if (edge->counter[s][USAGE].known)
			entries +=
				edge->counter[s][USAGE].value[1] - edge->counter[s][USAGE].value[0];
	return entries;
}

bool edge_is_heard(uint64_t periods, const uint64_t count[TRACE_COUNTS])
{
	return periods || count[TRACE_LOST] || count[TRACE_NO_ENTRY] || count[TRACE_NO_EXIT] ||
	       count[TRACE_BACKWARDS];
}

bool edge_is_deaf(const struct trace_edge *edge, bool heard)
{
	return edge && !heard && edge_entries(edge);
}
