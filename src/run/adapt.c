/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The answer is a whole new points.tsv, put in place by one rename: before it the old plan holds,
 * and the same runs lead to the same choice; behind it the new one does.
 */
#include "run/adapt.h"
#include "lib/error.h"
#include "lib/file.h"
#include "lib/log.h"
#include "run/ask.h"
#include "store/format.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int path_of(const struct session *s, char path[PATH_MAX])
{
	if (snprintf(path, PATH_MAX, "%s/" STORE_POINTS, s->dir) < PATH_MAX)
		return 0;
	return error_set(-ENAMETOOLONG, "%s: too long a path", s->dir);
}

int adapt_open(const struct session *s)
{
	char path[PATH_MAX];
	int err = path_of(s, path);

	if (err || !s->plan.scale.n || !access(path, F_OK))
		return err;
	return store_points_write(s->dir, &s->plan.scale);
}

static size_t count_chosen(const struct plan *plan)
{
	size_t n = 0;

	for (size_t i = 0; i < plan->scale.n; i++)
		n += plan->scale.point[i].round >= 0;
	return n;
}

static size_t count_wanted(const struct plan *plan)
{
	size_t n = 0;

	for (size_t i = 0; i < plan->suite->sections; i++)
		n += plan_all_points(plan, i);
	return n;
}

/* "round 3 of points: 9 more (5 at a difference, 2 at a bend, 2 beside a step), 44 of 60" */
static void tell(const struct plan *plan)
{
	static const struct {
		const char *why, *text;
	} whys[] = { { "difference", "at a difference" },
		     { "bend", "at a bend" },
		     { "foot", "beside a step" },
		     { "gap", "in the widest gaps" } };
	size_t n[sizeof(whys) / sizeof(*whys)] = { 0 }, all = 0;
	char text[256] = "";
	int round = 0, used = 0;

	for (size_t i = 0; i < plan->scale.n; i++)
		if (plan->scale.point[i].round > round)
			round = plan->scale.point[i].round;
	for (size_t i = 0; i < plan->scale.n; i++)
		for (size_t k = 0; k < sizeof(whys) / sizeof(*whys); k++)
			if (plan->scale.point[i].round == round &&
			    !strcmp(plan->scale.point[i].why, whys[k].why))
				n[k]++;
	for (size_t k = 0; k < sizeof(whys) / sizeof(*whys); k++) {
		if (n[k])
			used += snprintf(text + used, sizeof(text) - (size_t)used, "%s%zu %s",
					 used ? ", " : "", n[k], whys[k].text);
		all += n[k];
	}
	log_info("round %d of points: %zu more (%s), %zu of %zu", round, all, text, plan->points,
		 count_wanted(plan));
}

int adapt(struct session *s)
{
	char *arguments[] = { (char[]){ "refine" }, s->dir, NULL };
	size_t before = count_chosen(&s->plan), size;
	char path[PATH_MAX], *text;
	int err = path_of(s, path);

	if (!err)
		err = ask_analysis(arguments, &text, &size);
	if (err)
		return err;
	if (strncmp(text, STORE_POINTS_COLUMNS, strlen(STORE_POINTS_COLUMNS)))
		err = error_set(-EBADMSG, "the analysis program printed no points");
	else
		err = file_write_atomic(path, text, size);
	free(text);
	if (!err)
		err = session_replan(s);
	if (err)
		return err;
	if (count_chosen(&s->plan) <= before)
		return error_set(-EIO, "%s: no further point was chosen", path);
	tell(&s->plan);
	return 0;
}
