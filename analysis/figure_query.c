/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What several shapes ask about a figure: its measure, columns, states, and the words for them. */
#include "analysis/describe.h"
#include "analysis/figure.h"
#include <string.h>

#define DENSE_POINTS 12 /* points above which bars of several governors cover one another */

bool figure_is_sweep(const struct figure *figure)
{
	return figure->facet->points > 1;
}

bool figure_is_dense(const struct figure *figure)
{
	return figure->facet->points > DENSE_POINTS;
}

const struct measure *figure_measure(const struct section *section, const char *name)
{
	const struct measure *m;
	size_t i;

	if (!*name)
		return section->metrics ? &section->measure[0] : NULL;
	m = section_measure(section, name);
	for (i = 0; !m && i < section->metrics; i++) {
		const char *colon = strrchr(section->measure[i].name, ':');

		if (colon && !strcmp(colon + 1, name))
			m = &section->measure[i];
	}
	return m;
}

const char *figure_measure_text(const struct table *table, const struct measure *measure)
{
	const char *better = describe_better(measure->better);

	if (!*measure->unit && !*better)
		return measure->name;
	return pool_text(table->pool, "%s (%s%s%s)", measure->name, measure->unit,
			 *measure->unit && *better ? ", " : "", better);
}

enum cpu_set figure_set(const struct table *table, const struct figure *figure)
{
	return figure->kind->source.all_cpus ? SET_ALL : describe_set(table, figure->section);
}

bool figure_has_values(const struct table *table, const struct figure *figure,
		       const struct measure *measure)
{
	size_t i, c;

	for (i = 0; measure && i < figure->facet->points; i++)
		for (c = 0; c < table->columns; c++)
			if (section_cell(table, measure, figure->facet->point[i], c)->n)
				return true;
	return false;
}

/* 0 everywhere: a state that nobody entered, or too deep of the shallowest. There is no curve. */
static bool is_zero(const struct table *t, const struct figure *f, const struct measure *m)
{
	size_t i, c;

	for (i = 0; i < f->facet->points; i++)
		for (c = 0; c < t->columns; c++)
			if (section_cell(t, m, f->facet->point[i], c)->estimate.max > 0)
				return false;
	return true;
}

size_t figure_states(const struct table *table, const struct figure *figure, size_t **ret)
{
	size_t *state = pool_alloc(table->pool, table->result->states + 1, sizeof(*state));
	size_t i, n = 0;

	for (i = 0; i < table->result->states; i++) {
		const struct measure *m =
			section_idle_measure(figure->section, figure_set(table, figure),
					     figure->kind->source.quantity, i);

		if (figure_has_values(table, figure, m) && !is_zero(table, figure, m))
			state[n++] = i;
	}
	*ret = state;
	return n;
}

const char *figure_state_key(const struct table *table, size_t state)
{
	return pool_text(table->pool, "%zu:%s", state, describe_state(table, state));
}

const char *figure_state_title(const struct table *table, size_t state)
{
	const struct idle_state *one = load_state(table->result, state);
	char latency[DESCRIBE_NUMBER_MAX], residency[DESCRIBE_NUMBER_MAX];

	return pool_text(table->pool, "%s  (latency %s, residency %s us)",
			 describe_state(table, state), describe_count(one->latency_us, latency),
			 describe_count(one->residency_us, residency));
}

size_t figure_columns(const struct table *table, const struct figure *figure, size_t **ret)
{
	size_t *column = pool_alloc(table->pool, table->columns + 1, sizeof(*column));
	bool difference =
		figure->kind->shape == FIGURE_DIFFERENCE || figure->kind->shape == FIGURE_EFFECTS;
	size_t c, n = 0;

	for (c = 0; c < table->columns; c++) {
		if (figure->section && !figure->section->column_present[c])
			continue;
		if (difference && table->column[c].reference == NO_COLUMN)
			continue; /* the reference is the zero line */
		column[n++] = c;
	}
	*ret = column;
	return n;
}

const char *figure_bars(const struct table *table, const struct figure *figure)
{
	return pool_text(table->pool, "%s: %s", figure_is_dense(figure) ? "band" : "bars",
			 describe_bars(table, figure->section));
}
