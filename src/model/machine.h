/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A machine as the model sees it: the idle states that replay knows too, and beside them topology,
 * speed, what the kernel's paths cost, and power.
 *
 * A state's power_w and transition_uj in the governor's table are of the whole package as far as
 * one core brings it about, as the energy oracle wants them; model_energy takes the package's part
 * out of them again. docs/model.md explains each key and where the numbers come from.
 */
#ifndef MODEL_MACHINE_H
#define MODEL_MACHINE_H

#include "governors/governor.h"

#define MODEL_CPUS_MAX 1024
#define MODEL_PACKAGES_MAX 8

struct model_machine {
	struct governor_table table;
	uint32_t disabled; /* bit i: state i is disabled */
	int64_t limit_ns; /* on the exit latency; GOVERNOR_NO_LIMIT_NS = none */

	/* CPU c is thread c / cores of core c % cores; cores are numbered through the packages. */
	int packages; /* 1 to MODEL_PACKAGES_MAX */
	int cores; /* of all packages; 1 and up, a multiple of packages */
	int threads; /* of a core, 1 to 8; CPUs = cores * threads, at most MODEL_CPUS_MAX */

	double unit_ns; /* of work at the highest frequency, above 0 */
	/* Of each thread while its sibling runs too, 0.1 to 1: in the kernel and in memory, and in
	 * a workload's units of work, which are a chain that leaves room for another. */
	double smt_speed, smt_work;
	double frequency_min; /* of the highest frequency, above 0 to 1 */
	double voltage_min; /* at it, of the highest voltage, above 0 to 1 */

	/* Typical exit time of a state, and how far single ones are off, of it: 0 to 1. */
	int64_t exit_ns[GOVERNOR_STATES_MAX];
	double exit_spread;
	/* The hardware itself stays shallow where the last idle times were shorter, on the average,
	 * than this; 0 = it does as it is told. Statistics keep the state that was asked for. */
	int64_t demotion_ns;
	int64_t package_exit_ns; /* more of an exit when its package was off */
	int64_t entry_ns[GOVERNOR_STATES_MAX]; /* a wake within it waits for its end */

	/* What the kernel's paths take at the highest frequency, ns. */
	double jitter; /* of each of these, how far single ones are off: 0 to 1 */
	int64_t send_ns; /* from running to the other's wake, no work between */
	int64_t sleep_ns; /* from the other's wake to the idle loop */
	int64_t wake_ns; /* from the end of the exit to running */
	int64_t poll_wake_ns; /* the same out of a polling state */
	int64_t idle_ns; /* from the idle loop to the state's entry */
	int64_t ask_ns; /* more of it for asking the sleep length */
	int64_t stop_ns, start_ns; /* for stopping the tick; for starting it again */
	int64_t tick_ns; /* a tick's own work */
	int64_t background_ns; /* work of a background wake */
	int64_t poll_step_ns; /* between two looks at the clock while polling */
	int64_t fork_ns, exec_ns, reap_ns; /* a child's way: to its wake, to its work, to its end */
	int64_t message_ns; /* a message through the network stack, each side */
	double byte_ns; /* copying a byte of it */
	double record_byte_ns; /* copying and searching a byte of memory (ebizzy) */
	double background_hz; /* background wakes of each idle CPU, 0 and up */

	/* Watts at the highest frequency. */
	bool has_energy; /* else results have no energy */
	double floor_w; /* of a package, all cores deep */
	double package_on_w; /* more while a core of it is not deep: uncore, ring, caches */
	double active_w; /* more for each core that works */
	double smt_w; /* more for each further thread that works */
	uint32_t deep; /* bit i: a core in state i lets the package go off */
};

/* All keys at their defaults; the table is left empty. */
void model_machine_default(struct model_machine *machine);

/* How many keys of [machine] there are here. */
int model_machine_keys(void);

/*
 * A key of [machine] other than those of the table. -ENOENT without a text when it is none; usage
 * error when the value is wrong.
 */
int model_machine_set(struct model_machine *machine, const char *key, const char *value);

/* Likewise of [state], for state @state. */
int model_machine_set_state(struct model_machine *machine, int state, const char *key,
			    const char *value);

/* Fills what was not given from the table: exit and entry times. Usage error when parts of it do
 * not fit together. @exit_share: of the table's latency that an exit takes. */
int model_machine_complete(struct model_machine *machine, double exit_share);

/* Calls @put for each key of [machine] that has a value, with the text that model_machine_set()
 * turns into it. */
void model_machine_each(const struct model_machine *machine,
			void (*put)(void *arg, const char *key, const char *value), void *arg);

static inline int model_machine_cpus(const struct model_machine *machine)
{
	return machine->cores * machine->threads;
}

#endif
