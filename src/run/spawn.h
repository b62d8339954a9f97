/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The workload's process: started bound, in a group of its own, spoken to over a socket
 * (docs/workload-interface.md), and ended for certain.
 */
#ifndef RUN_SPAWN_H
#define RUN_SPAWN_H

#include "hw/topology.h"
#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>

struct child {
	pid_t pid; /* also its process group */
	int pidfd, sync_fd;
	char line[128]; /* what has been read of the next message */
	size_t filled;
	bool ended;
	int status; /* 0 to 255, 128+N for a signal; valid when ended */
	struct rusage usage; /* of it and its reaped children; valid when ended */
};

/*
 * fork, bind by hwloc to @cpus (empty = leave), exec. @argv[0] is the program's path; an element
 * "@sync@" becomes the socket's number. stdout and stderr go to the file @log.
 */
int spawn_start(const struct topology *topology, const struct cpulist *cpus, char **argv,
		const char *log, struct child *ret);

enum spawn_event { SPAWN_MESSAGE, SPAWN_ENDED, SPAWN_INTERRUPTED, SPAWN_TIMEOUT };

#define SPAWN_CHILDREN_MAX 8

/*
 * Waits for the next line of one of the children (in its line, without newline), for one's end, a
 * signal to the runner, or the time (CLOCK_MONOTONIC ns, UINT64_MAX = none). A line that came
 * before the end is delivered first. Of those that have ended nothing comes any more. *ret_which:
 * whose line or end it is.
 */
enum spawn_event spawn_wait(struct child *const *child, size_t n, uint64_t until_ns,
			    size_t *ret_which);

/* Sends "go T0 T1\n". */
int spawn_go(struct child *child, uint64_t t0_ns, uint64_t t1_ns);

/*
 * Ends the whole group: SIGTERM first where the program still runs, so that it can remove its
 * temporary files, and SIGKILL 2 s later; then reaps and closes. Idempotent.
 */
void spawn_finish(struct child *child);

#endif
