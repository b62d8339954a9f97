/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * status: reads a campaign's directory and nothing else, so it may be asked while the campaign
 * runs.
 */
#include "lib/error.h"
#include "lib/file.h"
#include "run/campaign.h"
#include "run/progress.h"
#include "run/standing.h"
#include "run/verb.h"
#include "store/campaign.h"
#include "store/format.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct counts {
	int done, failed, pending;
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

static int load_plan(const struct store_campaign *c, struct suite *suite, struct plan *plan)
{
	const char *set[OPTIONS_SET_MAX];
	char *copy = strdup(c->set), path[128];
	int err;

	if (!copy)
		return error_set(-ENOMEM, "out of memory");
	snprintf(path, sizeof(path), "%s.ini", c->suite);
	err = suite_parse(path, c->suite_text, set, split_sets(copy, set), suite);
	free(copy);
	if (err)
		return err;
	err = plan_make(suite,
			&(struct plan_request){ c->governors, c->cpufreq_governors, c->repeat,
						c->order, c->seed, (unsigned int)c->disable_each },
			plan);
	if (err)
		suite_free(suite);
	return err;
}

static int count(const struct store_campaign *c, const struct plan *plan,
		 const struct campaign_done *done, struct counts *counts)
{
	for (size_t i = 0; i < plan->cells; i++) {
		char *name = plan_cell_name(plan, &plan->cell[i]);

		if (!name)
			return error_set(-ENOMEM, "out of memory");
		if (campaign_has(done, name)) {
			counts->done++;
		} else {
			counts->pending++;
			counts->left_ns += progress_cell_ns(plan, plan->cell[i].point, c->warmup_ns,
							    c->window_ns > 0 ? c->window_ns : -1);
		}
		counts->failed += campaign_attempts(done, name);
		free(name);
	}
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

static int print_status(const char *dir, const struct store_campaign *c)
{
	struct campaign_done done;
	struct counts counts = { 0 };
	struct suite suite;
	struct plan plan;
	char left[32];
	int err = load_plan(c, &suite, &plan);

	if (err)
		return err;
	err = campaign_scan(dir, NULL, &done);
	if (!err) {
		err = count(c, &plan, &done, &counts);
		campaign_done_free(&done);
	}
	if (!err) {
		progress_time_text(counts.left_ns, left, sizeof(left));
		printf("%s: suite %s, governors %s\n", dir, c->suite, c->governors);
		printf("%d of %d runs done, %d pending, %d void or failed, %s left\n", counts.done,
		       counts.done + counts.pending, counts.pending, counts.failed, left);
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
