/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which comparisons a sequential campaign waits for, and what is known of them. */
#include "analysis/sequential.h"
#include "analysis/describe.h"
#include "analysis/spending.h"
#include "store/format.h"
#include <math.h>

static const struct store_campaign *campaign_of(const struct result *r, size_t source)
{
	return source < r->sources ? &r->source[source].campaign : &r->campaign;
}

void sequential_prepare(struct table *table)
{
	const struct result *r = table->result;
	size_t n = r->sources ? r->sources : 1, i;

	table->spending = pool_alloc(table->pool, n, sizeof(*table->spending));
	for (i = 0; i < n; i++) {
		const struct store_campaign *c = campaign_of(r, i);

		if (c->repeat_min > 0)
			table->spending[i] = spending_make(table->pool, (size_t)c->repeat_min,
							   (size_t)c->repeat);
	}
}

bool sequential_is(const struct table *table)
{
	size_t n = table->result->sources ? table->result->sources : 1, i;

	for (i = 0; i < n; i++)
		if (table->spending[i])
			return true;
	return false;
}

const struct spending *sequential_of(const struct table *table, size_t column)
{
	const struct column *c = &table->column[column];
	const struct spending *own = table->spending[c->source];

	if (own || c->reference == NO_COLUMN)
		return own;
	return table->spending[table->column[c->reference].source];
}

static bool is_decided(const struct difference *d)
{
	return d->verdict == VERDICT_BETTER || d->verdict == VERDICT_WORSE ||
	       d->verdict == VERDICT_EQUIVALENT;
}

static void add(const struct table *t, struct comparison **list, size_t *n, struct comparison c)
{
	/* Nothing to compare: more blocks would not change that. */
	if (!c.difference->tested || c.measure->better == BETTER_IS_NONE)
		return;
	c.decided = is_decided(c.difference);
	*list = pool_room(t->pool, *list, *n, sizeof(**list));
	(*list)[(*n)++] = c;
}

static void add_measure(const struct table *t, const struct section *s, const struct measure *m,
			size_t column, struct comparison **list, size_t *n)
{
	struct comparison c = { .section = s, .measure = m, .column = column, .point = NO_POINT };
	size_t i;

	if (s->points > 1 && m->overall_points) {
		c.difference = &m->overall[column].difference;
		add(t, list, n, c);
	}
	for (i = 0; i < s->points; i++) {
		c.point = i;
		c.difference = &section_cell(t, m, i, column)->difference;
		add(t, list, n, c);
	}
}

size_t sequential_comparisons(const struct table *table, struct comparison **ret)
{
	struct comparison *list = NULL;
	size_t n = 0, i, c, m;

	for (i = 0; i < table->sections; i++) {
		const struct section *s = &table->section[i];

		for (c = 0; c < table->columns; c++)
			for (m = 0; table->column[c].reference != NO_COLUMN && m < s->measures; m++)
				if (section_is_scored(s, m))
					add_measure(table, s, &s->measure[m], c, &list, &n);
	}
	*ret = list;
	return n;
}

static void put_number(FILE *out, double value)
{
	if (isfinite(value))
		fprintf(out, "%.10g", value);
	fputc('\t', out);
}

static void put_text(FILE *out, const char *text)
{
	tsv_put(out, text);
	fputc('\t', out);
}

static void put_row(const struct table *t, const struct comparison *c, FILE *out)
{
	const struct difference *d = c->difference;
	const struct column *column = &t->column[c->column];

	put_text(out, c->section->name);
	put_text(out, c->point == NO_POINT ? "curve" : "point");
	put_text(out, c->point == NO_POINT ? "" : c->section->point[c->point].name);
	put_text(out, column->label);
	put_text(out, column->cpufreq);
	put_text(out, column->kernel);
	put_text(out, c->measure->name);
	fprintf(out, "%zu\t", d->look);
	put_number(out, d->pct);
	put_number(out, d->interval ? d->lo_pct : NAN);
	put_number(out, d->interval ? d->hi_pct : NAN);
	put_number(out, d->p_holm);
	put_number(out, d->p_equal_holm);
	put_number(out, spending_level(d->spending, d->look, STATS_ALPHA));
	fprintf(out, "%s\t%s\n", section_verdict_text(d->verdict), c->decided ? "yes" : "no");
}

void sequential_write(const struct table *table, FILE *out)
{
	struct comparison *list;
	size_t n = sequential_comparisons(table, &list), i;

	fputs(STORE_DECISION_COLUMNS, out);
	for (i = 0; i < n; i++)
		put_row(table, &list[i], out);
}

bool sequential_summary(const struct table *table, struct sequential *ret)
{
	const struct result *r = table->result;
	struct sequential all = { 0 };
	struct comparison *list;
	size_t i = 0;

	if (!sequential_is(table))
		return false;
	while (!table->spending[i])
		i++;
	all.from = campaign_of(r, i)->repeat_min;
	all.to = campaign_of(r, i)->repeat;
	for (i = 0; i < r->sources; i++)
		all.looks += r->source[i].looks;
	all.comparisons = sequential_comparisons(table, &list);
	for (i = 0; i < all.comparisons; i++)
		all.decided += list[i].decided;
	*ret = all;
	return true;
}

const char *sequential_text(const struct table *table)
{
	struct sequential s;

	if (!sequential_summary(table, &s))
		return "";
	return pool_text(table->pool,
			 "sequential, %d to %d repeats, %zu look%s so far: %zu of %zu comparisons "
			 "decided",
			 s.from, s.to, s.looks, s.looks == 1 ? "" : "s", s.decided, s.comparisons);
}

const char *sequential_method(const struct table *table)
{
	struct sequential s;

	if (!sequential_summary(table, &s))
		return "";
	return pool_text(
		table->pool,
		" This campaign was looked at after every repeat from %d to at most %d, and what "
		"was decided got no more runs. p values, intervals of differences and Holm's "
		"correction are therefore repeated ones, which hold at all looks together: error "
		"spending by Lan and DeMets with their function of Pocock's type, repeated p values "
		"and intervals by Jennison and Turnbull. \"equivalent\" means that the difference "
		"is shown to be smaller than the practical threshold: that interval, corrected by "
		"Holm in a sweep, lies within it. Estimates of what was decided early lean away "
		"from 0; intervals allow for that. A whole curve is made of the repeats in which "
		"every point was measured. Intervals of single medians are not adjusted.",
		s.from, s.to);
}
