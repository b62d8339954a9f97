/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One line that says where the campaign is: rewritten in place on a terminal, a line a cell
 * elsewhere. */
#ifndef RUN_PROGRESS_H
#define RUN_PROGRESS_H

#include "run/plan.h"
#include "store/run.h"
#include <stdbool.h>

struct progress {
	bool quiet, terminal;
	bool at_most; /* what is left may turn out to be less */
	uint64_t start_ns;
	int done, todo; /* cells of this start */
};

/* What switching, starting and publishing cost a cell, ns. Measured: switch 12 ms, start and end of
 * a workload some 50 ms, publishing some 20 ms. */
#define PROGRESS_OVERHEAD_NS 150e6

/*
 * Time that a cell takes, ns: pause, settling (a span, which is the least), warm-up, window, and
 * what switching, starting and publishing cost.
 */
double progress_cell_ns(const struct plan *plan, size_t point, double warmup_ns, double window_ns);

void progress_start(struct progress *progress, int todo, bool quiet);

/* A cell begins; the line on stderr. @left_ns: of all that is still to do, this cell included. */
void progress_cell(struct progress *progress, const struct plan *plan, const struct plan_cell *cell,
		   double left_ns);

/* It is over; the line in the log. */
void progress_done(struct progress *progress, const struct plan *plan, const struct plan_cell *cell,
		   enum store_state state);
void progress_end(struct progress *progress);

/* "1:02:03" */
void progress_time_text(double ns, char *text, size_t size);

#endif
