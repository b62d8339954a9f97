/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the idle counters say: shares and rates from sums of readings. */
#ifndef ANALYSIS_IDLE_H
#define ANALYSIS_IDLE_H

#include "analysis/load.h"

enum idle_quantity {
	IDLE_RESIDENCY, /* percent of the CPUs' windows; requested, not achieved (P-28) */
	IDLE_ENTRIES, /* per second, sum over the CPUs */
	IDLE_TOO_DEEP, /* above, percent of this state's own usage (P-21, P-23) */
	IDLE_TOO_SHALLOW, /* below, likewise */
	IDLE_QUANTITIES
};

/* NAN when there is nothing to divide by, or a reading is not available. */
double idle_quantity(const struct idle_sum *sum, enum idle_quantity quantity);

/*
 * Percent of the windows of a table's CPUs spent in none of its states ("not idle": running, or in
 * the kernel's own polling). Not clamped: a little below 0 is what P-16 describes. NAN when not
 * available.
 */
double idle_not_idle(const struct idle_sum *sums, const struct state_table *table);

/* Adds the counts of @from to @to; per_s is not a sum over runs and becomes entries over time. */
void idle_pool(struct idle_sum *to, const struct idle_sum *from);

#endif
