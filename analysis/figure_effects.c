/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Differences in rows, a forest plot: of every section its headline and power, or of one section
 * every measure with a direction. A sweep's row is its whole curve, as in the verdicts.
 */
#include "analysis/describe.h"
#include "analysis/figure.h"
#include "analysis/figure_put.h"
#include <math.h>
#include <string.h>

#define ROW_PX 24
#define GROUP_GAP 0.5 /* rows between two measures */
#define ZEROS_MAX 3 /* measures against a reference of 0 that are named */
#define ROW_LABEL_MAX 60 /* characters */
#define FAR_PCT 40 /* percent beyond which the axis is compressed */

/* All governors of one measure. */
struct group {
	const struct section *section;
	const struct measure *measure;
};

static bool scored(const struct measure *m)
{
	return (m->kind == MEASURE_METRIC || m->kind == MEASURE_POWER) &&
	       m->better != BETTER_IS_NONE;
}

/* A percent that a double can hold. */
static bool has_row(const struct difference *d)
{
	return d->known && isfinite(d->pct);
}

static bool has_difference(const struct table *t, const struct measure *m)
{
	size_t c;

	for (c = 0; c < t->columns; c++)
		if (has_row(&m->overall[c].difference))
			return true;
	return false;
}

/* Compared with a median of 0 somewhere: there is a shift, but no percent, and so no row. */
static bool has_zero(const struct table *t, const struct measure *m)
{
	size_t c;

	for (c = 0; c < t->columns; c++)
		if (m->overall[c].difference.tested && m->overall[c].difference.reference_is_0)
			return true;
	return false;
}

/* Measures of a section that belong here and for which @has. */
static size_t add_groups(const struct table *t, const struct section *s, bool all,
			 bool (*has)(const struct table *, const struct measure *),
			 struct group **list, size_t n)
{
	size_t i;

	for (i = 0; i < s->measures; i++) {
		const struct measure *m = &s->measure[i];

		if (!scored(m) || !has(t, m))
			continue;
		if (!all && i && strcmp(m->name, "package_w"))
			continue;
		*list = pool_room(t->pool, *list, n, sizeof(**list));
		(*list)[n++] = (struct group){ s, m };
	}
	return n;
}

static size_t groups_that(const struct table *t, const struct figure *f,
			  bool (*has)(const struct table *, const struct measure *),
			  struct group **ret)
{
	struct group *list = NULL;
	size_t n = 0, i;

	if (f->section)
		n = add_groups(t, f->section, true, has, &list, 0);
	for (i = 0; !f->section && i < t->sections; i++)
		n = add_groups(t, &t->section[i], false, has, &list, n);
	*ret = list;
	return n;
}

static size_t groups(const struct table *t, const struct figure *f, struct group **ret)
{
	return groups_that(t, f, has_difference, ret);
}

static size_t rows_of(const struct table *t, const struct group *g)
{
	size_t c, n = 0;

	for (c = 0; c < t->columns; c++)
		n += has_row(&g->measure->overall[c].difference);
	return n;
}

static const char *unfit(const struct table *t, const struct figure *f)
{
	struct group *g;

	if (groups(t, f, &g))
		return NULL;
	if (groups_that(t, f, has_zero, &g))
		return "no percents: what is compared is 0 under the reference";
	return "nothing to compare: fewer than two governors, or no reference";
}

static const char *what(const struct table *t, const struct figure *f)
{
	return pool_text(t->pool, "%s against %s (%%)",
			 f->section ? "Every measure"
				    : "Headline and package power of all sections",
			 figure_fit(t->pool, t->reference, FIGURE_LABEL_MAX));
}

static const char *legend(const struct table *t, const struct figure *f)
{
	struct group *g;
	size_t n = groups_that(t, f, has_zero, &g), i;
	const char *zero = "";

	if (!n)
		return "bars: 95 % interval of the difference, where six runs allow one; grey: practical threshold";
	for (i = 0; i < n && i < ZEROS_MAX; i++)
		zero = pool_text(t->pool, "%s%s%s%s%s", zero, i ? ", " : "",
				 f->section ? "" : g[i].section->name, f->section ? "" : ": ",
				 g[i].measure->name);
	if (n > ZEROS_MAX)
		zero = pool_text(t->pool, "%s and %zu more", zero, n - ZEROS_MAX);
	return pool_text(t->pool,
			 "bars: 95 %% interval; grey: threshold; without a row, as the reference "
			 "is 0: %s",
			 zero);
}

static int height(const struct table *t, const struct figure *f)
{
	struct group *g;
	size_t n = groups(t, f, &g), i, rows = 0;

	for (i = 0; i < n; i++)
		rows += rows_of(t, &g[i]);
	return 190 + (int)(ROW_PX * ((double)rows + GROUP_GAP * (double)n));
}

static const char *label(const struct table *t, const struct figure *f, const struct group *g)
{
	const char *measure = figure_measure_text(t, g->measure);

	return f->section ? measure : pool_text(t->pool, "%s: %s", g->section->name, measure);
}

static bool put_row(const struct table *t, const struct group *g, size_t c, double y, FILE *out)
{
	const struct difference *d = &g->measure->overall[c].difference;
	bool drawn;

	fprintf(out, "%g\t%s\t%s\t%s\t%s\t%s", y, g->section->name, g->measure->name,
		g->measure->unit, describe_better(g->measure->better), t->column[c].name);
	drawn = figure_put_cell(out, d->pct);
	figure_put_cell(out, d->interval ? d->lo_pct : NAN);
	figure_put_cell(out, d->interval ? d->hi_pct : NAN);
	figure_put_cell(out, g->measure->threshold_pct);
	fprintf(out, "\t%zu\t%s\n", g->measure->overall[c].n, section_verdict_text(d->verdict));
	return drawn;
}

static size_t data(const struct table *t, const struct figure *f, FILE *out)
{
	struct group *g;
	size_t n = groups(t, f, &g), i, c, drawn = 0;
	double y = 0;

	fputs("y\tsection\tmeasure\tunit\tdirection\tgovernor\tpct\tlo\thi\tthreshold\truns\tverdict\n",
	      out);
	for (i = 0; i < n; i++, y -= GROUP_GAP)
		for (c = 0; c < t->columns; c++)
			if (has_row(&g[i].measure->overall[c].difference))
				drawn += put_row(t, &g[i], c, y--, out);
	return drawn;
}

/* The largest distance from 0 of any end; thresholds are always in the picture. */
static double reach(const struct table *t, const struct group *g, size_t n)
{
	double most = 0;
	size_t i, c;

	for (i = 0; i < n; i++) {
		most = fmax(most, 1.5 * g[i].measure->threshold_pct);
		for (c = 0; c < t->columns; c++) {
			const struct difference *d = &g[i].measure->overall[c].difference;

			if (!has_row(d))
				continue;
			most = fmax(most, fabs(d->pct));
			if (d->interval && isfinite(d->lo_pct) && isfinite(d->hi_pct))
				most = fmax(most, fmax(fabs(d->lo_pct), fabs(d->hi_pct)));
		}
	}
	return most;
}

static void variables(const struct table *t, const struct figure *f, FILE *out)
{
	struct group *g;
	size_t n = groups(t, f, &g), i, longest = 0;
	const char **text = pool_alloc(t->pool, n, sizeof(*text));
	double *middle = pool_alloc(t->pool, n, sizeof(*middle)), y = 0, most = reach(t, g, n);

	for (i = 0; i < n; i++) {
		double rows = (double)rows_of(t, &g[i]);

		text[i] = figure_fit(t->pool, label(t, f, &g[i]), ROW_LABEL_MAX);
		longest = strlen(text[i]) > longest ? strlen(text[i]) : longest;
		middle[i] = y - (rows - 1) / 2;
		y -= rows + GROUP_GAP;
	}
	figure_put_list(out, "group_text", text, n);
	figure_put_numbers(out, "group_y", middle, n);
	fprintf(out, "y_min = %g\nreach = %.10g\nfar = %d\nlabel_width = %zu\n",
		y + GROUP_GAP + 0.5, most * 1.05, most > FAR_PCT, longest);
	figure_put_text(out, "x_label",
			pool_text(t->pool, "%% against %s",
				  figure_fit(t->pool, t->reference, FIGURE_LABEL_MAX)));
}

static const char *script(const struct figure *f)
{
	(void)f;
	return "forest";
}

const struct figure_drawing figure_effects = {
	unfit, what, legend, height, data, variables, script
};
