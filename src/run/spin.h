/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How far apart two CPUs are just now: a token between them in a shared cache line, nobody sleeps,
 * no governor takes part. On a guest a hypervisor moves CPUs, and all figures with them.
 */
#ifndef RUN_SPIN_H
#define RUN_SPIN_H

#include "hw/topology.h"

#define SPIN_PROBE_NS 20000000u

/*
 * us from one CPU to the other: the median of blocks over SPIN_PROBE_NS. -ENODATA when it cannot be
 * told (a thread cannot be bound or gets no CPU time); that is no failure of the run.
 */
int spin_probe(const struct topology *topology, int cpu_a, int cpu_b, double *ret_us);

#endif
