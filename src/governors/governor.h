/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's idle governors as pure functions over a state table and what a governor may see:
 * they choose, they learn, and they do nothing else. No allocation, no globals, one governor_cpu
 * per modelled CPU, so they are reentrant.
 *
 * The rules are written from the behaviour of each kernel version (docs/governors.md) and are bit
 * exact: the same input gives the same state, tick decision and question as that kernel's. Integer
 * widths and their wraps are part of it.
 */
#ifndef GOVERNORS_GOVERNOR_H
#define GOVERNORS_GOVERNOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define GOVERNOR_STATES_MAX 10 /* the kernel's CPUIDLE_STATE_MAX */
#define GOVERNOR_TIME_MAX_NS 1000000000000000000 /* of a table's times: sums and doubles fit */
#define GOVERNOR_NO_LIMIT_NS 2000000000000 /* latency limit when nobody asks for one */

/*
 * One group of CPUs with the same idle states, shallow first. Times are 0 to GOVERNOR_TIME_MAX_NS
 * and need not rise from state to state: real tables have states that break that.
 */
struct governor_table {
	int states; /* 1 to GOVERNOR_STATES_MAX */
	int64_t residency_ns[GOVERNOR_STATES_MAX]; /* target residency */
	int64_t latency_ns[GOVERNOR_STATES_MAX]; /* exit latency */
	uint32_t polling; /* bit i: state i polls */
	int64_t tick_ns; /* 10^9 / HZ, rounded; at least 1 */
	uint32_t capacity; /* of the CPU, 1 to 1024; only for teo 6.3 to 6.10 */
	double power_w[GOVERNOR_STATES_MAX]; /* of a core resting in the state; only for the energy
						oracle */
	double transition_uj[GOVERNOR_STATES_MAX]; /* of entering and leaving it; likewise */
};

/* What a governor may see when it chooses. */
struct governor_input {
	uint64_t now_ns; /* local clock */
	int64_t sleep_ns; /* to the next timer if the tick were stopped; negative: it is over */
	int64_t event_ns; /* to the next clock event, a running tick included */
	int64_t latency_ns; /* limit; GOVERNOR_NO_LIMIT_NS = none */
	uint32_t disabled; /* bit i: state i is disabled */
	uint32_t utilisation; /* 0 to 1024 */
	uint32_t iowait; /* tasks in iowait on this CPU */
	bool tick_stopped;
	int64_t truth_ns; /* to the wake's cause, ticks left out: only for the oracles */
};

struct governor_choice {
	int state;
	bool stop_tick; /* it may be stopped */
	bool asked; /* sleep_ns or event_ns was looked at */
};

/* How the idle period ended. */
struct governor_outcome {
	int entered; /* a state of the table; negative: not entered, a reschedule was pending */
	int64_t residency_ns; /* as the kernel measures it, exit latency included */
	uint64_t now_ns;
	bool tick_fired; /* during the period */
	bool poll_limit; /* a polling state ended by its time limit */
};

/* What lives in the kernel's cpuidle device and in the governor's per-CPU data. */
struct governor_cpu {
	const struct governor_table *table;
	int last_state;
	int64_t last_residency_ns;
	bool poll_limit_hit;
	uint64_t poll_limit_ns; /* 0 = the polling state's own */
	_Alignas(64) unsigned char memory[512]; /* the family's own; zero at enable */
};

/*
 * Who listens to a governor's steps. They say what they do by GOVERNOR_NOTE(), in the same
 * functions that choose; where nobody listens the listener is a constant NULL and costs nothing.
 */
struct governor_notes {
	void (*print)(struct governor_notes *notes, const char *format, ...)
		__attribute__((format(printf, 2, 3))); /* one line, without its end */
	const char *const *name; /* of the table's states */
	bool wrapped; /* set by a step in which a 32-bit counter has wrapped */
};

#define GOVERNOR_NOTE(notes, ...)                                                                  \
	do {                                                                                       \
		if (notes)                                                                         \
			(notes)->print((notes), __VA_ARGS__);                                      \
	} while (0)

/* Goes up with each change of the structures here: told apart when a shared object is loaded. */
#define GOVERNOR_ABI 2

struct governor {
	unsigned int abi; /* GOVERNOR_ABI; asked of shared objects only */
	const char *name; /* "teo-6.14" */
	const char *family; /* "teo" */
	const char *since; /* first kernel release with these rules, "6.14"; NULL = of no kernel */
	const char *about; /* one line */
	void (*enable)(struct governor_cpu *cpu); /* NULL = nothing to do */
	struct governor_choice (*select)(struct governor_cpu *cpu, const struct governor_input *in);
	void (*reflect)(struct governor_cpu *cpu, const struct governor_outcome *out);
	/* As select, and says why. NULL = it cannot. */
	struct governor_choice (*explain)(struct governor_cpu *cpu, const struct governor_input *in,
					  struct governor_notes *notes);
};

/* All rows of governors.def, ends with NULL. */
extern const struct governor *const governor_list[];

/*
 * By name ("teo-6.14"), by a name that the list threads use ("rjw"), or by family and kernel
 * release ("menu@6.12": the rules that mainline 6.12 has). A family alone means its newest rules.
 * NULL with a usage error: the nearest name, or since when there are rules of that family.
 */
const struct governor *governor_find(const char *name);

static inline void governor_enable(const struct governor *governor,
				   const struct governor_table *table, struct governor_cpu *cpu)
{
	memset(cpu, 0, sizeof(*cpu));
	cpu->table = table;
	if (governor->enable)
		governor->enable(cpu);
}

static inline struct governor_choice governor_select(const struct governor *governor,
						     struct governor_cpu *cpu,
						     const struct governor_input *in)
{
	return governor->select(cpu, in);
}

/* The core's part and the governor's; a period that was not entered is no news for the latter. */
static inline void governor_reflect(const struct governor *governor, struct governor_cpu *cpu,
				    const struct governor_outcome *out)
{
	cpu->last_residency_ns = out->entered < 0 ? 0 : out->residency_ns;
	if (out->entered < 0)
		return;
	cpu->poll_limit_hit = out->poll_limit;
	governor->reflect(cpu, out);
}

#endif
