/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run: plan, checks, cells, restore, report. Everything changed goes back through finish(), however
 * the cells end.
 */
#include "hw/lock.h"
#include "lib/error.h"
#include "lib/log.h"
#include "run/campaign.h"
#include "run/cell.h"
#include "run/interrupt.h"
#include "run/preflight.h"
#include "run/privilege.h"
#include "run/progress.h"
#include "run/report.h"
#include "run/session.h"
#include "run/verb.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

/* Runs of a cell in one start: the first, and two more when it is void or fails. */
#define ATTEMPTS 3

struct tally {
	int complete, spoilt, pending;
};

/* Options of the campaign in the form that the plan takes them: negative = not given. */
static double window_option(const struct session *s)
{
	return s->campaign.window_ns > 0 ? s->campaign.window_ns : -1;
}

static double cell_ns(const struct session *s, const struct plan_cell *cell)
{
	return progress_cell_ns(&s->plan, cell->point, s->campaign.warmup_ns, window_option(s));
}

static int print_cell(const struct session *s, const struct plan_cell *cell,
		      const struct campaign_done *done, double *total_ns)
{
	char *name = plan_cell_name(&s->plan, cell);
	const char *note = "";

	if (!name)
		return error_set(-ENOMEM, "out of memory");
	if (campaign_has(done, name))
		note = "  (done)";
	else if (!session_offers(s, cell))
		note = "  (pending: this kernel lacks the governor)";
	else
		*total_ns += cell_ns(s, cell);
	printf("%04d %s%s\n", cell->number, name, note);
	free(name);
	return 0;
}

static int print_plan(const struct session *s)
{
	struct campaign_done done = { 0 };
	double total_ns = 0;
	char time[32];
	int err = s->dir ? campaign_scan(s->dir, &done) : 0;

	for (size_t i = 0; i < s->plan.cells && !err; i++)
		err = print_cell(s, &s->plan.cell[i], &done, &total_ns);
	campaign_done_free(&done);
	if (err)
		return err;
	progress_time_text(total_ns, time, sizeof(time));
	printf("%zu runs, about %s left, seed %llu\n", s->plan.cells, time,
	       (unsigned long long)s->campaign.seed);
	return 0;
}

/* Only what has to be changed needs a journal and a guardian; "current" needs neither. */
static int start_undo(struct session *s)
{
	int count, err;

	if (!s->switching && !s->plan.cpufreq)
		return 0;
	privilege_root();
	err = undo_restore_stale(&s->root, &count);
	if (!err && count)
		log_warn("put back %d setting%s that an interrupted run had left changed", count,
			 count == 1 ? "" : "s");
	if (!err)
		err = undo_start(&s->root, &s->undo);
	privilege_user();
	return err;
}

static int finish_undo(struct session *s)
{
	int err;

	privilege_root();
	err = s->undo ? undo_finish(s->undo) : 0;
	privilege_user();
	s->undo = NULL;
	return err;
}

/*
 * A void or failed run is made again at once, so that its block stays together in time; after
 * ATTEMPTS the cell stays pending until the command is given again.
 */
static int run_one(struct session *s, const struct plan_cell *cell,
		   const struct campaign_done *done, struct progress *progress, struct tally *tally)
{
	char *name = plan_cell_name(&s->plan, cell);
	enum store_state state = STORE_VOID;
	int err = name ? 0 : error_set(-ENOMEM, "out of memory");

	for (int i = 0; i < ATTEMPTS && !err && state != STORE_COMPLETE; i++) {
		progress_cell(progress, &s->plan, cell);
		err = interrupt_pending()
			      ? -EINTR
			      : cell_run(s, cell, campaign_attempts(done, name) + i, &state);
	}
	free(name);
	if (err)
		return err;
	progress_done(progress, cell_ns(s, cell));
	if (state == STORE_COMPLETE)
		tally->complete++;
	else
		tally->spoilt++;
	return 0;
}

/* Which cells are to be run now: offered by this kernel, and without a complete run. */
static bool *choose(const struct session *s, const struct campaign_done *done, struct tally *tally,
		    int *ret_todo, double *ret_ns)
{
	bool *todo = calloc(s->plan.cells + 1, sizeof(*todo));

	*ret_todo = 0;
	*ret_ns = 0;
	for (size_t i = 0; todo && i < s->plan.cells; i++) {
		char *name = plan_cell_name(&s->plan, &s->plan.cell[i]);

		if (name && campaign_has(done, name)) {
			tally->complete++;
		} else if (!session_offers(s, &s->plan.cell[i])) {
			tally->pending++;
		} else {
			todo[i] = true;
			*ret_todo += 1;
			*ret_ns += cell_ns(s, &s->plan.cell[i]);
		}
		free(name);
	}
	return todo;
}

static int run_cells(struct session *s, struct tally *tally)
{
	struct campaign_done done;
	struct progress progress;
	double total_ns;
	bool *todo;
	int n, err = campaign_scan(s->dir, &done);

	if (err)
		return err;
	todo = choose(s, &done, tally, &n, &total_ns);
	if (!todo)
		err = error_set(-ENOMEM, "out of memory");
	progress_start(&progress, n, total_ns, s->options->quiet);
	for (size_t i = 0; i < s->plan.cells && !err; i++) {
		if (!todo[i])
			continue;
		err = interrupt_pending() ? -EINTR
					  : run_one(s, &s->plan.cell[i], &done, &progress, tally);
	}
	progress_end(&progress);
	free(todo);
	campaign_done_free(&done);
	return err;
}

static int campaign(struct session *s, struct tally *tally)
{
	int lock, undo_err, err = preflight_rights(s);
	char why[1024];

	if (!err)
		err = lock_take(&s->root, &lock);
	if (err)
		return err;
	err = preflight_conditions(s);
	if (!err)
		err = start_undo(s);
	if (!err)
		err = campaign_open(s);
	if (!err) {
		log_info("results: %s", s->dir);
		if (privilege_name())
			log_info("workloads and report run as %s, who owns the results",
				 privilege_name());
		err = run_cells(s, tally);
	}
	snprintf(why, sizeof(why), "%s", error_text());
	undo_err = finish_undo(s);
	close(lock);
	if (!err)
		return undo_err;
	/* Both went wrong: one line each. */
	if (undo_err)
		log_warn("%s", error_text());
	return error_set(err, "%s", why);
}

static int conclude(const struct session *s, const struct tally *tally)
{
	int status = tally->spoilt || tally->pending ? EXIT_INCOMPLETE : EXIT_COMPLETE;
	int reported;

	if (tally->spoilt)
		log_warn(
			"%d run%s void or failed: the same command with --results %s makes them again",
			tally->spoilt, tally->spoilt == 1 ? " is" : "s are", s->dir);
	if (s->options->no_report || !tally->complete)
		return status;
	reported = report_make(s->dir, s->options->quiet);
	if (reported < 0)
		return reported;
	return reported == EXIT_COMPLETE || reported == EXIT_INCOMPLETE
		       ? (status ? status : reported)
		       : EXIT_ERROR;
}

int verb_run(const struct options *options)
{
	struct session session;
	struct tally tally = { 0 };
	int status = interrupt_start(); /* first of all: a signal that comes early counts, too */

	if (status)
		return status;
	status = session_plan(&session, options);
	if (!status && options->dry_run) {
		status = preflight_conditions(&session);
		if (!status)
			status = print_plan(&session);
	} else if (!status) {
		/* Reader threads inherit it: they read at t0 and t1, not 50 us later. */
		prctl(PR_SET_TIMERSLACK, 1);
		status = campaign(&session, &tally);
		if (status == -EINTR && interrupt_pending() && session.dir)
			log_info("interrupted; the same command with --results %s continues",
				 session.dir);
		else if (!status)
			status = conclude(&session, &tally);
		/* A signal may have come while the report was made, too. */
		if ((status >= 0 || status == -EINTR) && interrupt_pending())
			interrupt_die(interrupt_pending());
	}
	session_free(&session);
	return status;
}
