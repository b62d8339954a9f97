/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A modelled run's tables (docs/result-format.md), as a measured run has them. */
#ifndef ANALYSIS_SIMULATE_WRITE_H
#define ANALYSIS_SIMULATE_WRITE_H

#include "analysis/machine.h"
#include "model/model.h"
#include <stdio.h>

/* One run on its way to the disk. */
struct simulate_write {
	const struct machine *machine;
	const char *dir; /* the run's folder; it is there */
	uint64_t t0_ns; /* of the window, on the model's clock */
	const bool *in_workload; /* [cpus] */
	FILE *samples, *series; /* open while it runs */
};

int simulate_write_begin(struct simulate_write *write);

/* For model_setup.sample. @arg: the struct. */
void simulate_write_sample(void *arg, const struct model_sample *sample);

/* Closes what is open; @result NULL: the run came to nothing. */
int simulate_write_end(struct simulate_write *write, const struct model_result *result);

#endif
