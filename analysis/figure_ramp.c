/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hysteresis of a ramp: what a run shows at each step of the load, on the way up and on the way
 * down. The steps are series.tsv's step_pct, a row at the end of each.
 */
#include "analysis/describe.h"
#include "analysis/figure.h"
#include "analysis/figure_panel.h"
#include "analysis/figure_put.h"
#include "analysis/figure_timeline.h"
#include <math.h>
#include <string.h>

#define PANELS_MAX 8

/* Of several workloads the name has a prefix; of several threads the steps repeat. */
static const struct track *steps_of(const struct timeline *line)
{
	size_t i;

	for (i = 0; i < line->n; i++) {
		const char *name = line->track[i].name, *colon = strrchr(name, ':');

		if (!strcmp(colon ? colon + 1 : name, "step_pct"))
			return &line->track[i];
	}
	return NULL;
}

/* Rows of the first thread: times ascend until the next thread begins. */
static size_t step_count(const struct track *steps)
{
	size_t n = 1;

	while (n < steps->n && steps->t_s[n] > steps->t_s[n - 1])
		n++;
	return steps->n ? n : 0;
}

static bool is_shown(const struct track *track)
{
	return track->is_state || !strcmp(track->name, "package_w") ||
	       strstr(track->name, "lateness_us");
}

/* The panels, as the first run of the point has them. */
static size_t panels_of(const struct table *t, const struct figure *f,
			struct figure_panel panel[PANELS_MAX])
{
	struct timeline *line = NULL;
	size_t n = 0, i;

	if (!figure_panel_lines(t, f, &line) || !steps_of(line) || step_count(steps_of(line)) < 3)
		return 0;
	if (figure_panel_known(t, f, "package_w"))
		panel[n++] = (struct figure_panel){ .name = "package_w", .unit = "W" };
	for (i = 0; i < line->n; i++)
		if (n < PANELS_MAX && is_shown(&line->track[i]) &&
		    figure_panel_known(t, f, line->track[i].name) &&
		    (!line->track[i].is_state || figure_state_used(t, f, line->track[i].name)) &&
		    strcmp(line->track[i].name, "package_w"))
			panel[n++] = (struct figure_panel){ .name = line->track[i].name,
							    .unit = line->track[i].unit };
	return n;
}

static const char *unfit(const struct table *t, const struct figure *f)
{
	struct figure_panel panel[PANELS_MAX];

	if (f->section->points > FIGURE_POINTS_MAX)
		return "a sweep of many points";
	return panels_of(t, f, panel) ? NULL : "the workload has no ramp";
}

static const char *what(const struct table *t, const struct figure *f)
{
	(void)t;
	(void)f;
	return "Ramp of the load, up and down";
}

static const char *legend(const struct table *t, const struct figure *f)
{
	return pool_text(
		t->pool, "median of %s; up: full line, down: broken, open marks; states of %s",
		describe_runs(t, f->section), describe_set_text(describe_set(t, f->section)));
}

static int height(const struct table *t, const struct figure *f)
{
	struct figure_panel panel[PANELS_MAX];
	size_t n = panels_of(t, f, panel);

	return n <= 1 ? FIGURE_HEIGHT : 190 + 283 * (int)((n + 1) / 2);
}

/* Both ways of one governor in one panel; the highest step belongs to both. */
static size_t put_ways(const struct table *t, const struct figure_panel *p, const char *governor,
		       const struct timeline *line, size_t lines, FILE *out)
{
	double *value = pool_alloc(t->pool, lines, sizeof(*value));
	const struct track *steps = steps_of(line);
	size_t n = steps ? step_count(steps) : 0, top = 0, drawn = 0, k, i;
	char at[32];
	int way;

	for (k = 0; k < n; k++)
		top = steps->value[k] > steps->value[top] ? k : top;
	for (way = 0; way < 2 && n; way++) {
		for (k = way ? top : 0; k < (way ? n : top + 1); k++) {
			for (i = 0; i < lines; i++) {
				const struct track *own = steps_of(&line[i]);
				const struct track *track = figure_track(&line[i], p->name);

				value[i] =
					!own || !track || k >= own->n
						? NAN
						: figure_track_mean(track, k ? own->t_s[k - 1] : 0,
								    own->t_s[k]);
			}
			snprintf(at, sizeof(at), "%s\t%.6g", way ? "down" : "up", steps->value[k]);
			drawn += figure_put_panel_row(p, governor, at, value, lines, out);
		}
	}
	return drawn;
}

static size_t data(const struct table *t, const struct figure *f, FILE *out)
{
	struct figure_panel panel[PANELS_MAX];
	size_t n = panels_of(t, f, panel), i, c, drawn = 0;

	fputs("panel\tunit\tgovernor\tway\tload_pct\tvalue\tlo\thi\n", out);
	for (c = 0; c < t->columns; c++) {
		struct timeline *line;
		size_t lines = figure_timelines(t, f->section, f->facet->point[0], c, &line);

		for (i = 0; lines && i < n; i++)
			drawn += put_ways(t, &panel[i], t->column[c].name, line, lines, out);
	}
	return drawn;
}

static void variables(const struct table *t, const struct figure *f, FILE *out)
{
	struct figure_panel panel[PANELS_MAX];

	figure_put_panels(t, panel, panels_of(t, f, panel), out);
	figure_put_text(out, "x_label", "load asked (% of a CPU)");
}

static const char *script(const struct figure *f)
{
	(void)f;
	return "ramp";
}

const struct figure_drawing figure_ramp = { unfit, what, legend, height, data, variables, script };
