/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Course within the window: the headline's blocks, watts, temperature and the share of each idle
 * state, a panel each over one time axis. A line is the median of a governor's runs at that time.
 */
#include "analysis/describe.h"
#include "analysis/figure.h"
#include "analysis/figure_panel.h"
#include "analysis/figure_put.h"
#include "analysis/figure_timeline.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define POINTS_MAX 3 /* of the section: a dwell, not a sweep */
#define BINS_MAX 100
#define BINS_MIN 3 /* below which there is no course to see */
#define PANELS_MAX 10
#define SERIES_MAX 2 /* panels of series where none is the headline's */
#define TEMPERATURE "temperature"

static double number_of(const char *text)
{
	char *end;
	double value = text && *text ? strtod(text, &end) : NAN;

	return isnan(value) || *end ? NAN : value;
}

static bool has_temperature(const struct table *t, const struct figure *f)
{
	const struct result *r = t->result;
	size_t i;

	for (i = 0; i < r->runs; i++)
		if (r->run[i].info.state == STORE_COMPLETE &&
		    !strcmp(r->run[i].info.section, f->section->name) &&
		    !isnan(number_of(r->run[i].info.temperature_start_c)) &&
		    !isnan(number_of(r->run[i].info.temperature_end_c)))
			return true;
	return false;
}

static void add_panel(const struct table *t, const struct figure *f, struct figure_panel *panel,
		      size_t *n, const struct track *track)
{
	size_t bins = track->n - (track->counter && track->n);

	if (*n < PANELS_MAX && bins >= BINS_MIN && figure_panel_known(t, f, track->name))
		panel[(*n)++] = (struct figure_panel){ track->name, track->unit,
						       bins < BINS_MAX ? bins : BINS_MAX };
}

/* Steps of a ramp have a figure of their own; counts of overruns are no course. */
static bool is_course(const struct track *track)
{
	return !track->counter && !strstr(track->name, "step_pct") &&
	       !strstr(track->name, "overruns");
}

/* The panels, as the first run of the point with some has them. */
static size_t panels_of(const struct table *t, const struct figure *f,
			struct figure_panel panel[PANELS_MAX])
{
	const struct measure *m = figure_measure(f->section, "");
	struct timeline *line = NULL;
	size_t n = 0, i, series = 0;

	if (!figure_panel_lines(t, f, &line))
		return 0;
	if (m && figure_track(line, m->name) && is_course(figure_track(line, m->name)))
		add_panel(t, f, panel, &n, figure_track(line, m->name));
	for (i = 0; !n && i < line->n; i++)
		if (is_course(&line->track[i]) && series++ < SERIES_MAX)
			add_panel(t, f, panel, &n, &line->track[i]);
	if (figure_track(line, "package_w"))
		add_panel(t, f, panel, &n, figure_track(line, "package_w"));
	if (n && n < PANELS_MAX && has_temperature(t, f))
		panel[n++] = (struct figure_panel){ TEMPERATURE, "degrees C", 0 };
	for (i = 0; i < line->n; i++)
		if (line->track[i].is_state && figure_state_used(t, f, line->track[i].name))
			add_panel(t, f, panel, &n, &line->track[i]);
	return n;
}

static const char *unfit(const struct table *t, const struct figure *f)
{
	struct figure_panel panel[PANELS_MAX];

	if (f->section->points > POINTS_MAX)
		return "a sweep of many points: the course is that of a dwell";
	return panels_of(t, f, panel) ? NULL
				      : "no samples or series with a course inside the window";
}

static const char *what(const struct table *t, const struct figure *f)
{
	(void)t;
	(void)f;
	return "Course within the window";
}

static const char *legend(const struct table *t, const struct figure *f)
{
	return pool_text(t->pool, "line: median of %s; band: smallest to largest; states of %s",
			 describe_runs(t, f->section),
			 describe_set_text(describe_set(t, f->section)));
}

static int height(const struct table *t, const struct figure *f)
{
	struct figure_panel panel[PANELS_MAX];

	return 200 + 140 * (int)panels_of(t, f, panel);
}

static bool put_row(const struct figure_panel *p, const char *governor, double t_s, double *value,
		    size_t n, FILE *out)
{
	char at[32];

	snprintf(at, sizeof(at), "%.6g", t_s);
	return figure_put_panel_row(p, governor, at, value, n, out);
}

static size_t put_bins(const struct table *t, const struct figure_panel *p, const char *governor,
		       const struct timeline *line, size_t lines, FILE *out)
{
	double *value = pool_alloc(t->pool, lines, sizeof(*value)), length = 0;
	size_t b, i, n = 0;

	for (i = 0; i < lines; i++)
		length = fmax(length, line[i].length_s);
	for (b = 0; b < p->bins; b++) {
		double from = length * (double)b / (double)p->bins;
		double to = length * (double)(b + 1) / (double)p->bins;

		for (i = 0; i < lines; i++) {
			const struct track *track = figure_track(&line[i], p->name);

			value[i] = track ? figure_track_mean(track, from, to) : NAN;
		}
		n += put_row(p, governor, (from + to) / 2, value, lines, out);
	}
	return n;
}

static size_t put_temperature(const struct table *t, const struct figure *f,
			      const struct figure_panel *p, size_t column, double length, FILE *out)
{
	const struct result *r = t->result;
	double *first = pool_alloc(t->pool, r->runs, sizeof(*first));
	double *last = pool_alloc(t->pool, r->runs, sizeof(*last));
	size_t n = 0, i;

	for (i = 0; i < r->runs; i++) {
		const struct store_run *run = &r->run[i].info;

		if (run->state != STORE_COMPLETE || strcmp(run->section, f->section->name) ||
		    strcmp(run->point, f->section->point[f->facet->point[0]].name) ||
		    section_column_of(t, &r->run[i]) != column)
			continue;
		first[n] = number_of(run->temperature_start_c);
		last[n++] = number_of(run->temperature_end_c);
	}
	return (size_t)put_row(p, t->column[column].name, 0, first, n, out) +
	       (size_t)put_row(p, t->column[column].name, length, last, n, out);
}

static size_t data(const struct table *t, const struct figure *f, FILE *out)
{
	struct figure_panel panel[PANELS_MAX];
	size_t n = panels_of(t, f, panel), i, c, drawn = 0;

	fputs("panel\tunit\tgovernor\tt_s\tvalue\tlo\thi\n", out);
	for (c = 0; c < t->columns; c++) {
		struct timeline *line;
		size_t lines = figure_timelines(t, f->section, f->facet->point[0], c, &line);

		for (i = 0; lines && i < n; i++) {
			if (panel[i].bins)
				drawn +=
					put_bins(t, &panel[i], t->column[c].name, line, lines, out);
			else
				drawn += put_temperature(t, f, &panel[i], c, line->length_s, out);
		}
	}
	return drawn;
}

static void variables(const struct table *t, const struct figure *f, FILE *out)
{
	struct figure_panel panel[PANELS_MAX];

	figure_put_panels(t, panel, panels_of(t, f, panel), out);
	figure_put_text(out, "x_label", "time since the window's begin (s)");
}

static const char *script(const struct figure *f)
{
	(void)f;
	return "course";
}

const struct figure_drawing figure_time = { unfit, what, legend, height, data, variables, script };
