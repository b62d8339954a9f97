/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stretches of x where a governor differs from its reference. The headline differs where it got the
 * same verdict at neighbouring points. Misses of an idle state have no verdict: they differ by
 * percentage points, where the state is entered often enough to matter.
 */
#include "analysis/shape.h"
#include <math.h>

#define STRETCHES_MAX 16

/* Part of a column's idle entries that a state has at a point; NAN when rates are not available. */
static double share_of(const struct table *t, const struct section *s, const struct measure *of,
		       size_t point, size_t column)
{
	double all = 0, own = NAN;

	for (size_t i = 0; i < s->measures; i++) {
		const struct measure *m = &s->measure[i];
		const struct cell *cell;

		if (m->kind != MEASURE_IDLE || m->set != of->set || m->quantity != IDLE_ENTRIES)
			continue;
		cell = section_cell(t, m, point, column);
		all += cell->n ? cell->estimate.median : 0;
		if (m->state == of->state && cell->n)
			own = cell->estimate.median;
	}
	return all > 0 ? own / all : NAN;
}

/* The side that misses more must use the state: 80 % of five entries are nothing (P-23). A side
 * that does not use it at all misses nothing. */
static bool misses_differ(const struct table *t, const struct section *s, const struct measure *m,
			  size_t point, size_t column)
{
	size_t reference = t->column[column].reference;
	const struct cell *a = section_cell(t, m, point, reference);
	const struct cell *b = section_cell(t, m, point, column);
	double base = a->n ? a->estimate.median : 0, own = b->n ? b->estimate.median : 0;
	bool some = a->n || b->n;

	if (!some || fabs(own - base) < SHAPE_REGION_PP)
		return false;
	return !(share_of(t, s, m, point, own > base ? column : reference) < SHAPE_REGION_SHARE);
}

static bool differs(const struct table *t, const struct section *s, const struct measure *m,
		    size_t point, size_t column, enum verdict verdict)
{
	if (verdict == VERDICT_NONE)
		return misses_differ(t, s, m, point, column);
	return section_cell(t, m, point, column)->difference.verdict == verdict;
}

static void widen(const struct cell *cell, double *lo, double *hi)
{
	if (!cell->n)
		return;
	*lo = fmin(*lo, cell->estimate.median);
	*hi = fmax(*hi, cell->estimate.median);
}

static void add_region(const struct table *t, const struct section *s, struct shape *shape,
		       struct shape_region region)
{
	const struct measure *m = &s->measure[region.measure];

	region.lo = region.hi = region.reference_lo = region.reference_hi = NAN;
	for (size_t i = region.first; i <= region.last; i++) {
		size_t point = s->facet[region.facet].point[i];

		widen(section_cell(t, m, point, region.column), &region.lo, &region.hi);
		widen(section_cell(t, m, point, t->column[region.column].reference),
		      &region.reference_lo, &region.reference_hi);
	}
	shape->region = pool_room(t->pool, shape->region, shape->regions, sizeof(*shape->region));
	shape->region[shape->regions++] = region;
}

static void find_regions(const struct table *t, const struct section *s, struct shape *shape,
			 struct shape_region of, struct pool *scratch)
{
	const struct facet *f = &s->facet[of.facet];
	bool *in = pool_alloc(scratch, f->points + 1, sizeof(*in));
	struct stretch stretch[STRETCHES_MAX];
	size_t n;

	for (size_t i = 0; i < f->points; i++)
		in[i] = differs(t, s, &s->measure[of.measure], f->point[i], of.column, of.verdict);
	n = transitions_stretches(in, f->points, SHAPE_REGION_POINTS, stretch, STRETCHES_MAX);
	for (size_t i = 0; i < n; i++) {
		of.first = stretch[i].first;
		of.last = stretch[i].last;
		add_region(t, s, shape, of);
	}
}

/* Misses of the CPUs that the section is about. */
static bool is_miss(const struct section *s, const struct measure *m)
{
	enum cpu_set set = *s->cpus ? SET_WORKLOAD : SET_ALL;

	return m->kind == MEASURE_IDLE && m->set == set &&
	       (m->quantity == IDLE_TOO_DEEP || m->quantity == IDLE_TOO_SHALLOW);
}

static void regions_of(const struct table *t, const struct section *s, struct shape *shape,
		       size_t facet, size_t column, struct pool *scratch)
{
	struct shape_region of = { .facet = facet, .column = column };

	for (size_t v = VERDICT_BETTER; s->metrics && v <= VERDICT_WORSE; v++) {
		of.verdict = (enum verdict)v;
		find_regions(t, s, shape, of, scratch);
	}
	of.verdict = VERDICT_NONE;
	for (of.measure = 0; of.measure < s->measures; of.measure++)
		if (is_miss(s, &s->measure[of.measure]))
			find_regions(t, s, shape, of, scratch);
}

void shape_regions(const struct table *table, const struct section *section, struct shape *shape)
{
	struct pool scratch = { 0 };

	for (size_t f = 0; section->axes && f < section->facets; f++)
		for (size_t c = 0; c < table->columns; c++)
			if (section->column_present[c] && table->column[c].reference != NO_COLUMN &&
			    section->axis[section->x].numeric)
				regions_of(table, section, shape, f, c, &scratch);
	pool_free(&scratch);
}
