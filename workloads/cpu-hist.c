/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Histograms by CPU. Minimum and maximum are exchanged in a loop, which almost never runs twice. */
#include "workloads/cpu-hist.h"
#include "lib/error.h"
#include "workloads/driver.h"
#include <stdlib.h>

int cpu_hist_open(const struct cpulist *list, size_t sets, struct cpu_hist *ret)
{
	struct cpu_hist all = { .cpus = list->n ? list->n : 1, .sets = sets };
	void *memory;
	int rc;

	for (size_t i = 0; i < list->n; i++) {
		if ((size_t)list->cpu[i] >= all.places_known)
			all.places_known = (size_t)list->cpu[i] + 1;
	}
	all.place = calloc(all.places_known + 1, sizeof(*all.place));
	if (!all.place)
		return error_no_memory();
	for (size_t i = 0; i < list->n; i++)
		all.place[list->cpu[i]] = (uint16_t)i;
	rc = driver_alloc(all.cpus * sets * sizeof(*all.hist), &memory);
	if (rc) {
		free(all.place);
		return rc;
	}
	all.hist = memory;
	for (size_t i = 0; i < all.cpus * sets; i++)
		all.hist[i].min_ns = UINT64_MAX;
	*ret = all;
	return 0;
}

/* The histograms themselves are the driver's memory. */
void cpu_hist_close(struct cpu_hist *all)
{
	free(all->place);
	*all = (struct cpu_hist){ 0 };
}

void cpu_hist_add(struct cpu_hist *all, size_t place, size_t set, uint64_t ns)
{
	struct hist *hist = &all->hist[place * all->sets + set];
	uint64_t seen = __atomic_load_n(&hist->min_ns, __ATOMIC_RELAXED);

	while (ns < seen && !__atomic_compare_exchange_n(&hist->min_ns, &seen, ns, true,
							 __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
	seen = __atomic_load_n(&hist->max_ns, __ATOMIC_RELAXED);
	while (ns > seen && !__atomic_compare_exchange_n(&hist->max_ns, &seen, ns, true,
							 __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
	__atomic_fetch_add(&hist->count, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&hist->sum_ns, ns, __ATOMIC_RELAXED);
	__atomic_fetch_add(&hist->bucket[hist_index(ns)], 1, __ATOMIC_RELAXED);
}

void cpu_hist_merge(const struct cpu_hist *all, size_t set, struct hist *to)
{
	for (size_t place = 0; place < all->cpus; place++)
		hist_merge(to, &all->hist[place * all->sets + set]);
}
