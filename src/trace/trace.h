/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a trace of idle periods holds; docs/trace-format.md has its bytes. Times are CLOCK_MONOTONIC
 * ns of the machine that was traced. What is not known has a flag or is empty, never 0.
 */
#ifndef TRACE_TRACE_H
#define TRACE_TRACE_H

#include "lib/cpulist.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TRACE_FORMAT 1
#define TRACE_STATES_MAX 10 /* CPUIDLE_STATE_MAX of the kernel */
#define TRACE_STATE_OTHER 15 /* a number that no table has */
#define TRACE_NAME_MAX 16 /* of states and tasks, with the NUL */

/* What ended a period. The names are in trace_cause_name[]. */
enum trace_cause {
	TRACE_UNKNOWN, /* interrupts were not recorded, or events were lost */
	TRACE_NO_INTERRUPT, /* the CPU was asked by a store: it polled, or watched the line */
	TRACE_TICK,
	TRACE_HRTIMER,
	TRACE_WHEEL, /* a timer of the timer wheel, at a tick */
	TRACE_TIMER, /* the local timer, and nothing tells which */
	TRACE_RESCHEDULE, /* an IPI */
	TRACE_CALL, /* an IPI: function call or irq work */
	TRACE_DEVICE, /* a device's interrupt */
	TRACE_CAUSES
};
extern const char *const trace_cause_name[TRACE_CAUSES];

enum trace_miss { TRACE_FIT, TRACE_ABOVE, TRACE_BELOW }; /* as power:cpu_idle_miss said */
extern const char *const trace_miss_name[3]; /* "", "above", "below" */

struct trace_period {
	uint64_t entry_ns, exit_ns; /* exit >= entry */
	uint64_t next_ns; /* programmed timer event that was next at entry; with next_known */
	uint8_t state; /* as requested: 0 to TRACE_STATES_MAX - 1, or TRACE_STATE_OTHER */
	uint8_t cause, miss;
	bool tick_stopped, next_known, next_is_tick;
	bool after_loss; /* events are lost between the period before and this one */
};

/* Events that are counted only; per CPU and since the block before. */
enum trace_count {
	TRACE_LOST, /* events */
	TRACE_TICK_STOPS,
	TRACE_TICK_REFUSALS, /* of stops */
	TRACE_HRTIMER_STARTS,
	TRACE_TIMER_STARTS,
	TRACE_NO_ENTRY, /* exits without entry */
	TRACE_NO_EXIT, /* entries without exit */
	TRACE_BACKWARDS, /* periods whose exit is before their entry: left out */
	TRACE_COUNTS
};

/* A task that was woken and began to run. */
struct trace_wake {
	uint64_t t_ns, latency_ns; /* woken at, and so long until it ran */
	uint32_t pid;
	uint16_t cpu; /* where it ran */
	char name[TRACE_NAME_MAX];
};

/* What was recorded beside entries and exits. */
enum trace_kind {
	TRACE_HAS_MISSES = 1,
	TRACE_HAS_TIMERS = 2, /* next timer, tick stopped, tick or timer as cause */
	TRACE_HAS_IRQS = 4, /* causes */
	TRACE_HAS_SCHED = 8, /* wakes */
};

struct trace_state {
	char name[TRACE_NAME_MAX];
	int64_t latency_us, residency_us; /* -1 = not known */
	bool disabled;
};

/* CPUs with one state table. */
struct trace_table {
	struct cpulist cpus;
	struct trace_state state[TRACE_STATES_MAX]; /* by state number; empty name = none */
	int states;
};

struct trace_package {
	struct cpulist cpus;
};

/* The head of a trace. */
struct trace_info {
	char *kernel, *machine, *governor; /* NULL = not known */
	uint32_t hz; /* ticks a second; 0 = not known */
	unsigned int kinds; /* of enum trace_kind */
	uint64_t t0_ns; /* when recording began */
	struct cpulist cpus; /* recorded; blocks give positions in it */
	struct cpulist workload; /* the workload's; empty = not known */
	struct trace_table *table;
	size_t tables;
	struct trace_package *package;
	size_t packages;
};

void trace_info_free(struct trace_info *info);

/* The table of a CPU; NULL = none. */
const struct trace_table *trace_table_of(const struct trace_info *info, int cpu);

#define TRACE_EDGE_COUNTERS 5 /* usage time_us above below rejected, as sysfs has them */

/* The counters of a CPU's states at both ends, read on that CPU. */
struct trace_edge {
	uint64_t t_ns[2]; /* when reading began; the CPU was awake */
	int states;
	struct {
		bool known;
		uint64_t value[2];
	} counter[TRACE_STATES_MAX][TRACE_EDGE_COUNTERS];
	bool ticks_known;
	uint64_t idle_calls,
		idle_sleeps; /* growth of /proc/timer_list's, read just outside of t_ns */
};

#endif
