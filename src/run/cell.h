/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One run from switch to published directory (docs/design.md, "the path of one run").
 */
#ifndef RUN_CELL_H
#define RUN_CELL_H

#include "run/session.h"
#include "run/spawn.h"
#include "run/window.h"
#include "store/run.h"

/* What one cell has while it runs. */
struct cell {
	struct session *session;
	const struct plan_cell *plan;
	const struct plan_point *point;
	const struct suite_section *section;
	const struct placement *placement;
	char *name; /* plan_cell_name() */
	char *tmp; /* RUNS/.tmp-NNNN.NAME */
	char **argv;
	struct child child;
	struct window *window;
	uint64_t t0_ns, t1_ns;
	uint64_t foreign_busy0, foreign_total0; /* /proc/stat at the start, clock ticks */
	uint64_t tables; /* hash of all state tables and disable bits at the start */
	struct thermal_throttle *throttle; /* of session->cpus, at the start */
	char online[1024]; /* the kernel's mask of online CPUs at the start */
	struct store_run run; /* becomes run.ini */
};

/*
 * Runs the cell and publishes it, complete, failed or void (in *ret_state). @attempt: how many void
 * or failed runs it has already; part of such a run's directory name. -EINTR when a signal came:
 * nothing is published. Other errors end the campaign (the disk, the machine).
 */
int cell_run(struct session *session, const struct plan_cell *plan, int attempt,
	     enum store_state *ret_state);

#endif
