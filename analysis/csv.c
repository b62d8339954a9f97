/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fields are only ever added behind the last one, so that a reader by number goes on working. An
 * empty field is "not available".
 */
#include "analysis/csv.h"
#include "analysis/describe.h"
#include <math.h>
#include <string.h>

static const char header[] =
	"section,point,column,measure,unit,better,n,median,lo,hi,diff_pct,diff_lo_pct,diff_hi_pct,p,"
	"verdict,reference,p_holm,mean,sd,min,max,mean_diff_pct,points,shift,"
	"shift_lo,shift_hi,mean_over_points,mark\n";

void csv_put(const char *text, FILE *out)
{
	size_t n = strlen(text);
	bool quote = strpbrk(text, ",\"\r\n") || (n && (text[0] == ' ' || text[n - 1] == ' '));

	if (quote)
		fputc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	if (quote)
		fputc('"', out);
}

static void put_text(const char *text, FILE *out)
{
	csv_put(text, out);
	fputc(',', out);
}

static void put_number(double value, FILE *out)
{
	if (isfinite(value))
		fprintf(out, "%.10g", value);
	fputc(',', out);
}

/* The states of idle measures have numbers in the tables of figures; here their names as well. */
static const char *measure_name(const struct table *t, const struct measure *m)
{
	if (m->kind == MEASURE_IDLE)
		return pool_text(t->pool, "%s:%s", m->name, describe_state(t, m->state));
	if (m->kind == MEASURE_NOT_IDLE && t->result->tables > 1)
		return pool_text(t->pool, "%s:%s", m->name,
				 describe_table(t, &t->result->table[m->state]));
	return m->name;
}

/* @cells: the columns of a point, or of the whole section. */
static void put_numbers(const struct table *t, const struct cell *cells, size_t column, FILE *out)
{
	const struct cell *cell = &cells[column];
	const struct estimate *e = &cell->estimate;
	const struct difference *d = &cell->difference;
	size_t reference = t->column[column].reference;
	struct moments moments = stats_moments(cell->value, cell->n);

	fprintf(out, "%zu,", cell->n);
	put_number(cell->n ? e->median : NAN, out);
	put_number(e->interval ? e->lo : NAN, out);
	put_number(e->interval ? e->hi : NAN, out);
	put_number(d->known ? d->pct : NAN, out);
	put_number(d->known && d->interval ? d->lo_pct : NAN, out);
	put_number(d->known && d->interval ? d->hi_pct : NAN, out);
	put_number(d->tested ? d->p : NAN, out);
	put_text(section_verdict_text(d->verdict), out);
	put_text(reference == NO_COLUMN ? "" : t->column[reference].name, out);
	put_number(d->tested ? d->p_holm : NAN, out);
	put_number(moments.mean, out);
	put_number(moments.sd, out);
	put_number(cell->n ? e->min : NAN, out);
	put_number(cell->n ? e->max : NAN, out);
	put_number(describe_average_pct(t, cells, column), out);
}

/* Instead of percents where the reference is 0, in the measure's unit. */
static void put_shift(const struct difference *d, FILE *out)
{
	bool shift = d->tested && !d->known;

	put_number(shift ? d->shift : NAN, out);
	put_number(shift && d->interval ? d->shift_lo : NAN, out);
	put_number(shift && d->interval ? d->shift_hi : NAN, out);
}

static void rows(const struct table *t, const struct section *s, const struct measure *m,
		 const struct cell *cells, const char *point, size_t points, FILE *out)
{
	bool idle = m->kind == MEASURE_IDLE || m->kind == MEASURE_NOT_IDLE;
	size_t c;

	for (c = 0; c < t->columns; c++) {
		/* A column of another machine does not have this one's states. */
		if (!s->column_present[c] || (idle && !cells[c].n))
			continue;
		put_text(s->name, out);
		put_text(point, out);
		put_text(t->column[c].name, out);
		put_text(measure_name(t, m), out);
		put_text(m->unit, out);
		put_text(describe_direction(m->better), out);
		put_numbers(t, cells, c, out);
		fprintf(out, "%zu,", points);
		put_shift(&cells[c].difference, out);
		put_text(*point || s->points == 1 ? ""
			 : m->overall_arithmetic  ? "arithmetic"
						  : "geometric",
			 out);
		csv_put(describe_column_flags(t, c), out);
		fputc('\n', out);
	}
}

void csv_write(const struct table *table, FILE *out)
{
	size_t i, j, p;

	fputs(header, out);
	for (i = 0; i < table->sections; i++) {
		const struct section *s = &table->section[i];

		for (p = 0; p < s->points; p++)
			for (j = 0; j < s->measures; j++)
				if (section_has_values(table, s, &s->measure[j]))
					rows(table, s, &s->measure[j],
					     section_cell(table, &s->measure[j], p, 0),
					     s->point[p].name, 1, out);
		for (j = 0; s->points > 1 && j < s->measures; j++)
			if (s->measure[j].overall_points)
				rows(table, s, &s->measure[j], s->measure[j].overall, "",
				     s->measure[j].overall_points, out);
	}
}
