/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sums over states; what is not known of a state adds nothing. */
#include "trace/edge.h"

uint64_t edge_growth(const struct trace_edge *edge, int state, enum trace_edge_counter counter)
{
	const uint64_t *value = edge->counter[state][counter].value;

	return edge->counter[state][counter].known ? value[1] - value[0] : 0;
}

uint64_t edge_entries(const struct trace_edge *edge)
{
	uint64_t entries = 0;

	for (int s = 0; s < edge->states; s++)
		entries += edge_growth(edge, s, TRACE_EDGE_USAGE);
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
