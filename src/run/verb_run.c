/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run: plan, checks, cells, restore, report. Everything changed goes back through finish(), however
 * the cells end.
 */
#include "hw/lock.h"
#include "lib/error.h"
#include "lib/log.h"
#include "run/campaign.h"
#include "run/cells.h"
#include "run/hook.h"
#include "run/instead.h"
#include "run/interrupt.h"
#include "run/plan_print.h"
#include "run/preflight.h"
#include "run/privilege.h"
#include "run/report.h"
#include "run/session.h"
#include "run/verb.h"
#include "store/format.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

/* Only what has to be changed needs a journal and a guardian; "current" needs neither. */
static int start_undo(struct session *s)
{
	int count, err;

	if (!s->switching && !s->plan.cpufreq && !plan_disables(&s->plan))
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

/* log.txt of the result directory: what is said from now on, with its time. */
static int open_log(const struct session *s)
{
	char path[PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), "%s/" STORE_LOG, s->dir);
	fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0666);
	if (fd < 0)
		return error_set(-errno, "%s: %m", path);
	log_copy_to(fd);
	log_note("start, version %s, on %s", VERSION, strrchr(s->boot, '/') + 1);
	return 0;
}

/* A budget that has no room for one block would make nothing at all. */
static int check_budget(const struct session *s, const struct cells *cells)
{
	double budget = s->options->budget_ns;
	size_t fit;

	if (budget < 0 || !cells->n || !cells_blocks(s, cells, budget, &fit) || fit)
		return 0;
	return error_usage("--for: the first block, all governors at one point, takes longer");
}

static int run_cells(struct session *s, struct cells_tally *tally)
{
	struct cells cells;
	int err = cells_choose(s, &cells);

	if (err)
		return err;
	plan_print_short(s, &cells);
	err = check_budget(s, &cells);
	if (!err)
		err = cells_run(s, &cells, tally);
	cells_free(&cells);
	return err;
}

static int campaign(struct session *s, struct cells_tally *tally)
{
	int lock, undo_err, err = preflight_rights(s);
	char why[1024];
	bool usage;

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
		err = open_log(s);
	}
	if (!err)
		err = run_cells(s, tally);
	snprintf(why, sizeof(why), "%s", error_text());
	usage = error_is_usage();
	undo_err = finish_undo(s);
	close(lock);
	if (!err)
		return undo_err;
	/* Both went wrong: one line each. */
	if (undo_err)
		log_warn("%s", error_text());
	return usage ? error_usage("%s", why) : error_set(err, "%s", why);
}

static void say_what_is_left(const struct session *s, const struct cells_tally *tally)
{
	char *waiting = hook_waiting_for(s);

	if (tally->spoilt)
		log_warn(
			"%zu run%s void or failed: the same command with --results %s makes them again",
			tally->spoilt, tally->spoilt == 1 ? " is" : "s are", s->dir);
	if (tally->left)
		log_warn("the budget is spent, %s%zu runs are left: the same command with "
			 "--results %s continues",
			 s->campaign.repeat_min ? "up to " : "", tally->left, s->dir);
	if (tally->pending)
		log_warn("%zu runs wait for a kernel with %s: boot it, and the same command with "
			 "--results %s continues",
			 tally->pending, waiting ? waiting : "other governors", s->dir);
	free(waiting);
}

static int make_report(const struct session *s, int status)
{
	int reported = report_make(s->dir, s->options->quiet);

	if (reported < 0)
		return reported;
	return reported == EXIT_COMPLETE || reported == EXIT_INCOMPLETE
		       ? (status ? status : reported)
		       : EXIT_ERROR;
}

static int conclude(const struct session *s, const struct cells_tally *tally)
{
	int status =
		tally->spoilt || tally->pending || tally->left ? EXIT_INCOMPLETE : EXIT_COMPLETE;
	int err = 0;

	say_what_is_left(s, tally);
	log_note("end: %zu runs made", tally->made);
	if (!s->options->no_report && tally->complete)
		status = make_report(s, status);
	if (s->options->next_kernel && tally->pending && !tally->left && !interrupt_pending())
		err = hook_run(s, s->options->next_kernel);
	return err ? err : status;
}

static int dry_run(struct session *s)
{
	struct cells cells;
	int err = preflight_conditions(s);

	if (!err)
		err = cells_choose(s, &cells);
	if (err)
		return err;
	err = plan_print_all(s, &cells);
	cells_free(&cells);
	return err;
}

int verb_run(const struct options *options)
{
	struct session session;
	struct cells_tally tally = { 0 };
	char why[512];
	int status;

	if (instead_wanted(options, why, sizeof(why)))
		return instead_simulate(options, why);
	status = interrupt_start(); /* first of all: a signal that comes early counts, too */
	if (status)
		return status;
	status = session_plan(&session, options);
	if (!status && options->dry_run) {
		status = dry_run(&session);
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
