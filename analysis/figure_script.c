/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A figure's own gnuplot script: variables, then "load" of the common script that draws. It stands
 * beside the drawing, so that a reader can redraw or change it with gnuplot alone.
 */
#include "analysis/describe.h"
#include "analysis/figure.h"
#include "analysis/figure_put.h"
#include <math.h>
#include <string.h>

#define HEADING_MAX 128 /* characters of a line above a figure */
#define MARKS_MAX 40 /* marks on a curve, so that its line and dashes are seen between them */

static void put_columns(const struct table *t, const struct figure *f, FILE *out)
{
	size_t *column, n = figure_columns(t, f, &column), i;
	const char **name = pool_alloc(t->pool, n + 1, sizeof(*name));
	const char **shown = pool_alloc(t->pool, n + 1, sizeof(*shown));
	const char **colour = pool_alloc(t->pool, n + 1, sizeof(*colour));
	double *mark = pool_alloc(t->pool, n + 1, sizeof(*mark));

	for (i = 0; i < n; i++) {
		name[i] = t->column[column[i]].name;
		shown[i] = figure_fit(t->pool, name[i], FIGURE_LABEL_MAX);
		colour[i] = figure_colour(t->column[column[i]].colour);
		mark[i] = (double)t->column[column[i]].colour + 1;
	}
	figure_put_list(out, "columns", name, n);
	figure_put_list(out, "shown", shown, n);
	figure_put_list(out, "colours", colour, n);
	figure_put_numbers(out, "marks", mark, n);
}

static void put_titles(const struct table *t, const struct figure *f, FILE *out)
{
	const char *machine = describe_machine(t);
	const struct section *s = f->section;

	const char *where =
		pool_text(t->pool, "%s, Linux %s%s%s, %s%s%s%s", t->result->campaign.suite,
			  describe_kernels(t), *machine ? ", " : "", machine, describe_date(t),
			  s && *s->cpus ? ", CPUs " : "", s ? s->cpus : "",
			  s && !s->pinned ? " (affinity free)" : "");

	figure_put_text(out, "title_text", figure_fit(t->pool, f->title, HEADING_MAX));
	figure_put_text(out, "subtitle", figure_fit(t->pool, where, HEADING_MAX));
	figure_put_text(out, "bars",
			figure_fit(t->pool, figure_drawing_of(f)->legend(t, f), HEADING_MAX));
	figure_put_text(out, "watermark", describe_flags(t));
}

/* Where the point 0 stands on a logarithmic axis: one step left of the smallest other point. */
static double zero_at(const struct section *s, const struct facet *facet, size_t points)
{
	double first = NAN, second = NAN;
	size_t i;

	for (i = 0; i < points; i++) {
		double x = s->point[facet->point[i]].at[s->x];

		if (x > 0 && isnan(first))
			first = x;
		else if (x > first && isnan(second))
			second = x;
	}
	if (isnan(second))
		return first / 2;
	return first / fmax(2, second / first);
}

/* A logarithmic x axis when the points are spread over more than a factor of 20. */
static bool log_x(const struct figure *f)
{
	const struct section *s = f->section;
	double lo = NAN, hi = NAN;
	size_t i;

	if (!s->axis[s->x].numeric)
		return false;
	for (i = 0; i < f->facet->points; i++) {
		double x = s->point[f->facet->point[i]].at[s->x];

		if (x < 0)
			return false;
		if (x > 0 && isnan(lo))
			lo = x;
		hi = x;
	}
	return hi > 20 * lo;
}

void figure_put_log_y(const struct table *table, const struct figure *figure,
		      const struct measure *measure, FILE *out)
{
	double lo = INFINITY, hi = 0;
	size_t i, c;

	for (i = 0; i < figure->facet->points; i++) {
		for (c = 0; c < table->columns; c++) {
			const struct cell *cell =
				section_cell(table, measure, figure->facet->point[i], c);

			lo = cell->n ? fmin(lo, cell->estimate.min) : lo;
			hi = cell->n ? fmax(hi, cell->estimate.max) : hi;
		}
	}
	fprintf(out, "log_y = %d\n", figure_is_sweep(figure) && lo > 0 && hi > 10 * lo);
}

/* A little beyond the first and last point; where 0 stands on a logarithmic axis. */
static void put_x_range(const struct figure *f, FILE *out)
{
	const struct section *s = f->section;
	size_t last = f->facet->points - 1;
	double lo = s->point[f->facet->point[0]].at[s->x];
	double hi = s->point[f->facet->point[last]].at[s->x];
	double margin = (hi - lo) * 0.03;

	fprintf(out, "log_x = %d\n", log_x(f));
	if (!log_x(f)) {
		fprintf(out, "x_min = %.10g\nx_max = %.10g\n", lo - margin, hi + margin);
		return;
	}
	fprintf(out, "zero_at = %.10g\nfirst_x = %.10g\n",
		lo > 0 ? 0 : zero_at(s, f->facet, last + 1),
		s->point[f->facet->point[lo > 0 ? 0 : 1]].at[s->x]);
	lo = lo > 0 ? lo : zero_at(s, f->facet, last + 1);
	fprintf(out, "x_min = %.10g\nx_max = %.10g\n", lo / 1.25, hi * 1.25);
}

void figure_put_x(const struct table *table, const struct figure *figure, FILE *out)
{
	const struct section *s = figure->section;
	const struct axis *axis = &s->axis[s->x];
	const char **word;
	size_t i, n = axis->numeric ? 0 : figure->facet->points;

	fprintf(out, "dense = %d\nmark_every = %zu\nprefix = ''\n", figure_is_dense(figure),
		1 + figure->facet->points / MARKS_MAX);
	figure_put_text(out, "x_label",
			pool_text(table->pool, "%s%s%s%s", axis->key, *axis->unit ? " (" : "",
				  axis->unit, *axis->unit ? ")" : ""));
	put_x_range(figure, out);
	word = pool_alloc(table->pool, n + 1, sizeof(*word));
	for (i = 0; i < n; i++)
		word[i] = s->point[figure->facet->point[i]].text[s->x];
	fprintf(out, "words = %zu\n", n);
	if (n)
		figure_put_list(out, "word_text", word, n);
}

void figure_write_script(const struct table *table, const struct figure *figure, FILE *out)
{
	fprintf(out,
		"# Redraw in this folder: gnuplot %s.gp (SVG), or gnuplot -e \"format='png'\" %s.gp\n"
		"reset\n",
		figure->name, figure->name);
	figure_put_text(out, "name", figure->name);
	figure_put_text(out, "data", pool_text(table->pool, "../data/%s.tsv", figure->name));
	fprintf(out, "width = %d\nheight = %d\nkey_columns = %d\nkey_px = %d\n", figure->width,
		figure->height, figure_key(table, figure).columns,
		figure_key(table, figure).more_px);
	put_titles(table, figure, out);
	put_columns(table, figure, out);
	figure_drawing_of(figure)->variables(table, figure, out);
	fprintf(out, "load '%s.gp'\n", figure_drawing_of(figure)->script(figure));
}
