/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A figure's own gnuplot script: variables, then "load" of the common script that draws. It stands
 * beside the drawing, so that a reader can redraw or change it with gnuplot alone.
 */
#include "analysis/describe.h"
#include "analysis/figure.h"
#include <ctype.h>
#include <math.h>
#include <string.h>

/* Okabe and Ito's colours, told apart by the colour blind too, without the yellow that white paper
 * swallows. */
static const char *const palette[] = { "#000000", "#0072B2", "#D55E00", "#009E73", "#CC79A7",
				       "#E69F00", "#56B4E9", "#7F7F7F", "#8C510A", "#5E3C99" };

static void put_string(FILE *out, const char *text)
{
	fputc('\'', out);
	for (; *text; text++) {
		if (*text == '\'')
			fputc('\'', out);
		fputc(iscntrl((unsigned char)*text) ? '?' : *text, out);
	}
	fputc('\'', out);
}

static void put_text(FILE *out, const char *name, const char *text)
{
	fprintf(out, "%s = ", name);
	put_string(out, text);
	fputc('\n', out);
}

static void put_list(FILE *out, const char *name, const char *const *text, size_t n)
{
	size_t i;

	fprintf(out, "array %s[%zu] = [", name, n);
	for (i = 0; i < n; i++) {
		fprintf(out, i ? ", " : "");
		put_string(out, text[i]);
	}
	fprintf(out, "]\n");
}

static void put_columns(const struct table *t, const struct figure *f, FILE *out)
{
	bool difference = f->kind->shape == FIGURE_DIFFERENCE && figure_is_sweep(f);
	const char **name = pool_alloc(t->pool, t->columns, sizeof(*name));
	const char **colour = pool_alloc(t->pool, t->columns, sizeof(*colour));
	size_t *mark = pool_alloc(t->pool, t->columns, sizeof(*mark));
	size_t c, n = 0;

	for (c = 0; c < t->columns; c++) {
		if (!f->section->column_present[c])
			continue;
		if (difference && t->column[c].reference == NO_COLUMN)
			continue; /* the reference is the zero line */
		name[n] = t->column[c].name;
		mark[n] = t->column[c].colour;
		colour[n++] = palette[t->column[c].colour % (sizeof(palette) / sizeof(*palette))];
	}
	put_list(out, "columns", name, n);
	put_list(out, "colours", colour, n);
	fprintf(out, "array marks[%zu] = [", n);
	for (c = 0; c < n; c++)
		fprintf(out, c ? ", %zu" : "%zu", mark[c] + 1);
	fprintf(out, "]\n");
}

static void put_titles(const struct table *t, const struct figure *f, FILE *out)
{
	const char *machine = describe_machine(t);
	bool difference = f->kind->shape == FIGURE_DIFFERENCE;

	put_text(out, "title_text", f->title);
	put_text(out, "subtitle",
		 pool_text(t->pool, "Linux %s%s%s, %s; %s%s%s", describe_kernels(t),
			   *machine ? ", " : "", machine, describe_date(t), f->section->workload,
			   *f->section->cpus ? ", CPUs " : "", f->section->cpus));
	if (difference && f->section->complete_max < STATS_N_MIN)
		put_text(out, "bars",
			 pool_text(t->pool, "no bars: %s, too few for an interval",
				   describe_runs(t, f->section)));
	else
		put_text(out, "bars",
			 pool_text(t->pool, "%s: %s",
				   difference && figure_is_sweep(f) ? "band" : "bars",
				   difference ? "95 % interval of the Hodges-Lehmann shift"
					      : describe_bars(t, f->section)));
	put_text(out, "watermark", describe_flags(t));
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

	if (f->kind->source.short_end || !s->axis[s->x].numeric)
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

static bool log_y(const struct table *t, const struct figure *f)
{
	const struct measure *m = figure_measure(f->section, f->kind);
	double lo = INFINITY, hi = 0;
	size_t i, c;

	if (f->kind->shape != FIGURE_VALUES || f->kind->source.short_end)
		return false;
	for (i = 0; i < f->facet->points; i++) {
		for (c = 0; c < t->columns; c++) {
			const struct cell *cell = section_cell(t, m, f->facet->point[i], c);

			lo = cell->n ? fmin(lo, cell->estimate.min) : lo;
			hi = cell->n ? fmax(hi, cell->estimate.max) : hi;
		}
	}
	return lo > 0 && hi > 10 * lo;
}

/* A little beyond the first and last point; where 0 stands on a logarithmic axis. */
static void put_x_range(const struct figure *f, FILE *out)
{
	const struct section *s = f->section;
	size_t last = figure_points(f) - 1;
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

static void put_x(const struct table *t, const struct figure *f, FILE *out)
{
	const struct section *s = f->section;
	const struct axis *axis = &s->axis[s->x];
	const char **word;
	size_t i, n = axis->numeric ? 0 : figure_points(f);

	put_text(out, "x_label",
		 pool_text(t->pool, "%s%s%s%s", axis->key, *axis->unit ? " (" : "", axis->unit,
			   *axis->unit ? ")" : ""));
	put_x_range(f, out);
	word = pool_alloc(t->pool, n + 1, sizeof(*word));
	for (i = 0; i < n; i++)
		word[i] = s->point[f->facet->point[i]].text[s->x];
	fprintf(out, "words = %zu\n", n);
	if (n)
		put_list(out, "word_text", word, n);
}

static void put_states(const struct table *t, const struct figure *f, FILE *out)
{
	static const char *const label[] = { "residency (%)", "entries (1/s)",
					     "too deep (above) (%)", "too shallow (below) (%)" };
	size_t *state, n = figure_states(t, f, &state), i;
	const char **key = pool_alloc(t->pool, n, sizeof(*key));
	const char **name = pool_alloc(t->pool, n, sizeof(*name));
	char latency[DESCRIBE_NUMBER_MAX], residency[DESCRIBE_NUMBER_MAX];

	for (i = 0; i < n; i++) {
		const struct idle_state *one = load_state(t->result, state[i]);

		key[i] = pool_text(t->pool, "%zu:%s", state[i], describe_state(t, state[i]));
		name[i] = pool_text(t->pool, "%s  (latency %s, residency %s us)",
				    describe_state(t, state[i]),
				    describe_count(one->latency_us, latency),
				    describe_count(one->residency_us, residency));
	}
	put_list(out, "state_key", key, n);
	put_list(out, "state_name", name, n);
	put_text(out, "y_label", label[f->kind->source.quantity]);
	put_text(out, "scope", pool_text(t->pool, "%s", describe_set_text(figure_set(t, f))));
}

static void put_values(const struct table *t, const struct figure *f, FILE *out)
{
	const struct measure *m = figure_measure(f->section, f->kind);

	if (f->kind->shape == FIGURE_DIFFERENCE) {
		put_text(out, "y_label",
			 pool_text(t->pool, "%s against %s (%%; %s)", m->name,
				   t->result->campaign.reference, describe_better(m->better)));
		fprintf(out, "threshold = %g\n", m->threshold_pct);
	} else {
		put_text(out, "y_label",
			 pool_text(t->pool, "%s%s%s%s%s%s", m->name, *m->unit ? " (" : "", m->unit,
				   *m->unit ? ")" : "", m->better ? "; " : "",
				   describe_better(m->better)));
		fprintf(out, "threshold = 0\n");
	}
	fprintf(out, "log_y = %d\n", figure_is_sweep(f) && log_y(t, f));
}

void figure_write_script(const struct table *table, const struct figure *figure, FILE *out)
{
	bool sweep = figure_is_sweep(figure), states = figure->kind->shape == FIGURE_STATES;
	bool difference = figure->kind->shape == FIGURE_DIFFERENCE;

	fprintf(out,
		"# Redraw in this folder: gnuplot %s.gp (SVG), or gnuplot -e \"format='png'\" %s.gp\n"
		"reset\n",
		figure->name, figure->name);
	put_text(out, "name", figure->name);
	put_text(out, "data", pool_text(table->pool, "../data/%s.tsv", figure->name));
	fprintf(out, "width = %d\nheight = %d\n", figure->width, figure->height);
	put_titles(table, figure, out);
	put_columns(table, figure, out);
	if (sweep)
		put_x(table, figure, out);
	if (states)
		put_states(table, figure, out);
	else
		put_values(table, figure, out);
	fprintf(out, "load '%s%s.gp'\n", sweep ? "sweep" : "category",
		states	     ? "-states"
		: difference ? "-difference"
			     : "");
}
