/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Spread of a point's runs. The intervals of the report are about medians; whoever wonders why one
 * of them is wide looks here.
 */
#include "analysis/spread.h"
#include "analysis/figure_put.h"
#include "lib/tsv.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The run of the first repeat, where it is complete. */
static void part_first(const struct cell *cell, struct spread *s)
{
	for (size_t i = 0; i < cell->n; i++)
		if (cell->repeat[i] == 1)
			s->first = cell->value[i];
	if (!isnan(s->first) && s->n > 1)
		s->rest_mean = (s->mean * (double)s->n - s->first) / (double)(s->n - 1);
}

void spread_of(const struct cell *cell, struct spread *ret)
{
	struct spread s = { cell->n, NAN, NAN, NAN, NAN, NAN, NAN, NAN, { 0 } };
	struct moments moments = stats_moments(cell->value, cell->n);
	double *sorted;

	*ret = s;
	if (!s.n)
		return;
	sorted = calloc(s.n, sizeof(*sorted));
	if (!sorted)
		abort(); /* as all of a report, see analysis/pool.h */
	memcpy(sorted, cell->value, s.n * sizeof(*sorted));
	qsort(sorted, s.n, sizeof(*sorted), by_value);
	s.min = sorted[0];
	s.max = sorted[s.n - 1];
	s.range = s.max - s.min;
	s.mean = moments.mean;
	s.sd = moments.sd;
	modes_find(sorted, s.n, &s.modes);
	part_first(cell, &s);
	free(sorted);
	*ret = s;
}

static void put_row(const struct table *t, const struct section *section, size_t point,
		    size_t column, const struct measure *m, FILE *out)
{
	const struct cell *cell = section_cell(t, m, point, column);
	const char *const text[] = { section->name, section->point[point].name,
				     t->column[column].name, m->name, m->unit };
	struct spread s;

	spread_of(cell, &s);
	if (!s.n)
		return;
	tsv_put_cells(out, text, 5);
	fprintf(out, "\t%zu", s.n);
	for (size_t i = 0; i < 7; i++)
		figure_put_cell(out, (const double[]){ s.mean, s.sd, s.min, s.max, s.range, s.first,
						       s.rest_mean }[i]);
	fputc('\t', out);
	if (s.modes.low_n)
		fprintf(out, "%zu at %.6g, %zu at %.6g", s.modes.low_n, s.modes.low,
			s.n - s.modes.low_n, s.modes.high);
	fputc('\n', out);
}

void spread_write(const struct table *table, FILE *out)
{
	fputs("section\tpoint\tgovernor\tmetric\tunit\tn\tmean\tsd\tmin\tmax\trange\tfirst\t"
	      "rest_mean\ttwo_modes\n",
	      out);
	for (size_t i = 0; i < table->sections; i++) {
		const struct section *s = &table->section[i];

		for (size_t p = 0; p < s->points; p++)
			for (size_t m = 0; m < s->measures; m++)
				for (size_t c = 0; c < table->columns; c++)
					if (s->measure[m].kind <= MEASURE_POWER)
						put_row(table, s, p, c, &s->measure[m], out);
	}
}
