/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hwloc binding for the workloads. hwloc's x86 component is left out: it would visit every CPU to
 * run cpuid there, and sysfs tells what is needed.
 */
#include "workloads/bind.h"
#include "lib/error.h"
#include <errno.h>
#include <hwloc.h>
#include <stdlib.h>
#include <string.h>

struct binder {
	hwloc_topology_t topology;
};

int bind_open(struct binder **ret)
{
	struct binder *binder = calloc(1, sizeof(*binder));

	if (!binder)
		return error_no_memory();
	if (hwloc_topology_init(&binder->topology)) {
		free(binder);
		return error_set(-EIO, "hwloc: cannot make a topology");
	}
	hwloc_topology_set_all_types_filter(binder->topology, HWLOC_TYPE_FILTER_KEEP_NONE);
	hwloc_topology_set_components(binder->topology, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST,
				      "x86");
	if (hwloc_topology_load(binder->topology)) {
		bind_close(binder);
		return error_set(-EIO, "hwloc: cannot load the topology");
	}
	*ret = binder;
	return 0;
}

void bind_close(struct binder *binder)
{
	if (!binder)
		return;
	hwloc_topology_destroy(binder->topology);
	free(binder);
}

/* The calling thread's set; the caller frees it. */
static int get_set(const struct binder *binder, hwloc_bitmap_t *ret)
{
	hwloc_bitmap_t set = hwloc_bitmap_alloc();

	if (!set)
		return error_no_memory();
	if (hwloc_get_cpubind(binder->topology, set, HWLOC_CPUBIND_THREAD)) {
		int code = errno ? errno : EIO;

		hwloc_bitmap_free(set);
		return error_set(-code, "cannot read the CPU affinity: %s", strerror(code));
	}
	*ret = set;
	return 0;
}

int bind_allowed(const struct binder *binder, struct cpulist *ret)
{
	struct cpulist list = { 0 };
	hwloc_bitmap_t set;
	int rc = get_set(binder, &set);

	if (rc)
		return rc;
	for (int cpu = hwloc_bitmap_first(set); cpu >= 0 && !rc; cpu = hwloc_bitmap_next(set, cpu))
		rc = cpulist_add(&list, cpu);
	hwloc_bitmap_free(set);
	if (rc) {
		cpulist_free(&list);
		return error_set(rc, "out of memory");
	}
	*ret = list;
	return 0;
}

int bind_set(const struct binder *binder, const int *cpu, size_t n)
{
	hwloc_bitmap_t set = hwloc_bitmap_alloc();
	int rc = 0;

	if (!set)
		return error_no_memory();
	for (size_t i = 0; i < n; i++)
		hwloc_bitmap_set(set, (unsigned int)cpu[i]);
	if (hwloc_set_cpubind(binder->topology, set, HWLOC_CPUBIND_THREAD)) {
		int code = errno ? errno : EIO;

		if (code == EINVAL)
			rc = error_usage("CPU %d%s: not a CPU that this process may run on", cpu[0],
					 n > 1 ? " and others" : "");
		else
			rc = error_set(-code, "cannot bind to CPU %d: %s", cpu[0], strerror(code));
	}
	hwloc_bitmap_free(set);
	return rc;
}

int bind_read(const struct binder *binder, char *text, size_t size)
{
	hwloc_bitmap_t set;
	int rc = get_set(binder, &set);
	int length;

	if (rc)
		return rc;
	length = hwloc_bitmap_list_snprintf(text, size, set);
	hwloc_bitmap_free(set);
	if (length < 0 || (size_t)length >= size)
		return error_set(-E2BIG, "the CPU affinity does not fit into %zu characters", size);
	return 0;
}
