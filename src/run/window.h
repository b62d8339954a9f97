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
#include "hw/energy.h"
#include "hw/events.h"
#include "hw/ticks.h"
#include "hw/topology.h"
#include "run/samples.h"

struct window_edge {
	struct cpuidle_reading first, last;
	int err; /* of either read or of the binding */
};

struct window_order {
	struct cpuidle *idle; /* the measured CPUs */
	const struct topology *topology;
	const struct energy *energy; /* NULL = none */
	const struct events *events; /* NULL = none; open on the CPUs of idle, in their order */
	size_t event_count;
	struct ticks *ticks; /* NULL = none; open for the CPUs of idle, in their order */
	uint64_t ticks_lead_ns; /* they are read so long before t0, and behind t1 */
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
const struct samples *window_samples(const struct window *window);

/* One an energy zone, in the order of energy_zone(); NULL without energy. */
struct window_energy {
	struct energy_reading first, last;
};
const struct window_energy *window_energy(const struct window *window);

/* Tick stops; count[] by position in idle->cpu. NULL when they were not read at both ends. */
struct window_ticks {
	struct ticks_reading first, last;
	struct ticks_count *count0, *count1;
};
const struct window_ticks *window_ticks(const struct window *window);

/* The counts of event @e on the CPU at position @i, from edge to edge. */
struct event_reading window_event(const struct window *window, size_t i, size_t e);

void window_free(struct window *window);

#endif
