/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A machine as replay and the model see it: idle states, tick, and what they cost, from an INI file
 * in configs/machines or of the user's. docs/governors.md explains each key.
 */
#ifndef ANALYSIS_MACHINE_H
#define ANALYSIS_MACHINE_H

#include "governors/governor.h"
#include "model/machine.h"

#define MACHINE_NAME_MAX 32

struct machine {
	char name[MACHINE_NAME_MAX];
	char state[GOVERNOR_STATES_MAX][MACHINE_NAME_MAX];
	struct governor_table table;
	uint32_t disabled; /* bit i: state i is disabled */
	uint32_t utilisation; /* 0 to 1024, of every decision */
	int64_t limit_ns; /* on the exit latency */
	double exit_share; /* of the exit latency that an exit takes, 0 to 1 */
	bool has_energy; /* every state has its power */
	struct model_machine model; /* the same and more, for model_run() */
};

/*
 * @name: of configs/machines, or the path of a file (it has a '/' or ends in ".ini"). @set:
 * "key=value" of [machine] or "STATE.key=value", which replace the file's. Usage errors name the
 * file and line, or the setting.
 */
int machine_load(const char *name, const char *const *set, size_t sets, struct machine *ret);

/* The same from a file's text; @name is what the machine is called, and in messages. */
int machine_load_text(const char *name, const char *text, const char *const *set, size_t sets,
		      struct machine *ret);

/* @base, which has no powers, with settings. Usage errors name the setting, or that hz (a tick_ns
 * of 0) is not known. */
int machine_make(const struct machine *base, const char *const *set, size_t sets,
		 struct machine *ret);

#endif
