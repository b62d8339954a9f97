/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One measurement window. At t0 and t1 every measured CPU's idle counters are read by a thread on
 * that very CPU: its wake-up ends a sleep that would otherwise be counted in the wrong window
 * (P-16). In between only passive sampling from the housekeeping CPU: plain reads of sysfs, no IPI,
 * no wake.
 */
#ifndef RUN_WINDOW_H
#define RUN_WINDOW_H

#include "hw/cpuidle.h"
#include "hw/topology.h"

struct window_edge {
	struct cpuidle_reading first, last;
	int err; /* of either read or of the binding */
};

/* Sums over a set of CPUs at one time, for each distinct state name. */
struct window_sum {
	uint64_t usage, time_us;
};
enum window_set { WINDOW_WORKLOAD, WINDOW_ALL, WINDOW_SETS };

#define WINDOW_NAMES_MAX 32

struct window_sample {
	uint64_t t_ns;
	struct window_sum sum[WINDOW_SETS][WINDOW_NAMES_MAX];
};

struct window_order {
	struct cpuidle *idle; /* the measured CPUs */
	const struct topology *topology;
	const struct cpulist *workload; /* the workload's CPUs */
	int housekeeping;
	uint64_t t0_ns, t1_ns; /* t1 0 = until window_finish() */
	uint64_t interval_ns;
};

struct window;

/* Starts the threads; they sleep until t0. Call it well before t0. */
int window_start(const struct window_order *order, struct window **ret);

/* Ends an open window now, or cuts one short; then (or when t1 was reached) joins all threads. */
void window_finish(struct window *window, bool now);

/* Valid after window_finish(). */
const struct window_edge *window_edges(const struct window *window); /* by position in idle->cpu */
const struct window_sample *window_samples(const struct window *window, size_t *ret_n);
const char *window_state_name(const struct window *window, size_t i); /* NULL behind the last */

void window_free(struct window *window);

#endif
