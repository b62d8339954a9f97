/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The keeper is the task of the workload command: a process that starts the command, keeps what it
 * prints, and is the subreaper of everything that comes of it: whatever its descendants do, they
 * are its children in the end, and it ends them. It has a process group of its own, so that it
 * outlives a kill of the program's group and can still clear up.
 */
#ifndef WORKLOADS_COMMAND_KEEPER_H
#define WORKLOADS_COMMAND_KEEPER_H

#include "workloads/command-output.h"
#include "workloads/driver.h"

/* In shared memory, written by the keeper. */
struct command_run {
	uint64_t begin_ns, end_ns; /* of the command's first process */
	uint64_t user_ns, system_ns; /* of it and its descendants, at end_ns */
	uint64_t slack_ns; /* timer slack that it begins with */
	int status; /* as from waitpid(); valid unless by_window */
	bool by_window; /* the window was over first */
	int left; /* children that were still there at its end */
	struct command_output output;
};

struct command {
	char **argv;
	struct command_picks picks;
	struct command_run *run;
};

/* The task: from T0 to the command's end or T1. */
int command_keep(struct driver *driver);

#endif
