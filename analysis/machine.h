/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A machine as replay sees it: idle states, tick, and what they cost, from an INI file in
 * configs/machines or of the user's. docs/governors.md explains each key.
 */
#ifndef ANALYSIS_MACHINE_H
#define ANALYSIS_MACHINE_H

#include "governors/governor.h"

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
};

/*
 * @name: of configs/machines, or the path of a file (it has a '/' or ends in ".ini"). @set:
 * "key=value" of [machine] or "STATE.key=value", which replace the file's. Usage errors name the
 * file and line, or the setting.
 */
int machine_load(const char *name, const char *const *set, size_t sets, struct machine *ret);

#endif
