/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The frame of summary.json. Running out of memory ends the program, as in all of a report, because
 * jansson would leave a part out and go on.
 */
#include "analysis/json.h"
#include "analysis/describe.h"
#include "analysis/report_several.h"
#include "analysis/sequential.h"
#include <stdlib.h>

static json_t *states(const struct table *t, const struct state_table *of)
{
	json_t *list = json_array();
	size_t i;

	for (i = 0; i < of->states; i++) {
		const struct idle_state *s = &of->state[i];
		json_t *one = json_object();

		json_object_set_new(one, "state", json_integer(s->index));
		json_object_set_new(one, "name", json_text(t, s->name));
		json_object_set_new(one, "desc", json_text(t, s->desc));
		json_object_set_new(one, "latency_us", json_number_or_null(s->latency_us));
		json_object_set_new(one, "residency_us", json_number_or_null(s->residency_us));
		json_object_set_new(one, "disabled", json_boolean(s->disabled));
		json_array_append_new(list, one);
	}
	return list;
}

static json_t *state_tables(const struct table *t)
{
	const struct result *r = t->result;
	json_t *list = json_array();
	size_t i;

	for (i = 0; i < r->tables; i++) {
		json_t *one = json_object();
		char *cpus = cpulist_format(&r->table[i].cpus);

		json_object_set_new(one, "boot", json_text(t, r->boot[r->table[i].boot].name));
		json_object_set_new(one, "cpus", json_text(t, cpus));
		json_object_set_new(one, "states", states(t, &r->table[i]));
		json_array_append_new(list, one);
		free(cpus);
	}
	return list;
}

static json_t *columns(const struct table *t)
{
	json_t *list = json_array();
	size_t i;

	for (i = 0; i < t->columns; i++) {
		const struct column *c = &t->column[i];
		json_t *one = json_object();

		json_object_set_new(one, "name", json_text(t, c->name));
		json_object_set_new(one, "governor", json_text(t, c->governor));
		json_object_set_new(one, "label", json_text(t, c->label));
		json_object_set_new(one, "cpufreq_governor",
				    *c->cpufreq ? json_text(t, c->cpufreq) : json_null());
		json_object_set_new(one, "kernel", json_text(t, c->kernel));
		json_object_set_new(one, "machine", json_text(t, c->machine));
		json_object_set_new(one, "reference",
				    c->reference == NO_COLUMN
					    ? json_null()
					    : json_text(t, t->column[c->reference].name));
		json_object_set_new(one, "mark", json_text(t, describe_column_flags(t, i)));
		json_array_append_new(list, one);
	}
	return list;
}

static json_t *gaps(const struct table *t)
{
	const struct result *r = t->result;
	json_t *list = json_array();
	size_t i;

	for (i = 0; i < r->gaps; i++) {
		json_t *one = json_object();

		json_object_set_new(one, "governor", json_text(t, r->gap[i].governor));
		json_object_set_new(one, "reason", json_text(t, r->gap[i].reason));
		json_array_append_new(list, one);
	}
	return list;
}

static void append_run(const struct table *t, json_t *list, const char *run, const char *state,
		       const char *reason)
{
	json_t *one = json_object();

	json_object_set_new(one, "run", json_text(t, run));
	json_object_set_new(one, "state", json_text(t, state));
	json_object_set_new(one, "reason", json_text(t, reason));
	json_array_append_new(list, one);
}

static json_t *excluded(const struct table *t)
{
	const struct result *r = t->result;
	json_t *list = json_array();
	size_t i;

	for (i = 0; i < r->runs; i++)
		if (r->run[i].info.state != STORE_COMPLETE)
			append_run(t, list, r->run[i].name, store_state_name[r->run[i].info.state],
				   r->run[i].info.reason);
	for (i = 0; i < r->brokens; i++)
		append_run(t, list, r->broken[i].name, r->broken[i].state, r->broken[i].reason);
	return list;
}

static json_t *doubts(const struct table *t)
{
	const struct result *r = t->result;
	json_t *list = json_array();
	size_t i, j;

	for (i = 0; i < r->runs; i++) {
		json_t *all = json_array(), *one;

		for (j = 0; j < r->run[i].info.doubts; j++)
			json_array_append_new(all, json_text(t, r->run[i].info.doubt[j]));
		if (r->run[i].note)
			json_array_append_new(all, json_text(t, r->run[i].note));
		if (r->run[i].power_doubt)
			json_array_append_new(all, json_text(t, r->run[i].power_doubt));
		if (!json_array_size(all)) {
			json_decref(all);
			continue;
		}
		one = json_object();
		json_object_set_new(one, "run", json_text(t, r->run[i].name));
		json_object_set_new(one, "doubts", all);
		json_array_append_new(list, one);
	}
	return list;
}

static json_t *sequential(const struct table *t)
{
	struct sequential s;
	json_t *json;

	if (!sequential_summary(t, &s))
		return json_null();
	json = json_object();
	json_object_set_new(json, "repeat_min", json_integer(s.from));
	json_object_set_new(json, "repeat_max", json_integer(s.to));
	json_object_set_new(json, "looks", json_integer((json_int_t)s.looks));
	json_object_set_new(json, "comparisons", json_integer((json_int_t)s.comparisons));
	json_object_set_new(json, "decided", json_integer((json_int_t)s.decided));
	return json;
}

static json_t *whole(const struct table *t)
{
	const struct result *r = t->result;
	json_t *root = json_object(), *sections = json_array();
	size_t i;

	json_object_set_new(root, "format", json_integer(JSON_FORMAT));
	json_object_set_new(root, "suite", json_text(t, r->campaign.suite));
	json_object_set_new(root, "created", json_text(t, r->campaign.created));
	json_object_set_new(root, "version", json_text(t, r->campaign.version));
	json_object_set_new(root, "kernels", json_text(t, describe_kernels(t)));
	json_object_set_new(root, "machine", json_text(t, describe_machine(t)));
	json_object_set_new(root, "order", json_text(t, r->campaign.order));
	json_object_set_new(root, "seed", json_seed(r->campaign.seed));
	json_object_set_new(root, "repeat", json_integer(r->campaign.repeat));
	json_object_set_new(root, "sequential", sequential(t));
	json_object_set_new(root, "reference", json_text(t, t->reference));
#define MARK(flag, words, warning) json_object_set_new(root, #flag, json_boolean(r->flag));
#include "analysis/marks.def"
#undef MARK
	json_object_set_new(root, "complete", json_boolean(describe_complete(t)));
	json_object_set_new(root, "runs_complete", json_integer((json_int_t)t->runs_complete));
	json_object_set_new(root, "cells_pending", json_integer((json_int_t)describe_pending(t)));
	json_object_set_new(root, "no_power", json_text(t, load_no_power(r)));
	json_object_set_new(root, "columns", columns(t));
	json_object_set_new(root, "state_tables", state_tables(t));
	for (i = 0; i < t->sections; i++)
		json_array_append_new(sections, json_section(t, &t->section[i]));
	json_object_set_new(root, "sections", sections);
	json_object_set_new(root, "missing", gaps(t));
	json_object_set_new(root, "excluded", excluded(t));
	json_object_set_new(root, "doubts", doubts(t));
	if (r->sources > 1)
		json_object_set_new(root, "comparison", several_json(t));
	return root;
}

static void *alloc_or_abort(size_t size)
{
	void *memory = malloc(size);

	if (!memory)
		abort();
	return memory;
}

void json_write(const struct table *table, FILE *out)
{
	json_t *root;

	json_set_alloc_funcs(alloc_or_abort, free);
	root = whole(table);
	json_dumpf(root, out, JSON_INDENT(1) | JSON_REAL_PRECISION(10));
	json_decref(root);
	fputc('\n', out);
}
