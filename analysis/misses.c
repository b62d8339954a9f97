/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel counts above and below where it traces cpu_idle_miss, so misses are their sum. The
 * ratio is of all idles of the run, not of one state: states differ, and have tables of their own.
 */
#include "analysis/misses.h"
#include "lib/tsv.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct row {
	const struct loaded_run *run;
	size_t section, point, column;
};

/* Of an imported table of runs, which has the sums only. */
static double metric_of(const struct loaded_run *run, const char *name)
{
	for (size_t i = 0; i < run->metrics; i++)
		if (!strcmp(run->metric[i].name, name))
			return run->metric[i].value;
	return NAN;
}

void misses_of(const struct result *result, const struct loaded_run *run, struct misses *ret)
{
	enum cpu_set set = run->info.cpus.n ? SET_WORKLOAD : SET_ALL;
	struct misses sum = { 0 };
	size_t i, readings = 0;

	for (i = 0; run->idle && i < result->states; i++) {
		const struct idle_sum *state = &run->idle[(size_t)set * result->states + i];

		if (!state->readings)
			continue;
		readings += state->readings;
		sum.idles += state->usage;
		sum.belows += state->below;
		sum.aboves += state->above;
	}
	if (!readings)
		sum = (struct misses){ metric_of(run, "idles"), metric_of(run, "belows"),
				       metric_of(run, "aboves") };
	*ret = sum;
}

static size_t section_at(const struct table *t, const char *name)
{
	size_t i;

	for (i = 0; i + 1 < t->sections && strcmp(t->section[i].name, name); i++)
		;
	return i;
}

static size_t point_at(const struct section *s, const char *name)
{
	size_t i;

	for (i = 0; i + 1 < s->points && strcmp(s->point[i].name, name); i++)
		;
	return i;
}

static int compare(size_t a, size_t b)
{
	return (a > b) - (a < b);
}

static int by_place(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	int order = compare(x->section, y->section);

	order = order ? order : compare(x->point, y->point);
	order = order ? order : compare(x->column, y->column);
	order = order ? order : compare((size_t)x->run->info.repeat, (size_t)y->run->info.repeat);
	return order ? order : strcmp(x->run->name, y->run->name);
}

static size_t sorted_rows(const struct table *t, struct row **ret)
{
	const struct result *r = t->result;
	struct row *row = pool_alloc(t->pool, r->runs + 1, sizeof(*row));
	size_t n = 0, i;

	for (i = 0; i < r->runs; i++) {
		const struct loaded_run *run = &r->run[i];
		size_t section;

		if (run->info.state != STORE_COMPLETE)
			continue;
		section = section_at(t, run->info.section);
		row[n++] =
			(struct row){ run, section, point_at(&t->section[section], run->info.point),
				      section_column_of(t, run) };
	}
	if (n)
		qsort(row, n, sizeof(*row), by_place);
	*ret = row;
	return n;
}

static void put_count(FILE *out, double count)
{
	fputc('\t', out);
	if (!isnan(count))
		fprintf(out, "%.0f", count);
}

static void put_row(const struct table *t, const struct row *row, FILE *out)
{
	const struct loaded_run *run = row->run;
	struct misses m;

	misses_of(t->result, run, &m);
	tsv_put(out, t->result->boot[run->boot].machine);
	fputc('\t', out);
	tsv_put(out, t->column[row->column].name);
	fprintf(out, "\t%d\t", run->info.repeat);
	tsv_put(out, pool_text(t->pool, "%s%s%s", run->info.section, *run->info.point ? " " : "",
			       run->info.point));
	put_count(out, m.idles);
	put_count(out, m.belows + m.aboves);
	fputc('\t', out);
	if (m.idles == 0)
		fputc('-', out); /* P-23: nothing to divide by is no 0 % */
	else if (!isnan(m.idles) && !isnan(m.belows + m.aboves))
		fprintf(out, "%.3f", (m.belows + m.aboves) / m.idles * 100);
	put_count(out, m.belows);
	put_count(out, m.aboves);
	fputc('\n', out);
}

void misses_write(const struct table *table, FILE *out)
{
	struct row *row;
	size_t n = sorted_rows(table, &row), i;

	fputs("device\tgovernor\titeration\tmetric\tidles\tidle_misses\tidle_miss_ratio\tbelows\t"
	      "aboves\n",
	      out);
	for (i = 0; i < n; i++)
		put_row(table, &row[i], out);
}
