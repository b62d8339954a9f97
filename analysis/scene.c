/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A trace brings its own states; a table that is asked for replaces them in the replay, and what
 * was recorded still loses the exit latencies of the states that it had.
 */
#include "analysis/scene.h"
#include "lib/error.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORK_NS 10000 /* between two gaps of a list that does not tell */
#define UNFIT_NS (GOVERNOR_TIME_MAX_NS / 2) /* of a state number that has no state */

static int take_state(const struct trace_state *s, int i, struct machine *m)
{
	bool polls = !strcmp(s->name, "POLL") || !strcmp(s->name, "snooze");

	if (!s->name[0]) {
		snprintf(m->state[i], sizeof(m->state[i]), "state%d", i);
		m->disabled |= 1u << i;
		m->table.residency_ns[i] = m->table.latency_ns[i] = UNFIT_NS;
		return 0;
	}
	snprintf(m->state[i], sizeof(m->state[i]), "%s", s->name);
	if (!polls && (s->latency_us < 0 || s->residency_us < 0))
		return error_usage("the trace has no latency or residency of state %s: --table "
				   "NAME",
				   s->name);
	m->table.latency_ns[i] = s->latency_us < 0 ? 0 : s->latency_us * 1000;
	m->table.residency_ns[i] = s->residency_us < 0 ? 0 : s->residency_us * 1000;
	m->table.polling |= (uint32_t)polls << i;
	m->disabled |= (uint32_t)s->disabled << i;
	return 0;
}

static int recorded_machine(const struct trace_info *info, const struct trace_table *table,
			    struct machine *ret)
{
	struct machine m = { .limit_ns = GOVERNOR_NO_LIMIT_NS,
			     .exit_share = 0.5,
			     .table = { .capacity = 1024 } };
	int err = 0;

	snprintf(m.name, sizeof(m.name), "the trace's own states");
	m.table.tick_ns = info->hz ? (1000000000 + info->hz / 2) / info->hz : 0;
	m.table.states = table->states;
	for (int i = 0; !err && i < table->states; i++)
		err = take_state(&table->state[i], i, &m);
	if (!err)
		*ret = m;
	return err;
}

/* A group a state table of the trace; CPUs of none need one that is asked for. */
static int make_group(struct scene *s, const struct scene_order *order,
		      const struct trace_table *table, struct scene_group *g)
{
	struct machine named, own = { 0 };
	int err = 0;

	if (table)
		err = recorded_machine(s->periods.info, table, &own);
	if (err)
		return err;
	if (!order->table) {
		if (!table || !table->states)
			return error_usage("%s: the trace does not tell the idle states: --table "
					   "NAME",
					   order->path);
		err = machine_make(&own, order->setting, order->settings, &g->machine);
		g->recorded = own;
	} else {
		err = machine_load(order->table, order->setting, order->settings, &named);
		g->machine = named;
		g->recorded = table && table->states ? own : named;
	}
	if (!err && !g->recorded.table.tick_ns)
		g->recorded.table.tick_ns = g->machine.table.tick_ns;
	return err;
}

static int group_cpus(struct scene *s, const struct scene_order *order, size_t *group_of)
{
	const struct trace_info *info = s->periods.info;
	int err = 0;

	s->group = calloc(info->tables + 1, sizeof(*s->group));
	if (!s->group)
		return error_no_memory();
	for (size_t i = 0; !err && i < s->periods.n; i++) {
		const struct periods_cpu *cpu = &s->periods.cpu[i];
		size_t g = 0;

		while (g < i && (s->periods.cpu[g].table != cpu->table || !s->periods.cpu[g].n))
			g++;
		if (!cpu->n) {
			s->silent++;
			continue;
		}
		if (g < i) {
			group_of[i] = group_of[g];
		} else {
			group_of[i] = s->groups++;
			err = make_group(s, order, cpu->table, &s->group[group_of[i]]);
		}
		if (!err && cpulist_add(&s->group[group_of[i]].cpus, cpu->cpu))
			err = error_no_memory();
	}
	if (!err && !s->groups)
		err = scene_is_damaged(s) ? error_set(-EBADMSG,
						      "%s: the trace is not whole, and there is no "
						      "idle period in what is left",
						      order->path)
					  : error_usage("%s: no idle period in it", order->path);
	return err;
}

static int by_end(const void *a, const void *b)
{
	const struct scene_step *x = a, *y = b;

	if (x->end_ns != y->end_ns)
		return x->end_ns < y->end_ns ? -1 : 1;
	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	return x->gap < y->gap ? -1 : x->gap > y->gap;
}

static int order_gaps(struct scene *s)
{
	size_t gaps = 0;

	for (size_t c = 0; c < s->n; c++)
		gaps += s->cpu[c].gaps->n;
	s->step = calloc(gaps + 1, sizeof(*s->step));
	if (!s->step)
		return error_no_memory();
	for (size_t c = 0; c < s->n; c++) {
		for (size_t g = 0; g < s->cpu[c].gaps->n; g++) {
			const struct idle_gap *gap = &s->cpu[c].gaps->gap[g];

			s->step[s->steps++] =
				(struct scene_step){ c, g, gap->start_ns + gap->length_ns };
		}
	}
	if (s->n > 1)
		qsort(s->step, s->steps, sizeof(*s->step), by_end);
	return 0;
}

static int normalise_all(struct scene *s, const size_t *group_of)
{
	const struct machine **recorded = calloc(s->periods.n + 1, sizeof(*recorded));
	int err;

	s->cpu = calloc(s->periods.n + 1, sizeof(*s->cpu));
	if (!recorded || !s->cpu) {
		free(recorded);
		return error_no_memory();
	}
	for (size_t i = 0; i < s->periods.n; i++)
		recorded[i] = &s->group[group_of[i]].recorded;
	err = normalise(&s->periods, recorded, &s->normal);
	free(recorded);
	for (size_t i = 0; !err && i < s->periods.n; i++) {
		struct gaps *gaps = &s->normal.cpu[i].gaps;

		if (!gaps->n)
			continue;
		for (size_t g = 0; s->utilisation_set && g < gaps->n; g++)
			gaps->gap[g].utilisation = -1;
		s->cpu[s->n++] = (struct scene_cpu){ s->periods.cpu[i].cpu, i,
						     &s->group[group_of[i]], gaps };
	}
	return err;
}

static int load_trace(const struct scene_order *order, struct scene *s)
{
	size_t *group_of;
	int err = periods_load(order->path, &s->periods);

	if (err)
		return err;
	s->is_trace = true;
	group_of = calloc(s->periods.n + 1, sizeof(*group_of));
	err = group_of ? group_cpus(s, order, group_of) : error_no_memory();
	if (!err)
		err = normalise_all(s, group_of);
	free(group_of);
	return err;
}

static int load_list(const struct scene_order *order, struct scene *s)
{
	int err;

	s->group = calloc(1, sizeof(*s->group));
	s->cpu = calloc(1, sizeof(*s->cpu));
	if (!s->group || !s->cpu)
		return error_no_memory();
	err = machine_load(order->table ? order->table : "skx", order->setting, order->settings,
			   &s->group->machine);
	if (!err)
		err = gaps_load(order->path, order->timer, WORK_NS, &s->list);
	if (err)
		return err;
	s->group->recorded = s->group->machine;
	s->groups = s->n = 1;
	s->cpu[0] = (struct scene_cpu){ -1, 0, s->group, &s->list };
	return 0;
}

int scene_load(const struct scene_order *order, struct scene *ret)
{
	int err;

	/* CPUs point into it. */
	*ret = (struct scene){ .path = order->path };
	for (size_t i = 0; i < order->settings; i++)
		ret->utilisation_set |= !strncmp(order->setting[i], "utilisation=", 12);
	err = periods_detect(order->path) ? load_trace(order, ret) : load_list(order, ret);
	if (!err)
		err = order_gaps(ret);
	if (err)
		scene_free(ret);
	return err;
}

void scene_free(struct scene *s)
{
	for (size_t g = 0; g < s->groups; g++)
		cpulist_free(&s->group[g].cpus);
	free(s->group);
	free(s->cpu);
	free(s->step);
	gaps_free(&s->list);
	normal_free(&s->normal);
	periods_free(&s->periods);
	*s = (struct scene){ 0 };
}

bool scene_is_damaged(const struct scene *s)
{
	return s->periods.damages || !s->periods.whole || s->periods.left_out ||
	       periods_total(&s->periods, TRACE_LOST) ||
	       periods_total(&s->periods, TRACE_NO_ENTRY) ||
	       periods_total(&s->periods, TRACE_NO_EXIT) ||
	       periods_total(&s->periods, TRACE_BACKWARDS);
}

int scene_position(const struct scene *s, size_t i)
{
	for (size_t c = 0; c < s->n; c++)
		if (s->is_trace && s->cpu[c].i == i)
			return (int)c;
	return -1;
}
