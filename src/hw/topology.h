/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Cores, caches, packages, and binding: hwloc and nothing else.
 *
 * On a fake root (--root DIR) hwloc reads DIR (HWLOC_FSROOT, without its x86 component) or
 * DIR/topology.xml when that exists; binding then is a no-op.
 */
#ifndef HW_TOPOLOGY_H
#define HW_TOPOLOGY_H

#include "lib/cpulist.h"
#include "lib/root.h"
#include <stdbool.h>
#include <sys/types.h>

struct topology;

/* Neighbours' distance; same order as enum workload_distance of workloads/workload.h (asserted in
 * run). */
enum topology_distance {
	TOPOLOGY_ANY,
	TOPOLOGY_SMT_SIBLING,
	TOPOLOGY_SAME_CACHE,
	TOPOLOGY_SAME_PACKAGE,
	TOPOLOGY_OTHER_PACKAGE,
};
extern const char *const topology_distance_name[]; /* "any", "smt-sibling", ... */

int topology_load(const struct root *root, struct topology **ret);
void topology_free(struct topology *topology);

/* hwloc XML, readable by lstopo -i and by any hwloc program. */
int topology_save_xml(const struct topology *topology, const char *path);

/* Online CPUs that this process may use, ascending. */
int topology_cpus(const struct topology *topology, struct cpulist *ret);

int topology_core_count(const struct topology *topology);
int topology_package_count(const struct topology *topology);
/* True when some core has more than one CPU. */
bool topology_has_smt(const struct topology *topology);
/* Logical number of the core or package that @cpu belongs to, -1 when unknown. */
int topology_core_of(const struct topology *topology, int cpu);
int topology_package_of(const struct topology *topology, int cpu);

/*
 * Chooses @n distinct CPUs of @allowed in the order of the stops: groups of @group stops whose
 * neighbours (the last and the first as well) have @distance; one physical core each before any
 * sibling is used, the order following the topology. @group <= 0 or > @n: one group of all.
 *
 * @n = -1: every core of @allowed once; with a distance, as many whole groups as that allows (for
 * smt-sibling one group on each core that is large enough).
 *
 * Usage error when it cannot be had ("12 CPUs asked, this machine has 2", "distance smt-sibling: no
 * core of this machine has two CPUs online").
 */
int topology_choose(const struct topology *topology, const struct cpulist *allowed, int n,
		    int group, enum topology_distance distance, struct cpulist *ret);

/* The distance that two CPUs really have: the nearest that holds, of smt-sibling, same-cache,
 * same-package, other-package. */
enum topology_distance topology_distance_between(const struct topology *topology, int a, int b);

/*
 * The CPU where the runner itself works: on a core that @used does not touch (the last such core,
 * so that CPU 0 with its interrupts stays out of it only by chance of order), else the last CPU of
 * @used. *ret_own_core says which.
 */
int topology_housekeeping(const struct topology *topology, const struct cpulist *used, int *ret_cpu,
			  bool *ret_own_core);

/* Binds the calling process, or the calling thread. */
int topology_bind_process(const struct topology *topology, const struct cpulist *cpus);
int topology_bind_thread(const struct topology *topology, int cpu);

#endif
