/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Cuts of a sweep, a panel each: its short end, and where a governor's curve steps. The data are
 * the whole sweep's; only the panels' ranges are chosen here.
 */
#include "analysis/describe.h"
#include "analysis/figure.h"
#include "analysis/figure_put.h"
#include "analysis/scale.h"
#include "analysis/transitions.h"
#include <math.h>

#define CUTS_MAX 6
#define SHORT_POINTS_MIN 6 /* points below which a sweep has no short end of its own */
#define SHORT_RATIO 8 /* ... and times that its whole must be longer */
#define AROUND 4 /* points shown on either side of a step */
#define STEPS_MAX 8 /* of one governor */

struct cut {
	size_t first, last; /* points of the facet */
	const char *name;
};

struct cuts {
	struct cut cut[CUTS_MAX];
	size_t n;
};

static double x_of(const struct figure *f, size_t i)
{
	return f->section->point[f->facet->point[i]].at[f->section->x];
}

static const char *x_text(const struct figure *f, size_t i)
{
	return f->section->point[f->facet->point[i]].text[f->section->x];
}

/* The lower half of the points, where they are squeezed into a corner of a linear axis. */
static void cut_short_end(const struct table *t, const struct figure *f, struct cuts *cuts)
{
	size_t n = f->facet->points, half = (n + 1) / 2 - 1;

	if (n < SHORT_POINTS_MIN || x_of(f, n - 1) < SHORT_RATIO * x_of(f, half))
		return;
	cuts->cut[cuts->n++] = (struct cut){
		0, half, pool_text(t->pool, "short end: %s to %s", x_text(f, 0), x_text(f, half))
	};
}

static void cut_step(const struct table *t, const struct figure *f, const char *governor,
		     const struct transition *step, struct cuts *cuts)
{
	size_t n = f->facet->points, i;
	struct cut *cut;

	/* One governor's step is seen in the cut of another's beside it. */
	for (i = 0; i < cuts->n; i++) {
		cut = &cuts->cut[i];
		if (cut->last < (n + 1) / 2 && cut->first == 0)
			continue; /* the short end is too long to show it */
		if (step->before > cut->first && step->after < cut->last) {
			cut->name = pool_text(t->pool, "%s; %s %+.0f %%", cut->name, governor,
					      step->step_pct);
			return;
		}
	}
	if (cuts->n == CUTS_MAX)
		return;
	cuts->cut[cuts->n++] =
		(struct cut){ step->before > AROUND ? step->before - AROUND : 0,
			      step->after + AROUND < n ? step->after + AROUND : n - 1,
			      pool_text(t->pool, "step near %.4g: %s %+.0f %%", step->x, governor,
					step->step_pct) };
}

static void cut_steps(const struct table *t, const struct figure *f, const struct measure *m,
		      struct cuts *cuts)
{
	size_t n = f->facet->points, c, i, steps;
	double *x = pool_alloc(t->pool, n, sizeof(*x)), *y = pool_alloc(t->pool, n, sizeof(*y));
	struct transition step[STEPS_MAX];

	for (i = 0; i < n; i++)
		x[i] = x_of(f, i);
	for (c = 0; c < t->columns; c++) {
		for (i = 0; i < n; i++)
			y[i] = section_cell(t, m, f->facet->point[i], c)->estimate.median;
		steps = transitions_find(x, scale_of_facet(t, f->section, f->facet), y, n, step,
					 STEPS_MAX);
		for (i = 0; i < steps; i++)
			cut_step(t, f, t->column[c].name, &step[i], cuts);
	}
}

static struct cuts cuts_of(const struct table *t, const struct figure *f)
{
	const struct section *s = f->section;
	const struct measure *m = figure_measure(s, f->kind->source.measure);
	struct cuts cuts = { 0 };

	if (!m || !figure_is_sweep(f) || !s->axis[s->x].numeric || !figure_has_values(t, f, m))
		return cuts;
	cut_short_end(t, f, &cuts);
	cut_steps(t, f, m, &cuts);
	return cuts;
}

static const char *unfit(const struct table *t, const struct figure *f)
{
	if (!figure_is_sweep(f) || !f->section->axis[f->section->x].numeric)
		return "no numeric axis";
	return cuts_of(t, f).n ? NULL
			       : "no governor's curve steps, and the overview shows the short end";
}

static const char *what(const struct table *t, const struct figure *f)
{
	return pool_text(
		t->pool, "%s, details",
		figure_measure_text(t, figure_measure(f->section, f->kind->source.measure)));
}

static int height(const struct table *t, const struct figure *f)
{
	size_t n = cuts_of(t, f).n;

	return n <= 1 ? FIGURE_HEIGHT : 190 + 303 * (int)((n + 1) / 2);
}

static size_t data(const struct table *t, const struct figure *f, FILE *out)
{
	return figure_put_values(t, f, figure_measure(f->section, f->kind->source.measure), false,
				 out);
}

static void variables(const struct table *t, const struct figure *f, FILE *out)
{
	struct cuts cuts = cuts_of(t, f);
	const char *name[CUTS_MAX];
	double lo[CUTS_MAX], hi[CUTS_MAX];
	size_t i;

	for (i = 0; i < cuts.n; i++) {
		double margin;

		lo[i] = x_of(f, cuts.cut[i].first);
		hi[i] = x_of(f, cuts.cut[i].last);
		margin = (hi[i] - lo[i]) * 0.03;
		lo[i] -= margin;
		hi[i] += margin;
		name[i] = cuts.cut[i].name;
	}
	figure_put_list(out, "cut_name", name, cuts.n);
	figure_put_numbers(out, "cut_lo", lo, cuts.n);
	figure_put_numbers(out, "cut_hi", hi, cuts.n);
	figure_put_x(t, f, out);
	figure_put_text(out, "y_label",
			figure_fit(t->pool,
				   figure_measure_text(
					   t, figure_measure(f->section, f->kind->source.measure)),
				   FIGURE_AXIS_MAX));
}

static const char *script(const struct figure *f)
{
	(void)f;
	return "sweep-detail";
}

const struct figure_drawing figure_detail = { unfit, what,	figure_bars, height,
					      data,  variables, script };
