/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Looks at the headline only: a report that names the steps of twenty measures names none. Misses
 * of idle states are the exception, see shape_region.c.
 */
#include "analysis/shape.h"
#include "analysis/modes.h"
#include "analysis/scale.h"
#include <math.h>
#include <string.h>

static const struct cell *headline(const struct table *t, const struct section *s, size_t point,
				   size_t column)
{
	return section_cell(t, &s->measure[0], point, column);
}

/* x and medians of a column along a facet. */
static void read_curve(const struct table *t, const struct section *s, const struct facet *f,
		       size_t column, double *ret_x, double *ret_y)
{
	for (size_t i = 0; i < f->points; i++) {
		const struct cell *cell = headline(t, s, f->point[i], column);

		ret_x[i] = s->point[f->point[i]].at[s->x];
		ret_y[i] = stats_estimate(cell->value, cell->n).median;
	}
}

static void add_modes(const struct table *t, struct section *s, size_t point, size_t column)
{
	const struct cell *cell = headline(t, s, point, column);
	struct shape *shape = s->shape;
	struct spread spread;

	spread_of(cell, &spread);
	if (!spread.modes.low_n)
		return;
	shape->modes = pool_room(t->pool, shape->modes, shape->all_modes, sizeof(*shape->modes));
	shape->modes[shape->all_modes++] =
		(struct shape_modes){ point, column, stats_estimate(cell->value, cell->n).median,
				      spread };
	s->bistable[point] = true;
}

static void add_jumps(const struct table *t, struct section *s, const struct facet *f,
		      size_t column, struct pool *scratch)
{
	double *x = pool_alloc(scratch, f->points + 1, sizeof(*x));
	double *y = pool_alloc(scratch, f->points + 1, sizeof(*y));
	bool *mark = pool_alloc(scratch, f->points + 1, sizeof(*mark));
	struct shape *shape = s->shape;

	read_curve(t, s, f, column, x, y);
	modes_jumps(scale_of_facet(t, s, f), y, f->points, mark);
	for (size_t i = 0; i < f->points; i++) {
		if (!mark[i])
			continue;
		shape->jumps =
			pool_room(t->pool, shape->jumps, shape->all_jumps, sizeof(*shape->jumps));
		shape->jumps[shape->all_jumps++] = (struct shape_jumps){ f->point[i], column };
		s->bistable[f->point[i]] = true;
	}
}

static bool is_curve(const struct section *s)
{
	return s->metrics && s->axes && s->axis[s->x].numeric;
}

void shape_bistable(const struct table *table, struct section *section)
{
	struct pool scratch = { 0 };

	section->shape = pool_alloc(table->pool, 1, sizeof(*section->shape));
	section->bistable = pool_alloc(table->pool, section->points + 1, sizeof(bool));
	for (size_t i = 0; section->metrics && i < section->points; i++)
		for (size_t c = 0; c < table->columns; c++)
			add_modes(table, section, i, c);
	for (size_t f = 0; is_curve(section) && f < section->facets; f++)
		for (size_t c = 0; c < table->columns; c++)
			add_jumps(table, section, &section->facet[f], c, &scratch);
	for (size_t i = 0; section->points > 1 && i < section->points; i++)
		section->shape->left_out += section->bistable[i];
	pool_free(&scratch);
}

static void find_steps(const struct table *t, struct section *s, size_t facet, size_t column,
		       struct pool *scratch)
{
	const struct facet *f = &s->facet[facet];
	struct shape_curve curve = { .facet = facet, .column = column };
	double *x = pool_alloc(scratch, f->points + 1, sizeof(*x));
	double *y = pool_alloc(scratch, f->points + 1, sizeof(*y));
	struct shape *shape = s->shape;

	read_curve(t, s, f, column, x, y);
	for (size_t i = 0; i < f->points; i++)
		if (s->bistable[f->point[i]])
			y[i] = NAN;
	curve.steps = transitions_find(x, scale_of_facet(t, s, f), y, f->points, curve.step,
				       SHAPE_STEPS_MAX);
	shape->curve = pool_room(t->pool, shape->curve, shape->curves, sizeof(*shape->curve));
	shape->curve[shape->curves++] = curve;
}

static const struct shape_curve *curve_of(const struct shape *shape, size_t facet, size_t column)
{
	for (size_t i = 0; i < shape->curves; i++)
		if (shape->curve[i].facet == facet && shape->curve[i].column == column)
			return &shape->curve[i];
	return NULL;
}

static void find_shifts(const struct table *t, struct shape *shape, const struct shape_curve *of)
{
	size_t reference = t->column[of->column].reference, n;
	struct transition_pair pair[SHAPE_STEPS_MAX];
	const struct shape_curve *base;

	if (reference == NO_COLUMN)
		return;
	base = curve_of(shape, of->facet, reference);
	n = base ? transitions_pair(base->step, base->steps, of->step, of->steps, pair) : 0;
	for (size_t i = 0; i < n; i++) {
		shape->shift =
			pool_room(t->pool, shape->shift, shape->shifts, sizeof(*shape->shift));
		shape->shift[shape->shifts++] = (struct shape_shift){
			of->facet,
			of->column,
			base->step[pair[i].reference],
			of->step[pair[i].other],
			pair[i].shift_pct,
		};
	}
}

/* The shift whose two places the point lies between: what differs there is where, not how much. */
static const struct shape_shift *shift_about(const struct shape *shape, size_t facet, size_t column,
					     size_t point)
{
	for (size_t i = 0; i < shape->shifts; i++) {
		const struct shape_shift *s = &shape->shift[i];
		size_t a = s->reference.before, b = s->other.before;

		if (s->facet == facet && s->column == column && a != b && point > (a < b ? a : b) &&
		    point <= (a < b ? b : a))
			return s;
	}
	return NULL;
}

static void find_peak(const struct table *t, const struct section *s, size_t facet, size_t column)
{
	const struct facet *f = &s->facet[facet];
	struct shape *shape = s->shape;
	struct shape_peak peak = { .facet = facet, .column = column, .pct = NAN };

	for (size_t i = 0; i < f->points; i++) {
		const struct difference *d = &headline(t, s, f->point[i], column)->difference;

		if (s->bistable[f->point[i]] || !d->known ||
		    !(isnan(peak.pct) || fabs(d->pct) > fabs(peak.pct)))
			continue;
		peak.pct = d->pct;
		peak.point = f->point[i];
		peak.shift = shift_about(shape, facet, column, i);
	}
	if (isnan(peak.pct))
		return;
	shape->peak = pool_room(t->pool, shape->peak, shape->peaks, sizeof(*shape->peak));
	shape->peak[shape->peaks++] = peak;
}

static void count_settled(const struct table *t, const struct section *s)
{
	const struct result *r = t->result;

	for (size_t i = 0; i < r->runs; i++) {
		const struct loaded_run *run = &r->run[i];

		if (strcmp(run->info.section, s->name) || run->info.state != STORE_COMPLETE)
			continue;
		s->shape->judged += run->series.known || run->watts.known || run->unsettled;
		s->shape->unsettled += run->unsettled;
	}
}

void shape_find(const struct table *table, struct section *section)
{
	struct pool scratch = { 0 };
	size_t f, c;

	count_settled(table, section);
	shape_regions(table, section, section->shape);
	for (f = 0; is_curve(section) && f < section->facets; f++)
		for (c = 0; c < table->columns; c++)
			if (section->column_present[c] && section->facet[f].points > 1)
				find_steps(table, section, f, c, &scratch);
	for (c = 0; c < section->shape->curves; c++)
		find_shifts(table, section->shape, &section->shape->curve[c]);
	for (c = 0; c < section->shape->curves; c++)
		find_peak(table, section, section->shape->curve[c].facet,
			  section->shape->curve[c].column);
	pool_free(&scratch);
}
