/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which cells of the plan are for this start, and running them block by block. A block is all
 * governors at a point in one repeat: time is spent in whole blocks, so that no governor has more
 * runs than another.
 */
#ifndef RUN_CELLS_H
#define RUN_CELLS_H

#include "run/campaign.h"
#include "run/session.h"

struct cells {
	struct campaign_done done; /* in all boots */
	bool *todo; /* by cell */
	bool *done_here; /* by cell: nothing to do; the rest waits for another kernel */
	bool *spared; /* by cell: its comparisons are decided (run/looks.h) */
	double *length_ns; /* by point: as planned, then as the last whole run took */
	size_t n, pending; /* cells to do; cells of governors that this kernel lacks */
	size_t complete;
};

/*
 * A cell is to be done when this kernel offers its governor and no boot has a complete run of it.
 * The reference runs in every boot: its cells are done again where another governor of the block
 * has run or will run in this boot, because governors are compared on one kernel. Such a run has
 * the same number and name as its twin in another boot's folder.
 */
int cells_choose(const struct session *session, struct cells *ret);
void cells_free(struct cells *cells);

/* Sum over the cells to do, and those of points that are still to be chosen, ns. */
double cells_left_ns(const struct session *session, const struct cells *cells);

/* Runs of the points of adaptive sweeps that are not in the plan yet, of governors that this kernel
 * offers: in @section, or (SIZE_MAX) in all. */
size_t cells_to_come(const struct session *session, size_t section);

/* The cells [@first, *ret_end) are one block; returns what of it is still to do, ns. */
double cells_block_ns(const struct session *session, const struct cells *cells, size_t first,
		      size_t *ret_end);

/* Blocks with something to do, in the plan or to come; *ret_fit: how many of them end within
 * @budget_ns, in order. */
size_t cells_blocks(const struct session *session, const struct cells *cells, double budget_ns,
		    size_t *ret_fit);

struct cells_tally {
	size_t complete; /* of the campaign, in this boot or another */
	size_t made; /* complete runs of this start */
	size_t spoilt; /* cells without a complete run after all attempts */
	size_t pending; /* cells for another kernel */
	size_t left; /* cells that the budget had no room for, in the plan or to come */
};

/*
 * Runs them; with adaptive sweeps then chooses points, until there are all: the session gets
 * another plan and @cells are those of it. A void or failed run is made again at once, twice at
 * most. An error of the machine or the disk costs the attempt, too, with the reason in the log;
 * when several cells in a row were lost to errors there is no use in going on, and the last error
 * is returned. -EINTR for a signal.
 */
int cells_run(struct session *session, struct cells *cells, struct cells_tally *ret_tally);

#endif
