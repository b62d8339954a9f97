/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the workload needs, given to the topology. Every point of a plan is placed before the first
 * run, so that a count beyond the machine is refused before anything is touched.
 */
#include "run/placement.h"
#include "lib/error.h"
#include <assert.h>
#include <errno.h>
#include <string.h>

static_assert(
	(int)DISTANCE_ANY == (int)TOPOLOGY_ANY &&
		(int)DISTANCE_SMT_SIBLING == (int)TOPOLOGY_SMT_SIBLING &&
		(int)DISTANCE_SAME_CACHE == (int)TOPOLOGY_SAME_CACHE &&
		(int)DISTANCE_SAME_PACKAGE == (int)TOPOLOGY_SAME_PACKAGE &&
		(int)DISTANCE_OTHER_PACKAGE == (int)TOPOLOGY_OTHER_PACKAGE,
	"workload_distance and topology_distance are one list, on two sides of a layer border");

/* The distance that all neighbours of all groups share, or -1. The last stop of a ring passes to
 * the first. */
static int distance_got(const struct topology *topology, const struct cpulist *cpus, int group)
{
	int got = -1;

	if (group < 2)
		return -1;
	for (size_t i = 0; i < cpus->n; i++) {
		size_t first = i - i % (size_t)group, next = i + 1;
		int distance;

		if (next == cpus->n || next == first + (size_t)group)
			next = first;
		if (next == i)
			continue;
		distance = topology_distance_between(topology, cpus->cpu[i], cpus->cpu[next]);
		if (got >= 0 && distance != got)
			return -1;
		got = distance;
	}
	return got;
}

/* Cores that the CPUs of @allowed belong to. */
static int count_cores(const struct topology *topology, const struct cpulist *allowed, int *ret)
{
	struct cpulist cores = { 0 };
	int err = topology_choose(topology, allowed, -1, 0, TOPOLOGY_ANY, &cores);

	if (!err)
		*ret = (int)cores.n;
	cpulist_free(&cores);
	return err;
}

/* CPUs of @allowed on cores that @used does not touch. */
static int untouched(const struct topology *topology, const struct cpulist *allowed,
		     const struct cpulist *used, struct cpulist *ret)
{
	int err = 0;

	for (size_t i = 0; i < allowed->n && !err; i++) {
		int core = topology_core_of(topology, allowed->cpu[i]);
		bool touched = cpulist_has(used, allowed->cpu[i]);

		for (size_t u = 0; u < used->n && !touched && core >= 0; u++)
			touched = topology_core_of(topology, used->cpu[u]) == core;
		if (!touched)
			err = cpulist_add(ret, allowed->cpu[i]);
	}
	return err;
}

/* Cores of its own, or, where there are not enough, any. Siblings are no cores unless asked for. */
static int choose_pinned(const struct topology *topology, const struct cpulist *allowed,
			 const struct cpulist *used, const struct workload_needs *needs,
			 struct cpulist *ret)
{
	enum topology_distance distance = (enum topology_distance)needs->distance;
	struct cpulist rest = { 0 };
	int cores = 0, err = untouched(topology, allowed, used, &rest);

	if (!err && rest.n && used->n && needs->cpus > 0)
		err = count_cores(topology, &rest, &cores);
	if (!err && (cores >= needs->cpus || distance == TOPOLOGY_SMT_SIBLING) && cores > 0 &&
	    !topology_choose(topology, &rest, needs->cpus, needs->group, distance, ret)) {
		cpulist_free(&rest);
		return 0;
	}
	cpulist_free(&rest);
	return err ? err
		   : topology_choose(topology, allowed, needs->cpus, needs->group, distance, ret);
}

static int choose(const struct topology *topology, const struct cpulist *allowed,
		  const struct cpulist *used, const struct workload_needs *needs,
		  struct placement_part *ret)
{
	int err;

	ret->pinned = needs->pinned;
	if (!needs->tasks)
		return 0;
	if (!needs->pinned) {
		err = cpulist_copy(allowed, &ret->cpus);
		if (!err && needs->tasks < 0)
			err = count_cores(topology, allowed, &ret->all);
	} else {
		err = choose_pinned(topology, allowed, used, needs, &ret->cpus);
		ret->all = needs->cpus < 0 ? (int)ret->cpus.n : 0;
	}
	ret->tasks = needs->tasks < 0 ? -needs->tasks * ret->all : needs->tasks;
	return err;
}

/* What "all" turns into has to be in its parameter's range, too: a ring has two stops. */
static int check_all(const struct workload *workload, const struct param_value *values, int all)
{
	for (size_t p = 0; workload->params[p].name; p++) {
		const struct param *param = &workload->params[p];

		if (param->type != PARAM_CPUS || !values[p].set || values[p].number >= 0)
			continue;
		if (all < param->min || all > param->max)
			return error_usage("%s = all is %d here, %s takes %.0f to %.0f",
					   param->name, all, workload->name, param->min,
					   param->max);
	}
	return 0;
}

/* Adds a part's CPUs to those of all; two pinned workloads on one CPU are oversubscribed. */
static int unite(struct placement *all, const struct placement_part *part)
{
	int err = 0;

	for (size_t i = 0; i < part->cpus.n && !err; i++) {
		if (!cpulist_has(&all->cpus, part->cpus.cpu[i]))
			err = cpulist_add(&all->cpus, part->cpus.cpu[i]);
		else if (part->pinned)
			all->oversubscribed = true;
	}
	all->oversubscribed |= part->tasks > (int)part->cpus.n;
	all->tasks += part->tasks;
	return err;
}

static int place_part(const struct topology *topology, const struct cpulist *allowed,
		      const struct workload *workload, const struct param_value *values,
		      struct placement *all)
{
	struct placement_part *part = &all->part[all->parts++];
	bool headline = part == &all->part[0];
	struct workload_needs needs;
	int err = workload->needs(values, &needs);

	if (!err && needs.wrap && needs.cpus > (int)allowed->n)
		needs.cpus = (int)allowed->n;
	if (!err)
		err = choose(topology, allowed, &all->cpus, &needs, part);
	if (!err)
		err = check_all(workload, values, part->all);
	if (err)
		return err;
	if (headline) {
		all->all = part->all;
		all->asked = (enum topology_distance)needs.distance;
		if (needs.pinned && needs.tasks)
			all->got = distance_got(topology, &part->cpus,
						needs.group > 0 ? needs.group : (int)part->cpus.n);
	}
	all->pinned &= needs.pinned || !needs.tasks;
	all->timer_based &= needs.timer_based || !needs.tasks;
	if (needs.window_ns > all->window_ns)
		all->window_ns = needs.window_ns;
	return unite(all, part);
}

int placement_make(const struct topology *topology, const struct cpulist *allowed,
		   const struct plan *plan, size_t point, struct placement *ret)
{
	const struct plan_point *at = &plan->point[point];
	const struct suite_section *section = &plan->suite->section[at->section];
	struct placement placement = { .got = -1, .pinned = true, .timer_based = true };
	bool own_core;
	int err = 0;

	for (size_t k = 0; k < section->parts && !err; k++) {
		err = place_part(topology, allowed, section->part[k].workload,
				 plan_values(plan, point, k), &placement);
		if (err && section->parts > 1)
			error_prefix(err, "%s: ", section->part[k].workload->name);
	}
	placement.oversubscribed |= placement.tasks > (int)placement.cpus.n;
	placement.pinned &= placement.tasks > 0;
	placement.timer_based &= placement.tasks > 0;
	if (!err)
		err = topology_housekeeping(topology, &placement.cpus, &placement.housekeeping,
					    &own_core);
	if (err) {
		placement_free(&placement);
		return error_prefix(err, "[run %s]%s%s: ", section->name, *at->text ? " " : "",
				    at->text);
	}
	placement.housekeeping_shared = cpulist_has(&placement.cpus, placement.housekeeping);
	*ret = placement;
	return 0;
}

void placement_free(struct placement *placement)
{
	for (size_t k = 0; k < placement->parts; k++)
		cpulist_free(&placement->part[k].cpus);
	cpulist_free(&placement->cpus);
}
