/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The shape as a table: one row a finding, whatever it is, so that one filter on "what" is enough.
 */
#include "analysis/shape.h"
#include "lib/tsv.h"
#include <math.h>

static void put_numbers(FILE *out, const double *value, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		fputc('\t', out);
		if (isfinite(value[i]))
			fprintf(out, "%.6g", value[i]);
	}
	fputc('\n', out);
}

static void put_row(const struct table *t, const struct section *s, const char *what, size_t facet,
		    size_t column, const char *measure, const double numbers[4], FILE *out)
{
	const char *const text[] = { s->name, s->facet[facet].name, t->column[column].name, what,
				     measure };

	tsv_put_cells(out, text, 5);
	put_numbers(out, numbers, 4);
}

static double x_of(const struct section *s, size_t facet, size_t at)
{
	return s->point[s->facet[facet].point[at]].at[s->x];
}

static void put_steps(const struct table *t, const struct section *s, const char *measure,
		      FILE *out)
{
	const struct shape *shape = s->shape;

	for (size_t i = 0; i < shape->curves; i++) {
		const struct shape_curve *c = &shape->curve[i];

		for (size_t k = 0; k < c->steps; k++)
			put_row(t, s, "step", c->facet, c->column, measure,
				(const double[]){ x_of(s, c->facet, c->step[k].before),
						  x_of(s, c->facet, c->step[k].after),
						  c->step[k].step_pct, NAN },
				out);
	}
	for (size_t i = 0; i < shape->shifts; i++) {
		const struct shape_shift *h = &shape->shift[i];

		put_row(t, s, "shift", h->facet, h->column, measure,
			(const double[]){ h->reference.x, h->other.x, h->pct, NAN }, out);
	}
	for (size_t i = 0; i < shape->peaks; i++) {
		const struct shape_peak *k = &shape->peak[i];
		double x = s->point[k->point].at[s->x];

		put_row(t, s, k->shift ? "peak of a shift" : "peak", k->facet, k->column, measure,
			(const double[]){ x, x, k->pct, NAN }, out);
	}
}

static void put_regions(const struct table *t, const struct section *s, FILE *out)
{
	const struct shape *shape = s->shape;

	for (size_t i = 0; i < shape->regions; i++) {
		const struct shape_region *r = &shape->region[i];

		put_row(t, s, r->verdict ? section_verdict_text(r->verdict) : "differs", r->facet,
			r->column, s->measure[r->measure].name,
			(const double[]){ x_of(s, r->facet, r->first), x_of(s, r->facet, r->last),
					  r->lo, r->hi },
			out);
	}
}

/* The facet that a point is in. */
static size_t facet_of(const struct section *s, size_t point)
{
	for (size_t f = 0; f < s->facets; f++)
		for (size_t i = 0; i < s->facet[f].points; i++)
			if (s->facet[f].point[i] == point)
				return f;
	return 0;
}

static void put_bistable(const struct table *t, const struct section *s, const char *measure,
			 FILE *out)
{
	const struct shape *shape = s->shape;

	for (size_t i = 0; i < shape->all_modes; i++) {
		const struct shape_modes *m = &shape->modes[i];
		double x = s->axes ? s->point[m->point].at[s->x] : NAN;

		put_row(t, s, "two modes", facet_of(s, m->point), m->column, measure,
			(const double[]){ x, x, m->spread.modes.low, m->spread.modes.high }, out);
	}
	for (size_t i = 0; i < shape->all_jumps; i++) {
		const struct shape_jumps *j = &shape->jumps[i];
		double x = s->point[j->point].at[s->x];

		put_row(t, s, "jumps", facet_of(s, j->point), j->column, measure,
			(const double[]){ x, x, NAN, NAN }, out);
	}
}

void shape_write(const struct table *table, FILE *out)
{
	fputs("section\tcurve\tgovernor\twhat\tmeasure\tx_from\tx_to\tvalue\tvalue_to\n", out);
	for (size_t i = 0; i < table->sections; i++) {
		const struct section *s = &table->section[i];
		const char *measure = s->metrics ? s->measure[0].name : "";

		put_steps(table, s, measure, out);
		put_regions(table, s, out);
		put_bistable(table, s, measure, out);
	}
}
