/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The idle trace of one run ("trace = yes" in a suite): recorded from before t0 until after t1 by a
 * thread on the housekeeping CPU, stored in the run's folder.
 */
#ifndef RUN_RUN_TRACE_H
#define RUN_RUN_TRACE_H

#include "hw/topology.h"
#include "run/record.h"
#include "run/window.h"

struct run_trace;

struct run_trace_order {
	const struct root *root;
	const struct topology *topology;
	struct cpuidle *idle;
	const struct cpulist *workload;
	int housekeeping;
	const char *dir; /* the run's folder */
};

int run_trace_start(const struct run_trace_order *order, struct run_trace **ret);

/* After window_finish(). On success the caller frees @ret's list. Frees in any case. */
int run_trace_finish(struct run_trace *trace, const struct window *window,
		     struct record_result *ret);

void run_trace_abandon(struct run_trace *trace); /* NULL is fine */

#endif
