/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One measure: its values, its difference to the reference, or over another measure. */
#include "analysis/describe.h"
#include "analysis/figure.h"
#include "analysis/figure_put.h"
#include <math.h>
#include <string.h>

static const struct measure *measure_of(const struct figure *f)
{
	return figure_measure(f->section, f->kind->source.measure);
}

static bool has_difference(const struct table *t, const struct figure *f, const struct measure *m)
{
	size_t i, c;

	for (i = 0; i < f->facet->points; i++)
		for (c = 0; c < t->columns; c++)
			if (section_cell(t, m, f->facet->point[i], c)->difference.known)
				return true;
	return false;
}

static const char *unfit_values(const struct table *t, const struct figure *f)
{
	const struct measure *m = measure_of(f);
	const char *no_power = load_no_power(t->result);

	if (figure_has_values(t, f, m))
		return NULL;
	if (strcmp(f->kind->source.measure, "package_w"))
		return "no complete run";
	return no_power ? no_power : "no energy readings in this section";
}

static const char *unfit_difference(const struct table *t, const struct figure *f)
{
	const char *reason = unfit_values(t, f);

	if (reason || has_difference(t, f, measure_of(f)))
		return reason;
	return "nothing to compare: fewer than two governors, or no reference";
}

static const char *what_values(const struct table *t, const struct figure *f)
{
	return figure_measure_text(t, measure_of(f));
}

static const char *what_difference(const struct table *t, const struct figure *f)
{
	const struct measure *m = measure_of(f);
	const char *better = describe_better(m->better);

	return pool_text(t->pool, "%s against %s (%%%s%s)", m->name,
			 figure_fit(t->pool, t->reference, FIGURE_LABEL_MAX), *better ? ", " : "",
			 better);
}

static const char *legend_difference(const struct table *t, const struct figure *f)
{
	if (f->section->complete_max < STATS_N_MIN)
		return pool_text(t->pool, "no intervals: %s, too few",
				 describe_runs(t, f->section));
	return pool_text(t->pool, "%s: 95 %% interval of the difference",
			 figure_is_sweep(f) ? "band" : "bars");
}

static int height(const struct table *t, const struct figure *f)
{
	size_t *column;

	/* Governors side by side are rows. */
	return figure_is_sweep(f) ? FIGURE_HEIGHT : 170 + 34 * (int)figure_columns(t, f, &column);
}

static size_t data_values(const struct table *t, const struct figure *f, FILE *out)
{
	return figure_put_values(t, f, measure_of(f), false, out);
}

static size_t data_difference(const struct table *t, const struct figure *f, FILE *out)
{
	return figure_put_values(t, f, measure_of(f), true, out);
}

/* What stands on the axis of the values: the title's own words. */
static void put_axes(const struct table *t, const struct figure *f, const char *label, FILE *out)
{
	figure_put_text(out, "y_label", figure_fit(t->pool, label, FIGURE_AXIS_MAX));
	if (figure_is_sweep(f))
		figure_put_x(t, f, out);
}

static void variables_values(const struct table *t, const struct figure *f, FILE *out)
{
	put_axes(t, f, what_values(t, f), out);
	figure_put_log_y(t, f, measure_of(f), out);
}

static void variables_difference(const struct table *t, const struct figure *f, FILE *out)
{
	put_axes(t, f, what_difference(t, f), out);
	fprintf(out, "threshold = %g\n", measure_of(f)->threshold_pct);
}

static const char *script_values(const struct figure *f)
{
	return figure_is_sweep(f) ? "sweep" : "category";
}

static const char *script_difference(const struct figure *f)
{
	return figure_is_sweep(f) ? "sweep-difference" : "category-difference";
}

const struct figure_drawing figure_values = { unfit_values, what_values,      figure_bars,  height,
					      data_values,  variables_values, script_values };

const struct figure_drawing figure_difference = { unfit_difference,  what_difference,
						  legend_difference, height,
						  data_difference,   variables_difference,
						  script_difference };

/* FIGURE_PAIR: measure over another one, a curve a governor through the points of the sweep. */
static const struct measure *over_of(const struct figure *f)
{
	return figure_measure(f->section, f->kind->source.over);
}

static const char *unfit_pair(const struct table *t, const struct figure *f)
{
	if (!measure_of(f) || !over_of(f))
		return pool_text(t->pool, "the workload has no %s over %s", f->kind->source.measure,
				 f->kind->source.over);
	if (!figure_has_values(t, f, measure_of(f)) || !figure_has_values(t, f, over_of(f)))
		return "no values here";
	return figure_is_sweep(f) ? NULL : "one point only";
}

static const char *what_pair(const struct table *t, const struct figure *f)
{
	return pool_text(t->pool, "%s over %s", figure_measure_text(t, measure_of(f)),
			 figure_measure_text(t, over_of(f)));
}

static size_t data_pair(const struct table *t, const struct figure *f, FILE *out)
{
	size_t i, c, drawn = 0;

	fprintf(out, "point");
	for (c = 0; c < t->columns; c++)
		if (f->section->column_present[c])
			fprintf(out, "\t%s.x\t%s\t%s.lo\t%s.hi", t->column[c].name,
				t->column[c].name, t->column[c].name, t->column[c].name);
	for (i = 0; i < f->facet->points; i++) {
		size_t point = f->facet->point[i];

		fprintf(out, "\n%s", f->section->point[point].text[f->section->x]);
		for (c = 0; c < t->columns; c++) {
			const struct cell *y = section_cell(t, measure_of(f), point, c);
			double x = section_cell(t, over_of(f), point, c)->estimate.median;

			if (!f->section->column_present[c])
				continue;
			/* Its axis is logarithmic. */
			figure_put_cell(out, x > 0 ? x : NAN);
			drawn += figure_put_cell(out, y->estimate.median) && x > 0;
			figure_put_cell(out, y->n ? y->estimate.lo : NAN);
			figure_put_cell(out, y->n ? y->estimate.hi : NAN);
		}
	}
	fputc('\n', out);
	return drawn;
}

static void variables_pair(const struct table *t, const struct figure *f, FILE *out)
{
	figure_put_text(out, "x_label",
			figure_fit(t->pool, figure_measure_text(t, over_of(f)), FIGURE_AXIS_MAX));
	figure_put_text(
		out, "y_label",
		figure_fit(t->pool, figure_measure_text(t, measure_of(f)), FIGURE_AXIS_MAX));
}

static const char *script_pair(const struct figure *f)
{
	(void)f;
	return "pair";
}

const struct figure_drawing figure_pair = { unfit_pair, what_pair,	figure_bars, height,
					    data_pair,	variables_pair, script_pair };
