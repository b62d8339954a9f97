/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who is compared with whom. Within one result: each governor with the reference governor of its
 * own kernel, machine and cpufreq governor. Across results of one machine: each governor with its
 * namesake in the first result, so that a governor which did not change is the control (P-36).
 * Results of several machines stand side by side, each compared within itself.
 */
#include "analysis/section.h"
#include "lib/error.h"
#include "lib/suggest.h"
#include <string.h>

static bool same_place(const struct column *a, const struct column *b)
{
	return !strcmp(a->kernel, b->kernel) && !strcmp(a->machine, b->machine) &&
	       !strcmp(a->cpufreq, b->cpufreq);
}

static const char *reference_of(const struct table *t, size_t source)
{
	const struct result *r = t->result;

	return r->sources ? r->source[source].campaign.reference : r->campaign.reference;
}

/* The column of @label on the side of @c: in its own result before another one's. */
static size_t find_within(const struct table *t, const struct column *c, const char *label)
{
	size_t found = NO_COLUMN, i;

	for (i = 0; i < t->columns; i++) {
		const struct column *other = &t->column[i];

		if (strcmp(other->label, label) || !same_place(c, other))
			continue;
		if (load_same_side(t->result, c->source, other->source))
			return i;
		if (found == NO_COLUMN)
			found = i;
	}
	return found;
}

/* @label NULL = what each result's own campaign says. */
static void compare_within(struct table *t, const char *label)
{
	size_t i;

	for (i = 0; i < t->columns; i++) {
		struct column *c = &t->column[i];
		const char *want = label ? label : reference_of(t, c->source);

		c->is_reference = !strcmp(c->label, want);
		c->reference = c->is_reference ? NO_COLUMN : find_within(t, c, want);
	}
}

struct side {
	const char *name;
	const struct column *first;
	bool (*holds)(const struct table *t, const struct side *side, const struct column *c);
};

static bool holds_source(const struct table *t, const struct side *side, const struct column *c)
{
	return load_same_side(t->result, side->first->source, c->source);
}

static bool holds_kernel(const struct table *t, const struct side *side, const struct column *c)
{
	(void)t;
	return !strcmp(side->first->kernel, c->kernel);
}

static bool holds_machine(const struct table *t, const struct side *side, const struct column *c)
{
	(void)t;
	return !strcmp(side->first->machine, c->machine);
}

/* The governor's namesake on that side; where it has none, the reference governor there. */
static size_t find_across(const struct table *t, const struct side *side, const struct column *c)
{
	size_t by_reference = NO_COLUMN, i;

	for (i = 0; i < t->columns; i++) {
		const struct column *other = &t->column[i];

		if (!side->holds(t, side, other) || strcmp(c->cpufreq, other->cpufreq))
			continue;
		if (!strcmp(other->label, c->label))
			return i;
		if (by_reference == NO_COLUMN &&
		    !strcmp(other->label, reference_of(t, other->source)))
			by_reference = i;
	}
	return by_reference;
}

static void compare_across(struct table *t, const struct side *side)
{
	size_t i;

	for (i = 0; i < t->columns; i++) {
		struct column *c = &t->column[i];

		c->is_reference = side->holds(t, side, c);
		c->reference = c->is_reference ? NO_COLUMN : find_across(t, side, c);
	}
}

static void compare_with(struct table *t, size_t column)
{
	size_t i;

	for (i = 0; i < t->columns; i++) {
		t->column[i].is_reference = i == column;
		t->column[i].reference = i == column ? NO_COLUMN : column;
	}
}

/* Is @name what people would call the side of @c? */
static bool is_side(const struct table *t, const struct column *c, const char *name,
		    struct side *ret)
{
	const struct source *s = t->result->sources ? &t->result->source[c->source] : NULL;

	*ret = (struct side){ name, c, holds_source };
	if (s && ((s->label && !strcmp(s->label, name)) || !strcmp(s->shown, name) ||
		  !strcmp(s->given, name)))
		return true;
	ret->holds = holds_kernel;
	if (!strcmp(c->kernel, name))
		return true;
	ret->holds = holds_machine;
	return !strcmp(c->machine, name) ||
	       !strcmp(section_short_machine(t->pool, c->machine), name);
}

static int unknown(const struct table *t)
{
	const char **name = pool_alloc(t->pool, t->columns + 1, sizeof(*name));
	char near[64], quoted[ERROR_QUOTE_SIZE];
	const char *all = "";
	size_t i;

	for (i = 0; i < t->columns; i++) {
		name[i] = t->column[i].name;
		all = pool_text(t->pool, "%s%s%s", all, i ? ", " : "", name[i]);
	}
	return error_usage(
		"--reference: there is no '%s' (%.300s; or a governor, kernel, machine or "
		"directory of these)%s",
		error_quote(t->result->reference, quoted), all,
		suggest_text(t->result->reference, name, t->columns, near, sizeof(near)));
}

static int compare_asked(struct table *t)
{
	const char *asked = t->result->reference;
	struct side side;
	size_t i;

	t->reference = asked;
	for (i = 0; i < t->columns; i++) {
		if (!strcmp(t->column[i].label, asked)) {
			compare_within(t, asked);
			return 0;
		}
	}
	for (i = 0; i < t->columns; i++) {
		if (!strcmp(t->column[i].name, asked)) {
			compare_with(t, i);
			return 0;
		}
	}
	for (i = 0; i < t->columns; i++) {
		if (is_side(t, &t->column[i], asked, &side)) {
			compare_across(t, &side);
			return 0;
		}
	}
	return unknown(t);
}

/* What the first result differs in from the others, as the columns' names have it. */
static const char *name_of_first(const struct table *t)
{
	const struct source *s = &t->result->source[t->column[0].source];
	size_t i;

	if (s->label)
		return s->label;
	for (i = 0; i < t->columns; i++)
		if (t->column[i].source != t->column[0].source &&
		    !strcmp(t->column[i].kernel, t->column[0].kernel))
			return s->shown;
	return t->column[0].kernel;
}

static void compare_default(struct table *t)
{
	const struct result *r = t->result;
	bool machines = false, sides = false;
	struct side first;
	size_t i;

	for (i = 1; i < t->columns; i++) {
		machines |= strcmp(t->column[0].machine, t->column[i].machine) != 0;
		sides |= !load_same_side(r, t->column[0].source, t->column[i].source);
	}
	if (!sides || machines) {
		t->reference =
			r->sources > 1 ? "the reference of its own machine" : r->campaign.reference;
		compare_within(t, NULL);
		return;
	}
	first = (struct side){ NULL, &t->column[0], holds_source };
	t->reference = name_of_first(t);
	compare_across(t, &first);
}

/* Colour 0 is the reference's; of several, the first one's. */
static void colour(struct table *t)
{
	size_t first, i, next = 1;

	for (first = 0; first < t->columns && !t->column[first].is_reference; first++)
		;
	for (i = 0; i < t->columns; i++)
		t->column[i].colour = i == first ? 0 : next++;
}

int section_references(struct table *table)
{
	int err = 0;

	table->reference = "";
	if (!table->columns)
		return 0;
	if (table->result->reference)
		err = compare_asked(table);
	else
		compare_default(table);
	colour(table);
	return err;
}
