/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sections of summary.json: points, measures, cells, pooled idle states. */
#include "analysis/describe.h"
#include "analysis/json.h"
#include <math.h>

static json_t *cell(const struct cell *c)
{
	json_t *json = json_object(), *values = json_array();
	const struct difference *d = &c->difference;
	const struct estimate *e = &c->estimate;
	size_t i;

	for (i = 0; i < c->n; i++)
		json_array_append_new(values, json_real(c->value[i]));
	json_object_set_new(json, "values", values);
	json_object_set_new(json, "n", json_integer((json_int_t)c->n));
	json_object_set_new(json, "median", json_number_or_null(e->median));
	json_object_set_new(json, "lo", json_number_or_null(e->interval ? e->lo : NAN));
	json_object_set_new(json, "hi", json_number_or_null(e->interval ? e->hi : NAN));
	json_object_set_new(json, "min", json_number_or_null(e->min));
	json_object_set_new(json, "max", json_number_or_null(e->max));
	if (!d->known)
		return json;
	json_object_set_new(json, "diff_pct", json_number_or_null(d->pct));
	json_object_set_new(json, "diff_lo_pct",
			    json_number_or_null(d->interval ? d->lo_pct : NAN));
	json_object_set_new(json, "diff_hi_pct",
			    json_number_or_null(d->interval ? d->hi_pct : NAN));
	json_object_set_new(json, "p", json_number_or_null(d->p));
	json_object_set_new(json, "p_holm", json_number_or_null(d->p_holm));
	json_object_set_new(json, "verdict", json_string(section_verdict_text(d->verdict)));
	return json;
}

static json_t *by_column(const struct table *t, const struct section *s, const struct cell *cells)
{
	json_t *json = json_object();
	size_t c;

	for (c = 0; c < t->columns; c++)
		if (s->column_present[c])
			json_object_set_new(json, t->column[c].name, cell(&cells[c]));
	return json;
}

static json_t *measure(const struct table *t, const struct section *s, const struct measure *m)
{
	static const char *const better[] = { "none", "lower", "higher" };
	json_t *json = json_object(), *points = json_array();
	size_t i;

	json_object_set_new(json, "name", json_string(m->name));
	json_object_set_new(json, "unit", json_string(m->unit));
	json_object_set_new(json, "better", json_string(better[m->better]));
	json_object_set_new(json, "threshold_pct", json_real(m->threshold_pct));
	json_object_set_new(json, "overall_points", json_integer((json_int_t)m->overall_points));
	if (m->overall_points)
		json_object_set_new(json, "overall", by_column(t, s, m->overall));
	for (i = 0; i < s->points; i++)
		json_array_append_new(points, by_column(t, s, &m->cell[i * t->columns]));
	json_object_set_new(json, "points", points);
	return json;
}

static json_t *idle_state(const struct table *t, const struct idle_sum *sum, size_t state)
{
	json_t *json = json_object();

	json_object_set_new(json, "state", json_string(describe_state(t, state)));
	json_object_set_new(json, "number", json_integer((json_int_t)state));
	json_object_set_new(json, "entries", json_number_or_null(sum->usage));
	json_object_set_new(json, "above", json_number_or_null(sum->above));
	json_object_set_new(json, "below", json_number_or_null(sum->below));
	json_object_set_new(json, "entries_per_s",
			    json_number_or_null(idle_quantity(sum, IDLE_ENTRIES)));
	json_object_set_new(json, "residency_pct",
			    json_number_or_null(idle_quantity(sum, IDLE_RESIDENCY)));
	json_object_set_new(json, "too_deep_pct",
			    json_number_or_null(idle_quantity(sum, IDLE_TOO_DEEP)));
	json_object_set_new(json, "too_shallow_pct",
			    json_number_or_null(idle_quantity(sum, IDLE_TOO_SHALLOW)));
	return json;
}

static json_t *idle(const struct table *t, const struct section *s, enum cpu_set set)
{
	const struct result *r = t->result;
	json_t *json = json_object();
	size_t c, i;

	for (c = 0; c < t->columns; c++) {
		const struct idle_sum *sums = s->pooled + (c * SETS + set) * r->states;
		json_t *list;

		if (!s->column_present[c])
			continue;
		list = json_array();
		for (i = 0; i < r->states; i++)
			if (sums[i].readings)
				json_array_append_new(list, idle_state(t, &sums[i], i));
		json_object_set_new(json, t->column[c].name, list);
	}
	return json;
}

static json_t *points(const struct section *s)
{
	json_t *list = json_array();
	size_t i, a;

	for (i = 0; i < s->points; i++) {
		json_t *one = json_object(), *axes = json_object();

		for (a = 0; a < s->axes; a++)
			json_object_set_new(axes, s->axis[a].key, json_string(s->point[i].text[a]));
		json_object_set_new(one, "name", json_string(s->point[i].name));
		json_object_set_new(one, "axes", axes);
		json_array_append_new(list, one);
	}
	return list;
}

json_t *json_section(const struct table *table, const struct section *section)
{
	json_t *json = json_object(), *measures = json_array();
	size_t i;

	json_object_set_new(json, "name", json_string(section->name));
	json_object_set_new(json, "workload", json_string(section->workload));
	json_object_set_new(json, "timer_based", json_boolean(section->timer_based));
	json_object_set_new(json, "pinned", json_boolean(section->pinned));
	json_object_set_new(json, "oversubscribed", json_boolean(section->oversubscribed));
	json_object_set_new(json, "cpus", json_string(section->cpus));
	json_object_set_new(json, "points", points(section));
	for (i = 0; i < section->measures; i++) {
		const struct measure *m = &section->measure[i];

		if ((m->kind == MEASURE_METRIC || m->kind == MEASURE_POWER) &&
		    section_has_values(table, section, m))
			json_array_append_new(measures, measure(table, section, m));
	}
	json_object_set_new(json, "measures", measures);
	json_object_set_new(json, "idle_workload", idle(table, section, SET_WORKLOAD));
	json_object_set_new(json, "idle_all", idle(table, section, SET_ALL));
	return json;
}
