/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The frame of summary.json. jansson's "set_new" and "append_new" take a NULL value as an error and
 * free it, so that running out of memory shows at the end as a missing part, caught by dumping.
 */
#include "analysis/json.h"
#include "analysis/describe.h"
#include "analysis/output.h"
#include "lib/error.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

json_t *json_number_or_null(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static json_t *text(const char *value)
{
	json_t *json = value ? json_string(value) : json_null();

	/* jansson refuses what is not UTF-8; such bytes can come from firmware names. */
	return json ? json : json_string("(not UTF-8)");
}

static json_t *states(const struct state_table *of)
{
	json_t *list = json_array();
	size_t i;

	for (i = 0; i < of->states; i++) {
		const struct idle_state *s = &of->state[i];
		json_t *one = json_object();

		json_object_set_new(one, "state", json_integer(s->index));
		json_object_set_new(one, "name", text(s->name));
		json_object_set_new(one, "desc", text(s->desc));
		json_object_set_new(one, "latency_us", json_number_or_null(s->latency_us));
		json_object_set_new(one, "residency_us", json_number_or_null(s->residency_us));
		json_object_set_new(one, "disabled", json_boolean(s->disabled));
		json_array_append_new(list, one);
	}
	return list;
}

static json_t *state_tables(const struct result *r)
{
	json_t *list = json_array();
	size_t i;

	for (i = 0; i < r->tables; i++) {
		json_t *one = json_object();
		char *cpus = cpulist_format(&r->table[i].cpus);

		json_object_set_new(one, "boot", text(r->boot[r->table[i].boot].name));
		json_object_set_new(one, "cpus", text(cpus));
		json_object_set_new(one, "states", states(&r->table[i]));
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

		json_object_set_new(one, "name", text(c->name));
		json_object_set_new(one, "governor", text(c->governor));
		json_object_set_new(one, "label", text(c->label));
		json_object_set_new(one, "cpufreq_governor",
				    *c->cpufreq ? text(c->cpufreq) : json_null());
		json_object_set_new(one, "kernel", text(c->kernel));
		json_object_set_new(one, "machine", text(c->machine));
		json_object_set_new(one, "reference",
				    c->reference == NO_COLUMN ? json_null()
							      : text(t->column[c->reference].name));
		json_array_append_new(list, one);
	}
	return list;
}

static json_t *gaps(const struct result *r)
{
	json_t *list = json_array();
	size_t i;

	for (i = 0; i < r->gaps; i++) {
		json_t *one = json_object();

		json_object_set_new(one, "governor", text(r->gap[i].governor));
		json_object_set_new(one, "reason", text(r->gap[i].reason));
		json_array_append_new(list, one);
	}
	return list;
}

static void append_run(json_t *list, const char *run, const char *state, const char *reason)
{
	json_t *one = json_object();

	json_object_set_new(one, "run", text(run));
	json_object_set_new(one, "state", text(state));
	json_object_set_new(one, "reason", text(reason));
	json_array_append_new(list, one);
}

static json_t *excluded(const struct result *r)
{
	json_t *list = json_array();
	size_t i;

	for (i = 0; i < r->runs; i++)
		if (r->run[i].info.state != STORE_COMPLETE)
			append_run(list, r->run[i].name, store_state_name[r->run[i].info.state],
				   r->run[i].info.reason);
	for (i = 0; i < r->brokens; i++)
		append_run(list, r->broken[i].name, r->broken[i].state, r->broken[i].reason);
	return list;
}

static json_t *doubts(const struct result *r)
{
	json_t *list = json_array();
	size_t i, j;

	for (i = 0; i < r->runs; i++) {
		json_t *all = json_array(), *one;

		for (j = 0; j < r->run[i].info.doubts; j++)
			json_array_append_new(all, text(r->run[i].info.doubt[j]));
		if (r->run[i].note)
			json_array_append_new(all, text(r->run[i].note));
		if (!json_array_size(all)) {
			json_decref(all);
			continue;
		}
		one = json_object();
		json_object_set_new(one, "run", text(r->run[i].name));
		json_object_set_new(one, "doubts", all);
		json_array_append_new(list, one);
	}
	return list;
}

static json_t *whole(const struct table *t)
{
	const struct result *r = t->result;
	json_t *root = json_object(), *sections = json_array();
	size_t i;

	json_object_set_new(root, "format", json_integer(JSON_FORMAT));
	json_object_set_new(root, "suite", text(r->campaign.suite));
	json_object_set_new(root, "created", text(r->campaign.created));
	json_object_set_new(root, "version", text(r->campaign.version));
	json_object_set_new(root, "kernels", text(describe_kernels(t)));
	json_object_set_new(root, "machine", text(describe_machine(t)));
	json_object_set_new(root, "order", text(r->campaign.order));
	json_object_set_new(root, "seed", json_integer((json_int_t)r->campaign.seed));
	json_object_set_new(root, "repeat", json_integer(r->campaign.repeat));
	json_object_set_new(root, "reference", text(r->campaign.reference));
	json_object_set_new(root, "rehearsal", json_boolean(r->rehearsal));
	json_object_set_new(root, "modelled", json_boolean(r->modelled));
	json_object_set_new(root, "complete", json_boolean(describe_complete(t)));
	json_object_set_new(root, "runs_complete", json_integer((json_int_t)t->runs_complete));
	json_object_set_new(root, "cells_pending", json_integer((json_int_t)describe_pending(t)));
	json_object_set_new(root, "no_power", text(load_no_power(r)));
	json_object_set_new(root, "columns", columns(t));
	json_object_set_new(root, "state_tables", state_tables(r));
	for (i = 0; i < t->sections; i++)
		json_array_append_new(sections, json_section(t, &t->section[i]));
	json_object_set_new(root, "sections", sections);
	json_object_set_new(root, "missing", gaps(r));
	json_object_set_new(root, "excluded", excluded(r));
	json_object_set_new(root, "doubts", doubts(r));
	return root;
}

int json_write(const struct table *table, const char *path)
{
	json_t *root = whole(table);
	struct output out;
	int failed;

	output_open(&out);
	failed = json_dumpf(root, out.stream, JSON_INDENT(1) | JSON_REAL_PRECISION(10));
	json_decref(root);
	if (!failed)
		return output_write(&out, path);
	output_end(&out);
	free(out.text);
	return error_set(-ENOMEM, "%s: out of memory", path);
}
