/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From a point's parameters to CPUs: which ones the workload gets, in the order of its stops, and
 * where the runner itself works meanwhile.
 */
#ifndef RUN_PLACEMENT_H
#define RUN_PLACEMENT_H

#include "hw/topology.h"
#include "run/plan.h"

struct placement {
	struct cpulist cpus; /* stops in order; empty for the null workload */
	int tasks; /* resolved: cores = all is a number here */
	bool pinned, oversubscribed;
	bool timer_based; /* with the point's parameters */
	enum topology_distance asked;
	int got; /* enum topology_distance of all neighbours, -1 = there are none or they differ */
	int housekeeping;
	bool housekeeping_shared;
};

/* @allowed: the CPUs that the user lets the workload use. Usage error "[run two-cores] work=0us:
 * ...". */
int placement_make(const struct topology *topology, const struct cpulist *allowed,
		   const struct plan *plan, size_t point, struct placement *ret);

void placement_free(struct placement *placement);

#endif
