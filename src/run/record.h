/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records every idle period of this machine into a file. One thread, the caller's, takes what the
 * kernel's rings hold when one of them is half full; in between it sleeps.
 */
#ifndef RUN_RECORD_H
#define RUN_RECORD_H

#include "hw/cpuidle.h"
#include "hw/topology.h"
#include "lib/root.h"
#include "trace/trace.h"

struct record_order {
	const struct root *root;
	const struct topology *topology;
	struct cpuidle *idle; /* the CPUs to record */
	const struct cpulist *workload; /* stored in the head; empty = not known */
	unsigned int kinds; /* of enum trace_kind: what is asked for */
	const char *path; /* the trace */
	const char *formats; /* NULL = tracefs; else copies of it (hw/tracefs.h) */
};

/* When nothing else is asked for. */
#define RECORD_DEFAULT_KINDS (TRACE_HAS_MISSES | TRACE_HAS_TIMERS | TRACE_HAS_IRQS)

struct record;

struct record_result {
	uint64_t periods, lost, bytes;
	struct cpulist deaf; /* CPUs that were idle and gave no idle event (trace/edge.h) */
};

/*
 * Finds the events, opens the rings (as root) and makes the file (as the user); nothing is recorded
 * yet. -errno with the reason.
 */
int record_open(const struct record_order *order, struct record **ret);
int record_start(struct record *record);

/* The calling thread to that CPU, before any other there: a reader that starves loses events. */
void record_bind(const struct topology *topology, int cpu);

/* Takes what comes until a descriptor is readable or the time is over. */
int record_until(struct record *record, const int *fd, size_t n, uint64_t until_ns);

/* Stops; takes the rest; ends the file with @edge, one a CPU (NULL = none). Frees in any case. On
 * success the caller frees @ret's list. */
int record_finish(struct record *record, const struct trace_edge *edge, struct record_result *ret);

/* Ends without the file's end. NULL is fine. */
void record_abandon(struct record *record);

#endif
