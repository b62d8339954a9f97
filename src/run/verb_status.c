/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * status: reads a campaign's directory and nothing else, so it may be asked while the campaign
 * runs.
 */
#include "lib/error.h"
#include "lib/file.h"
#include "run/campaign.h"
#include "run/looks.h"
#include "run/progress.h"
#include "run/standing.h"
#include "run/verb.h"
#include "store/campaign.h"
#include "store/format.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct counts {
	int done, failed, pending;
	int spared; /* of comparisons that are decided */
	double left_ns;
};

/* --set pairs as campaign.ini has them, split again. */
static int split_sets(char *text, const char **set)
{
	char *save, *word;
	int n = 0;

	for (word = strtok_r(text, ";", &save); word && n < OPTIONS_SET_MAX;
	     word = strtok_r(NULL, ";", &save))
		set[n++] = word;
	return n;
}

static int load_plan(const char *dir, const struct store_campaign *c, struct suite *suite,
		     struct plan *plan)
{
	struct store_points points;
	const char *set[OPTIONS_SET_MAX];
	char *copy = strdup(c->set), path[128];
	int err;

	if (!copy)
		return error_no_memory();
	snprintf(path, sizeof(path), "%s.ini", c->suite);
	err = suite_parse(path, c->suite_text, set, split_sets(copy, set), suite);
	free(copy);
	if (err)
		return err;
	err = store_points_read(dir, &points);
	if (!err)
		err = plan_continue(suite,
				    &(struct plan_request){ c->governors, c->cpufreq_governors,
							    c->repeat, c->order, c->seed,
							    (unsigned int)c->disable_each },
				    &points, plan);
	store_points_free(&points);
	if (err)
		suite_free(suite);
	return err;
}

/* Runs of the points of adaptive sweeps that are not in the plan yet: as long as those that are. */
static void count_to_come(const struct store_campaign *c, const struct plan *plan,
			  struct counts *counts)
{
	for (size_t p = 0; p < plan->points; p++) {
		size_t section = plan->point[p].section;
		size_t runs = plan->blocks_to_come[section] * plan->governors * plan->cpufreqs;

		/* One of each section. */
		if (p && plan->point[p - 1].section == section)
			continue;
		counts->pending += (int)runs;
		counts->left_ns +=
			(double)runs * progress_cell_ns(plan, p, c->warmup_ns,
							c->window_ns > 0 ? c->window_ns : -1);
	}
}

/* @closed: see looks_closed(); NULL = nothing is. */
static int count(const struct store_campaign *c, const struct plan *plan,
		 const struct campaign_done *done, const bool *closed, struct counts *counts)
{
	size_t columns = plan->governors * plan->cpufreqs;

	for (size_t i = 0; i < plan->cells; i++) {
		const struct plan_cell *cell = &plan->cell[i];
		size_t at =
			cell->point * columns + cell->cpufreq * plan->governors + cell->governor;
		char *name = plan_cell_name(plan, cell);

		if (!name)
			return error_no_memory();
		if (campaign_has(done, name)) {
			counts->done++;
		} else if (closed && closed[at] && cell->repeat > c->repeat_min) {
			counts->spared++;
		} else {
			counts->pending++;
			counts->left_ns += progress_cell_ns(plan, plan->cell[i].point, c->warmup_ns,
							    c->window_ns > 0 ? c->window_ns : -1);
		}
		counts->failed += campaign_attempts(done, name);
		free(name);
	}
	count_to_come(c, plan, counts);
	return 0;
}

/* What the runner has written last; with its time, so that one sees whether it is at work. */
static void print_last_line(const char *dir)
{
	char path[PATH_MAX], *text, *line;
	size_t size;

	snprintf(path, sizeof(path), "%s/" STORE_LOG, dir);
	if (access(path, F_OK) || file_read(path, &text, &size))
		return;
	while (size && text[size - 1] == '\n')
		text[--size] = '\0';
	line = strrchr(text, '\n');
	if (size)
		printf("last: %s\n", line ? line + 1 : text);
	free(text);
}

/* Whose figures they are, as every report says it. */
static void print_marks(const struct store_campaign *c)
{
	if (c->modelled && *c->modelled)
		printf("*** MODELLED: computed by a model, nothing was measured; model: %s ***\n",
		       c->modelled);
	else if (c->rehearsal)
		printf("*** REHEARSAL: read from a fake or dumped machine ***\n");
}

static int print_status(const char *dir, const struct store_campaign *c)
{
	struct campaign_done done;
	struct counts counts = { 0 };
	bool *closed = NULL;
	struct suite suite;
	struct plan plan;
	char left[32];
	int err = load_plan(dir, c, &suite, &plan);

	if (err)
		return err;
	err = campaign_scan(dir, NULL, &done);
	if (!err) {
		printf("%s: suite %s, governors %s\n", dir, c->suite, c->governors);
		print_marks(c);
		err = looks_print(dir, c, &plan, &done, &closed);
		if (!err)
			err = count(c, &plan, &done, closed, &counts);
		campaign_done_free(&done);
		free(closed);
	}
	if (!err) {
		progress_time_text(counts.left_ns, left, sizeof(left));
		printf("%d of %d runs done, %d pending, %d void or failed", counts.done,
		       counts.done + counts.pending, counts.pending, counts.failed);
		/* How long a model takes has nothing to do with its windows. */
		if (!c->modelled || !*c->modelled)
			printf(", %s%s left", c->repeat_min ? "at most " : "", left);
		putchar('\n');
		if (counts.spared)
			printf("%d runs are not needed: decided\n", counts.spared);
		print_last_line(dir);
		err = standing_print(dir, &plan);
	}
	plan_free(&plan);
	suite_free(&suite);
	if (err)
		return err;
	return counts.pending ? EXIT_INCOMPLETE : EXIT_COMPLETE;
}

int verb_status(const struct options *options)
{
	struct store_campaign campaign;
	int err;

	if (options->rests != 1)
		return error_usage(options->rests ? "status takes one result directory"
						  : "status of which result directory?");
	err = store_campaign_read(options->rest[0], &campaign);
	if (err)
		return err;
	err = print_status(options->rest[0], &campaign);
	store_campaign_free(&campaign);
	return err;
}
