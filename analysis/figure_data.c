/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A figure's TSV. A sweep has one row a point and columns per governor; governors side by side have
 * one row a governor. gnuplot and readers take columns by name.
 */
#include "analysis/describe.h"
#include "analysis/figure.h"
#include <inttypes.h>
#include <math.h>

/* A leading tab, then the number; nothing for NAN (not available). */
static void put_number(FILE *out, double value)
{
	fputc('\t', out);
	if (!isnan(value))
		fprintf(out, "%.10g", value);
}

static void put_cell(FILE *out, const struct cell *cell, bool difference)
{
	const struct difference *d = &cell->difference;

	if (!difference) {
		put_number(out, cell->estimate.median);
		put_number(out, cell->n ? cell->estimate.lo : NAN);
		put_number(out, cell->n ? cell->estimate.hi : NAN);
		fprintf(out, "\t%zu", cell->n);
		return;
	}
	put_number(out, d->known ? d->pct : NAN);
	put_number(out, d->known && d->interval ? d->lo_pct : NAN);
	put_number(out, d->known && d->interval ? d->hi_pct : NAN);
	put_number(out, d->known ? d->p : NAN);
	put_number(out, d->known ? d->p_holm : NAN);
	fprintf(out, "\t%s", section_verdict_text(d->verdict));
}

static void put_heading(FILE *out, const char *prefix, bool difference)
{
	if (difference)
		fprintf(out, "\t%s\t%s.lo\t%s.hi\t%s.p\t%s.p_holm\t%s.verdict", prefix, prefix,
			prefix, prefix, prefix, prefix);
	else
		fprintf(out, "\t%s\t%s.lo\t%s.hi\t%s.n", prefix, prefix, prefix, prefix);
}

static void sweep_values(const struct table *t, const struct figure *f, const struct measure *m,
			 bool difference, FILE *out)
{
	const struct section *s = f->section;
	size_t i, c;

	fprintf(out, "x\tpoint");
	for (c = 0; c < t->columns; c++)
		if (s->column_present[c])
			put_heading(out, t->column[c].name, difference);
	for (i = 0; i < figure_points(f); i++) {
		const struct point *p = &s->point[f->facet->point[i]];

		fprintf(out, "\n%.10g\t%s", p->at[s->x], p->text[s->x]);
		for (c = 0; c < t->columns; c++)
			if (s->column_present[c])
				put_cell(out, section_cell(t, m, f->facet->point[i], c),
					 difference);
	}
	fputc('\n', out);
}

static void category_values(const struct table *t, const struct figure *f, const struct measure *m,
			    bool difference, FILE *out)
{
	size_t c, n = 0;

	fprintf(out, "x\tgovernor");
	put_heading(out, "value", difference);
	for (c = 0; c < t->columns; c++) {
		if (!f->section->column_present[c])
			continue;
		fprintf(out, "\n%zu\t%s", ++n, t->column[c].name);
		put_cell(out, section_cell(t, m, f->facet->point[0], c), difference);
	}
	fputc('\n', out);
}

/* "3:C6": state names may repeat, state numbers of a report do not. */
static const char *state_key(const struct table *t, size_t state)
{
	return pool_text(t->pool, "%zu:%s", state, describe_state(t, state));
}

static void put_state(const struct table *t, const struct figure *f, size_t state, size_t point,
		      size_t column, FILE *out)
{
	const struct measure *m =
		section_idle_measure(f->section, figure_set(t, f), f->kind->source.quantity, state);

	put_cell(out, section_cell(t, m, point, column), false);
}

static void sweep_states(const struct table *t, const struct figure *f, FILE *out)
{
	const struct section *s = f->section;
	size_t *state, n = figure_states(t, f, &state), i, j, c;

	fprintf(out, "x\tpoint");
	for (j = 0; j < n; j++)
		for (c = 0; c < t->columns; c++)
			if (s->column_present[c])
				put_heading(out,
					    pool_text(t->pool, "%s/%s", state_key(t, state[j]),
						      t->column[c].name),
					    false);
	for (i = 0; i < figure_points(f); i++) {
		const struct point *p = &s->point[f->facet->point[i]];

		fprintf(out, "\n%.10g\t%s", p->at[s->x], p->text[s->x]);
		for (j = 0; j < n; j++)
			for (c = 0; c < t->columns; c++)
				if (s->column_present[c])
					put_state(t, f, state[j], f->facet->point[i], c, out);
	}
	fputc('\n', out);
}

static void category_states(const struct table *t, const struct figure *f, FILE *out)
{
	size_t *state, n = figure_states(t, f, &state), j, c, row = 0;

	fprintf(out, "x\tgovernor");
	for (j = 0; j < n; j++)
		put_heading(out, state_key(t, state[j]), false);
	for (c = 0; c < t->columns; c++) {
		if (!f->section->column_present[c])
			continue;
		fprintf(out, "\n%zu\t%s", ++row, t->column[c].name);
		for (j = 0; j < n; j++)
			put_state(t, f, state[j], f->facet->point[0], c, out);
	}
	fputc('\n', out);
}

void figure_write_data(const struct table *table, const struct figure *figure, FILE *out)
{
	bool sweep = figure_is_sweep(figure);
	const struct measure *m;

	if (figure->kind->shape == FIGURE_STATES) {
		if (sweep)
			sweep_states(table, figure, out);
		else
			category_states(table, figure, out);
		return;
	}
	m = figure_measure(figure->section, figure->kind);
	if (sweep)
		sweep_values(table, figure, m, figure->kind->shape == FIGURE_DIFFERENCE, out);
	else
		category_values(table, figure, m, figure->kind->shape == FIGURE_DIFFERENCE, out);
}
