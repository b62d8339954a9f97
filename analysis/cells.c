/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which runs are about the same cell of the plan. A run that was repeated because the first was
 * spoilt leaves both behind; two complete ones in one boot can only be a copy.
 */
#include "analysis/load.h"
#include "store/format.h"
#include <stdlib.h>
#include <string.h>

static const char *cpufreq_of(const struct store_run *run)
{
	return run->cpufreq_governor ? run->cpufreq_governor : "";
}

static int compare_cells(const struct loaded_run *left, const struct loaded_run *right)
{
	const struct store_run *a = &left->info, *b = &right->info;
	int by = (left->source > right->source) - (left->source < right->source);

	by = by ? by : strcmp(a->section, b->section);
	by = by ? by : strcmp(a->point, b->point);
	by = by ? by : strcmp(a->label, b->label);
	by = by ? by : strcmp(cpufreq_of(a), cpufreq_of(b));
	return by ? by : (a->repeat > b->repeat) - (a->repeat < b->repeat);
}

/* By cell; in a cell the complete runs first, those of a boot together, in order of the plan. */
static int compare_runs(const void *left, const void *right)
{
	const struct loaded_run *a = *(struct loaded_run *const *)left;
	const struct loaded_run *b = *(struct loaded_run *const *)right;
	int by = compare_cells(a, b);

	by = by ? by : (a->info.state != STORE_COMPLETE) - (b->info.state != STORE_COMPLETE);
	by = by ? by : a->boot - b->boot;
	by = by ? by : (a->info.number > b->info.number) - (a->info.number < b->info.number);
	return by ? by : strcmp(a->name, b->name);
}

/* A run directory's name, for the cells of those that cannot be read. */
struct named {
	size_t source;
	const char *name; /* "0003.two-cores.work=0us.menu.r1.void-2" */
	bool broken;
};

/* The part that names the cell, with its length: "two-cores.work=0us.menu.r1". */
static const char *cell_of_name(const char *name, size_t *ret_length)
{
	const char *dot = strchr(name, '.'), *end;

	name = dot ? dot + 1 : name;
	*ret_length = strlen(name);
	end = strrchr(name, '.');
	if (end && (!strncmp(end, ".void-", 6) || !strncmp(end, ".failed-", 8)))
		*ret_length = (size_t)(end - name);
	return name;
}

/* The campaign's own files can be broken as well, and are no cells. */
static bool is_run_name(const char *name)
{
	return strcmp(name, STORE_CAMPAIGN) != 0 && strcmp(name, STORE_LOOKS) != 0 &&
	       strcmp(name, STORE_POINTS) != 0;
}

static int compare_cell_names(const struct named *left, const struct named *right)
{
	size_t n, m;
	const char *a = cell_of_name(left->name, &n), *b = cell_of_name(right->name, &m);
	int by = (left->source > right->source) - (left->source < right->source);

	by = by ? by : strncmp(a, b, n < m ? n : m);
	return by ? by : (n > m) - (n < m);
}

/* Of a cell those that can be read come first. */
static int compare_named(const void *left, const void *right)
{
	const struct named *a = left, *b = right;
	int by = compare_cell_names(a, b);

	return by ? by : a->broken - b->broken;
}

/* Cells of which there are only runs that cannot be read. */
static void count_broken_cells(struct result *r, struct pool *scratch)
{
	struct named *name = pool_alloc(scratch, r->runs + r->brokens + 1, sizeof(*name));
	size_t n = 0, i;

	for (i = 0; i < r->runs; i++)
		name[n++] = (struct named){ r->run[i].source, r->run[i].name, false };
	for (i = 0; i < r->brokens; i++)
		name[n++] = (struct named){ r->broken[i].source, r->broken[i].name, true };
	qsort(name, n, sizeof(*name), compare_named);
	for (i = 0; i < n; i++)
		if (is_run_name(name[i].name) && name[i].broken &&
		    (!i || compare_cell_names(&name[i - 1], &name[i])))
			r->source[name[i].source].cells_met++;
}

static void remove_duplicates(struct result *r, const bool *duplicate)
{
	size_t i, n = 0;

	for (i = 0; i < r->runs; i++) {
		if (duplicate[i])
			store_run_free(&r->run[i].info);
		else
			r->run[n++] = r->run[i];
	}
	r->runs = n;
}

void load_cells(struct result *result)
{
	struct pool scratch = { 0 };
	struct loaded_run **order = pool_alloc(&scratch, result->runs + 1, sizeof(*order));
	bool *duplicate = pool_alloc(&scratch, result->runs + 1, sizeof(*duplicate));
	const struct loaded_run *first = NULL, *kept = NULL; /* of the cell; of cell and boot */
	size_t i;

	for (i = 0; i < result->runs; i++)
		order[i] = &result->run[i];
	qsort(order, result->runs, sizeof(*order), compare_runs);
	for (i = 0; i < result->runs; i++) {
		struct loaded_run *run = order[i];

		if (!first || compare_cells(first, run)) {
			first = kept = run;
			result->source[run->source].cells_met++;
			continue;
		}
		if (run->info.state != STORE_COMPLETE) {
			run->replaced = first->info.state == STORE_COMPLETE;
		} else if (run->boot != kept->boot) {
			kept = run;
		} else {
			duplicate[run - result->run] = true;
			load_break(result, run->source, run->name, "duplicate",
				   pool_text(&scratch, "the same cell as %s", kept->name));
		}
	}
	remove_duplicates(result, duplicate);
	count_broken_cells(result, &scratch);
	pool_free(&scratch);
}

/* Of a plan with g governors, the cells of a governor that is not offered are one g-th. */
static size_t cells_of_gaps(const struct result *r, size_t source)
{
	const struct store_campaign *c = &r->source[source].campaign;
	struct pool scratch = { 0 };
	char *rest = pool_copy(&scratch, c->governors), *word;
	size_t asked = 0, gone = 0, i;

	while ((word = strsep(&rest, ", "))) {
		if (!*word)
			continue;
		asked++;
		for (i = 0; i < r->gaps; i++)
			gone += r->gap[i].source == source && !strcmp(r->gap[i].governor, word);
	}
	pool_free(&scratch);
	return asked && c->cells > 0 ? (size_t)c->cells * gone / asked : 0;
}

void load_pending(struct result *result)
{
	for (size_t i = 0; i < result->sources; i++) {
		struct source *s = &result->source[i];
		size_t done = s->cells_met + cells_of_gaps(result, i);
		size_t cells = s->campaign.cells > 0 ? (size_t)s->campaign.cells : 0;

		s->pending = cells > done && !s->ended ? cells - done : 0;
		result->pending += s->pending;
	}
}
