/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which runs are about the same cell of the plan. A run that was repeated because the first was
 * spoilt leaves both behind; two complete ones in one boot can only be a copy.
 */
#include "analysis/load.h"
#include <stdlib.h>
#include <string.h>

static const char *cpufreq_of(const struct store_run *run)
{
	return run->cpufreq_governor ? run->cpufreq_governor : "";
}

static int compare_cells(const struct store_run *a, const struct store_run *b)
{
	int by = strcmp(a->section, b->section);

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
	int by = compare_cells(&a->info, &b->info);

	by = by ? by : (a->info.state != STORE_COMPLETE) - (b->info.state != STORE_COMPLETE);
	by = by ? by : a->boot - b->boot;
	by = by ? by : (a->info.number > b->info.number) - (a->info.number < b->info.number);
	return by ? by : strcmp(a->name, b->name);
}

/* "0003.two-cores.work=0us.menu.r1.void-2": the part that names the cell, with its length. */
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

static bool same_cell_by_name(const char *a, const char *b)
{
	size_t n, m;

	a = cell_of_name(a, &n);
	b = cell_of_name(b, &m);
	return n == m && !strncmp(a, b, n);
}

/* The broken run is the only one of its cell, or the first of several broken ones. */
static bool is_first_broken(const struct result *r, size_t at)
{
	size_t i;

	for (i = 0; i < r->runs; i++)
		if (same_cell_by_name(r->run[i].name, r->broken[at].name))
			return false;
	for (i = 0; i < at; i++)
		if (same_cell_by_name(r->broken[i].name, r->broken[at].name))
			return false;
	return true;
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

		if (!first || compare_cells(&first->info, &run->info)) {
			first = kept = run;
			result->cells_met++;
			continue;
		}
		if (run->info.state != STORE_COMPLETE) {
			run->replaced = first->info.state == STORE_COMPLETE;
		} else if (run->boot != kept->boot) {
			kept = run;
		} else {
			duplicate[run - result->run] = true;
			load_break(result, run->name, "duplicate",
				   pool_text(&scratch, "the same cell as %s", kept->name));
		}
	}
	remove_duplicates(result, duplicate);
	for (i = 0; i < result->brokens; i++)
		result->cells_met += is_first_broken(result, i);
	pool_free(&scratch);
}
