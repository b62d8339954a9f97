/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The same figures for programs. What is not available is an empty cell or null; shares are of 1,
 * of what the text's columns are percent of.
 */
#include "analysis/replay_print.h"
#include "analysis/csv.h"
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>

/* One figure of a governor on a group; NAN = not available. */
struct figure_of {
	const char *name;
	double (*value)(const struct replay_result *r, size_t group, size_t governor);
};

static const struct walk_sums *sums_of(const struct replay_result *r, size_t g, size_t i)
{
	return &r->sums[i].group[g];
}

static double share(uint64_t part, uint64_t whole)
{
	return whole ? (double)part / (double)whole : NAN;
}

#define FIGURE(name, expression)                                                                   \
	static double name(const struct replay_result *r, size_t g, size_t i)                      \
	{                                                                                          \
		const struct walk_sums *s = sums_of(r, g, i);                                      \
                                                                                                   \
		return (double)(expression);                                                       \
	}
FIGURE(gaps, s->gaps)
FIGURE(decisions, s->decisions)
FIGURE(periods, s->entered)
FIGURE(too_deep, share(s->above, s->entered))
FIGURE(too_shallow, share(s->below, s->entered))
FIGURE(as_oracle, share(s->as_oracle, s->decisions))
FIGURE(asked, share(s->asked, s->decisions))
FIGURE(tick_wakes, s->tick_wakes)
FIGURE(latency_us, replay_latency_us(s))
FIGURE(added_us, replay_latency_us(s) - replay_latency_us(&r->oracle.group[g]))
FIGURE(energy_j, r->scene->group[g].machine.has_energy ? s->energy_uj / 1e6 : NAN)
FIGURE(energy_more, replay_least_uj(r, g) > 0 ? s->energy_uj / replay_least_uj(r, g) - 1 : NAN)
FIGURE(shift_ms, r->closed && s->gaps ? r->sums[i].shift_ns / 1e6 : NAN)

static const struct figure_of figures[] = {
	{ "gaps", gaps },	  { "decisions", decisions },	  { "periods", periods },
	{ "too_deep", too_deep }, { "too_shallow", too_shallow }, { "as_oracle", as_oracle },
	{ "asked", asked },	  { "tick_wakes", tick_wakes },	  { "latency_us", latency_us },
	{ "added_us", added_us }, { "energy_j", energy_j },	  { "energy_more", energy_more },
	{ "shift_ms", shift_ms },
};
#define FIGURES (sizeof(figures) / sizeof(figures[0]))

static void put_number(double value, FILE *out)
{
	if (!isnan(value))
		fprintf(out, "%.9g", value);
}

static char *cpus_of(const struct replay_result *r, size_t g)
{
	return cpulist_format(&r->scene->group[g].cpus);
}

static void put_csv_row(const struct replay_result *r, size_t g, size_t i, int state, FILE *out)
{
	const struct machine *m = &r->scene->group[g].machine;
	const struct walk_sums *s = sums_of(r, g, i);
	char *cpus = cpus_of(r, g);

	csv_put(r->set->governor[i]->name, out);
	fputc(',', out);
	csv_put(cpus ? cpus : "", out);
	free(cpus);
	fputc(',', out);
	csv_put(m->name, out);
	fprintf(out, ",%d,", state);
	csv_put(m->state[state], out);
	fputc(',', out);
	put_number(share(s->usage[state], s->entered), out);
	for (size_t f = 0; f < FIGURES; f++) {
		fputc(',', out);
		put_number(figures[f].value(r, g, i), out);
	}
	fprintf(out, ",%s,modelled\n", r->closed ? "closed" : "open");
}

/* A row a state, the governor's figures in each: names of states are no columns. */
void replay_print_csv(const struct replay_result *r, FILE *out)
{
	fputs("governor,cpus,machine,state,state_name,share", out);
	for (size_t f = 0; f < FIGURES; f++)
		fprintf(out, ",%s", figures[f].name);
	fputs(",loop,data\n", out);
	for (size_t g = 0; g < r->scene->groups; g++)
		for (size_t i = 0; i < r->set->n; i++)
			for (int s = 0; s < r->scene->group[g].machine.table.states; s++)
				put_csv_row(r, g, i, s, out);
}

static json_t *number(double value)
{
	return isnan(value) ? json_null() : json_real(value);
}

static json_t *text(const char *value)
{
	json_t *string = value ? json_string(value) : NULL;

	return string ? string : json_null();
}

static json_t *governor_row(const struct replay_result *r, size_t g, size_t i)
{
	const struct machine *m = &r->scene->group[g].machine;
	json_t *row = json_object(), *states = json_array();

	json_object_set_new(row, "governor", text(r->set->governor[i]->name));
	for (size_t f = 0; f < FIGURES; f++)
		json_object_set_new(row, figures[f].name, number(figures[f].value(r, g, i)));
	for (int s = 0; s < m->table.states; s++)
		json_array_append_new(states,
				      json_pack("{s:o,s:o}", "name", text(m->state[s]), "share",
						number(share(sums_of(r, g, i)->usage[s],
							     sums_of(r, g, i)->entered))));
	json_object_set_new(row, "states", states);
	return row;
}

static json_t *fidelity_object(const struct fidelity *f)
{
	json_t *object = json_object(), *misses = json_object(), *others = json_object();

	json_object_set_new(object, "governor", text(f->governor ? f->governor->name : NULL));
	json_object_set_new(object, "why_not", text(f->why_not));
	json_object_set_new(object, "periods", json_integer((json_int_t)f->periods));
	json_object_set_new(object, "equal", json_integer((json_int_t)f->equal));
	json_object_set_new(object, "sleep_length_known", json_integer((json_int_t)f->timer_known));
	json_object_set_new(object, "commonest_state", json_integer((json_int_t)f->commonest));
	json_object_set_new(object, "ticks", json_integer((json_int_t)f->ticks));
	json_object_set_new(object, "ticks_equal", json_integer((json_int_t)f->ticks_equal));
	for (int c = 0; c < MISS_CLASSES; c++)
		json_object_set_new(misses, miss_class_name[c],
				    json_integer((json_int_t)f->miss[c]));
	json_object_set_new(object, "misses", misses);
	for (size_t i = 0; i < f->versions; i++)
		json_object_set_new(others, f->version[i]->name,
				    json_integer((json_int_t)f->version_equal[i]));
	json_object_set_new(object, "other_rules", others);
	return object;
}

static json_t *normal_object(const struct normal_counts *n)
{
	return json_pack("{s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:I}", "periods", (json_int_t)n->periods,
			 "gaps", (json_int_t)n->gaps, "merged_ticks", (json_int_t)n->merged_ticks,
			 "merged_polls", (json_int_t)n->merged_polls, "merged_others",
			 (json_int_t)n->merged_others, "timer_known", (json_int_t)n->timer_known,
			 "timer_guessed", (json_int_t)n->timer_guessed, "timer_unknown",
			 (json_int_t)n->timer_unknown);
}

void replay_print_json(const struct replay_result *r, FILE *out)
{
	const struct trace_info *info = r->scene->periods.info;
	json_t *top = json_object(), *groups = json_array();

	json_object_set_new(top, "format", json_integer(1));
	json_object_set_new(top, "data", text("modelled"));
	json_object_set_new(top, "loop", text(r->closed ? "closed" : "open"));
	json_object_set_new(top, "file", text(r->scene->path));
	if (info) {
		json_object_set_new(top, "recorded_governor", text(info->governor));
		json_object_set_new(top, "recorded_kernel", text(info->kernel));
		json_object_set_new(top, "whole", json_boolean(!scene_is_damaged(r->scene)));
		json_object_set_new(top, "normalised", normal_object(&r->scene->normal.counts));
	}
	for (size_t g = 0; g < r->scene->groups; g++) {
		json_t *group = json_object(), *rows = json_array();
		char *cpus = cpus_of(r, g);

		json_object_set_new(group, "cpus", text(cpus));
		free(cpus);
		json_object_set_new(group, "machine", text(r->scene->group[g].machine.name));
		for (size_t i = 0; i < r->set->n; i++)
			json_array_append_new(rows, governor_row(r, g, i));
		json_object_set_new(group, "governors", rows);
		json_array_append_new(groups, group);
	}
	json_object_set_new(top, "groups", groups);
	if (r->fidelity)
		json_object_set_new(top, "fidelity", fidelity_object(r->fidelity));
	json_dumpf(top, out, JSON_INDENT(2));
	fputc('\n', out);
	json_decref(top);
}
