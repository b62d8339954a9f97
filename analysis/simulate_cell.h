/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One cell of a modelled campaign: from what the runner says of it to its published folder. */
#ifndef ANALYSIS_SIMULATE_CELL_H
#define ANALYSIS_SIMULATE_CELL_H

#include "analysis/simulate.h"
#include "model/model.h"
#include "store/run.h"

/* What all cells of one point of the plan share. */
struct simulate_point {
	bool known; /* it has cells to make */
	bool unmodelled; /* ... which the model cannot make; a warning has said why */
	struct store_run
		run; /* as the runner describes it; a cell's own fields are another cell's */
	struct model_workload workload;
};

struct simulate_cell {
	const char *name; /* of its folder, behind the number */
	const char *label, *cpufreq; /* cpufreq "" = no axis */
	size_t point;
	int number, repeat;
	const struct governor *governor;
	uint64_t seed;
	int64_t window_ns, warmup_ns; /* window 0: until its loops are done */
	int disable; /* N of stateN; -1 = none */
};

/* Simulates it and publishes @into/NUMBER.NAME. -errno with a text. */
int simulate_cell_make(const struct simulate_request *request, const struct machine *machine,
		       const struct simulate_point *point, const struct simulate_cell *cell);

#endif
