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

static int choose(const struct topology *topology, const struct cpulist *allowed,
		  const struct workload_needs *needs, struct placement *ret)
{
	int n = needs->cpus, err;

	if (!needs->tasks)
		return 0;
	if (!needs->pinned) {
		err = cpulist_copy(allowed, &ret->cpus);
		ret->tasks = needs->tasks < 0 ? (int)allowed->n : needs->tasks;
	} else {
		err = topology_choose(topology, allowed, n, needs->group,
				      (enum topology_distance)needs->distance, &ret->cpus);
		ret->tasks = needs->tasks < 0 ? (int)ret->cpus.n : needs->tasks;
	}
	if (!err)
		ret->oversubscribed = ret->tasks > (int)ret->cpus.n;
	if (!err && needs->pinned)
		ret->got = distance_got(topology, &ret->cpus,
					needs->group > 0 ? needs->group : (int)ret->cpus.n);
	return err;
}

int placement_make(const struct topology *topology, const struct cpulist *allowed,
		   const struct plan *plan, size_t point, struct placement *ret)
{
	const struct plan_point *at = &plan->point[point];
	const struct suite_section *section = &plan->suite->section[at->section];
	struct placement placement = { .got = -1 };
	struct workload_needs needs;
	bool own_core;
	int err = section->workload->needs(at->value, &needs);

	placement.pinned = needs.pinned;
	placement.timer_based = needs.timer_based;
	placement.asked = (enum topology_distance)needs.distance;
	if (!err)
		err = choose(topology, allowed, &needs, &placement);
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
	cpulist_free(&placement->cpus);
}
