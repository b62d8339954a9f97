/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Idle states and their counters, from sysfs. libcpupower is not used here: one counter costs 19.5
 * us through it and 2.3 us by pread on a kept descriptor.
 *
 * Counters move only when a CPU leaves idle (P-16); descriptors die with ENODEV when a governor is
 * switched (P-19), so cpuidle_reopen() after every switch. A file that is missing is not available,
 * never 0 (P-26).
 */
#ifndef HW_CPUIDLE_H
#define HW_CPUIDLE_H

#include "lib/cpulist.h"
#include "lib/root.h"
#include <stdint.h>

#define CPUIDLE_NAME_MAX 16 /* CPUIDLE_NAME_LEN of the kernel, with the NUL */
#define CPUIDLE_DESC_MAX 32 /* CPUIDLE_DESC_LEN */
#define CPUIDLE_STATES_MAX 10 /* CPUIDLE_STATE_MAX */

/* Order of the counters in files and tables. */
enum cpuidle_counter {
	CPUIDLE_USAGE, /* entries */
	CPUIDLE_TIME_US,
	CPUIDLE_ABOVE, /* too deep: stay shorter than the target residency, and a shallower state
			  was enabled */
	CPUIDLE_BELOW, /* too shallow: a deeper enabled state's target residency would have fitted
			*/
	CPUIDLE_REJECTED, /* entry failed; not in usage */
	CPUIDLE_COUNTERS
};
extern const char *const cpuidle_counter_file[CPUIDLE_COUNTERS]; /* "usage", "time", ... */

struct cpuidle_value {
	uint64_t value;
	bool known; /* false = the file is missing */
};

struct cpuidle_state {
	int index; /* N of stateN */
	char name[CPUIDLE_NAME_MAX]; /* may hold blanks: "haltpoll idle" */
	char desc[CPUIDLE_DESC_MAX];
	struct cpuidle_value latency_us, residency_us;
	struct cpuidle_value disabled; /* 1 = by the user */
	char default_status[16]; /* "enabled", "disabled", "" = no such file */
	bool polling; /* by name: POLL, snooze (P-30) */
};

/* One CPU's counters; both stamps CLOCK_MONOTONIC ns, taken around the reads. */
struct cpuidle_reading {
	uint64_t t_before_ns, t_after_ns;
	struct cpuidle_value counter[CPUIDLE_STATES_MAX]
				    [CPUIDLE_COUNTERS]; /* by position, not by index */
};

#define CPUIDLE_FD_MISSING (-1) /* the kernel has no such file: the counter is NA */
#define CPUIDLE_FD_PER_READ (-2) /* the descriptor budget is spent: opened for each read */

struct cpuidle_cpu {
	int cpu;
	int states;
	struct cpuidle_state state[CPUIDLE_STATES_MAX];
	int fd[CPUIDLE_STATES_MAX][CPUIDLE_COUNTERS]; /* or one of the two below */
};

struct cpuidle {
	const struct root *root;
	struct cpuidle_cpu *cpu;
	size_t n;
};

/*
 * Reads the state tables of @cpus and keeps their counter files open as far as RLIMIT_NOFILE
 * allows. -ENODEV with a reason when the machine has no cpuidle at all, or a CPU of the list has
 * none (offline).
 */
int cpuidle_open(const struct root *root, const struct cpulist *cpus, struct cpuidle **ret);

/*
 * Opens the counter files again, after a switch. -EBADMSG with the first difference when a state
 * table differs from before; the disable bits are no part of that, they are taken as they are now.
 */
int cpuidle_reopen(struct cpuidle *cpuidle);

/* Reads all counters of the CPU at position @i. -ENODEV: the device was re-registered under us (a
 * switch). */
int cpuidle_read(struct cpuidle *cpuidle, size_t i, struct cpuidle_reading *ret);

void cpuidle_close(struct cpuidle *cpuidle);

/*
 * Invariants of a window (P-20, P-25): nothing decreases; above + below <= usage; above of the
 * first state and below of the last are 0; the sum of times exceeds the window by at most 0.1 %
 * plus one microsecond a state. 0, or -EBADMSG with the sentence that becomes a doubt ("cpu1: usage
 * of state 0 (POLL) went backwards: ...").
 */
int cpuidle_check_window(const struct cpuidle_cpu *cpu, const struct cpuidle_reading *first,
			 const struct cpuidle_reading *last);

/* FNV-1a over all state tables and disable bits: equal at start and end, or the run is void (P-24,
 * P-35). */
uint64_t cpuidle_table_hash(const struct cpuidle *cpuidle);

/* CPUs whose states have the same names, exit latencies and target residencies, in this order. */
struct cpuidle_group {
	struct cpulist cpus; /* ascending */
	const struct cpuidle_cpu *table; /* the first of them; lives as long as the cpuidle */
};

bool cpuidle_same_table(const struct cpuidle_cpu *a, const struct cpuidle_cpu *b);

/* All CPUs in groups, in the order of each one's first CPU (P-29). -ENOMEM. */
int cpuidle_groups(const struct cpuidle *cpuidle, struct cpuidle_group **ret, size_t *ret_n);
void cpuidle_groups_free(struct cpuidle_group *group, size_t n);

/*
 * States beyond polling that are not disabled, by "disable" and not by default_status: with fewer
 * than two of them governors cannot differ (P-34).
 */
int cpuidle_usable(const struct cpuidle_cpu *cpu);

#endif
