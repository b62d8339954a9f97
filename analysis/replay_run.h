/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Open-loop replay of idle gaps: arrival times are fixed, what the modelled governor brings about
 * (tick wakes, exit latencies, selecting again) is simulated anew. docs/governors.md has the
 * world's rules.
 */
#ifndef ANALYSIS_REPLAY_RUN_H
#define ANALYSIS_REPLAY_RUN_H

#include "analysis/gaps.h"
#include "analysis/machine.h"
#include <stdio.h>

struct replay_sums {
	uint64_t decisions, entered;
	uint64_t usage[GOVERNOR_STATES_MAX];
	uint64_t above, below; /* too deep, too shallow by the core's rule */
	uint64_t as_oracle; /* decisions for the label oracle's state */
	uint64_t asked; /* decisions that asked for the sleep length */
	uint64_t tick_wakes;
	double latency_ns; /* from the wake causes to the ends of the exits */
	double energy_uj; /* only of a machine with powers */
};

/*
 * All gaps under @governor, on a CPU that starts fresh. @rows: a TSV row a decision goes there;
 * NULL = none. -EINVAL when the governor names a state that there is not.
 */
int replay_run(const struct machine *machine, const struct gaps *gaps,
	       const struct governor *governor, FILE *rows, struct replay_sums *ret);

/* The header of those rows. */
void replay_rows_header(FILE *rows);

#endif
