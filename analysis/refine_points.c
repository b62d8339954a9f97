/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From runs to the curves that refine.c looks at: of the headline and of package power, each
 * governor's own and its ratio to the reference, run by run within blocks (drift cancels). How
 * far a point may be off is told by how far its runs are apart, pooled over the points.
 */
#include "analysis/refine.h"
#include "analysis/robust.h"
#include "analysis/transitions.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LOCAL_FACTOR 3 /* a point whose runs are so many times as far apart as others' */

static const char *const why_text[] = {
	[REFINE_GAP] = "gap",
	[REFINE_FOOT_OF] = "foot",
	[REFINE_BEND] = "bend",
	[REFINE_DIFFERENCE] = "difference",
};

/* One sweep of points.tsv, and the rows of its measured points. */
struct at_work {
	const struct table *table;
	const struct section *section;
	struct pool *pool;
	struct store_point *row; /* [rows], ascending by place */
	size_t rows;
	size_t *chosen; /* numbers of rows */
	struct refine_sweep sweep;
};

/* Logarithms of the runs of a curve at one point. */
struct sample {
	double *value;
	size_t n;
};

static const struct cell *cell_at(const struct at_work *w, const struct measure *m, size_t i,
				  size_t column)
{
	const char *name = w->row[w->chosen[i]].point;

	for (size_t p = 0; p < w->section->points; p++)
		if (!strcmp(w->section->point[p].name, name))
			return section_cell(w->table, m, p, column);
	return NULL;
}

static struct sample own_sample(const struct at_work *w, const struct cell *cell)
{
	struct sample s = { pool_alloc(w->pool, cell ? cell->n + 1 : 1, sizeof(double)), 0 };

	for (size_t i = 0; cell && i < cell->n; i++)
		if (cell->value[i] > 0)
			s.value[s.n++] = log(cell->value[i]);
	return s;
}

static struct sample ratio_sample(const struct at_work *w, const struct cell *cell,
				  const struct cell *reference)
{
	struct sample s = { pool_alloc(w->pool, cell ? cell->n + 1 : 1, sizeof(double)), 0 };

	for (size_t i = 0; cell && reference && i < cell->n; i++)
		for (size_t j = 0; j < reference->n; j++) {
			if (cell->block[i] != reference->block[j] || !(cell->value[i] > 0) ||
			    !(reference->value[j] > 0))
				continue;
			s.value[s.n++] = log(cell->value[i] / reference->value[j]);
			break;
		}
	return s;
}

static double mean(const struct sample *s)
{
	double sum = 0;

	for (size_t i = 0; i < s->n; i++)
		sum += s->value[i];
	return s->n ? sum / (double)s->n : NAN;
}

/* Distances from the mean of the sample, as wide as those from the true one would be. */
static size_t residuals(const struct sample *s, double *ret)
{
	double centre = mean(s), scale;

	if (s->n < 2)
		return 0;
	scale = sqrt((double)s->n / (double)(s->n - 1));
	for (size_t i = 0; i < s->n; i++)
		ret[i] = (s->value[i] - centre) * scale;
	return s->n;
}

static double deviation(const double *value, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += value[i] * value[i];
	return n ? sqrt(sum / (double)n) : 0;
}

/* Of all points but those whose runs are far apart (bi-stable ones): these must not blind the
 * others. */
static double pool_spread(const double *rest, size_t n)
{
	double limit = LOCAL_FACTOR * robust_sigma(rest, n), sum = 0;
	size_t used = 0;

	for (size_t i = 0; i < n; i++) {
		if (fabs(rest[i]) > limit)
			continue;
		sum += rest[i] * rest[i];
		used++;
	}
	return used ? sqrt(sum / (double)used) : 0;
}

/* With one run a point: what it is off the line through its neighbours. */
static double roughness(const struct at_work *w, const struct refine_curve *c)
{
	double *off = pool_alloc(w->pool, w->sweep.points + 1, sizeof(*off));
	size_t n = 0;

	for (size_t i = 1; i + 1 < w->sweep.points; i++) {
		const size_t *at = w->sweep.at + i;
		double part = (double)(at[0] - at[-1]) / (double)(at[1] - at[-1]);
		double by = c->z[i] - c->z[i - 1] * (1 - part) - c->z[i + 1] * part;

		if (!isnan(by))
			off[n++] = by / sqrt(1 + part * part + (1 - part) * (1 - part));
	}
	return n ? robust_sigma(off, n) : 0;
}

static void spread(const struct at_work *w, const struct sample *sample, struct refine_curve *c)
{
	size_t n = 0, all = 0;
	double *rest, pooled;

	for (size_t i = 0; i < w->sweep.points; i++)
		all += sample[i].n;
	rest = pool_alloc(w->pool, all + 1, sizeof(*rest));
	for (size_t i = 0; i < w->sweep.points; i++)
		n += residuals(&sample[i], rest + n);
	pooled = n ? pool_spread(rest, n) : roughness(w, c);
	for (size_t i = 0; i < w->sweep.points; i++) {
		double local = deviation(rest, residuals(&sample[i], rest));

		if (local < LOCAL_FACTOR * pooled)
			local = pooled;
		c->sd[i] = local / sqrt((double)(sample[i].n ? sample[i].n : 1));
	}
}

static void add_curve(struct at_work *w, const struct measure *m, size_t column, bool ratio)
{
	size_t reference = w->table->column[column].reference, i;
	struct sample *sample = pool_alloc(w->pool, w->sweep.points + 1, sizeof(*sample));
	struct refine_curve *c;

	w->sweep.curve =
		pool_room(w->pool, w->sweep.curve, w->sweep.curves, sizeof(*w->sweep.curve));
	c = &w->sweep.curve[w->sweep.curves++];
	c->name = pool_text(w->pool, "%s %s", w->table->column[column].name, m->name);
	c->ratio = ratio;
	c->limit = log1p((ratio ? m->threshold_pct : REFINE_BEND_PCT) / 100);
	c->z = pool_alloc(w->pool, w->sweep.points + 1, sizeof(*c->z));
	c->sd = pool_alloc(w->pool, w->sweep.points + 1, sizeof(*c->sd));
	for (i = 0; i < w->sweep.points; i++) {
		const struct cell *cell = cell_at(w, m, i, column);

		sample[i] = ratio ? ratio_sample(w, cell, cell_at(w, m, i, reference))
				  : own_sample(w, cell);
		c->z[i] = mean(&sample[i]);
	}
	spread(w, sample, c);
}

static void add_curves(struct at_work *w)
{
	for (size_t i = 0; i < w->section->measures; i++) {
		const struct measure *m = &w->section->measure[i];

		if (!section_is_scored(w->section, i) ||
		    !section_has_values(w->table, w->section, m))
			continue;
		for (size_t c = 0; c < w->table->columns; c++) {
			if (!w->section->column_present[c])
				continue;
			add_curve(w, m, c, false);
			if (w->table->column[c].reference != NO_COLUMN)
				add_curve(w, m, c, true);
		}
	}
}

static void take_rows(struct at_work *w)
{
	size_t *at = pool_alloc(w->pool, w->rows + 1, sizeof(*at));
	size_t *place = pool_alloc(w->pool, w->rows + 1, sizeof(*place));
	size_t *from = pool_alloc(w->pool, w->rows + 1, sizeof(*from));
	size_t *to = pool_alloc(w->pool, w->rows + 1, sizeof(*to));
	double *by = pool_alloc(w->pool, w->rows + 1, sizeof(*by));
	struct refine_sweep *s = &w->sweep;

	w->chosen = pool_alloc(w->pool, w->rows + 1, sizeof(*w->chosen));
	for (size_t i = 0; i < w->rows; i++) {
		place[i] = w->row[i].at;
		if (w->row[i].round < 0)
			continue;
		w->chosen[s->points] = i;
		if (!strcmp(w->row[i].why, why_text[REFINE_BEND]) ||
		    !strcmp(w->row[i].why, why_text[REFINE_DIFFERENCE])) {
			from[s->points] = w->row[i].from;
			to[s->points] = w->row[i].to;
			by[s->points] = log1p(w->row[i].by_pct / 100);
		}
		at[s->points++] = w->row[i].at;
	}
	s->at = at;
	s->from = from;
	s->to = to;
	s->by = by;
	s->place = place;
	s->places = w->rows;
	s->left = w->row[0].wanted > s->points ? w->row[0].wanted - s->points : 0;
}

static void mark(struct at_work *w, const struct refine_choice *choice, int round,
		 struct store_points *out)
{
	for (size_t i = 0; i < w->rows; i++) {
		struct store_point *p = &w->row[i];

		if (p->at != choice->at)
			continue;
		p->round = round;
		p->from = choice->from;
		p->to = choice->to;
		p->by_pct = isnan(choice->by) ? NAN : expm1(choice->by) * 100;
		if (store_points_explain(out, (size_t)(p - out->point), why_text[choice->why],
					 choice->curve ? choice->curve : ""))
			abort(); /* as all of a report, see analysis/pool.h */
	}
}

static const struct section *find_section(const struct table *t, const char *name)
{
	for (size_t i = 0; i < t->sections; i++)
		if (!strcmp(t->section[i].name, name))
			return &t->section[i];
	return NULL;
}

/* The rows [first, first + rows) are one sweep. */
static size_t refine_sweep(const struct table *t, struct store_points *points, size_t first,
			   size_t rows, int round)
{
	struct pool pool = { 0 };
	struct at_work w = { .table = t,
			     .section = find_section(t, points->point[first].section),
			     .pool = &pool,
			     .row = points->point + first,
			     .rows = rows };
	struct refine_choice *choice;
	size_t n;

	take_rows(&w);
	if (w.section)
		add_curves(&w);
	choice = pool_alloc(&pool, w.sweep.left + 1, sizeof(*choice));
	n = refine_choose(&w.sweep, choice);
	for (size_t i = 0; i < n; i++)
		mark(&w, &choice[i], round, points);
	pool_free(&pool);
	return n;
}

size_t refine_points(const struct table *table, struct store_points *points)
{
	size_t n = 0, rows;
	int round = 0;

	for (size_t i = 0; i < points->n; i++)
		round = points->point[i].round > round ? points->point[i].round : round;
	for (size_t i = 0; i < points->n; i += rows) {
		const struct store_point *p = &points->point[i];

		for (rows = 1; i + rows < points->n; rows++)
			if (strcmp(p[rows].section, p->section) || strcmp(p[rows].sweep, p->sweep))
				break;
		n += refine_sweep(table, points, i, rows, round + 1);
	}
	return n;
}
