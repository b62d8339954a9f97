/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From a point's parameters to CPUs: which ones the workload gets, in the order of its stops, and
 * where the runner itself works meanwhile.
 */
#ifndef RUN_PLACEMENT_H
#define RUN_PLACEMENT_H

#include "hw/topology.h"
#include "run/plan.h"

/* One of the workloads that run at the same time. */
struct placement_part {
	struct cpulist cpus; /* stops in order; empty for the null workload */
	int all; /* cores that were found, which is what "all" stands for; 0 where nobody asked */
	int tasks; /* resolved: cores = all is a number here */
	bool pinned;
};

struct placement {
	struct placement_part part[SUITE_PARTS_MAX];
	size_t parts;
	struct cpulist cpus; /* of all parts, each once */
	int all, tasks; /* the headline's "all"; tasks of all parts */
	bool pinned; /* all of them */
	bool oversubscribed; /* more tasks than CPUs, or two workloads on one CPU */
	bool timer_based; /* all of them, with the point's parameters */
	double window_ns; /* the shortest window that suits all of them; 0 = any */
	enum topology_distance asked; /* of the headline's neighbours */
	int got; /* enum topology_distance of all neighbours, -1 = there are none or they differ */
	int housekeeping;
	bool housekeeping_shared;
};

/*
 * @allowed: the CPUs that the user lets the workload use. Pinned workloads get cores of their own
 * where there are enough, in the order of the suite; "all" is all cores in any case. Usage error
 * "[run two-cores] work=0us: ...".
 */
int placement_make(const struct topology *topology, const struct cpulist *allowed,
		   const struct plan *plan, size_t point, struct placement *ret);

void placement_free(struct placement *placement);

#endif
