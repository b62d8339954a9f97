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

#define TRACE_FORMAT 3 /* which is written; 1 and 2 are read, too */
#define TRACE_STATES_MAX 10 /* CPUIDLE_STATE_MAX of the kernel */
#define TRACE_CPUS_MAX 8192 /* of a trace, as NR_CPUS; a head with more is damage */
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
	TRACE_OTHER, /* another vector: thermal, machine check, error, spurious, a hypervisor's */
	TRACE_CAUSES
};
extern const char *const trace_cause_name[TRACE_CAUSES];

enum trace_miss { TRACE_FIT, TRACE_ABOVE, TRACE_BELOW }; /* as power:cpu_idle_miss said */
extern const char *const trace_miss_name[3]; /* "", "above", "below" */

struct trace_period {
	uint64_t entry_ns, exit_ns; /* exit >= entry */
	uint64_t next_ns; /* clock event that was next at entry, tick or hrtimer; with next_known */
	uint64_t timer_ns; /* timer that was next, hrtimer or of the wheel; with timer_known */
	uint8_t state; /* as requested: 0 to TRACE_STATES_MAX - 1, or TRACE_STATE_OTHER */
	uint8_t cause, miss;
	bool tick_stopped, next_known, next_is_tick, timer_known, timer_is_wheel;
	bool was_stopped; /* the tick, before the governor decided; then tick_stopped is set, too */
	bool ran; /* a task, since the period before; only with TRACE_HAS_SCHED */
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
	int32_t waker; /* the CPU that woke it; -1 = not known */
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

/* CPUs that can sleep deeper together. */
struct trace_package {
	struct cpulist cpus;
	bool cluster; /* of cores within a package, which shares a cache and sleeps as one */
};

/* The head of a trace. */
struct trace_info {
	uint32_t format; /* of a trace that is read */
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

/* As sysfs has them. */
enum trace_edge_counter {
	TRACE_EDGE_USAGE,
	TRACE_EDGE_TIME_US,
	TRACE_EDGE_ABOVE,
	TRACE_EDGE_BELOW,
	TRACE_EDGE_REJECTED,
	TRACE_EDGE_COUNTERS
};

/* The counters of a CPU's states at both ends, read on that CPU. */
struct trace_edge {
	uint64_t t_ns[2]; /* when reading began; the CPU was awake */
	uint64_t done_ns[2]; /* when it ended: a reader that is kept waiting lets the CPU idle */
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
