/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The core looks at the next enabled deeper state only, and at most one label goes with a period.
 */
#include "governors/label.h"
#include "governors/walk.h"

#define POLL_FLOOR_NS 10000 /* states below it do not limit polling */
#define POLL_TICK_SHARE 16

enum governor_label governor_label(const struct governor_table *table, uint32_t disabled,
				   int entered, int64_t residency_ns)
{
	int first = walk_first(table, disabled);

	if (residency_ns < table->residency_ns[entered])
		return first >= 0 && first < entered ? LABEL_ABOVE : LABEL_FITS;
	if (residency_ns <= table->latency_ns[entered])
		return LABEL_FITS;
	for (int i = entered + 1; i < table->states; i++) {
		if (walk_has(disabled, i))
			continue;
		return residency_ns - table->latency_ns[entered] >= table->residency_ns[i]
			       ? LABEL_BELOW
			       : LABEL_FITS;
	}
	return LABEL_FITS;
}

int64_t governor_poll_limit_ns(const struct governor_table *table, uint32_t disabled)
{
	int64_t limit = table->tick_ns / POLL_TICK_SHARE;

	for (int i = 1; i < table->states; i++) {
		if (walk_has(disabled, i) || table->residency_ns[i] < POLL_FLOOR_NS)
			continue;
		return table->residency_ns[i] < limit ? table->residency_ns[i] : limit;
	}
	return limit;
}
