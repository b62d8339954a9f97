/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The choice of CPUs for a workload's stops. All groups that a distance allows are laid out first,
 * the ones of whole cores before the ones that use siblings; then as many as asked are taken. Pure:
 * it depends on nothing but the topology and its arguments.
 */
#include "hw/topology.h"
#include "hw/topology_private.h"
#include "lib/error.h"
#include <stdlib.h>
#include <string.h>

/* A CPU that may be chosen. */
struct slot {
	const struct topology_cpu *at;
	int rank; /* 0 = the first allowed CPU of its core, 1 = its sibling, ... */
	int domain; /* what neighbours have to share: a core, cache or package; -1 = nothing */
	bool taken;
};

/* Neighbouring stops, a ring: the last is the first's neighbour. */
struct group {
	int first, size; /* in choice.member */
	int rank; /* the largest of its members' */
};

struct choice {
	enum topology_distance distance;
	int want; /* -1 = every core once */
	int group_size;
	int cores; /* slots of rank 0 */
	struct slot *slot; /* in topology order */
	int slots;
	struct slot **member; /* the groups' members, one group behind the other */
	int members;
	struct group *group;
	int groups;
};

static const char *distance_name(const struct choice *choice)
{
	return topology_distance_name[choice->distance];
}

static int domain_of(const struct topology_cpu *cpu, enum topology_distance distance)
{
	switch (distance) {
	case TOPOLOGY_SMT_SIBLING:
		return cpu->core;
	case TOPOLOGY_SAME_CACHE:
		return cpu->cache;
	case TOPOLOGY_SAME_PACKAGE:
	case TOPOLOGY_OTHER_PACKAGE:
		return cpu->package;
	default:
		return 0;
	}
}

/* The slots: @allowed in topology order. */
static int collect(const struct topology *topology, const struct cpulist *allowed,
		   struct choice *choice)
{
	for (size_t i = 0; i < allowed->n; i++)
		if (!topology_cpu_find(topology, allowed->cpu[i]))
			return error_usage("CPU %d is not online here, or may not be used",
					   allowed->cpu[i]);
	for (int i = 0, rank = 0, core = -1; i < topology->n; i++) {
		const struct topology_cpu *cpu = &topology->cpu[i];

		if (!cpulist_has(allowed, cpu->cpu))
			continue;
		rank = cpu->core == core ? rank + 1 : 0;
		core = cpu->core;
		choice->cores += !rank;
		choice->slot[choice->slots++] = (struct slot){
			.at = cpu, .rank = rank, .domain = domain_of(cpu, choice->distance)
		};
	}
	return 0;
}

/* Gives "all" and "one group" their numbers. */
static int resolve(const struct topology *topology, struct choice *choice, int n, int group)
{
	bool subset = choice->slots < topology->n;

	if (n < -1)
		return error_usage("%d CPUs asked", n);
	if (n > choice->slots)
		return error_usage("%d CPUs asked, this machine has %d%s", n, choice->slots,
				   subset ? " that are allowed" : "");
	if (n == -1 && group <= 0 && choice->distance == TOPOLOGY_SMT_SIBLING && choice->cores > 1)
		return error_usage("distance smt-sibling: the stops on %d different cores cannot "
				   "be siblings",
				   choice->cores);
	if (n == -1 &&
	    (group <= 0 || (group > choice->cores && choice->distance != TOPOLOGY_SMT_SIBLING)))
		group = choice->cores;
	if (n >= 0 && (group <= 0 || group > n))
		group = n;
	choice->want = n;
	choice->group_size = group;
	return 0;
}

static void put_stop(struct choice *choice, struct group *group, struct slot *slot)
{
	choice->member[choice->members++] = slot;
	slot->taken = true;
	if (slot->rank > group->rank)
		group->rank = slot->rank;
	group->size++;
}

/* The free slot of least rank (topology order within a rank) of @domain; NULL when none is. */
static struct slot *next_of_domain(struct choice *choice, int domain)
{
	struct slot *best = NULL;

	for (int i = 0; i < choice->slots; i++) {
		struct slot *slot = &choice->slot[i];

		if (!slot->taken && slot->domain == domain && (!best || slot->rank < best->rank))
			best = slot;
	}
	return best;
}

/* Only siblings may share a core, and those must. */
static bool neighbours_fit(const struct choice *choice, const struct group *group)
{
	for (int i = 0; group->size > 1 && i < group->size; i++) {
		const struct slot *a = choice->member[group->first + i];
		const struct slot *b = choice->member[group->first + (i + 1) % group->size];
		bool same_core = a->at->core == b->at->core;

		if (same_core != (choice->distance == TOPOLOGY_SMT_SIBLING))
			return false;
		if (choice->distance == TOPOLOGY_OTHER_PACKAGE && a->domain == b->domain)
			return false;
	}
	return true;
}

/* Keeps the group that was just filled, unless its neighbours do not fit. */
static void end_group(struct choice *choice, const struct group *group)
{
	if (group->size && neighbours_fit(choice, group))
		choice->group[choice->groups++] = *group;
}

/* Cuts a domain into groups. A last one may be short: it serves as the last of an uneven number. */
static void group_domain(struct choice *choice, int domain)
{
	struct slot *slot = next_of_domain(choice, domain);

	for (int nth = 0; slot; nth++) {
		struct group group = { .first = choice->members };

		while (slot && group.size < choice->group_size) {
			put_stop(choice, &group, slot);
			slot = next_of_domain(choice, domain);
		}
		/* All of a core's CPUs but the first are siblings; what counts is the turn. */
		if (choice->distance == TOPOLOGY_SMT_SIBLING)
			group.rank = nth;
		end_group(choice, &group);
	}
}

static void group_domains(struct choice *choice)
{
	for (int i = 0; i < choice->slots; i++)
		if (!choice->slot[i].taken && choice->slot[i].domain >= 0)
			group_domain(choice, choice->slot[i].domain);
}

static int left_in_domain(const struct choice *choice, int domain)
{
	int left = 0;

	for (int i = 0; i < choice->slots; i++)
		left += !choice->slot[i].taken && choice->slot[i].domain == domain;
	return left;
}

/*
 * The next stop of a group whose neighbours sit in different packages: least rank first, then the
 * package with most CPUs left, so that no package is left over alone.
 */
static struct slot *next_elsewhere(struct choice *choice, const struct group *group)
{
	struct slot *best = NULL;
	int previous = -1, first = -1, left, best_left = 0;

	if (group->size)
		previous = choice->member[choice->members - 1]->domain;
	if (group->size && group->size == choice->group_size - 1)
		first = choice->member[group->first]->domain;
	for (int i = 0; i < choice->slots; i++) {
		struct slot *slot = &choice->slot[i];

		if (slot->taken || slot->domain == previous || slot->domain == first)
			continue;
		/* Nothing new: a later or deeper one of the package that leads. */
		if (best && slot->domain == best->domain && slot->rank >= best->rank)
			continue;
		left = left_in_domain(choice, slot->domain);
		if (!best || slot->rank < best->rank ||
		    (slot->rank == best->rank && left > best_left)) {
			best = slot;
			best_left = left;
		}
	}
	return best;
}

static void group_across(struct choice *choice)
{
	struct group group = { .size = choice->group_size };

	while (group.size == choice->group_size) {
		struct slot *slot;

		group = (struct group){ .first = choice->members };
		while (group.size < choice->group_size && (slot = next_elsewhere(choice, &group)))
			put_stop(choice, &group, slot);
		end_group(choice, &group);
	}
}

/* Groups of whole cores first; the sort is stable by the position. */
static int compare_groups(const void *a, const void *b)
{
	const struct group *one = a, *two = b;

	return one->rank != two->rank ? one->rank - two->rank : one->first - two->first;
}

static bool one_package(const struct choice *choice)
{
	for (int i = 1; i < choice->slots; i++)
		if (choice->slot[i].at->package != choice->slot[0].at->package)
			return false;
	return true;
}

static bool no_cache(const struct choice *choice)
{
	for (int i = 0; i < choice->slots; i++)
		if (choice->slot[i].at->cache >= 0)
			return false;
	return true;
}

/* Why the distance cannot be had, with what is there. */
static int cannot(const struct choice *choice, int have)
{
	if (choice->distance == TOPOLOGY_SMT_SIBLING && choice->cores == choice->slots)
		return error_usage("distance smt-sibling: no core of this machine has two CPUs "
				   "online");
	if (choice->distance == TOPOLOGY_OTHER_PACKAGE && one_package(choice))
		return error_usage("distance other-package: the CPUs are all of one package");
	if (choice->distance == TOPOLOGY_SAME_CACHE && no_cache(choice))
		return error_usage("distance same-cache: no cache of this machine is known");
	if (choice->want < 0)
		return error_usage("distance %s: groups of %d cores asked, none can be had",
				   distance_name(choice), choice->group_size);
	return error_usage("distance %s: %d CPUs in groups of %d asked, %d such group%s can be had",
			   distance_name(choice), choice->want, choice->group_size, have,
			   have == 1 ? "" : "s");
}

static int append(struct cpulist *list, const struct choice *choice, const struct group *group,
		  int size)
{
	int code = 0;

	for (int i = 0; !code && i < size; i++)
		code = cpulist_add(list, choice->member[group->first + i]->at->cpu);
	return code ? error_set(code, "out of memory") : 0;
}

/* Takes the groups in order: the whole ones, then what is left of an uneven number. */
static int take_groups(struct choice *choice, struct cpulist *list)
{
	int size = choice->group_size, need = choice->want / size, rest = choice->want % size;
	int have = 0, code = 0;
	bool all = choice->want == -1;

	qsort(choice->group, (size_t)choice->groups, sizeof(*choice->group), compare_groups);
	for (int i = 0; !code && i < choice->groups; i++) {
		struct group *group = &choice->group[i];

		if (group->size < size || (all ? group->rank > 0 : have == need))
			continue;
		code = append(list, choice, group, size);
		group->size = 0;
		have++;
	}
	if (code)
		return code;
	if (all)
		return have ? 0 : cannot(choice, have);
	if (have < need)
		return cannot(choice, have);
	for (int i = 0; rest && i < choice->groups; i++)
		if (choice->group[i].size >= rest)
			return append(list, choice, &choice->group[i], rest);
	return rest ? cannot(choice, have) : 0;
}

/* Any distance: all first CPUs of cores, then all siblings. */
static int take_any(struct choice *choice, struct cpulist *list)
{
	int want = choice->want == -1 ? choice->cores : choice->want, code = 0;

	for (int rank = 0; !code && (int)list->n < want; rank++)
		for (int i = 0; !code && i < choice->slots && (int)list->n < want; i++)
			if (choice->slot[i].rank == rank)
				code = cpulist_add(list, choice->slot[i].at->cpu);
	return code ? error_set(code, "out of memory") : 0;
}

static int choose(const struct topology *topology, const struct cpulist *allowed, int n, int group,
		  struct choice *choice, struct cpulist *list)
{
	int code;

	code = collect(topology, allowed, choice);
	if (!code)
		code = resolve(topology, choice, n, group);
	if (code || !choice->want)
		return code;
	if (choice->distance == TOPOLOGY_ANY || choice->group_size == 1)
		return take_any(choice, list);
	if (choice->distance == TOPOLOGY_OTHER_PACKAGE)
		group_across(choice);
	else
		group_domains(choice);
	return take_groups(choice, list);
}

int topology_choose(const struct topology *topology, const struct cpulist *allowed, int n,
		    int group, enum topology_distance distance, struct cpulist *ret)
{
	struct choice choice = { .distance = distance };
	struct cpulist list = { .n = 0 };
	size_t room = (size_t)topology->n + 1;
	int code;

	if (!allowed->n && n)
		return error_usage("no CPU is allowed to the workload");
	choice.slot = calloc(room, sizeof(*choice.slot));
	choice.member = calloc(room, sizeof(*choice.member));
	choice.group = calloc(room, sizeof(*choice.group));
	if (choice.slot && choice.member && choice.group)
		code = choose(topology, allowed, n, group, &choice, &list);
	else
		code = error_no_memory();
	free(choice.slot);
	free(choice.member);
	free(choice.group);
	if (code) {
		cpulist_free(&list);
		return code;
	}
	*ret = list;
	return 0;
}
