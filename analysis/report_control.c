/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The control of a comparison between kernels: menu moved between two kernels in which it had not
 * changed (P-36), so what another governor gained or lost is read beside it. Which governor did not
 * change nobody tells the program; the campaign's reference governor is the one taken for it.
 */
#include "analysis/report_several.h"
#include "analysis/describe.h"
#include <string.h>

/* The column is the first result's reference governor, on another kernel than the one it is
 * compared with. */
static bool is_control(const struct table *t, const struct column *c)
{
	const struct column *with;

	if (c->reference == NO_COLUMN)
		return false;
	with = &t->column[c->reference];
	return strcmp(with->kernel, c->kernel) != 0 && !strcmp(with->label, c->label) &&
	       !strcmp(c->label, t->result->source[with->source].campaign.reference);
}

/* A governor is compared across kernels. */
static bool is_across(const struct table *t, const struct column *c)
{
	return c->reference != NO_COLUMN && strcmp(t->column[c->reference].kernel, c->kernel) != 0;
}

static void add(const struct table *t, const char ***list, size_t *n, const char *text)
{
	*list = pool_room(t->pool, *list, *n, sizeof(**list));
	(*list)[(*n)++] = text;
}

static void say_measure(const struct table *t, const struct section *s, const struct measure *m,
			size_t column, const char ***list, size_t *n)
{
	const struct difference *d = &m->overall[column].difference;
	const struct column *c = &t->column[column];
	char pct[DESCRIBE_NUMBER_MAX];
	bool moved = d->verdict == VERDICT_BETTER || d->verdict == VERDICT_WORSE;

	if (!d->tested)
		return;
	add(t, list, n,
	    pool_text(
		    t->pool, "%s, %s: %s against %s %s%s %s%s", s->name, m->name, c->name,
		    t->column[c->reference].name,
		    d->known ? describe_percent(d->pct, pct) : describe_shift(t->pool, m, d),
		    d->known ? " %" : "", section_verdict_text(d->verdict),
		    moved ? ": if it did not change, this part of every difference is the kernel's"
			  : ""));
}

/* There is more than one kernel, whether or not a governor is compared across them: their columns
 * stand side by side, and a reader will. */
static bool has_kernels(const struct table *t)
{
	size_t c;

	for (c = 1; c < t->columns; c++)
		if (strcmp(t->column[c].kernel, t->column[0].kernel) != 0)
			return true;
	return false;
}

/* Some kernel that is compared was booted once only. */
static bool single_boots(const struct table *t)
{
	const struct result *r = t->result;
	size_t i, j, same;

	for (i = 0; i < r->boots; i++) {
		for (j = same = 0; j < r->boots; j++)
			same += !strcmp(r->boot[i].release, r->boot[j].release) &&
				!strcmp(r->boot[i].machine, r->boot[j].machine) &&
				load_same_side(r, r->boot[i].source, r->boot[j].source);
		if (same == 1)
			return true;
	}
	return false;
}

size_t several_control(const struct table *table, const char ***ret)
{
	const char **list = NULL;
	bool across = false, control = false;
	size_t n = 0, i, c;

	for (c = 0; c < table->columns; c++) {
		across |= is_across(table, &table->column[c]);
		if (!is_control(table, &table->column[c]))
			continue;
		control = true;
		for (i = 0; i < table->sections; i++) {
			const struct section *s = &table->section[i];
			const struct measure *power = section_measure(s, "package_w");

			if (s->metrics)
				say_measure(table, s, &s->measure[0], c, &list, &n);
			if (power)
				say_measure(table, s, power, c, &list, &n);
		}
	}
	if (across && !control)
		add(table, &list, &n,
		    "none: the reference governor was not measured on both kernels, so what the "
		    "governor did and what the kernel did cannot be told apart");
	if (has_kernels(table) && single_boots(table))
		add(table, &list, &n,
		    "one boot a kernel: boots of one kernel differ as well (memory layout, what "
		    "else runs), and repeats within a boot do not show by how much. p and "
		    "intervals here are of the repeats, so they make a difference of boots look "
		    "like one of kernels; measure each kernel in several boots before trusting a "
		    "small one");
	*ret = list;
	return n;
}
