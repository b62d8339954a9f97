/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What topology.c (the machine) and topology_choose.c (the choice) share; for those two only. */
#ifndef HW_TOPOLOGY_PRIVATE_H
#define HW_TOPOLOGY_PRIVATE_H

#include "hw/topology.h"
#include <hwloc.h>

/* One usable CPU, by logical numbers of hwloc. */
struct topology_cpu {
	int cpu; /* the kernel's number */
	int core; /* a CPU without a core object is a core of its own */
	int cache; /* last level cache, -1 = none is known */
	int package; /* 0 on a machine without package objects */
};

struct topology {
	hwloc_topology_t hwloc;
	bool binds; /* false for another machine than this one */
	struct topology_cpu *cpu; /* usable CPUs in topology order */
	int n;
	int cores, packages; /* that have a usable CPU */
	bool smt;
};

/* NULL when @cpu is not usable. */
const struct topology_cpu *topology_cpu_find(const struct topology *topology, int cpu);

#endif
