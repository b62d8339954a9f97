/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From the values of cells to estimates, differences and verdicts.
 *
 * A sweep gets two answers. Each point is tested on its own, with Holm's correction over the points
 * (P-52); with few runs and many points that cannot reach significance whatever the data, so the
 * whole curve is tested as well: one number a run of it, the mean over the points
 * (geometric; arithmetic where a value is 0, or the data would choose the points).
 */
#include "analysis/compare.h"
#include "analysis/sequential.h"
#include <errno.h>
#include <math.h>
#include <string.h>

/* All-A-then-all-B and what was imported have repeats that are no blocks. */
static bool in_turns(const char *order)
{
	return !order || !strcmp(order, "shuffled") || !strcmp(order, "abba");
}

static bool in_blocks(const struct table *t)
{
	const struct result *r = t->result;
	size_t i;

	for (i = 0; i < r->sources; i++)
		if (!in_turns(r->source[i].campaign.order))
			return false;
	return in_turns(r->campaign.order);
}

static bool enough(const struct difference *d)
{
	return d->tested && d->runs >= STATS_N_MIN;
}

enum verdict compare_judge(const struct measure *m, const struct difference *d)
{
	double by = d->known ? d->pct : d->shift;

	if (!d->tested || m->better == BETTER_IS_NONE)
		return VERDICT_NONE;
	if (!enough(d))
		return VERDICT_SMALL;
	if (d->p_equal_holm < STATS_ALPHA)
		return VERDICT_EQUIVALENT;
	/* Against 0 any shift matters: a threshold is in percent. */
	if (!(d->p_holm < STATS_ALPHA) || fabs(by) <= (d->known ? m->threshold_pct : 0))
		return VERDICT_SAME;
	return (by < 0) == (m->better == BETTER_IS_LOWER) ? VERDICT_BETTER : VERDICT_WORSE;
}

static void conclude(const struct measure *m, struct difference *d, size_t family)
{
	d->verdict = compare_judge(m, d);
	d->detectable_pct = enough(d) ? compare_detectable_pct(d, family, m->threshold_pct) : NAN;
}

static struct compare_rules rules_of(const struct table *t, const struct measure *m, size_t column)
{
	return (struct compare_rules){ .in_blocks = in_blocks(t),
				       .seed = t->result->campaign.seed,
				       .spending = sequential_of(t, column),
				       .threshold_pct = m->threshold_pct };
}

/* Holm over the points that have enough runs on both sides: of differences, and of what is shown to
 * be none. */
static int correct_points(struct table *t, struct section *s, struct measure *m, size_t column)
{
	size_t reference = t->column[column].reference, i, family = 0;
	double *p = pool_alloc(t->pool, s->points, sizeof(*p));
	double *p_equal = pool_alloc(t->pool, s->points, sizeof(*p_equal));
	struct compare_rules rules = rules_of(t, m, column);
	int err = 0;

	for (i = 0; i < s->points; i++)
		family += enough(&m->cell[i * t->columns + column].difference);
	for (i = 0; !err && i < s->points; i++) {
		struct cell *b = &m->cell[i * t->columns + column];

		p[i] = p_equal[i] = NAN;
		if (!enough(&b->difference))
			continue;
		err = compare_in_family(&m->cell[i * t->columns + reference], b, family, &rules);
		p[i] = b->difference.p;
		p_equal[i] = b->difference.p_equal;
	}
	if (!err)
		err = stats_holm(p, s->points);
	if (!err)
		err = stats_holm(p_equal, s->points);
	for (i = 0; !err && i < s->points; i++) {
		struct difference *d = &m->cell[i * t->columns + column].difference;

		if (!isnan(p[i]))
			d->p_holm = p[i];
		if (!isnan(p_equal[i]))
			d->p_equal_holm = p_equal[i];
		conclude(m, d, family);
	}
	return err;
}

static double value_in_block(const struct cell *cell, int block)
{
	size_t i;

	for (i = 0; i < cell->n; i++)
		if (cell->block[i] == block)
			return cell->value[i];
	return NAN;
}

static int last_block(const struct table *t, const struct section *s, const struct measure *m)
{
	size_t i, j;
	int last = 0;

	for (i = 0; i < s->points * t->columns; i++)
		for (j = 0; j < m->cell[i].n; j++)
			if (m->cell[i].block[j] > last)
				last = m->cell[i].block[j];
	return last;
}

/* A boot's blocks are of its own kernel's columns. */
static bool is_of_block(const struct table *t, const struct section *s, size_t column, int block)
{
	const struct boot *boot = &t->result->boot[(block - 1) / t->repeats];
	const struct column *c = &t->column[column];

	return s->column_present[column] && !strcmp(c->kernel, boot->release) &&
	       !strcmp(c->machine, boot->machine) &&
	       load_same_side(t->result, c->source, boot->source);
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

/*
 * A block is full enough to count when at least half of its cells are there. In a sequential
 * campaign the points that are decided get no more blocks, and a curve of the others would be one
 * that the data have chosen: there only whole blocks count, of all points that every column has.
 */
static bool block_counts(const struct table *t, const struct section *s, const struct measure *m,
			 int block)
{
	size_t i, there = 0, cells = 0;

	for (i = 0; i < s->points * t->columns; i++) {
		if (!is_of_block(t, s, i % t->columns, block))
			continue;
		if (sequential_is(t) && !has_all(t, s, m, i / t->columns))
			continue;
		cells++;
		there += !isnan(value_in_block(&m->cell[i], block));
	}
	return there && (sequential_is(t) ? there == cells : 2 * there >= cells);
}

/* Every column has a value here in every counted block of its kernel. */
static bool point_counts(const struct table *t, const struct section *s, const struct measure *m,
			 size_t point, const bool *counts, int last)
{
	size_t c;
	int block;

	if (s->bistable[point])
		return false;
	for (block = 1; block <= last; block++)
		for (c = 0; counts[block] && c < t->columns; c++)
			if (is_of_block(t, s, c, block) &&
			    isnan(value_in_block(&m->cell[point * t->columns + c], block)))
				return false;
	return has_all(t, s, m, point);
}

/* Some value of the points that count is not above 0: there is no geometric mean over all. */
static bool has_zero(const struct table *t, const struct section *s, const struct measure *m,
		     const bool *use_point, const bool *counts, int last)
{
	size_t i;
	int block;

	for (i = 0; i < s->points * t->columns; i++)
		for (block = 1; use_point[i / t->columns] && block <= last; block++)
			if (counts[block] && value_in_block(&m->cell[i], block) <= 0)
				return true;
	return false;
}

/* Why no point counts. */
static const char *no_curve(const struct table *t, const struct section *s, const struct measure *m)
{
	size_t i;

	for (i = 0; i < s->points; i++)
		if (s->bistable[i] && has_all(t, s, m, i))
			return "the points that all governors have are bi-stable";
	return "no point has complete runs of every governor";
}

static void mean_over_points(struct table *t, struct section *s, struct measure *m, size_t column,
			     const bool *use_point, int block)
{
	struct cell *overall = &m->overall[column];
	double sum = 0, weights = 0, value;
	size_t i;

	for (i = 0; i < s->points; i++) {
		double weight = s->weight ? s->weight[i] : 1;

		if (!use_point[i])
			continue;
		value = value_in_block(&m->cell[i * t->columns + column], block);
		sum += weight * (m->overall_arithmetic ? value : log(value));
		weights += weight;
	}
	sum /= weights;
	overall->value[overall->n] = m->overall_arithmetic ? sum : exp(sum);
	overall->block[overall->n] = block;
	overall->repeat[overall->n++] = (block - 1) % t->repeats + 1;
}

static void whole_curve(struct table *t, struct section *s, struct measure *m)
{
	int last = last_block(t, s, m), block;
	bool *counts = pool_alloc(t->pool, (size_t)last + 1, sizeof(*counts));
	bool *use = pool_alloc(t->pool, s->points, sizeof(*use));
	size_t i, c;

	for (block = 1; block <= last; block++)
		counts[block] = block_counts(t, s, m, block);
	for (i = 0; last && i < s->points; i++) {
		use[i] = point_counts(t, s, m, i, counts, last);
		m->overall_points += use[i];
	}
	m->overall_arithmetic = last && has_zero(t, s, m, use, counts, last);
	m->overall_reason = m->overall_points ? NULL : no_curve(t, s, m);
	for (c = 0; m->overall_points && c < t->columns; c++) {
		if (!s->column_present[c])
			continue;
		m->overall[c].value = pool_alloc(t->pool, (size_t)last, sizeof(double));
		m->overall[c].repeat = pool_alloc(t->pool, (size_t)last, sizeof(int));
		m->overall[c].block = pool_alloc(t->pool, (size_t)last, sizeof(int));
		for (block = 1; block <= last; block++)
			if (counts[block] && is_of_block(t, s, c, block))
				mean_over_points(t, s, m, c, use, block);
	}
}

static int compare_overall(struct table *t, struct measure *m)
{
	struct compare_rules rules;
	size_t c;
	int err = 0;

	for (c = 0; c < t->columns; c++)
		m->overall[c].estimate = stats_estimate(m->overall[c].value, m->overall[c].n);
	for (c = 0; !err && c < t->columns; c++) {
		size_t reference = t->column[c].reference;

		if (reference == NO_COLUMN)
			continue;
		rules = rules_of(t, m, c);
		err = compare_cells(&m->overall[reference], &m->overall[c], &rules);
		conclude(m, &m->overall[c].difference, 1);
	}
	return err;
}

static int compare_points(struct table *t, struct section *s, struct measure *m)
{
	struct compare_rules rules;
	size_t i, c;
	int err = 0;

	for (c = 0; !err && c < t->columns; c++) {
		size_t reference = t->column[c].reference;

		if (reference == NO_COLUMN)
			continue;
		rules = rules_of(t, m, c);
		for (i = 0; !err && i < s->points; i++)
			err = compare_cells(&m->cell[i * t->columns + reference],
					    &m->cell[i * t->columns + c], &rules);
		if (!err)
			err = correct_points(t, s, m, c);
	}
	return err;
}

/* What a reader of the tables divides by hand, for the measures at the top of a report. */
static int compare_by_hand(struct table *t, struct measure *m)
{
	size_t c;
	int err = 0;

	for (c = 0; !err && c < t->columns; c++)
		if (m->overall[c].difference.known)
			err = compare_medians(&m->overall[t->column[c].reference], &m->overall[c],
					      t->result->campaign.seed);
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
		if (!err && section_is_scored(section, i))
			err = compare_by_hand(table, m);
	}
	return err;
}
