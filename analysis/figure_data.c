/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * TSV of values and of states. A sweep has one row a point and columns per governor; governors side
 * by side have one row a governor. gnuplot and readers take columns by name.
 */
#include "analysis/figure.h"
#include "analysis/figure_put.h"
#include <math.h>

static bool put_cell(FILE *out, const struct cell *cell, bool difference)
{
	const struct difference *d = &cell->difference;
	bool drawn;

	if (!difference) {
		drawn = figure_put_cell(out, cell->estimate.median);
		figure_put_cell(out, cell->n ? cell->estimate.lo : NAN);
		figure_put_cell(out, cell->n ? cell->estimate.hi : NAN);
		fprintf(out, "\t%zu", cell->n);
		return drawn;
	}
	drawn = figure_put_cell(out, d->known ? d->pct : NAN);
	figure_put_cell(out, d->known && d->interval ? d->lo_pct : NAN);
	figure_put_cell(out, d->known && d->interval ? d->hi_pct : NAN);
	figure_put_cell(out, d->known ? d->p : NAN);
	figure_put_cell(out, d->known ? d->p_holm : NAN);
	fprintf(out, "\t%s", section_verdict_text(d->verdict));
	return drawn;
}

static void put_heading(FILE *out, const char *prefix, bool difference)
{
	if (difference)
		fprintf(out, "\t%s\t%s.lo\t%s.hi\t%s.p\t%s.p_holm\t%s.verdict", prefix, prefix,
			prefix, prefix, prefix, prefix);
	else
		fprintf(out, "\t%s\t%s.lo\t%s.hi\t%s.n", prefix, prefix, prefix, prefix);
}

/* One quantity: its heading for the columns of a sweep is PREFIX, a slash and the governor. */
struct part {
	const char *heading;
	const struct measure *measure;
};

static size_t put_sweep(const struct table *t, const struct figure *f, const struct part *part,
			size_t parts, bool difference, FILE *out)
{
	const struct section *s = f->section;
	size_t i, j, c, drawn = 0;

	fprintf(out, "x\tpoint");
	for (j = 0; j < parts; j++)
		for (c = 0; c < t->columns; c++)
			if (s->column_present[c])
				put_heading(out,
					    pool_text(t->pool, "%s%s%s", part[j].heading,
						      *part[j].heading ? "/" : "",
						      t->column[c].name),
					    difference);
	for (i = 0; i < f->facet->points; i++) {
		const struct point *p = &s->point[f->facet->point[i]];

		fprintf(out, "\n%.10g\t%s", p->at[s->x], p->text[s->x]);
		for (j = 0; j < parts; j++)
			for (c = 0; c < t->columns; c++)
				if (s->column_present[c])
					drawn += put_cell(out,
							  section_cell(t, part[j].measure,
								       f->facet->point[i], c),
							  difference);
	}
	fputc('\n', out);
	return drawn;
}

static size_t put_governors(const struct table *t, const struct figure *f, const struct part *part,
			    size_t parts, bool difference, FILE *out)
{
	size_t c, j, n = 0, drawn = 0;

	fprintf(out, "x\tgovernor");
	for (j = 0; j < parts; j++)
		put_heading(out, *part[j].heading ? part[j].heading : "value", difference);
	for (c = 0; c < t->columns; c++) {
		if (!f->section->column_present[c])
			continue;
		fprintf(out, "\n%zu\t%s", ++n, t->column[c].name);
		for (j = 0; j < parts; j++)
			drawn += put_cell(out,
					  section_cell(t, part[j].measure, f->facet->point[0], c),
					  difference);
	}
	fputc('\n', out);
	return drawn;
}

size_t figure_put_values(const struct table *table, const struct figure *figure,
			 const struct measure *measure, bool difference, FILE *out)
{
	const struct part part = { "", measure };

	return (figure_is_sweep(figure) ? put_sweep : put_governors)(table, figure, &part, 1,
								     difference, out);
}

static const struct measure *not_idle_measure(const struct section *s, enum cpu_set set,
					      size_t table)
{
	size_t i;

	for (i = 0; i < s->measures; i++)
		if (s->measure[i].kind == MEASURE_NOT_IDLE && s->measure[i].set == set &&
		    s->measure[i].state == table)
			return &s->measure[i];
	return NULL;
}

size_t figure_put_states(const struct table *table, const struct figure *figure,
			 enum idle_quantity quantity, bool not_idle, FILE *out)
{
	size_t *state, n = figure_states(table, figure, &state), parts = 0, i;
	struct part *part = pool_alloc(table->pool, n + table->result->tables + 1, sizeof(*part));
	enum cpu_set set = figure_set(table, figure);

	for (i = 0; i < n; i++)
		part[parts++] = (struct part){ figure_state_key(table, state[i]),
					       section_idle_measure(figure->section, set, quantity,
								    state[i]) };
	for (i = 0; not_idle && i < table->result->tables; i++) {
		const struct measure *m = not_idle_measure(figure->section, set, i);

		if (figure_has_values(table, figure, m))
			part[parts++] =
				(struct part){ pool_text(table->pool, "not_idle.%zu", i), m };
	}
	return (figure_is_sweep(figure) ? put_sweep : put_governors)(table, figure, part, parts,
								     false, out);
}
