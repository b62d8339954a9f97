/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One run while it lasts: the simulation, its result, and all memory of both. */
#ifndef MODEL_RUN_H
#define MODEL_RUN_H

#include "model/sim.h"

#define RUN_MEMORIES 16

struct run {
	struct sim sim;
	struct model_result *result;
	struct hist all; /* of all roles */
	struct model_cpu_count *base; /* at the window's start */
	double base_uj[MODEL_PACKAGES_MAX];
	struct model_series *series;
	uint64_t events_max;
	uint64_t stretch;
	int64_t sampled_ns; /* time of the last sample, simulated */
	void *memory[RUN_MEMORIES];
	int memories;
};

/*
 * Everything that a run needs, and the machine at time 0 with all CPUs idle. -ENOMEM, or a usage
 * error; run_free() is needed in any case.
 */
int run_prepare(struct run *run, const struct model_setup *setup);

/* All but the result. */
void run_free(struct run *run);

#endif
