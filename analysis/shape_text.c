/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The shape in sentences. What there is too much of ends in the name of the file that has it all.
 */
#include "analysis/describe.h"
#include "analysis/shape.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LIST_MAX 3

struct list {
	const struct table *t;
	const struct section *s;
	const char **text;
	size_t n;
};

static void add(struct list *l, const char *text)
{
	l->text = pool_room(l->t->pool, l->text, l->n, sizeof(*l->text));
	l->text[l->n++] = text;
}

static const char *number(struct pool *pool, double value, int digits)
{
	char text[DESCRIBE_NUMBER_MAX];

	return pool_copy(pool, describe_number(value, digits, text));
}

static const char *percent(struct pool *pool, double value)
{
	char text[DESCRIBE_NUMBER_MAX];

	return pool_copy(pool, describe_percent(value, text));
}

static const char *name_of(const struct list *l, size_t column)
{
	return l->t->column[column].name;
}

/* "work=1us teo", or the governor alone. */
static const char *place(const struct list *l, size_t point, size_t column)
{
	const char *name = l->s->point[point].name;

	return pool_text(l->t->pool, "%s%s%s", name, *name ? " " : "", name_of(l, column));
}

static const char *x_text(const struct list *l, size_t facet, size_t at)
{
	return l->s->point[l->s->facet[facet].point[at]].text[l->s->x];
}

/* " (cores=2)", "" when there is one curve a governor. */
static const char *facet_text(const struct list *l, size_t facet)
{
	const char *name = l->s->facet[facet].name;

	return *name ? pool_text(l->t->pool, " (%s)", name) : "";
}

/* Adds "A; B; and 3 more (FILE)" behind @head. */
static void add_items(struct list *l, const char *head, const char *const *item, size_t n,
		      const char *file)
{
	const char *text = head;

	for (size_t i = 0; i < n && i < LIST_MAX; i++)
		text = pool_text(l->t->pool, "%s%s%s", text, i ? "; " : " ", item[i]);
	if (n > LIST_MAX)
		text = pool_text(l->t->pool, "%s; and %zu more (report/data/%s)", text,
				 n - LIST_MAX, file);
	if (n)
		add(l, text);
}

static void add_modes(struct list *l)
{
	const struct shape *shape = l->s->shape;
	const char **item = pool_alloc(l->t->pool, shape->all_modes + 1, sizeof(*item));
	const char *unit = l->s->metrics ? l->s->measure[0].unit : "";

	for (size_t i = 0; i < shape->all_modes; i++) {
		const struct shape_modes *m = &shape->modes[i];
		const struct spread *s = &m->spread;
		struct pool *p = l->t->pool;

		item[i] = pool_text(
			p, "%s: %zu runs at %s, %zu at %s %s (median %s, mean %s, sd %s)",
			place(l, m->point, m->column), s->modes.low_n, number(p, s->modes.low, 5),
			s->n - s->modes.low_n, number(p, s->modes.high, 5), unit,
			number(p, m->median, 5), number(p, s->mean, 5), number(p, s->sd, 4));
	}
	add_items(l, "bi-stable, so that no single number describes it:", item, shape->all_modes,
		  "spread.tsv");
}

static void add_jumps(struct list *l)
{
	const struct shape *shape = l->s->shape;
	const char **item = pool_alloc(l->t->pool, shape->all_jumps + 1, sizeof(*item));

	for (size_t i = 0; i < shape->all_jumps; i++)
		item[i] = place(l, shape->jumps[i].point, shape->jumps[i].column);
	add_items(l, "jumps back and forth between two branches:", item, shape->all_jumps,
		  "transitions.tsv");
	if (shape->left_out)
		add(l,
		    pool_text(l->t->pool,
			      "%zu bi-stable point%s of %zu left out of the whole curve, by rule",
			      shape->left_out, shape->left_out == 1 ? "" : "s", l->s->points));
}

/* "from 4.2us to 4.7us, +12 %" */
static const char *shift_text(const struct list *l, const struct shape_shift *s)
{
	struct pool *p = l->t->pool;
	char a[DESCRIBE_NUMBER_MAX], b[DESCRIBE_NUMBER_MAX];
	const char *unit = l->s->axis[l->s->x].unit;

	return pool_text(p, "from %s to %s%s%s (%s %%)", describe_number(s->reference.x, 3, a),
			 describe_number(s->other.x, 3, b), *unit ? " " : "", unit,
			 percent(p, s->pct));
}

static void add_peaks(struct list *l)
{
	const struct shape *shape = l->s->shape;
	const char **item = pool_alloc(l->t->pool, shape->peaks + 1, sizeof(*item));

	for (size_t i = 0; i < shape->peaks; i++) {
		const struct shape_peak *k = &shape->peak[i];

		item[i] = pool_text(l->t->pool, "%s %s %% at %s%s%s", name_of(l, k->column),
				    percent(l->t->pool, k->pct), l->s->point[k->point].name,
				    k->shift ? ", only a shifted step: " : "",
				    k->shift ? shift_text(l, k->shift) : "");
	}
	add_items(l, "largest difference:", item, shape->peaks, "transitions.tsv");
}

/* Said together with the largest difference. */
static bool is_said(const struct shape *shape, const struct shape_shift *s)
{
	for (size_t i = 0; i < shape->peaks; i++)
		if (shape->peak[i].shift == s)
			return true;
	return false;
}

static void add_shifts(struct list *l)
{
	const struct shape *shape = l->s->shape;
	const char **item = pool_alloc(l->t->pool, shape->shifts + 1, sizeof(*item));
	size_t n = 0;

	for (size_t i = 0; i < shape->shifts; i++) {
		const struct shape_shift *s = &shape->shift[i];

		if (s->reference.before != s->other.before && !is_said(shape, s))
			item[n++] = pool_text(l->t->pool, "%s%s %s, a step of %s %%",
					      name_of(l, s->column), facet_text(l, s->facet),
					      shift_text(l, s),
					      percent(l->t->pool, s->reference.step_pct));
	}
	add_items(l,
		  pool_text(l->t->pool, "the curve steps elsewhere along %s than the reference's:",
			    n ? l->s->axis[l->s->x].key : ""),
		  item, n, "transitions.tsv");
}

static const char *region_text(const struct list *l, const struct shape_region *r)
{
	const struct measure *m = &l->s->measure[r->measure];
	size_t reference = l->t->column[r->column].reference;
	struct pool *p = l->t->pool;
	const char *what, *where;

	where = pool_text(p, "%s to %s%s (%zu points)", x_text(l, r->facet, r->first),
			  x_text(l, r->facet, r->last), facet_text(l, r->facet),
			  r->last - r->first + 1);
	if (r->verdict != VERDICT_NONE)
		return pool_text(p, "%s %s from %s", name_of(l, r->column),
				 section_verdict_text(r->verdict), where);
	what = pool_text(p, "%s %s", describe_state(l->t, m->state),
			 m->quantity == IDLE_TOO_DEEP ? "too deep" : "too shallow");
	return pool_text(p, "%s from %s: %s %s %%, %s %s %%", what, where, name_of(l, reference),
			 describe_range(p, r->reference_lo, r->reference_hi, 3),
			 name_of(l, r->column), describe_range(p, r->lo, r->hi, 3));
}

static void add_regions(struct list *l)
{
	const struct shape *shape = l->s->shape;
	const char **item = pool_alloc(l->t->pool, shape->regions + 1, sizeof(*item));

	for (size_t i = 0; i < shape->regions; i++)
		item[i] = region_text(l, &shape->region[i]);
	add_items(l,
		  pool_text(l->t->pool,
			    "differ along %s:", shape->regions ? l->s->axis[l->s->x].key : ""),
		  item, shape->regions, "transitions.tsv");
}

static bool all_have(const struct list *l, const struct measure *m, size_t point)
{
	size_t c;

	for (c = 0; c < l->t->columns; c++)
		if (l->s->column_present[c] && !m->cell[point * l->t->columns + c].n)
			return false;
	return true;
}

/*
 * The mean over the points that all have, of medians. Not the geometric one: a governor that only
 * polls somewhere is 0 there, and that point says the most. NAN: there is no such point.
 */
static double mean_of(const struct list *l, const struct measure *m, size_t column)
{
	double sum = 0;
	size_t i, n = 0;

	for (i = 0; i < l->s->points; i++) {
		if (!all_have(l, m, i))
			continue;
		sum += m->cell[i * l->t->columns + column].estimate.median;
		n++;
	}
	return n ? sum / (double)n : NAN;
}

/* "menu 1.8, rjw 19.2 (+17.4)"; NULL when some governor that is here has no value. */
static const char *values_text(const struct list *l, const char *metric, int digits)
{
	const struct measure *m = section_measure(l->s, metric);
	const char *text = "";

	if (!m)
		return NULL;
	for (size_t c = 0; c < l->t->columns; c++) {
		size_t reference = l->t->column[c].reference;
		double value, more = NAN;
		char a[DESCRIBE_NUMBER_MAX], b[DESCRIBE_NUMBER_MAX];

		if (!l->s->column_present[c])
			continue;
		value = mean_of(l, m, c);
		if (isnan(value))
			return NULL;
		text = pool_text(l->t->pool, "%s%s%s %s", text, *text ? ", " : "", name_of(l, c),
				 describe_number(value, digits, a));
		if (reference != NO_COLUMN && l->s->column_present[reference])
			more = value - mean_of(l, m, reference);
		/* No "-0.00": what rounds to nothing is not said. */
		if (!isnan(more) && strtod(describe_number(more, digits, b), NULL) != 0)
			text = pool_text(l->t->pool, "%s (%s%s)", text, more < 0 ? "" : "+",
					 describe_number(more, digits, b));
	}
	return *text ? text : NULL;
}

static void add_derived(struct list *l)
{
	const char *over = l->s->points > 1 ? ", mean over the points" : "";
	const char *hop = values_text(l, "hop_excess_us", 3);
	const char *lost = values_text(l, "exit_latency_pct", 3);

	if (hop)
		add(l, pool_text(l->t->pool, "us a hop beside its work%s: %s", over, hop));
	if (lost)
		add(l,
		    pool_text(l->t->pool,
			      "entries x exit latency, %% of the CPUs' time (+ and - in percentage "
			      "points)%s: %s",
			      over, lost));
}

static void add_settled(struct list *l)
{
	const struct shape *shape = l->s->shape;

	if (shape->unsettled)
		add(l, pool_text(l->t->pool,
				 "not settled: %zu of %zu runs that can be judged "
				 "(report/data/steady.tsv)",
				 shape->unsettled, shape->judged));
	else if (shape->judged)
		add(l, pool_text(l->t->pool, "steady: all %zu runs that can be judged",
				 shape->judged));
}

size_t shape_sentences(const struct table *table, const struct section *section, const char ***ret)
{
	struct list l = { .t = table, .s = section };

	add_modes(&l);
	add_jumps(&l);
	add_peaks(&l);
	add_shifts(&l);
	add_regions(&l);
	add_derived(&l);
	add_settled(&l);
	*ret = l.text;
	return l.n;
}
