/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sections whose points lie at unequal steps of their scale: adaptive sweeps, and ranges of which
 * rounding has left fewer values. The plan has every point of the full sweep first; here those go
 * that nobody has chosen.
 */
#include "lib/error.h"
#include "run/plan.h"
#include "store/format.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NO_AXIS SIZE_MAX

/* The parameter whose scale the section's points lie on: the adaptive one, else the first that has
 * unequal steps. */
static int axis_of(const struct plan *plan, size_t section, size_t *ret)
{
	const struct suite_section *s = &plan->suite->section[section];
	const struct sweep *found = NULL;

	*ret = NO_AXIS;
	for (size_t p = 0; s->params[p].name; p++) {
		const struct sweep *sweep = plan_sweep(plan, section, p);

		if (!sweep->at)
			continue;
		if (found && found->wanted && sweep->wanted)
			return error_usage(
				"[run %s]: %s and %s are both adaptive: points are chosen "
				"along one axis",
				s->name, s->params[*ret].name, s->params[p].name);
		if (found && (found->wanted || !sweep->wanted))
			continue;
		found = sweep;
		*ret = p;
	}
	return 0;
}

/* The values of a range ascend. */
static size_t place_of(const struct sweep *sweep, double number)
{
	size_t low = 0, high = sweep->n - 1;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (sweep->value[middle].number < number)
			low = middle + 1;
		else
			high = middle;
	}
	return sweep->at[low];
}

static int add_row(struct plan *plan, const struct plan_point *point, size_t axis)
{
	const struct sweep *sweep = plan_sweep(plan, point->section, axis);
	struct store_point row = { .section = plan->suite->section[point->section].name,
				   .point = point->text,
				   .sweep = plan_point_text(plan, point, axis),
				   .wanted = sweep->wanted,
				   .by_pct = NAN };
	int err = row.sweep ? 0 : error_no_memory();

	row.at = place_of(sweep, point->value[axis].number);
	if (!err)
		err = store_points_add(&plan->scale, &row);
	free(row.sweep);
	return err;
}

/* Of one sweep after the other, each in the order of its scale: the other axes may turn faster. */
static int by_sweep(const void *left, const void *right)
{
	const struct store_point *a = left, *b = right;
	int by = strcmp(a->sweep, b->sweep);

	return by ? by : (a->at > b->at) - (a->at < b->at);
}

static int add_section(struct plan *plan, size_t section)
{
	size_t axis, first = plan->scale.n, rows;
	struct store_point *row;
	int err = axis_of(plan, section, &axis);

	if (err || axis == NO_AXIS)
		return err;
	for (size_t i = 0; i < plan->points && !err; i++)
		if (plan->point[i].section == section)
			err = add_row(plan, &plan->point[i], axis);
	if (err)
		return err;
	row = plan->scale.point + first;
	qsort(row, plan->scale.n - first, sizeof(*row), by_sweep);
	for (; first < plan->scale.n; first += rows) {
		row = plan->scale.point + first;
		for (rows = 1; first + rows < plan->scale.n; rows++)
			if (strcmp(row[rows].sweep, row->sweep))
				break;
		store_points_first(row, rows);
	}
	return 0;
}

/* What has been chosen so far, of the same points. */
static int take_choice(struct plan *plan, const struct store_points *chosen)
{
	for (size_t i = 0; i < plan->scale.n; i++) {
		struct store_point *to = &plan->scale.point[i];
		const struct store_point *from = chosen->n > i ? &chosen->point[i] : NULL;

		if (chosen->n != plan->scale.n || strcmp(from->section, to->section) ||
		    strcmp(from->point, to->point) || from->at != to->at ||
		    from->wanted != to->wanted)
			return error_set(-EBADMSG,
					 STORE_POINTS " is not of this campaign's sweeps");
		to->round = from->round;
		to->from = from->from;
		to->to = from->to;
		to->by_pct = from->by_pct;
		if (store_points_explain(&plan->scale, i, from->why, from->curve))
			return error_no_memory();
	}
	return 0;
}

/* The round of a point, -1: not chosen. The rows of a section's points come nearly in their order:
 * the search goes on where the last one ended. */
static int round_of(const struct plan *plan, const struct plan_point *point, size_t *at)
{
	const char *section = plan->suite->section[point->section].name;

	for (size_t k = 0; k < plan->scale.n; k++) {
		const struct store_point *row = &plan->scale.point[(*at + k) % plan->scale.n];

		if (strcmp(row->point, point->text) || strcmp(row->section, section))
			continue;
		*at = (*at + k) % plan->scale.n;
		return row->round;
	}
	return 0;
}

static void keep_chosen(struct plan *plan)
{
	size_t kept = 0, at = 0;

	for (size_t i = 0; i < plan->points; i++) {
		struct plan_point *point = &plan->point[i];

		point->round = round_of(plan, point, &at);
		if (point->round >= 0) {
			plan->point[kept++] = *point;
			continue;
		}
		free(point->value);
		free(point->text);
	}
	plan->points = kept;
}

/* Points that are not chosen yet, of one section. */
static size_t to_choose(const struct store_points *scale, const char *section)
{
	size_t chosen = 0, missing = 0;

	for (size_t i = 0; i < scale->n; i++) {
		const struct store_point *p = &scale->point[i];

		if (strcmp(p->section, section))
			continue;
		chosen += p->round >= 0;
		if (i + 1 < scale->n && !strcmp(p[1].section, section) &&
		    !strcmp(p[1].sweep, p->sweep))
			continue;
		missing += p->wanted > chosen ? p->wanted - chosen : 0;
		chosen = 0;
	}
	return missing;
}

size_t plan_all_points(const struct plan *plan, size_t section)
{
	size_t n = to_choose(&plan->scale, plan->suite->section[section].name);

	for (size_t i = 0; i < plan->points; i++)
		n += plan->point[i].section == section;
	return n;
}

int plan_scale(struct plan *plan, const struct store_points *chosen)
{
	int err = 0;

	for (size_t s = 0; s < plan->suite->sections && !err; s++)
		err = add_section(plan, s);
	if (!err && chosen && chosen->n)
		err = take_choice(plan, chosen);
	if (err)
		return err;
	if (plan->scale.n)
		keep_chosen(plan);
	for (size_t s = 0; s < plan->suite->sections; s++)
		plan->open |= to_choose(&plan->scale, plan->suite->section[s].name) > 0;
	return 0;
}
