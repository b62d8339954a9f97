/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loads the machine's topology and binds to it. The usable CPUs are taken once, at loading: the
 * runner binds itself to its housekeeping CPU later, and that must not shrink the machine.
 */
#include "hw/topology.h"
#include "hw/topology_private.h"
#include "lib/error.h"
#include "lib/file.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const topology_distance_name[] = {
	[TOPOLOGY_ANY] = "any",
	[TOPOLOGY_SMT_SIBLING] = "smt-sibling",
	[TOPOLOGY_SAME_CACHE] = "same-cache",
	[TOPOLOGY_SAME_PACKAGE] = "same-package",
	[TOPOLOGY_OTHER_PACKAGE] = "other-package",
};

#define XML "topology.xml"
#define ONLINE "sys/devices/system/cpu/online"

/* Sets or, with NULL, removes an environment variable; *ret_old is what it was (malloc'ed). */
static void swap_environment(const char *name, const char *value, char **ret_old)
{
	const char *old = getenv(name);

	*ret_old = old ? strdup(old) : NULL;
	if (value)
		setenv(name, value, 1);
	else
		unsetenv(name);
}

static int load_live(hwloc_topology_t hwloc)
{
	if (hwloc_topology_load(hwloc))
		return error_set(-errno, "hwloc cannot load this machine's topology: %s",
				 strerror(errno));
	return 0;
}

static int load_xml(const struct root *root, hwloc_topology_t hwloc)
{
	char *path;
	int code = 0;

	if (asprintf(&path, "%s/" XML, root->path) < 0)
		return error_no_memory();
	if (hwloc_topology_set_xml(hwloc, path) || hwloc_topology_load(hwloc))
		code = error_set(-EBADMSG, "%s: hwloc cannot read it", path);
	free(path);
	return code;
}

/* hwloc reads another machine's sysfs through two variables of the environment. */
static int load_folder(const struct root *root, hwloc_topology_t hwloc)
{
	char *old_root, *old_components, *unused;
	int code = 0;

	if (!root_exists(root, "sys/devices/system/cpu/cpu0/topology") ||
	    !root_exists(root, ONLINE))
		return error_set(-ENODATA,
				 "%s has no topology: neither " XML
				 " nor sys/devices/system/cpu with online and cpu0/topology",
				 root->path);
	swap_environment("HWLOC_FSROOT", root->path, &old_root);
	swap_environment("HWLOC_COMPONENTS", "-x86", &old_components);
	if (hwloc_topology_load(hwloc))
		code = error_set(-EBADMSG, "%s: hwloc cannot read its topology", root->path);
	swap_environment("HWLOC_FSROOT", old_root, &unused);
	free(unused);
	swap_environment("HWLOC_COMPONENTS", old_components, &unused);
	free(unused);
	free(old_root);
	free(old_components);
	return code;
}

/* hwloc falls back to a guess where it reads nothing: each CPU that sysfs has online must be there,
 * and be alone. */
static int check_folder(const struct root *root, hwloc_topology_t hwloc)
{
	char text[4096];
	struct cpulist online;
	hwloc_obj_t pu = NULL;
	int code;

	code = root_read(root, ONLINE, text, sizeof(text));
	if (code < 0)
		return code;
	code = cpulist_parse(text, &online);
	if (code)
		return error_prefix(code, "%s/" ONLINE, root->path);
	while (!code && (pu = hwloc_get_next_obj_by_type(hwloc, HWLOC_OBJ_PU, pu)))
		if (!cpulist_has(&online, (int)pu->os_index))
			code = -EBADMSG;
	for (size_t i = 0; !code && i < online.n; i++)
		if (!hwloc_get_pu_obj_by_os_index(hwloc, (unsigned int)online.cpu[i]))
			code = -EBADMSG;
	cpulist_free(&online);
	if (code)
		return error_set(code,
				 "%s/sys/devices/system/cpu: hwloc finds other CPUs in it than "
				 "online says (%s)",
				 root->path, text);
	return 0;
}

/* The cache farthest from the CPU; memory-side caches are not among its ancestors. */
static int last_cache(hwloc_obj_t pu)
{
	hwloc_obj_t cache = NULL;

	for (hwloc_obj_t up = pu->parent; up; up = up->parent)
		if (hwloc_obj_type_is_dcache(up->type))
			cache = up;
	/* Logical numbers are counted per level; the level makes them unique. */
	return cache ? (int)(cache->attr->cache.depth << 20 | cache->logical_index) : -1;
}

static int ancestor(hwloc_topology_t hwloc, hwloc_obj_t pu, hwloc_obj_type_t type, int otherwise)
{
	hwloc_obj_t up = hwloc_get_ancestor_obj_by_type(hwloc, type, pu);

	return up ? (int)up->logical_index : otherwise;
}

/* CPUs that this process may use: what hwloc keeps (online, allowed by the cgroup), and on this
 * machine the affinity that we were started with. */
static hwloc_cpuset_t usable_set(const struct topology *topology)
{
	hwloc_cpuset_t set = hwloc_bitmap_dup(hwloc_topology_get_allowed_cpuset(topology->hwloc)),
		       own = hwloc_bitmap_alloc();

	if (set && own)
		hwloc_bitmap_and(set, set, hwloc_topology_get_topology_cpuset(topology->hwloc));
	if (set && own && topology->binds &&
	    !hwloc_get_cpubind(topology->hwloc, own, HWLOC_CPUBIND_PROCESS))
		hwloc_bitmap_and(set, set, own);
	hwloc_bitmap_free(own);
	return set;
}

/* Cores and packages are numbered in topology order, so that each new one is a larger one. */
static void count(struct topology *topology)
{
	int core = -1, package = -1;

	for (int i = 0; i < topology->n; i++) {
		const struct topology_cpu *cpu = &topology->cpu[i];

		topology->smt |= cpu->core == core;
		topology->cores += cpu->core != core;
		topology->packages += cpu->package != package;
		core = cpu->core;
		package = cpu->package;
	}
}

static int list_cpus(struct topology *topology)
{
	hwloc_topology_t hwloc = topology->hwloc;
	hwloc_cpuset_t usable = usable_set(topology);
	int pus = hwloc_get_nbobjs_by_type(hwloc, HWLOC_OBJ_PU);
	hwloc_obj_t pu = NULL;

	if (pus > 0)
		topology->cpu = calloc((size_t)pus, sizeof(*topology->cpu));
	if (!usable || !topology->cpu) {
		hwloc_bitmap_free(usable);
		return error_no_memory();
	}
	while ((pu = hwloc_get_next_obj_by_type(hwloc, HWLOC_OBJ_PU, pu))) {
		if (!hwloc_bitmap_isset(usable, pu->os_index))
			continue;
		topology->cpu[topology->n++] = (struct topology_cpu){
			.cpu = (int)pu->os_index,
			.core = ancestor(hwloc, pu, HWLOC_OBJ_CORE, (int)pu->logical_index),
			.cache = last_cache(pu),
			.package = ancestor(hwloc, pu, HWLOC_OBJ_PACKAGE, 0),
		};
	}
	hwloc_bitmap_free(usable);
	if (!topology->n)
		return error_set(-ENODATA, "hwloc finds no CPU that this process may use");
	count(topology);
	return 0;
}

int topology_load(const struct root *root, struct topology **ret)
{
	struct topology *topology = calloc(1, sizeof(*topology));
	int code = 0;

	if (!topology)
		return error_no_memory();
	if (hwloc_topology_init(&topology->hwloc)) {
		free(topology);
		return error_no_memory();
	}
	if (root->live) {
		code = load_live(topology->hwloc);
	} else if (root_exists(root, XML)) {
		code = load_xml(root, topology->hwloc);
	} else {
		code = load_folder(root, topology->hwloc);
		if (!code)
			code = check_folder(root, topology->hwloc);
	}
	if (!code) {
		topology->binds = root->live && hwloc_topology_is_thissystem(topology->hwloc);
		code = list_cpus(topology);
	}
	if (code) {
		topology_free(topology);
		return code;
	}
	*ret = topology;
	return 0;
}

void topology_free(struct topology *topology)
{
	if (!topology)
		return;
	hwloc_topology_destroy(topology->hwloc);
	free(topology->cpu);
	free(topology);
}

int topology_save_xml(const struct topology *topology, const char *path)
{
	char *text;
	int size, err;

	/* Not by hwloc's own file writing: that follows a link that was planted. */
	if (hwloc_topology_export_xmlbuffer(topology->hwloc, &text, &size, 0))
		return error_set(-ENOMEM, "%s: hwloc cannot describe this topology", path);
	err = file_write_atomic(path, text, strlen(text));
	hwloc_free_xmlbuffer(topology->hwloc, text);
	return err;
}

int topology_cpus(const struct topology *topology, struct cpulist *ret)
{
	struct cpulist list = { .n = 0 };

	for (int i = 0; i < topology->n; i++) {
		if (cpulist_add(&list, topology->cpu[i].cpu)) {
			cpulist_free(&list);
			return error_no_memory();
		}
	}
	cpulist_sort(&list);
	*ret = list;
	return 0;
}

const struct topology_cpu *topology_cpu_find(const struct topology *topology, int cpu)
{
	for (int i = 0; i < topology->n; i++)
		if (topology->cpu[i].cpu == cpu)
			return &topology->cpu[i];
	return NULL;
}

int topology_core_count(const struct topology *topology)
{
	return topology->cores;
}

int topology_package_count(const struct topology *topology)
{
	return topology->packages;
}

bool topology_has_smt(const struct topology *topology)
{
	return topology->smt;
}

int topology_core_of(const struct topology *topology, int cpu)
{
	const struct topology_cpu *found = topology_cpu_find(topology, cpu);

	return found ? found->core : -1;
}

int topology_package_of(const struct topology *topology, int cpu)
{
	const struct topology_cpu *found = topology_cpu_find(topology, cpu);

	return found ? found->package : -1;
}

enum topology_distance topology_distance_between(const struct topology *topology, int a, int b)
{
	const struct topology_cpu *one = topology_cpu_find(topology, a),
				  *two = topology_cpu_find(topology, b);

	if (!one || !two)
		return TOPOLOGY_ANY;
	if (one->core == two->core)
		return TOPOLOGY_SMT_SIBLING;
	if (one->cache >= 0 && one->cache == two->cache)
		return TOPOLOGY_SAME_CACHE;
	return one->package == two->package ? TOPOLOGY_SAME_PACKAGE : TOPOLOGY_OTHER_PACKAGE;
}

int topology_housekeeping(const struct topology *topology, const struct cpulist *used, int *ret_cpu,
			  bool *ret_own_core)
{
	int core = -1, cpu = -1;

	for (int i = 0; i < topology->n; i++) {
		const struct topology_cpu *candidate = &topology->cpu[i];
		bool touched = false;

		for (size_t u = 0; u < used->n && !touched; u++)
			touched = used->cpu[u] == candidate->cpu ||
				  topology_core_of(topology, used->cpu[u]) == candidate->core;
		/* The first CPU of the last such core. */
		if (!touched && candidate->core != core) {
			core = candidate->core;
			cpu = candidate->cpu;
		}
	}
	if (cpu < 0 && !used->n)
		return error_set(-ENODATA, "no CPU is left for the runner itself");
	*ret_own_core = cpu >= 0;
	*ret_cpu = cpu >= 0 ? cpu : used->cpu[used->n - 1];
	return 0;
}

static int bind_set(const struct topology *topology, const struct cpulist *cpus, int flags)
{
	hwloc_bitmap_t set;
	char *text;
	int code = 0;

	if (!topology->binds)
		return 0;
	set = hwloc_bitmap_alloc();
	if (!set)
		return error_no_memory();
	for (size_t i = 0; i < cpus->n; i++)
		hwloc_bitmap_set(set, (unsigned int)cpus->cpu[i]);
	if (hwloc_set_cpubind(topology->hwloc, set, flags)) {
		code = -errno;
		text = cpulist_format(cpus);
		error_set(code, "cannot bind to CPU %s: %s", text ? text : "?", strerror(-code));
		free(text);
	}
	hwloc_bitmap_free(set);
	return code;
}

int topology_bind_process(const struct topology *topology, const struct cpulist *cpus)
{
	return bind_set(topology, cpus, HWLOC_CPUBIND_PROCESS);
}

int topology_bind_thread(const struct topology *topology, int cpu)
{
	const struct cpulist one = { .cpu = &cpu, .n = 1 };

	return bind_set(topology, &one, HWLOC_CPUBIND_THREAD);
}
