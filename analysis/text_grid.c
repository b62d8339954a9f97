/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables with governors across: the points of a sweep, and the measures beside the headline. Few
 * governors fit beside the reference in 78 columns; more go into further tables.
 */
#include "analysis/describe.h"
#include "analysis/sequential.h"
#include "analysis/text.h"
#include <math.h>
#include <string.h>

#define ROWS_MAX 14 /* points that a mail's table shows of a sweep */
#define BLOCK_MAX 3
#define VALUE_WIDTH 8
#define PAIR_WIDTH 16 /* value and percent */

/* One table: the columns it has, the first of them the reference. */
struct grid {
	size_t column[BLOCK_MAX + 1];
	size_t n;
	int label_width;
};

typedef void table_writer(const struct table *t, const struct section *s, const struct grid *grid,
			  FILE *out);

static char mark(enum verdict verdict)
{
	static const char marks[] = { '-', '?', '~', 'b', 'W', '=' };

	return marks[verdict];
}

static bool is_paired(const struct table *t, size_t column)
{
	return t->column[column].reference != NO_COLUMN;
}

static void put_cell(const struct cell *cell, bool paired, FILE *out)
{
	const struct difference *d = &cell->difference;
	char value[DESCRIBE_NUMBER_MAX], pct[DESCRIBE_NUMBER_MAX + 4];

	fprintf(out, " %*s", VALUE_WIDTH, describe_number(cell->estimate.median, 5, value));
	if (!paired)
		return;
	if (d->reference_is_0 && d->tested)
		snprintf(pct, sizeof(pct), "%s%s*", d->shift >= 0 ? "+" : "",
			 describe_number(d->shift, 3, value));
	else
		describe_percent(d->known ? d->pct : NAN, pct);
	fprintf(out, " %7s %c", pct, mark(d->verdict));
}

static bool is_long(const struct table *t, size_t column)
{
	return text_width(t->column[column].name) >
	       (is_paired(t, column) ? PAIR_WIDTH : VALUE_WIDTH);
}

/* A row's label; one that does not fit has a line of its own. */
static void put_label(const struct table *t, const struct grid *g, const char *label, FILE *out)
{
	if (text_width(label) > g->label_width) {
		text_wrap(out, pool_text(t->pool, "  %s", label), 4);
		label = "";
	}
	fputs("  ", out);
	text_put(out, label, -g->label_width);
}

/* Names that do not fit stand above, with a letter each. */
static void heading(const struct table *t, const struct grid *g, const char *label, FILE *out)
{
	char letter[2] = "A";
	size_t i;

	for (i = 0; i < g->n; i++)
		if (is_long(t, g->column[i]))
			text_wrap(out,
				  pool_text(t->pool, "  %c = %s", (char)('A' + i),
					    t->column[g->column[i]].name),
				  6);
	put_label(t, g, label, out);
	for (i = 0; i < g->n; i++) {
		const char *name = t->column[g->column[i]].name;

		letter[0] = (char)('A' + i);
		fputc(' ', out);
		text_put(out, is_long(t, g->column[i]) ? letter : name,
			 is_paired(t, g->column[i]) ? PAIR_WIDTH : VALUE_WIDTH);
		if (is_paired(t, g->column[i]) && i + 1 < g->n)
			fprintf(out, "  ");
	}
	fputc('\n', out);
}

/* What the table's percents are against: with several references the one of this table. */
static const char *base_of(const struct table *t, const struct grid *g)
{
	bool several = g->n > 1 && *describe_versus(t, g->column[1]);

	return several ? t->column[g->column[0]].name : t->reference;
}

static void point_row(const struct table *t, const struct section *s, size_t point,
		      const struct grid *g, FILE *out)
{
	size_t i;

	put_label(t, g, s->point[point].text[s->x], out);
	for (i = 0; i < g->n; i++)
		put_cell(section_cell(t, &s->measure[0], point, g->column[i]),
			 is_paired(t, g->column[i]), out);
	fputc('\n', out);
}

/* All points of a facet, or evenly picked ones with both ends. */
static void point_rows(const struct table *t, const struct section *s, const struct facet *f,
		       const struct grid *g, FILE *out)
{
	size_t rows = f->points < ROWS_MAX ? f->points : ROWS_MAX, i;

	for (i = 0; i < rows; i++) {
		size_t at = rows > 1 ? i * (f->points - 1) / (rows - 1) : 0;

		point_row(t, s, f->point[at], g, out);
	}
	if (rows < f->points)
		fprintf(out, "  (%zu of %zu points; all of them are in report/data/)\n", rows,
			f->points);
}

static void point_table(const struct table *t, const struct section *s, const struct grid *g,
			FILE *out)
{
	const struct measure *m = &s->measure[0];
	size_t i;

	for (i = 0; i < s->facets; i++) {
		const struct facet *f = &s->facet[i];

		fputc('\n', out);
		text_wrap(out,
			  pool_text(t->pool, "%s%s%s by %s%s%s (median, %% vs %s)", m->name,
				    *m->unit ? " in " : "", m->unit, s->axis[s->x].key,
				    *f->name ? ", " : "", f->name, base_of(t, g)),
			  2);
		heading(t, g, s->axis[s->x].key, out);
		point_rows(t, s, f, g, out);
	}
}

static bool is_other(const struct table *t, const struct section *s, const struct measure *m)
{
	if ((m->kind != MEASURE_METRIC && m->kind != MEASURE_POWER) || m->better == BETTER_IS_NONE)
		return false; /* facts without a direction are on the page and in summary.json */
	return m != &s->measure[0] && strcmp(m->name, "package_w") && m->overall_points &&
	       section_has_values(t, s, m);
}

static void other_table(const struct table *t, const struct section *s, const struct grid *g,
			FILE *out)
{
	size_t i, j;

	fputc('\n', out);
	text_wrap(out,
		  pool_text(t->pool, "other measures (median%s, %% vs %s)",
			    s->points > 1 ? " of the geometric mean over the points" : "",
			    base_of(t, g)),
		  2);
	heading(t, g, "", out);
	for (i = 0; i < s->measures; i++) {
		const struct measure *m = &s->measure[i];
		const char *label =
			pool_text(t->pool, "%s%s%s", m->name, *m->unit ? ", " : "", m->unit);

		if (m->overall_arithmetic)
			label = pool_text(t->pool, "%s, mean over points", label);
		/* A point that is bi-stable, or lacks runs, is not behind the mean. */
		if (m->overall_points < s->points)
			label = pool_text(t->pool, "%s, %zu of %zu points", label,
					  m->overall_points, s->points);
		if (!is_other(t, s, m))
			continue;
		put_label(t, g, label, out);
		for (j = 0; j < g->n; j++)
			put_cell(&m->overall[g->column[j]], is_paired(t, g->column[j]), out);
		fputc('\n', out);
	}
}

/* Tables of @base and of those compared with it, @block a table. */
static void tables_of(const struct table *t, const struct section *s, size_t base, int label_width,
		      size_t block, table_writer *write, FILE *out)
{
	struct grid g = { .column = { base }, .n = 1, .label_width = label_width };
	bool shown = false;
	size_t c;

	for (c = 0; c < t->columns; c++) {
		if (!s->column_present[c] || t->column[c].reference != base)
			continue;
		g.column[g.n++] = c;
		if (g.n == block + 1) {
			write(t, s, &g, out);
			shown = true;
			g.n = 1;
		}
	}
	if (g.n > 1 || !shown)
		write(t, s, &g, out);
}

static void all_tables(const struct table *t, const struct section *s, int label_width,
		       size_t block, table_writer *write, FILE *out)
{
	size_t c;

	for (c = 0; c < t->columns; c++)
		if (s->column_present[c] && !is_paired(t, c))
			tables_of(t, s, c, label_width, block, write, out);
}

/* Points of a column where both sides have enough runs: the size of Holm's family. */
static size_t family(const struct table *t, const struct section *s, size_t column)
{
	const struct measure *m = &s->measure[0];
	size_t i, n = 0;

	for (i = 0; is_paired(t, column) && i < s->points; i++)
		n += section_cell(t, m, i, column)->n >= STATS_N_MIN &&
		     section_cell(t, m, i, t->column[column].reference)->n >= STATS_N_MIN;
	return n;
}

/* Says so when no single point could have been found significant whatever the data. */
static void warn_of_family(const struct table *t, const struct section *s, FILE *out)
{
	size_t n = 0, c;
	double smallest;

	for (c = 0; c < t->columns; c++)
		n = family(t, s, c) > n ? family(t, s, c) : n;
	smallest = 2 * stats_u_cdf(s->complete_max, s->complete_max, 0) * (double)n;
	if (!n || smallest < STATS_ALPHA)
		return;
	text_wrap(
		out,
		pool_text(t->pool,
			  "With %zu runs a governor no single one of %zu points can be told apart "
			  "(smallest corrected p %.2g): judge the whole curve above.",
			  s->complete_max, n, smallest),
		2);
}

/* Of the cells of a row some have no percent. */
static bool has_shift(const struct cell *cell, size_t n)
{
	while (n--)
		if (cell[n].difference.reference_is_0 && cell[n].difference.tested)
			return true;
	return false;
}

static void legend(const struct table *t, const struct section *s, bool points, FILE *out)
{
	bool shift = points && has_shift(s->measure[0].cell, s->points * t->columns);
	size_t i;

	fputs("  b better, W worse, ~ none shown or too small to matter, ? n too small\n", out);
	if (sequential_is(t))
		fputs("  = equivalent: shown to be too small to matter\n", out);
	for (i = 0; !points && i < s->measures; i++)
		shift |= is_other(t, s, &s->measure[i]) &&
			 has_shift(s->measure[i].overall, t->columns);
	if (shift)
		fputs("  * the reference is 0: the difference in the measure's unit, no percent\n",
		      out);
}

void text_grids(const struct table *table, const struct section *section, FILE *out)
{
	bool other = false;
	size_t i;

	if (section->points > 1 && section->metrics) {
		all_tables(table, section, 9, 3, point_table, out);
		legend(table, section, true, out);
		warn_of_family(table, section, out);
	}
	for (i = 0; i < section->measures; i++)
		other |= is_other(table, section, &section->measure[i]);
	if (!other)
		return;
	all_tables(table, section, 18, 2, other_table, out);
	legend(table, section, false, out);
}
