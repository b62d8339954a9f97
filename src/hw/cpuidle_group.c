/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Groups of CPUs with the same idle states (P-29): the little and the big cores of one chip have
 * other tables, and "state 3" of one is not that of the other. What the user has disabled is no
 * part of a table.
 */
#include "hw/cpuidle.h"
#include "lib/error.h"
#include <stdlib.h>
#include <string.h>

static bool value_equal(struct cpuidle_value a, struct cpuidle_value b)
{
	return a.known == b.known && (!a.known || a.value == b.value);
}

bool cpuidle_same_table(const struct cpuidle_cpu *a, const struct cpuidle_cpu *b)
{
	if (a->states != b->states)
		return false;
	for (int s = 0; s < a->states; s++)
		if (strcmp(a->state[s].name, b->state[s].name) ||
		    !value_equal(a->state[s].latency_us, b->state[s].latency_us) ||
		    !value_equal(a->state[s].residency_us, b->state[s].residency_us))
			return false;
	return true;
}

void cpuidle_groups_free(struct cpuidle_group *group, size_t n)
{
	for (size_t g = 0; g < n; g++)
		cpulist_free(&group[g].cpus);
	free(group);
}

int cpuidle_groups(const struct cpuidle *cpuidle, struct cpuidle_group **ret, size_t *ret_n)
{
	struct cpuidle_group *group = calloc(cpuidle->n + 1, sizeof(*group));
	size_t n = 0;

	if (!group)
		return error_no_memory();
	for (size_t i = 0; i < cpuidle->n; i++) {
		const struct cpuidle_cpu *cpu = &cpuidle->cpu[i];
		size_t g = 0;

		while (g < n && !cpuidle_same_table(group[g].table, cpu))
			g++;
		if (g == n)
			group[n++].table = cpu;
		if (cpulist_add(&group[g].cpus, cpu->cpu)) {
			cpuidle_groups_free(group, n);
			return error_no_memory();
		}
	}
	for (size_t g = 0; g < n; g++)
		cpulist_sort(&group[g].cpus);
	*ret = group;
	*ret_n = n;
	return 0;
}

int cpuidle_usable(const struct cpuidle_cpu *cpu)
{
	int n = 0;

	for (int s = 0; s < cpu->states; s++)
		n += !cpu->state[s].polling &&
		     !(cpu->state[s].disabled.known && cpu->state[s].disabled.value);
	return n;
}
