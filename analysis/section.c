/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Puts every complete run's values into the cells of its section.
 */
#include "analysis/section.h"
#include "analysis/outlier.h"
#include "analysis/sequential.h"
#include "analysis/shape.h"
#include "analysis/steady.h"
#include "lib/error.h"
#include <errno.h>
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * What difference matters. Medians and means of loops repeat to well under 1 %. Package power of
 * one and the same setting was published as 29.98 and 30.30 W, and called the same (P-51). Tails
 * are made of few events, and so are spreads.
 */
static const struct {
	const char *pattern;
	double pct;
} thresholds[] = {
	{ "package_*", 2 }, { "energy_delay*", 3 }, { "dram_w", 2 },
	{ "psys_w", 2 },    { "*p99*", 5 },	    { "*max*", 10 },
	{ "*min*", 5 },	    { "*sd_*", 10 },	    { "*range*", 10 },
};
#define THRESHOLD_DEFAULT_PCT 1.0

double section_threshold_pct(const char *metric)
{
	size_t i;

	for (i = 0; i < sizeof(thresholds) / sizeof(thresholds[0]); i++)
		if (!fnmatch(thresholds[i].pattern, metric, 0))
			return thresholds[i].pct;
	return THRESHOLD_DEFAULT_PCT;
}

const char *section_verdict_text(enum verdict verdict)
{
	static const char *const text[] = {
		"", "n too small", "~", "better", "worse", "equivalent"
	};

	return text[verdict];
}

static struct section *find_section(struct table *t, const char *name)
{
	size_t i;

	for (i = 0; i < t->sections; i++)
		if (!strcmp(t->section[i].name, name))
			return &t->section[i];
	return NULL;
}

static void add_section(struct table *t, const struct store_run *run)
{
	struct section *s;
	char *cpus;
	size_t i;

	if (find_section(t, run->section))
		return;
	t->section = pool_room(t->pool, t->section, t->sections, sizeof(*t->section));
	s = &t->section[t->sections++];
	*s = (struct section){
		.name = run->section,
		.workload = run->workload,
		.timer_based = run->timer_based,
		.pinned = run->pinned,
		.oversubscribed = run->oversubscribed,
		.axes = run->axes,
	};
	cpus = cpulist_format(&run->cpus);
	s->cpus = pool_copy(t->pool, cpus ? cpus : "");
	free(cpus);
	s->axis = pool_alloc(t->pool, run->axes + 1, sizeof(*s->axis));
	for (i = 0; i < run->axes; i++)
		s->axis[i].key = run->axis[i].key;
	s->column_present = pool_alloc(t->pool, t->columns, sizeof(*s->column_present));
}

static enum better better_of(const char *text)
{
	if (!strcmp(text, "lower"))
		return BETTER_IS_LOWER;
	return strcmp(text, "higher") ? BETTER_IS_NONE : BETTER_IS_HIGHER;
}

static void add_measure(struct table *t, struct section *s, struct measure m)
{
	s->measure = pool_room(t->pool, s->measure, s->measures, sizeof(*s->measure));
	m.threshold_pct = section_threshold_pct(m.name);
	m.cell = pool_alloc(t->pool, s->points * t->columns, sizeof(*m.cell));
	m.overall = pool_alloc(t->pool, t->columns, sizeof(*m.overall));
	s->measure[s->measures++] = m;
}

static void add_metrics(struct table *t, struct section *s)
{
	const struct result *r = t->result;
	size_t i, j;

	for (i = 0; i < r->runs; i++) {
		const struct loaded_run *run = &r->run[i];

		if (strcmp(run->info.section, s->name) || run->info.state != STORE_COMPLETE)
			continue;
		for (j = 0; j < run->metrics; j++) {
			const struct metric_value *m = &run->metric[j];

			if (!section_measure(s, m->name))
				add_measure(t, s,
					    (struct measure){ .kind = MEASURE_METRIC,
							      .name = m->name,
							      .unit = m->unit,
							      .better = better_of(m->better) });
		}
	}
	s->metrics = s->measures;
}

static void add_power(struct table *t, struct section *s)
{
	static const char *const name[] = { "package_w", "dram_w", "psys_w" };
	size_t i;

	for (i = 0; i < 3; i++)
		add_measure(t, s,
			    (struct measure){ .kind = MEASURE_POWER,
					      .name = name[i],
					      .unit = "W",
					      .better = BETTER_IS_LOWER,
					      .power = i });
}

static void add_idle(struct table *t, struct section *s)
{
	static const char *const name[] = { "residency", "entries", "too_deep", "too_shallow" };
	static const char *const unit[] = { "%", "1/s", "%", "%" };
	static const char *const set_name[] = { "workload", "all" };
	const struct result *r = t->result;
	size_t set, q, i;

	for (set = 0; set < SETS; set++) {
		for (q = 0; q < IDLE_QUANTITIES; q++)
			for (i = 0; i < r->states; i++)
				add_measure(t, s,
					    (struct measure){
						    .kind = MEASURE_IDLE,
						    .name = pool_text(t->pool, "%s.%s.%zu", name[q],
								      set_name[set], i),
						    .unit = unit[q],
						    .set = (enum cpu_set)set,
						    .quantity = (enum idle_quantity)q,
						    .state = i });
		for (i = 0; i < r->tables; i++)
			add_measure(t, s,
				    (struct measure){ .kind = MEASURE_NOT_IDLE,
						      .name = pool_text(t->pool, "not_idle.%s.%zu",
									set_name[set], i),
						      .unit = "%",
						      .set = (enum cpu_set)set,
						      .state = i });
	}
}

static double value_of(const struct result *r, const struct loaded_run *run,
		       const struct measure *m)
{
	const double power[] = { run->power.package_w, run->power.dram_w, run->power.psys_w };
	const struct idle_sum *sums = run->idle ? run->idle + m->set * r->states : NULL;
	size_t i;

	switch (m->kind) {
	case MEASURE_METRIC:
		for (i = 0; i < run->metrics; i++)
			if (!strcmp(run->metric[i].name, m->name))
				return run->metric[i].value;
		return NAN;
	case MEASURE_POWER:
		return power[m->power];
	case MEASURE_IDLE:
		return sums ? idle_quantity(&sums[m->state], m->quantity) : NAN;
	case MEASURE_NOT_IDLE:
		return sums ? idle_not_idle(sums, &r->table[m->state]) : NAN;
	}
	return NAN;
}

static void add_value(struct table *t, struct cell *cell, double value, size_t number)
{
	const struct loaded_run *run = &t->result->run[number];

	if (!isfinite(value))
		return;
	cell->value = pool_room(t->pool, cell->value, cell->n, sizeof(*cell->value));
	cell->repeat = pool_room(t->pool, cell->repeat, cell->n, sizeof(*cell->repeat));
	cell->block = pool_room(t->pool, cell->block, cell->n, sizeof(*cell->block));
	cell->run = pool_room(t->pool, cell->run, cell->n, sizeof(*cell->run));
	cell->value[cell->n] = value;
	cell->repeat[cell->n] = run->info.repeat;
	cell->block[cell->n] = run->boot * t->repeats + run->info.repeat;
	cell->run[cell->n++] = number;
}

static size_t point_of(const struct section *s, const struct store_run *run)
{
	size_t i;

	for (i = 0; i < s->points && strcmp(s->point[i].name, run->point); i++)
		;
	return i;
}

static void fill(struct table *t, struct section *s, size_t *complete)
{
	const struct result *r = t->result;
	size_t i, m;

	for (i = 0; i < r->runs; i++) {
		const struct loaded_run *run = &r->run[i];
		size_t column = section_column_of(t, run), at;

		if (strcmp(run->info.section, s->name))
			continue;
		s->column_present[column] = true;
		if (run->info.state != STORE_COMPLETE)
			continue;
		at = point_of(s, &run->info) * t->columns + column;
		complete[at]++;
		for (m = 0; m < s->measures; m++)
			add_value(t, &s->measure[m].cell[at], value_of(r, run, &s->measure[m]), i);
	}
}

/* Points where every column that is here has a complete run. */
static bool common_point(const struct table *t, const struct section *s, const size_t *complete,
			 size_t point)
{
	size_t c;

	for (c = 0; c < t->columns; c++)
		if (s->column_present[c] && !complete[point * t->columns + c])
			return false;
	return true;
}

static void pool_idle(struct table *t, struct section *s, const size_t *complete)
{
	const struct result *r = t->result;
	size_t i, k, width = SETS * r->states;

	s->pooled = pool_alloc(t->pool, t->columns * width + 1, sizeof(*s->pooled));
	for (i = 0; i < s->points; i++)
		s->pooled_points += common_point(t, s, complete, i);
	for (i = 0; i < r->runs; i++) {
		const struct loaded_run *run = &r->run[i];
		size_t column = section_column_of(t, run);

		if (strcmp(run->info.section, s->name) || run->info.state != STORE_COMPLETE ||
		    !run->idle || !common_point(t, s, complete, point_of(s, &run->info)))
			continue;
		for (k = 0; k < width; k++)
			idle_pool(&s->pooled[column * width + k], &run->idle[k]);
	}
}

static void count_complete(const struct table *t, struct section *s, const size_t *complete)
{
	size_t i;

	s->complete_min = SIZE_MAX;
	for (i = 0; i < s->points * t->columns; i++) {
		if (!s->column_present[i % t->columns])
			continue;
		if (complete[i] < s->complete_min)
			s->complete_min = complete[i];
		if (complete[i] > s->complete_max)
			s->complete_max = complete[i];
	}
}

static int build_section(struct table *t, struct section *s)
{
	size_t *complete;

	section_points(t, s);
	add_metrics(t, s);
	add_power(t, s);
	add_idle(t, s);
	complete = pool_alloc(t->pool, s->points * t->columns, sizeof(*complete));
	fill(t, s, complete);
	count_complete(t, s, complete);
	pool_idle(t, s, complete);
	shape_bistable(t, s);
	return section_compare(t, s);
}

int section_build(struct result *result, struct table *ret)
{
	struct table t = { .result = result, .pool = &result->pool };
	size_t i;
	int err;

	t.timeline = pool_alloc(t.pool, result->runs, sizeof(*t.timeline));
	err = section_columns(&t);
	if (err)
		return err;
	sequential_prepare(&t);
	for (i = 0; i < result->runs; i++) {
		const struct store_run *run = &result->run[i].info;

		add_section(&t, run);
		t.runs_complete += run->state == STORE_COMPLETE;
		t.runs_failed += run->state == STORE_FAILED;
		t.runs_void += run->state == STORE_VOID;
		t.repeats = run->repeat > t.repeats ? run->repeat : t.repeats;
	}
	for (i = 0; !err && i < t.sections; i++)
		err = build_section(&t, &t.section[i]);
	for (i = 0; !err && i < t.sections; i++) {
		steady_temperatures(result, &t, &t.section[i]);
		shape_find(&t, &t.section[i]);
	}
	if (!err)
		outlier_note(result, &t);
	error_clear();
	*ret = t;
	return err;
}

bool section_is_scored(const struct section *section, size_t measure)
{
	const struct measure *m = &section->measure[measure];

	return (!measure && m->kind == MEASURE_METRIC) || !strcmp(m->name, "package_w");
}

const struct measure *section_measure(const struct section *section, const char *name)
{
	size_t i;

	for (i = 0; i < section->measures; i++)
		if (!strcmp(section->measure[i].name, name))
			return &section->measure[i];
	return NULL;
}

const struct measure *section_idle_measure(const struct section *section, enum cpu_set set,
					   enum idle_quantity quantity, size_t state)
{
	size_t i;

	for (i = 0; i < section->measures; i++) {
		const struct measure *m = &section->measure[i];

		if (m->kind == MEASURE_IDLE && m->set == set && m->quantity == quantity &&
		    m->state == state)
			return m;
	}
	return NULL;
}

const struct cell *section_cell(const struct table *table, const struct measure *measure,
				size_t point, size_t column)
{
	return &measure->cell[point * table->columns + column];
}

bool section_has_values(const struct table *table, const struct section *section,
			const struct measure *measure)
{
	size_t i;

	for (i = 0; i < section->points * table->columns; i++)
		if (measure->cell[i].n)
			return true;
	return false;
}
