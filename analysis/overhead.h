/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What leaving idle states costs: entries times the state's exit latency. The latency is the
 * kernel's table value, a worst case, so this is what the governor risked and not what was lost.
 */
#ifndef ANALYSIS_OVERHEAD_H
#define ANALYSIS_OVERHEAD_H

#include "analysis/load.h"

/* usage x exit latency / wall time of the CPUs, in percent. NAN when one of them is not available.
 */
double overhead_pct(const struct idle_sum *sum, const struct idle_state *state);

/* The same over the states of all tables that have readings in @sums[states]; NAN when there are
 * none or one is not available. */
double overhead_total_pct(const struct result *result, const struct idle_sum *sums);

#endif
