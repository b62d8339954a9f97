/* SPDX-License-Identifier: GPL-2.0-or-later */
/* waiters' own structures, shared by its running part and its report. */
#ifndef WORKLOADS_WAITERS_H
#define WORKLOADS_WAITERS_H

#include "workloads/cpu-hist.h"
#include "workloads/driver.h"
#include "workloads/schedule.h"

/* Rows of the parameter table. */
enum {
	WAITERS_THREADS,
	WAITERS_FREQUENCY,
	WAITERS_WORK,
	WAITERS_LOAD,
	WAITERS_MACHINE_LOAD,
	WAITERS_LOOPS,
	WAITERS_AFFINITY,
	WAITERS_PARAMS,
};
enum { WAITERS_FREE, WAITERS_PINNED }; /* choices of affinity */

#define WAITERS_MAX 8192

/* What one thread counted in the measured part; in shared memory, written by the thread. */
struct waiter {
	_Alignas(64) uint64_t planned; /* rounds due */
	uint64_t done; /* of these, ended in time */
	uint64_t missed; /* of those done, began late because the one before ended late */
};

struct waiters {
	double frequency_hz; /* of each thread */
	uint64_t units; /* of work per round */
	struct schedule schedule; /* of thread 0, but for t0_ns */
	struct cpu_hist late; /* one set: lateness of the wakes */
	struct waiter *waiter; /* by task */
};

extern const struct metric waiters_metrics[];

/* How long after thread 0 thread @index of @threads is due, in ns: its share of the period. */
uint64_t waiters_phase_ns(const struct schedule *schedule, int index, int threads);

/* Checks the counts, then reports. */
int waiters_finish(struct driver *driver);

#endif
