/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The shape of a section's results in summary.json. */
#include "analysis/json.h"
#include "analysis/shape.h"
#include <math.h>

static void set_number(json_t *json, const char *key, double value)
{
	json_object_set_new(json, key, json_number_or_null(isfinite(value) ? value : NAN));
}

/* An object that says whose curve it is about. */
static json_t *of_curve(const struct table *t, const struct section *s, size_t facet, size_t column)
{
	json_t *json = json_object();

	json_object_set_new(json, "curve", json_text(t, s->facet[facet].name));
	json_object_set_new(json, "column", json_text(t, t->column[column].name));
	return json;
}

static json_t *of_point(const struct table *t, const struct section *s, size_t point, size_t column)
{
	json_t *json = json_object();

	json_object_set_new(json, "point", json_text(t, s->point[point].name));
	json_object_set_new(json, "column", json_text(t, t->column[column].name));
	return json;
}

static json_t *bistable(const struct table *t, const struct section *s)
{
	json_t *list = json_array();

	for (size_t i = 0; i < s->shape->all_modes; i++) {
		const struct shape_modes *m = &s->shape->modes[i];
		json_t *json = of_point(t, s, m->point, m->column);

		json_object_set_new(json, "low_n", json_integer((json_int_t)m->spread.modes.low_n));
		set_number(json, "low", m->spread.modes.low);
		json_object_set_new(
			json, "high_n",
			json_integer((json_int_t)(m->spread.n - m->spread.modes.low_n)));
		set_number(json, "high", m->spread.modes.high);
		set_number(json, "median", m->median);
		set_number(json, "mean", m->spread.mean);
		set_number(json, "sd", m->spread.sd);
		json_array_append_new(list, json);
	}
	return list;
}

static json_t *jumps(const struct table *t, const struct section *s)
{
	json_t *list = json_array();

	for (size_t i = 0; i < s->shape->all_jumps; i++)
		json_array_append_new(
			list, of_point(t, s, s->shape->jumps[i].point, s->shape->jumps[i].column));
	return list;
}

static json_t *steps(const struct table *t, const struct section *s)
{
	json_t *list = json_array();

	for (size_t i = 0; i < s->shape->curves; i++) {
		const struct shape_curve *c = &s->shape->curve[i];

		for (size_t k = 0; k < c->steps; k++) {
			json_t *json = of_curve(t, s, c->facet, c->column);

			set_number(json, "x", c->step[k].x);
			set_number(json, "step_pct", c->step[k].step_pct);
			json_array_append_new(list, json);
		}
	}
	return list;
}

static json_t *shift(const struct table *t, const struct section *s, const struct shape_shift *h)
{
	json_t *json = of_curve(t, s, h->facet, h->column);

	set_number(json, "reference_x", h->reference.x);
	set_number(json, "x", h->other.x);
	set_number(json, "shift_pct", h->pct);
	set_number(json, "step_pct", h->reference.step_pct);
	return json;
}

static json_t *shifts(const struct table *t, const struct section *s)
{
	json_t *list = json_array();

	for (size_t i = 0; i < s->shape->shifts; i++)
		json_array_append_new(list, shift(t, s, &s->shape->shift[i]));
	return list;
}

static json_t *peaks(const struct table *t, const struct section *s)
{
	json_t *list = json_array();

	for (size_t i = 0; i < s->shape->peaks; i++) {
		const struct shape_peak *k = &s->shape->peak[i];
		json_t *json = of_curve(t, s, k->facet, k->column);

		json_object_set_new(json, "point", json_text(t, s->point[k->point].name));
		set_number(json, "diff_pct", k->pct);
		json_object_set_new(json, "shift", k->shift ? shift(t, s, k->shift) : json_null());
		json_array_append_new(list, json);
	}
	return list;
}

static json_t *regions(const struct table *t, const struct section *s)
{
	json_t *list = json_array();

	for (size_t i = 0; i < s->shape->regions; i++) {
		const struct shape_region *r = &s->shape->region[i];
		const size_t *point = s->facet[r->facet].point;
		json_t *json = of_curve(t, s, r->facet, r->column);

		json_object_set_new(json, "measure", json_text(t, s->measure[r->measure].name));
		json_object_set_new(json, "verdict", json_string(section_verdict_text(r->verdict)));
		json_object_set_new(json, "first", json_text(t, s->point[point[r->first]].name));
		json_object_set_new(json, "last", json_text(t, s->point[point[r->last]].name));
		json_object_set_new(json, "points",
				    json_integer((json_int_t)(r->last - r->first + 1)));
		set_number(json, "lo", r->lo);
		set_number(json, "hi", r->hi);
		set_number(json, "reference_lo", r->reference_lo);
		set_number(json, "reference_hi", r->reference_hi);
		json_array_append_new(list, json);
	}
	return list;
}

json_t *json_shape(const struct table *table, const struct section *section)
{
	const struct shape *shape = section->shape;
	json_t *json = json_object();

	json_object_set_new(json, "bistable", bistable(table, section));
	json_object_set_new(json, "jumps", jumps(table, section));
	json_object_set_new(json, "left_out", json_integer((json_int_t)shape->left_out));
	json_object_set_new(json, "steps", steps(table, section));
	json_object_set_new(json, "shifts", shifts(table, section));
	json_object_set_new(json, "largest", peaks(table, section));
	json_object_set_new(json, "stretches", regions(table, section));
	json_object_set_new(json, "runs_judged", json_integer((json_int_t)shape->judged));
	json_object_set_new(json, "runs_not_settled", json_integer((json_int_t)shape->unsettled));
	return json;
}
