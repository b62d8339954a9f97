/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A trace in memory, CPU by CPU: for what looks back and forth in it, which the analysis by blocks
 * (trace.h) does not. 64 bytes a period.
 */
#ifndef ANALYSIS_PERIODS_H
#define ANALYSIS_PERIODS_H

#include "trace/read.h"

/* A task that was woken. */
struct periods_run {
	uint64_t woken_ns, run_ns; /* began to run */
	int waker; /* CPU; -1 = not known */
};

struct periods_cpu {
	int cpu; /* its number */
	const struct trace_table *table; /* NULL = not known */
	struct trace_period *period;
	size_t n, room;
	struct periods_run *run; /* those that ran here, by run_ns */
	size_t runs, runs_room;
	uint64_t count[TRACE_COUNTS];
	int64_t lead_ns; /* from the kernel's look at the clock to an entry, about: the shortest
			    time between an exit and the next entry */
};

struct periods {
	struct trace_reader *reader;
	const struct trace_info *info;
	struct periods_cpu *cpu; /* by position in the head's cpus */
	size_t n;
	uint64_t damages;
	bool whole; /* the trace has its end */
	bool left_out; /* of trace text lines are left out */
	int64_t traced_ns; /* what the tracepoints add to a period; 0 where no counters tell */
};

/* Is it a trace, or trace text? False also when it cannot be read. */
bool periods_detect(const char *path);

/* @path: a trace, or trace text. -errno with a text; -EBADMSG for times above 10^18 ns, 31 years.
 */
int periods_load(const char *path, struct periods *ret);
void periods_free(struct periods *periods);

/* Position of a CPU; -1 = it is not in the trace. */
int periods_position(const struct periods *periods, int cpu);

/* Of all CPUs. */
uint64_t periods_total(const struct periods *periods, enum trace_count what);

#endif
