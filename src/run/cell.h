/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One run from switch to published directory (docs/design.md, "the path of one run").
 */
#ifndef RUN_CELL_H
#define RUN_CELL_H

#include "run/clocks.h"
#include "run/run_trace.h"
#include "run/session.h"
#include "run/spawn.h"
#include "run/window.h"
#include "store/run.h"

/* One of its workloads. */
struct cell_part {
	const struct workload *workload;
	char *dir; /* where it writes: the run's folder, or one below it when there are several */
	char **argv;
	struct child child;
	bool done; /* it has said so */
};

/* What one cell has while it runs. */
struct cell {
	struct session *session;
	const struct plan_cell *plan;
	const struct plan_point *point;
	const struct suite_section *section;
	const struct placement *placement;
	char *name; /* plan_cell_name() */
	char *tmp; /* RUNS/.tmp-NNNN.NAME */
	struct cell_part part[SUITE_PARTS_MAX];
	size_t parts;
	size_t culprit; /* the part whose end is run.exit_status, or that made the run fail */
	struct window *window;
	struct run_trace *trace; /* NULL = none */
	uint64_t t0_ns, t1_ns;
	uint64_t foreign_busy0, foreign_total0; /* /proc/stat at the start, clock ticks */
	struct clocks clocks; /* at the start */
	uint64_t tables; /* hash of all state tables and disable bits at the start */
	struct thermal_throttle *throttle; /* of session->cpus, at the start */
	char online[1024]; /* the kernel's mask of online CPUs at the start */
	int hotplug; /* hotplug_watch() from the start on; -1 */
	struct store_run run; /* becomes run.ini */
};

/* Fills cell->run with what is known before the run begins, from the cell's plan, point, section
 * and placement. */
int cell_describe(struct cell *cell);

/*
 * Runs the cell and publishes it, complete, failed or void (in *ret_state). @attempt: how many void
 * or failed runs it has already; part of such a run's directory name. -EINTR when a signal came:
 * nothing is published. After another error (the disk, the machine) *ret_state is STORE_VOID when
 * what there is could be published as void, and untouched when not.
 */
int cell_run(struct session *session, const struct plan_cell *plan, int attempt,
	     enum store_state *ret_state);

#endif
