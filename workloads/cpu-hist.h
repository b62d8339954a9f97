/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Histograms that all threads add to, one set for each CPU. A thread writes that of the CPU it runs
 * on, so the lines stay in that CPU's cache and hundreds of threads need no 18 KiB each.
 *
 * Adding is atomic without order: a thread that is preempted or moved in the middle loses nothing.
 */
#ifndef WORKLOADS_CPU_HIST_H
#define WORKLOADS_CPU_HIST_H

#include "lib/cpulist.h"
#include "lib/hist.h"
#include <stddef.h>
#include <stdint.h>

struct cpu_hist {
	size_t cpus; /* places; at least 1 */
	size_t sets; /* histograms of each */
	uint16_t *place; /* by CPU number, below places_known */
	size_t places_known;
	struct hist *hist; /* [place * sets + set] */
};

/* Makes empty histograms for the CPUs of @list; only in a workload's setup(). -errno with text. */
int cpu_hist_open(const struct cpulist *list, size_t sets, struct cpu_hist *ret);

void cpu_hist_close(struct cpu_hist *all);

/* The place of @cpu, 0 to cpus - 1. A CPU that is not in the list (nothing is bound) shares the
 * first one's. */
static inline size_t cpu_hist_place(const struct cpu_hist *all, int cpu)
{
	return cpu >= 0 && (size_t)cpu < all->places_known ? all->place[cpu] : 0;
}

/* Adds one time to histogram @set of @place. */
void cpu_hist_add(struct cpu_hist *all, size_t place, size_t set, uint64_t ns);

/* Adds histogram @set of every CPU to *@to; when all threads have ended. */
void cpu_hist_merge(const struct cpu_hist *all, size_t set, struct hist *to);

#endif
