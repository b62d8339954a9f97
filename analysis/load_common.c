/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two campaigns are compared where both have been: a section that only one result has, or a point
 * that not every result with that section has, is taken out and listed. Left in, it would be part
 * of one side's curve only.
 */
#include "analysis/load.h"
#include <stdlib.h>
#include <string.h>

static int by_point(const void *left, const void *right)
{
	const struct loaded_run *a = *(struct loaded_run *const *)left;
	const struct loaded_run *b = *(struct loaded_run *const *)right;
	int by = strcmp(a->info.section, b->info.section);

	by = by ? by : strcmp(a->info.point, b->info.point);
	by = by ? by : (a->source > b->source) - (a->source < b->source);
	/* As they were loaded, which is the order of the plan. */
	return by ? by : (a > b) - (a < b);
}

/* Runs sorted by section and point; has[s]: source s has one of @run[0..n). */
struct group {
	struct loaded_run **run;
	size_t n, sources;
	bool *has;
};

static void note_sources(const struct result *r, struct group *g)
{
	size_t i;

	memset(g->has, 0, r->sources * sizeof(*g->has));
	g->sources = 0;
	for (i = 0; i < g->n; i++) {
		g->sources += !g->has[g->run[i]->source];
		g->has[g->run[i]->source] = true;
	}
}

static size_t section_length(struct loaded_run **run, size_t n)
{
	size_t i;

	for (i = 1; i < n && !strcmp(run[i]->info.section, run[0]->info.section); i++)
		;
	return i;
}

static size_t point_length(struct loaded_run **run, size_t n)
{
	size_t i;

	for (i = 1; i < n && !strcmp(run[i]->info.point, run[0]->info.point); i++)
		;
	return i;
}

static const char *names_of(struct result *r, const struct group *g)
{
	const char *text = "";
	size_t i;

	for (i = 0; i < r->sources; i++)
		if (g->has[i])
			text = pool_text(&r->pool, "%s%s%s", text, *text ? ", " : "",
					 r->source[i].shown);
	return text;
}

/* Points of one section with the same sources stand in one entry. */
static void list(struct result *r, const struct group *g, const char *point)
{
	const char *sources = names_of(r, g), *section = g->run[0]->info.section;
	struct uncommon *u = r->uncommon, *end = u + r->uncommons;

	while (u < end && (strcmp(u->section, section) || strcmp(u->sources, sources)))
		u++;
	if (u == end) {
		r->uncommon = pool_room(&r->pool, r->uncommon, r->uncommons, sizeof(*r->uncommon));
		u = &r->uncommon[r->uncommons++];
		*u = (struct uncommon){ .section = pool_copy(&r->pool, section),
					.points = "",
					.sources = sources };
	}
	if (point && *point)
		u->points = pool_text(&r->pool, "%s%s%s", u->points, *u->points ? ", " : "", point);
	u->runs += g->n;
}

/* Keeps those of a section's points that as many sources have as have the section. */
static void take_points(struct result *r, struct group *section, bool *drop)
{
	bool *has = pool_alloc(&r->pool, r->sources, sizeof(*has));
	struct group point = { .run = section->run, .has = has };
	size_t left = section->n, i;

	for (; left; left -= point.n, point.run += point.n) {
		point.n = point_length(point.run, left);
		note_sources(r, &point);
		if (section->sources > 1 && point.sources == section->sources)
			continue;
		for (i = 0; i < point.n; i++)
			drop[point.run[i] - r->run] = true;
		if (section->sources > 1)
			list(r, &point, point.run[0]->info.point);
	}
	if (section->sources == 1)
		list(r, section, NULL);
}

static void remove_dropped(struct result *r, const bool *drop)
{
	size_t i, n = 0;

	for (i = 0; i < r->runs; i++) {
		if (drop[i])
			store_run_free(&r->run[i].info);
		else
			r->run[n++] = r->run[i];
	}
	r->runs = n;
}

void load_common(struct result *result)
{
	struct pool scratch = { 0 };
	struct loaded_run **run = pool_alloc(&scratch, result->runs + 1, sizeof(*run));
	bool *drop = pool_alloc(&scratch, result->runs + 1, sizeof(*drop));
	struct group section = { .run = run };
	size_t left = result->runs, i;

	section.has = pool_alloc(&scratch, result->sources, sizeof(*section.has));
	for (i = 0; i < result->runs; i++)
		run[i] = &result->run[i];
	qsort(run, result->runs, sizeof(*run), by_point);
	for (; result->sources > 1 && left; left -= section.n, section.run += section.n) {
		section.n = section_length(section.run, left);
		note_sources(result, &section);
		take_points(result, &section, drop);
	}
	remove_dropped(result, drop);
	pool_free(&scratch);
}
