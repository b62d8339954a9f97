/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cpufreq for the fake machines of cpufreq.c and cpufreq_namespace.c: policies as the kernel lays
 * them out, folders policyN and links cpuN/cpufreq.
 */
#ifndef TESTS_UNIT_HW_CPUFREQ_H
#define TESTS_UNIT_HW_CPUFREQ_H

#include "machine.h"
#include "hw/cpufreq.h"

#define CPU "sys/devices/system/cpu"

static inline void put_policy_file(const struct machine *machine, int policy, const char *file,
				   const char *text)
{
	char path[128];

	snprintf(path, sizeof(path), CPU "/cpufreq/policy%d/%s", policy, file);
	machine_put(machine, path, text);
}

/* Policy @first of CPUs @first to @last. */
static inline void put_policy(const struct machine *machine, int first, int last,
			      const char *driver, const char *governors, const char *governor)
{
	char cpus[4096] = "", path[256], link[64];

	for (int cpu = first; cpu <= last; cpu++)
		snprintf(cpus + strlen(cpus), sizeof(cpus) - strlen(cpus), "%d ", cpu);
	put_policy_file(machine, first, "affected_cpus", cpus);
	put_policy_file(machine, first, "related_cpus", cpus);
	put_policy_file(machine, first, "scaling_driver", driver);
	put_policy_file(machine, first, "scaling_available_governors", governors);
	put_policy_file(machine, first, "scaling_governor", governor);
	put_policy_file(machine, first, "scaling_min_freq", "800000\n");
	put_policy_file(machine, first, "scaling_max_freq", "4100000\n");
	put_policy_file(machine, first, "cpuinfo_min_freq", "400000\n");
	put_policy_file(machine, first, "cpuinfo_max_freq", "4800000\n");
	put_policy_file(machine, first, "scaling_cur_freq", "1200123\n");
	for (int cpu = first; cpu <= last; cpu++) {
		snprintf(path, sizeof(path), "%s/" CPU "/cpu%d/cpufreq", machine->dir, cpu);
		snprintf(link, sizeof(link), "../cpufreq/policy%d", first);
		assert_int_equal(symlink(link, path), 0);
	}
}

static inline void assert_policy_file(const struct machine *machine, int policy, const char *file,
				      const char *text)
{
	char path[128];

	snprintf(path, sizeof(path), CPU "/cpufreq/policy%d/%s", policy, file);
	assert_file(machine, path, text);
}

static inline void assert_khz(struct cpufreq_khz have, uint64_t khz)
{
	assert_true(have.known);
	assert_int_equal(have.khz, khz);
}

#endif
