/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From the rows of the last look to cells. A block stays balanced: it holds the reference and all
 * governors that are open at its point. A whole curve is made of blocks in which every point was
 * measured under every governor, so while one is open nothing of its section is closed.
 */
#include "run/looks.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum state { UNKNOWN, DECIDED, OPEN };

struct closing {
	const struct looks_of *of;
	size_t columns;
	enum state *point; /* by point * columns + column */
	bool *held; /* by section * columns + column: by an open curve */
	bool *closed;
};

static const char *cell_of(const struct closing *c, size_t row, const char *name)
{
	return store_looks_text(c->of->looks, row, name);
}

/* SIZE_MAX: not of the plan. */
static size_t column_of(const struct closing *c, size_t row)
{
	const struct plan *plan = c->of->plan;
	const char *label = cell_of(c, row, "governor");
	const char *cpufreq = cell_of(c, row, "cpufreq_governor");

	for (size_t i = 0; i < c->columns; i++) {
		const char *name = plan->cpufreq ? plan->cpufreq[i / plan->governors] : "";

		if (!strcmp(plan->governor[i % plan->governors].label, label) &&
		    !strcmp(name, cpufreq))
			return i;
	}
	return SIZE_MAX;
}

static size_t section_of(const struct closing *c, size_t row)
{
	const struct suite *suite = c->of->plan->suite;
	const char *name = cell_of(c, row, "section");

	for (size_t i = 0; i < suite->sections; i++)
		if (!strcmp(suite->section[i].name, name))
			return i;
	return SIZE_MAX;
}

static void read_point(struct closing *c, size_t row, size_t section, size_t column)
{
	const struct plan *plan = c->of->plan;
	const char *text = cell_of(c, row, "point");
	enum state is = store_looks_decided(c->of->looks, row) ? DECIDED : OPEN;

	for (size_t p = 0; p < plan->points; p++) {
		enum state *at = &c->point[p * c->columns + column];

		if (plan->point[p].section == section && !strcmp(plan->point[p].text, text) &&
		    *at < is)
			*at = is;
	}
}

/* Holds all governors of the section that have a curve on the same kernel. */
static void hold(struct closing *c, size_t row, size_t section)
{
	const struct store_looks *looks = c->of->looks;

	for (size_t other = looks->first; other < looks->tsv.rows; other++) {
		size_t column = column_of(c, other);

		if (column != SIZE_MAX && section_of(c, other) == section &&
		    !strcmp(cell_of(c, other, "scope"), "curve") &&
		    !strcmp(cell_of(c, other, "kernel"), cell_of(c, row, "kernel")))
			c->held[section * c->columns + column] = true;
	}
}

static void read_rows(struct closing *c)
{
	const struct store_looks *looks = c->of->looks;

	for (size_t row = looks->first; row < looks->tsv.rows; row++) {
		size_t section = section_of(c, row), column = column_of(c, row);

		if (section == SIZE_MAX || column == SIZE_MAX)
			continue;
		if (!strcmp(cell_of(c, row, "scope"), "point"))
			read_point(c, row, section, column);
		else if (!store_looks_decided(looks, row))
			hold(c, row, section);
	}
}

static bool was_measured(const struct closing *c, size_t point, size_t column, bool *ret_measured)
{
	const struct plan *plan = c->of->plan;
	struct plan_cell cell = { .point = point,
				  .governor = column % plan->governors,
				  .cpufreq = column / plan->governors,
				  .repeat = c->of->repeat_min };
	char *name = plan_cell_name(plan, &cell);

	*ret_measured = name && campaign_has(c->of->done, name);
	free(name);
	return name != NULL;
}

static bool is_reference(const struct closing *c, size_t column)
{
	const struct plan *plan = c->of->plan;

	return !strcmp(plan->governor[column % plan->governors].label, c->of->reference);
}

static bool close_governors(struct closing *c, size_t point)
{
	size_t section = c->of->plan->point[point].section;

	for (size_t i = 0; i < c->columns; i++) {
		size_t at = point * c->columns + i;
		bool measured = c->point[at] == DECIDED;

		if (is_reference(c, i))
			continue;
		if (c->point[at] == UNKNOWN && !was_measured(c, point, i, &measured))
			return false;
		c->closed[at] = measured && !c->held[section * c->columns + i];
	}
	return true;
}

/* Of each cpufreq governor its own; behind close_governors(). */
static void close_references(struct closing *c, size_t point)
{
	size_t governors = c->of->plan->governors;

	for (size_t i = 0; i < c->columns; i++) {
		size_t first = i / governors * governors;
		bool closed = true;

		if (!is_reference(c, i))
			continue;
		for (size_t g = 0; g < governors; g++)
			if (!is_reference(c, first + g) && (!c->of->offered || c->of->offered[g]))
				closed &= c->closed[point * c->columns + first + g];
		c->closed[point * c->columns + i] = closed;
	}
}

bool *looks_closed(const struct looks_of *of)
{
	const struct plan *plan = of->plan;
	size_t columns = plan->governors * plan->cpufreqs;
	struct closing c = { .of = of,
			     .columns = columns,
			     .point = calloc(plan->points * columns, sizeof(*c.point)),
			     .held = calloc(plan->suite->sections * columns, sizeof(bool)),
			     .closed = calloc(plan->points * columns, sizeof(bool)) };
	bool ok = c.point && c.held && c.closed;

	if (ok && of->looks->looks) {
		read_rows(&c);
		for (size_t p = 0; p < plan->points && ok; p++) {
			ok = close_governors(&c, p);
			close_references(&c, p);
		}
	}
	free(c.point);
	free(c.held);
	if (ok)
		return c.closed;
	free(c.closed);
	return NULL;
}
