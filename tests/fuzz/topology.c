/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A fake machine of the input's making: the CPU lists of sysfs, as hwloc and check_folder() see
 * them, and the choice of CPUs from what came of it.
 */
#include "fuzz.h"
#include "hw/topology.h"
#include "tree.h"

static void choose(const struct topology *topology, const struct cpulist *cpus, int n,
		   enum topology_distance distance)
{
	struct cpulist chosen;
	bool own;
	int err = topology_choose(topology, cpus, n, n, distance, &chosen), cpu;

	if (err) {
		fuzz_check_error(err);
		return;
	}
	FUZZ_CHECK(n < 0 || chosen.n == (size_t)n);
	for (size_t i = 0; i < chosen.n; i++) {
		FUZZ_CHECK(cpulist_has(cpus, chosen.cpu[i]));
		for (size_t j = 0; j < i; j++)
			FUZZ_CHECK(chosen.cpu[j] != chosen.cpu[i]);
	}
	err = topology_housekeeping(topology, &chosen, &cpu, &own);
	if (err)
		fuzz_check_error(err);
	else
		FUZZ_CHECK(cpulist_has(cpus, cpu));
	cpulist_free(&chosen);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tree tree = tree_make(data, size);
	struct topology *topology;
	struct cpulist cpus;
	int err = topology_load(&tree.root, &topology);

	if (err) {
		fuzz_check_error(err);
	} else {
		FUZZ_CHECK(!topology_cpus(topology, &cpus));
		for (size_t i = 0; i < cpus.n; i++)
			FUZZ_CHECK(topology_package_of(topology, cpus.cpu[i]) >= 0);
		FUZZ_CHECK(topology_core_count(topology) >= 0);
		for (int d = TOPOLOGY_ANY; d <= TOPOLOGY_OTHER_PACKAGE; d++) {
			choose(topology, &cpus, 2, (enum topology_distance)d);
			choose(topology, &cpus, -1, (enum topology_distance)d);
		}
		cpulist_free(&cpus);
		topology_free(topology);
	}
	tree_end(&tree);
	return 0;
}
