/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From the values of cells to estimates, differences and verdicts.
 *
 * A sweep gets two answers. Each point is tested on its own, with Holm's correction over the points
 * (P-52); with few runs and many points that cannot reach significance whatever the data, so the
 * whole curve is tested as well: one number a run of it, the geometric mean over the points.
 */
#include "analysis/section.h"
#include <errno.h>
#include <math.h>
#include <string.h>

static int compare_cell(const struct cell *reference, struct cell *cell)
{
	struct difference *d = &cell->difference;
	double base = reference->estimate.median;
	struct shift shift;
	int err;

	d->reference_is_0 = reference->n && cell->n && base == 0;
	if (!reference->n || !cell->n || d->reference_is_0)
		return 0;
	err = stats_shift(reference->value, reference->n, cell->value, cell->n, &shift);
	if (err)
		return err;
	base = fabs(base) / 100;
	d->known = true;
	d->pct = shift.hl / base;
	d->interval = shift.interval;
	d->lo_pct = shift.lo / base;
	d->hi_pct = shift.hi / base;
	d->p = shift.p;
	d->p_holm = shift.p;
	return 0;
}

static bool enough(const struct cell *a, const struct cell *b)
{
	return a->n >= STATS_N_MIN && b->n >= STATS_N_MIN;
}

static enum verdict judge(const struct measure *m, const struct cell *reference,
			  const struct cell *cell)
{
	const struct difference *d = &cell->difference;

	if (!d->known || m->better == BETTER_IS_NONE)
		return VERDICT_NONE;
	if (!enough(reference, cell))
		return VERDICT_SMALL;
	if (!(d->p_holm < STATS_ALPHA) || fabs(d->pct) <= m->threshold_pct)
		return VERDICT_SAME;
	return (d->pct < 0) == (m->better == BETTER_IS_LOWER) ? VERDICT_BETTER : VERDICT_WORSE;
}

/* Holm over the points that have enough runs on both sides. */
static int correct_points(struct table *t, struct section *s, struct measure *m, size_t column)
{
	size_t reference = t->column[column].reference, i;
	double *p = pool_alloc(t->pool, s->points, sizeof(*p));
	int err;

	for (i = 0; i < s->points; i++) {
		const struct cell *a = &m->cell[i * t->columns + reference];
		const struct cell *b = &m->cell[i * t->columns + column];

		p[i] = b->difference.known && enough(a, b) ? b->difference.p : NAN;
	}
	err = stats_holm(p, s->points);
	for (i = 0; !err && i < s->points; i++) {
		struct cell *b = &m->cell[i * t->columns + column];

		if (!isnan(p[i]))
			b->difference.p_holm = p[i];
		b->difference.verdict = judge(m, &m->cell[i * t->columns + reference], b);
	}
	return err;
}

static double value_in_repeat(const struct cell *cell, int repeat)
{
	size_t i;

	for (i = 0; i < cell->n; i++)
		if (cell->repeat[i] == repeat)
			return cell->value[i];
	return NAN;
}

static int last_repeat(const struct table *t, const struct section *s, const struct measure *m)
{
	size_t i, j;
	int last = 0;

	for (i = 0; i < s->points * t->columns; i++)
		for (j = 0; j < m->cell[i].n; j++)
			if (m->cell[i].repeat[j] > last)
				last = m->cell[i].repeat[j];
	return last;
}

/* A repeat is full enough to count when at least half of its cells are there. */
static bool repeat_counts(const struct table *t, const struct section *s, const struct measure *m,
			  int repeat)
{
	size_t i, there = 0, cells = 0;

	for (i = 0; i < s->points * t->columns; i++) {
		if (!s->column_present[i % t->columns])
			continue;
		cells++;
		there += !isnan(value_in_repeat(&m->cell[i], repeat));
	}
	return 2 * there >= cells;
}

/* Every column has a positive value here in every counted repeat. */
static bool point_counts(const struct table *t, const struct section *s, const struct measure *m,
			 size_t point, const bool *counts, int last)
{
	size_t c;
	int repeat;

	for (c = 0; c < t->columns; c++)
		for (repeat = 1; s->column_present[c] && repeat <= last; repeat++)
			if (counts[repeat] &&
			    !(value_in_repeat(&m->cell[point * t->columns + c], repeat) > 0))
				return false;
	return true;
}

static bool has_all(const struct table *t, const struct section *s, const struct measure *m,
		    size_t point)
{
	size_t c;

	for (c = 0; c < t->columns; c++)
		if (s->column_present[c] && !m->cell[point * t->columns + c].n)
			return false;
	return true;
}

/* Why no point counts: the mean needs values above 0 of every governor. */
static const char *no_curve(const struct table *t, const struct section *s, const struct measure *m)
{
	const char *reason = "no point has complete runs of every governor";
	size_t i, c;

	for (i = 0; i < s->points; i++) {
		if (!has_all(t, s, m, i))
			continue;
		for (c = 0; c < t->columns; c++) {
			const struct cell *cell = &m->cell[i * t->columns + c];

			if (!cell->n || cell->estimate.min > 0)
				continue;
			if (t->column[c].is_reference && cell->estimate.median == 0)
				return "the reference is 0";
			reason = "a value is not above 0, so there is no geometric mean";
		}
	}
	return reason;
}

static void geometric_mean(struct table *t, struct section *s, struct measure *m, size_t column,
			   const bool *use_point, int repeat)
{
	struct cell *overall = &m->overall[column];
	double sum = 0;
	size_t i;

	for (i = 0; i < s->points; i++)
		if (use_point[i])
			sum += log(value_in_repeat(&m->cell[i * t->columns + column], repeat));
	overall->value[overall->n] = exp(sum / (double)m->overall_points);
	overall->repeat[overall->n++] = repeat;
}

static void whole_curve(struct table *t, struct section *s, struct measure *m)
{
	int last = last_repeat(t, s, m), repeat;
	bool *counts = pool_alloc(t->pool, (size_t)last + 1, sizeof(*counts));
	bool *use = pool_alloc(t->pool, s->points, sizeof(*use));
	size_t i, c;

	for (repeat = 1; repeat <= last; repeat++)
		counts[repeat] = repeat_counts(t, s, m, repeat);
	for (i = 0; last && i < s->points; i++) {
		use[i] = point_counts(t, s, m, i, counts, last);
		m->overall_points += use[i];
	}
	m->overall_reason = m->overall_points ? NULL : no_curve(t, s, m);
	for (c = 0; m->overall_points && c < t->columns; c++) {
		if (!s->column_present[c])
			continue;
		m->overall[c].value = pool_alloc(t->pool, (size_t)last, sizeof(double));
		m->overall[c].repeat = pool_alloc(t->pool, (size_t)last, sizeof(int));
		for (repeat = 1; repeat <= last; repeat++)
			if (counts[repeat])
				geometric_mean(t, s, m, c, use, repeat);
	}
}

static int compare_overall(struct table *t, struct measure *m)
{
	size_t c;
	int err = 0;

	for (c = 0; c < t->columns; c++)
		m->overall[c].estimate = stats_estimate(m->overall[c].value, m->overall[c].n);
	for (c = 0; !err && c < t->columns; c++) {
		size_t reference = t->column[c].reference;

		if (reference == NO_COLUMN)
			continue;
		err = compare_cell(&m->overall[reference], &m->overall[c]);
		m->overall[c].difference.verdict = judge(m, &m->overall[reference], &m->overall[c]);
	}
	return err;
}

static int compare_points(struct table *t, struct section *s, struct measure *m)
{
	size_t i, c;
	int err = 0;

	for (c = 0; !err && c < t->columns; c++) {
		size_t reference = t->column[c].reference;

		if (reference == NO_COLUMN)
			continue;
		for (i = 0; !err && i < s->points; i++)
			err = compare_cell(&m->cell[i * t->columns + reference],
					   &m->cell[i * t->columns + c]);
		if (!err)
			err = correct_points(t, s, m, c);
	}
	return err;
}

int section_compare(struct table *table, struct section *section)
{
	size_t i, c;
	int err = 0;

	for (i = 0; !err && i < section->measures; i++) {
		struct measure *m = &section->measure[i];
		bool compared = m->kind == MEASURE_METRIC || m->kind == MEASURE_POWER;

		for (c = 0; c < section->points * table->columns; c++)
			m->cell[c].estimate = stats_estimate(m->cell[c].value, m->cell[c].n);
		if (!compared)
			continue;
		err = compare_points(table, section, m);
		if (section->points == 1) {
			m->overall = m->cell;
			m->overall_points = 1;
		} else if (!err) {
			whole_curve(table, section, m);
			err = compare_overall(table, m);
		}
	}
	return err;
}
