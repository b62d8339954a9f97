/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sections of summary.json: points, measures, cells, pooled idle states. */
#include "analysis/control.h"
#include "analysis/describe.h"
#include "analysis/json.h"
#include "analysis/overhead.h"
#include <math.h>

static json_t *cell(const struct cell *c)
{
	json_t *json = json_object(), *values = json_array();
	const struct difference *d = &c->difference;
	const struct estimate *e = &c->estimate;
	struct moments moments = stats_moments(c->value, c->n);
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
	json_object_set_new(json, "mean", json_number_or_null(moments.mean));
	json_object_set_new(json, "sd", json_number_or_null(moments.sd));
	json_object_set_new(json, "lag1", json_number_or_null(moments.lag1));
	if (!d->tested)
		return json;
	json_object_set_new(json, "diff_pct", json_number_or_null(d->pct));
	json_object_set_new(json, "diff_lo_pct",
			    json_number_or_null(d->interval ? d->lo_pct : NAN));
	json_object_set_new(json, "diff_hi_pct",
			    json_number_or_null(d->interval ? d->hi_pct : NAN));
	if (!d->known) {
		json_object_set_new(json, "shift", json_number_or_null(d->shift));
		json_object_set_new(json, "shift_lo",
				    json_number_or_null(d->interval ? d->shift_lo : NAN));
		json_object_set_new(json, "shift_hi",
				    json_number_or_null(d->interval ? d->shift_hi : NAN));
	}
	json_object_set_new(json, "p", json_number_or_null(d->p));
	json_object_set_new(json, "p_holm", json_number_or_null(d->p_holm));
	if (d->spending)
		json_object_set_new(json, "p_equal_holm", json_number_or_null(d->p_equal_holm));
	if (d->median_ratio > 0) {
		json_object_set_new(json, "median_ratio", json_real(d->median_ratio));
		json_object_set_new(json, "median_ratio_lo",
				    json_number_or_null(d->median_ratio_lo));
		json_object_set_new(json, "median_ratio_hi",
				    json_number_or_null(d->median_ratio_hi));
	}
	json_object_set_new(json, "blocked", json_boolean(d->blocked));
	json_object_set_new(json, "compared_runs", json_integer((json_int_t)d->runs));
	json_object_set_new(json, "detectable_pct", json_number_or_null(d->detectable_pct));
	json_object_set_new(json, "verdict", json_string(section_verdict_text(d->verdict)));
	return json;
}

static json_t *by_column(const struct table *t, const struct section *s, const struct cell *cells)
{
	json_t *json = json_object();
	size_t c;

	for (c = 0; c < t->columns; c++)
		if (s->column_present[c])
			json_object_set_new(json, json_utf8(t, t->column[c].name), cell(&cells[c]));
	return json;
}

static json_t *measure(const struct table *t, const struct section *s, const struct measure *m)
{
	json_t *json = json_object(), *points = json_array();
	size_t i;

	json_object_set_new(json, "name", json_text(t, m->name));
	json_object_set_new(json, "unit", json_text(t, m->unit));
	json_object_set_new(json, "better", json_string(describe_direction(m->better)));
	json_object_set_new(json, "threshold_pct", json_real(m->threshold_pct));
	json_object_set_new(json, "overall_points", json_integer((json_int_t)m->overall_points));
	if (m->overall_points)
		json_object_set_new(json, "overall", by_column(t, s, m->overall));
	if (m->overall_points && s->points > 1)
		json_object_set_new(
			json, "overall_mean",
			json_string(m->overall_arithmetic ? "arithmetic" : "geometric"));
	for (i = 0; i < s->points; i++)
		json_array_append_new(points, by_column(t, s, &m->cell[i * t->columns]));
	json_object_set_new(json, "points", points);
	return json;
}

static json_t *controls(const struct table *t, const struct section *s)
{
	json_t *list = json_array();
	size_t c;

	for (c = 0; c < t->columns; c++) {
		json_t *one;
		struct control control;

		if (!s->column_present[c] || !control_is(t, c))
			continue;
		control_count(t, s, c, &control);
		one = json_object();
		json_object_set_new(one, "governor", json_text(t, t->column[c].name));
		json_object_set_new(one, "compared", json_integer((json_int_t)control.compared));
		json_object_set_new(one, "flagged", json_integer((json_int_t)control.flagged));
		json_object_set_new(one, "verdicts", json_integer((json_int_t)control.verdicts));
		json_object_set_new(one, "median_pct", json_number_or_null(control.median_pct));
		json_object_set_new(one, "largest_pct", json_number_or_null(control.largest_pct));
		json_array_append_new(list, one);
	}
	return list;
}

static json_t *idle_state(const struct table *t, const struct idle_sum *sum, size_t state)
{
	json_t *json = json_object();

	json_object_set_new(json, "state", json_text(t, describe_state(t, state)));
	json_object_set_new(json, "number", json_integer((json_int_t)state));
	json_object_set_new(json, "entries", json_number_or_null(sum->usage));
	json_object_set_new(json, "above", json_number_or_null(sum->above));
	json_object_set_new(json, "below", json_number_or_null(sum->below));
	json_object_set_new(json, "entries_per_s",
			    json_number_or_null(idle_quantity(sum, IDLE_ENTRIES)));
	json_object_set_new(json, "residency_pct",
			    json_number_or_null(idle_quantity(sum, IDLE_RESIDENCY)));
	json_object_set_new(json, "exit_latency_pct",
			    json_number_or_null(overhead_pct(sum, load_state(t->result, state))));
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
		json_object_set_new(json, json_utf8(t, t->column[c].name), list);
	}
	return json;
}

static json_t *points(const struct table *t, const struct section *s)
{
	json_t *list = json_array();
	size_t i, a;

	for (i = 0; i < s->points; i++) {
		json_t *one = json_object(), *axes = json_object();

		for (a = 0; a < s->axes; a++)
			json_object_set_new(axes, json_utf8(t, s->axis[a].key),
					    json_text(t, s->point[i].text[a]));
		json_object_set_new(one, "name", json_text(t, s->point[i].name));
		json_object_set_new(one, "axes", axes);
		if (s->weight)
			json_object_set_new(one, "weight", json_real(s->weight[i]));
		json_array_append_new(list, one);
	}
	return list;
}

json_t *json_section(const struct table *table, const struct section *section)
{
	json_t *json = json_object(), *measures = json_array();
	size_t i;

	json_object_set_new(json, "name", json_text(table, section->name));
	json_object_set_new(json, "workload", json_text(table, section->workload));
	json_object_set_new(json, "timer_based", json_boolean(section->timer_based));
	json_object_set_new(json, "pinned", json_boolean(section->pinned));
	json_object_set_new(json, "oversubscribed", json_boolean(section->oversubscribed));
	json_object_set_new(json, "cpus", json_text(table, section->cpus));
	json_object_set_new(json, "points", points(table, section));
	for (i = 0; i < section->measures; i++) {
		const struct measure *m = &section->measure[i];

		if ((m->kind == MEASURE_METRIC || m->kind == MEASURE_POWER) &&
		    section_has_values(table, section, m))
			json_array_append_new(measures, measure(table, section, m));
	}
	json_object_set_new(json, "measures", measures);
	json_object_set_new(json, "controls", controls(table, section));
	json_object_set_new(json, "shape", json_shape(table, section));
	json_object_set_new(json, "idle_workload", idle(table, section, SET_WORKLOAD));
	json_object_set_new(json, "idle_all", idle(table, section, SET_ALL));
	return json;
}
