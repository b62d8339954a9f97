/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The plan's order is that of the blocks: in every repeat each section has its turn, so a night
 * that ends early has a little of everything.
 */
#include "run/cells.h"
#include "hw/host.h"
#include "lib/clock.h"
#include "lib/error.h"
#include "lib/log.h"
#include "run/adapt.h"
#include "run/care.h"
#include "run/cell.h"
#include "run/interrupt.h"
#include "run/looks.h"
#include "run/progress.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Runs of a cell in one start: the first, and two more when it is void or fails. */
#define ATTEMPTS 3
/* Cells in a row that were lost to errors. */
#define LOST_MAX 3
/* Behind an error the world gets a moment to mend: a disk that was full for a while. */
#define LOST_WAIT_NS 1000000000u

/* Cells that are compared with each other: a block under one cpufreq governor. */
static size_t group_of(const struct plan *plan, const struct plan_cell *cell)
{
	return ((size_t)(cell->repeat - 1) * plan->points + cell->point) * plan->cpufreqs +
	       cell->cpufreq;
}

static bool is_reference(const struct session *s, const struct plan_cell *cell)
{
	return !strcmp(s->plan.governor[cell->governor].label, s->campaign.reference);
}

/* What is known of a cell: complete in some boot, complete in this one. */
struct known {
	bool anywhere, here;
};

static int look_up(const struct session *s, const struct cells *cells, struct known *known)
{
	struct campaign_done here = { 0 };
	char boot[256];
	int err = s->dir ? host_boot_name(&s->root, boot, sizeof(boot)) : 0;

	if (!err && s->dir)
		err = campaign_scan(s->dir, boot, &here);
	for (size_t i = 0; i < s->plan.cells && !err; i++) {
		char *name = plan_cell_name(&s->plan, &s->plan.cell[i]);

		if (!name) {
			err = error_no_memory();
			break;
		}
		known[i].anywhere = campaign_has(&cells->done, name);
		known[i].here = campaign_has(&here, name);
		free(name);
	}
	campaign_done_free(&here);
	return err;
}

/* @active: groups in which a governor beside the reference has run or will run in this boot. */
static void mark_active(const struct session *s, const struct known *known, bool *active)
{
	for (size_t i = 0; i < s->plan.cells; i++) {
		const struct plan_cell *cell = &s->plan.cell[i];

		if (!is_reference(s, cell) &&
		    (known[i].here || (!known[i].anywhere && session_offers(s, cell))))
			active[group_of(&s->plan, cell)] = true;
	}
}

static void choose(const struct session *s, const struct known *known, const bool *active,
		   struct cells *cells)
{
	for (size_t i = 0; i < s->plan.cells; i++) {
		const struct plan_cell *cell = &s->plan.cell[i];
		bool again = known[i].anywhere && !known[i].here && is_reference(s, cell) &&
			     active[group_of(&s->plan, cell)];

		if (known[i].anywhere)
			cells->complete++;
		if (known[i].anywhere && !again)
			cells->done_here[i] = true;
		else if (session_offers(s, cell))
			cells->todo[i] = true;
		else if (!known[i].anywhere)
			cells->pending++;
	}
}

static size_t count_todo(const struct session *s, const struct cells *cells)
{
	size_t n = 0;

	for (size_t i = 0; i < s->plan.cells; i++)
		n += cells->todo[i];
	return n;
}

static void plan_lengths(const struct session *s, struct cells *cells)
{
	double window = s->campaign.window_ns > 0 ? s->campaign.window_ns : -1;

	for (size_t p = 0; p < s->plan.points; p++)
		cells->length_ns[p] = progress_cell_ns(&s->plan, p, s->campaign.warmup_ns, window);
}

int cells_choose(const struct session *s, struct cells *ret)
{
	size_t groups = s->plan.points * s->plan.cpufreqs * (size_t)s->campaign.repeat;
	struct cells cells = { .todo = calloc(s->plan.cells + 1, sizeof(bool)),
			       .done_here = calloc(s->plan.cells + 1, sizeof(bool)),
			       .spared = calloc(s->plan.cells + 1, sizeof(bool)),
			       .length_ns = calloc(s->plan.points + 1, sizeof(double)) };
	struct known *known = calloc(s->plan.cells + 1, sizeof(*known));
	bool *active = calloc(groups + 1, sizeof(*active));
	int err =
		cells.todo && cells.done_here && cells.spared && cells.length_ns && known && active
			? 0
			: error_no_memory();

	if (!err && s->dir)
		err = campaign_scan(s->dir, NULL, &cells.done);
	if (!err)
		err = look_up(s, &cells, known);
	if (!err) {
		mark_active(s, known, active);
		choose(s, known, active, &cells);
		plan_lengths(s, &cells);
		err = looks_resume(s, &cells);
		cells.n = count_todo(s, &cells);
	}
	free(known);
	free(active);
	if (err)
		cells_free(&cells);
	else
		*ret = cells;
	return err;
}

void cells_free(struct cells *cells)
{
	campaign_done_free(&cells->done);
	free(cells->todo);
	free(cells->done_here);
	free(cells->spared);
	free(cells->length_ns);
	*cells = (struct cells){ 0 };
}

/* One start's way through its cells. */
struct way {
	struct session *session;
	struct cells *cells;
	struct cells_tally *tally;
	struct progress progress;
	uint64_t start_ns;
	int lost; /* cells in a row */
	int due; /* the repeat that is over and was not looked at; 0 = none */
};

/* Idle for as long as the suite asks: the run before must not be felt. */
static int rest(const struct way *w, const struct plan_cell *cell)
{
	double pause = care_at(&w->session->plan, cell->point).pause_ns;

	return pause > 0 ? interrupt_sleep(clock_now_ns() + (uint64_t)pause) : 0;
}

/*
 * 0 with the state, void also when an error cost the attempt; -EINTR. *number: spoilt runs that the
 * cell has published.
 */
static int attempt(struct way *w, const struct plan_cell *cell, int *number,
		   enum store_state *ret_state, bool *ret_lost)
{
	enum store_state state = STORE_COMPLETE;
	int err = rest(w, cell);

	if (!err)
		err = cell_run(w->session, cell, *number, &state);
	if (err && (err == -EINTR || interrupt_pending()))
		return -EINTR;
	*number += state != STORE_COMPLETE;
	*ret_lost = err != 0;
	*ret_state = err ? STORE_VOID : state;
	if (err)
		log_warn("run %d is lost: %s", cell->number, error_text());
	return 0;
}

/*
 * A void or failed run is made again at once, so that its block stays together in time; after
 * ATTEMPTS the cell stays pending until the command is given again.
 */
static int run_one(struct way *w, size_t index)
{
	const struct plan_cell *cell = &w->session->plan.cell[index];
	char *name = plan_cell_name(&w->session->plan, cell);
	uint64_t start = clock_now_ns();
	enum store_state state = STORE_VOID;
	int number = name ? campaign_attempts(&w->cells->done, name) : 0;
	int i = 0, err = name ? 0 : error_no_memory();
	bool lost = false;

	for (; i < ATTEMPTS && !err && state != STORE_COMPLETE; i++) {
		progress_cell(&w->progress, &w->session->plan, cell,
			      cells_left_ns(w->session, w->cells));
		err = attempt(w, cell, &number, &state, &lost);
		if (!err && lost && i + 1 < ATTEMPTS)
			err = interrupt_sleep(clock_now_ns() + LOST_WAIT_NS);
	}
	free(name);
	if (err)
		return err;
	if (state == STORE_COMPLETE && i == 1)
		w->cells->length_ns[cell->point] = (double)(clock_now_ns() - start);
	w->lost = lost ? w->lost + 1 : 0;
	w->cells->todo[index] = false;
	w->tally->made += state == STORE_COMPLETE;
	w->tally->spoilt += state != STORE_COMPLETE;
	progress_done(&w->progress, &w->session->plan, cell, state);
	return w->lost >= LOST_MAX ? -EIO : 0;
}

/* Asked before each block. */
static bool more_wanted(const struct way *w, double block_ns)
{
	double budget = w->session->options->budget_ns;

	return budget < 0 || (double)(clock_now_ns() - w->start_ns) + block_ns <= budget;
}

/* The cell before number @at ends a repeat after which a sequential campaign is looked at. */
static void pass(struct way *w, size_t at)
{
	const struct plan *plan = &w->session->plan;
	int least = w->session->campaign.repeat_min;

	if (at && least && plan->cell[at - 1].repeat >= least &&
	    (at == plan->cells || plan->cell[at - 1].repeat != plan->cell[at].repeat))
		w->due = plan->cell[at - 1].repeat;
}

/* @first: the next block, which may then be one of those that are spared. */
static int look(struct way *w, size_t first)
{
	int err;

	progress_end(&w->progress);
	err = looks_take(w->session, w->cells, w->due, first);
	w->due = 0;
	w->progress.todo = w->progress.done + (int)count_todo(w->session, w->cells);
	return err;
}

static int run_blocks(struct way *w)
{
	struct session *s = w->session;
	size_t end;
	int err = 0;

	for (size_t first = 0; first < s->plan.cells && !err; first = end) {
		double block = cells_block_ns(s, w->cells, first, &end);

		pass(w, first);
		if (block > 0 && w->due) {
			err = look(w, first);
			block = cells_block_ns(s, w->cells, first, &end);
		}
		if (err || (block > 0 && !more_wanted(w, block)))
			return err;
		for (size_t i = first; i < end && !err; i++)
			if (w->cells->todo[i])
				err = interrupt_pending() ? -EINTR : run_one(w, i);
	}
	pass(w, s->plan.cells);
	return !err && w->due ? look(w, s->plan.cells) : err;
}

/* The lengths that runs have shown go over to the larger plan; a point of its last round is as the
 * one before it. */
static void keep_lengths(const struct plan *plan, const double *old_ns, double *length_ns)
{
	size_t next = 0;
	int last = 0;

	for (size_t p = 0; p < plan->points; p++)
		last = plan->point[p].round > last ? plan->point[p].round : last;
	for (size_t p = 0; p < plan->points; p++) {
		next += plan->point[p].round < last;
		length_ns[p] = old_ns[next ? next - 1 : 0];
	}
}

/* Spoilt cells had their attempts in this start: no more of them in each round. The larger plan
 * begins with the @first cells of the one before. */
static void leave_spoilt(struct cells *larger, size_t first)
{
	for (size_t i = 0; i < first; i++) {
		larger->n -= larger->todo[i];
		larger->todo[i] = false;
	}
}

/* Chooses further points and makes the cells of the larger plan. */
static int grow(struct way *w)
{
	size_t before = w->session->plan.cells;
	struct cells larger;
	int err;

	progress_end(&w->progress);
	err = adapt(w->session);
	if (!err)
		err = cells_choose(w->session, &larger);
	if (err)
		return err;
	leave_spoilt(&larger, before);
	keep_lengths(&w->session->plan, w->cells->length_ns, larger.length_ns);
	cells_free(w->cells);
	*w->cells = larger;
	w->progress.todo = w->progress.done + (int)(larger.n + cells_to_come(w->session, SIZE_MAX));
	return 0;
}

/* Until all points are chosen and measured, or the budget is spent. */
static int run_all(struct way *w)
{
	int err = run_blocks(w);

	while (!err && w->session->plan.open && !count_todo(w->session, w->cells)) {
		err = interrupt_pending() ? -EINTR : grow(w);
		if (!err)
			err = run_blocks(w);
	}
	return err;
}

int cells_run(struct session *s, struct cells *cells, struct cells_tally *ret_tally)
{
	struct cells_tally tally = { 0 };
	struct way way = {
		.session = s, .cells = cells, .tally = &tally, .start_ns = clock_now_ns()
	};
	size_t complete = cells->complete;
	int err;

	progress_start(&way.progress, (int)(cells->n + cells_to_come(s, SIZE_MAX)),
		       s->options->quiet);
	way.progress.at_most = s->campaign.repeat_min > 0;
	err = run_all(&way);
	progress_end(&way.progress);
	tally.pending = cells->pending;
	for (size_t i = 0; i < s->plan.cells; i++)
		tally.left += cells->todo[i];
	tally.left += cells_to_come(s, SIZE_MAX);
	tally.complete = complete + tally.made;
	*ret_tally = tally;
	return err == -EIO && way.lost >= LOST_MAX
		       ? error_prefix(err, "%d runs in a row were lost: ", way.lost)
		       : err;
}
