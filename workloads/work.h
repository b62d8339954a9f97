/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The work unit: one step of a dependent integer multiply-add chain that survives -O3 and LTO. Work
 * is a fixed COUNT of units, the same for every governor and repeat; its duration follows the CPU's
 * frequency on purpose. The historical unit is about 6 cycles, 1.30 ns at 4.6 GHz; this chain
 * takes 1.26 to 1.35 ns on the machines at hand.
 */
#ifndef WORKLOADS_WORK_H
#define WORKLOADS_WORK_H

#include <stdint.h>

#define WORK_NOMINAL_NS 1.3 /* of a unit, where nothing was measured */

/* Does @units steps. */
static inline void work_do(uint64_t units)
{
	uint64_t x = 88172645463325252u;

	for (; units; units--) {
		x = x * 6364136223846793005u + 1442695040888963407u;
		__asm__ volatile("" : "+r"(x));
	}
}

/*
 * ns per unit on the CPU that the caller runs on: the minimum of several trials of at least 2 ms
 * each (the minimum, because interrupts and a hypervisor only ever add). Takes about 30 ms.
 */
double work_calibrate_ns(void);

/* Units that take @ns at @ns_per_unit, rounded to the nearest. */
uint64_t work_units(double ns, double ns_per_unit);

#endif
