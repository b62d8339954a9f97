/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tick's hrtimer is known by its function: tick_nohz_handler, before Linux 6.8
 * tick_sched_timer. The tracepoints give its address only.
 */
#include "run/record_info.h"
#include "hw/governor.h"
#include "hw/kconfig.h"
#include "lib/error.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *name_of(const struct root *root, const char *path)
{
	char text[256];

	return root_read_name(root, path, text, sizeof(text)) > 0 ? strdup(text) : NULL;
}

static int add_cpus(const struct cpuidle *idle, struct cpulist *list)
{
	for (size_t i = 0; i < idle->n; i++)
		if (cpulist_add(list, idle->cpu[i].cpu))
			return -ENOMEM;
	return 0;
}

static int64_t us_of(struct cpuidle_value value)
{
	return value.known && value.value <= UINT32_MAX ? (int64_t)value.value : -1;
}

static void fill_table(const struct cpuidle_cpu *cpu, struct trace_table *table)
{
	for (int s = 0; s < TRACE_STATES_MAX; s++)
		table->state[s].latency_us = table->state[s].residency_us = -1;
	for (int s = 0; s < cpu->states; s++) {
		const struct cpuidle_state *from = &cpu->state[s];
		struct trace_state *to;

		if (from->index < 0 || from->index >= TRACE_STATES_MAX)
			continue;
		to = &table->state[from->index];
		snprintf(to->name, sizeof(to->name), "%s", from->name);
		to->latency_us = us_of(from->latency_us);
		to->residency_us = us_of(from->residency_us);
		to->disabled = from->disabled.known && from->disabled.value;
		if (from->index >= table->states)
			table->states = from->index + 1;
	}
}

static int add_tables(const struct cpuidle *idle, struct trace_info *info)
{
	struct cpuidle_group *group;
	size_t n;
	int err = cpuidle_groups(idle, &group, &n);

	if (err)
		return err;
	info->table = calloc(n + 1, sizeof(*info->table));
	for (; info->table && info->tables < n && !err; info->tables++) {
		err = cpulist_copy(&group[info->tables].cpus, &info->table[info->tables].cpus);
		fill_table(group[info->tables].table, &info->table[info->tables]);
	}
	err = info->table ? err : -ENOMEM;
	cpuidle_groups_free(group, n);
	return err;
}

static int add_packages(const struct record_order *order, struct trace_info *info)
{
	int n = topology_package_count(order->topology), err = 0;

	info->package = calloc((size_t)(n > 0 ? n : 0) + 1, sizeof(*info->package));
	if (!info->package)
		return -ENOMEM;
	info->packages = (size_t)(n > 0 ? n : 0);
	for (size_t i = 0; i < info->cpus.n && !err; i++) {
		int package = topology_package_of(order->topology, info->cpus.cpu[i]);

		if (package >= 0 && package < n)
			err = cpulist_add(&info->package[package].cpus, info->cpus.cpu[i]);
	}
	return err;
}

/* A list of the CPU's topology; empty where this kernel has none. */
static void siblings(const struct root *root, int cpu, const char *of, struct cpulist *ret)
{
	char path[96], text[4096];

	*ret = (struct cpulist){ 0 };
	snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%d/topology/%s_cpus_list", cpu, of);
	if (root_read(root, path, text, sizeof(text)) > 0 && cpulist_parse(text, ret))
		*ret = (struct cpulist){ 0 };
}

static bool in_cluster(const struct trace_info *info, int cpu)
{
	for (size_t p = 0; p < info->packages; p++)
		if (info->package[p].cluster && cpulist_has(&info->package[p].cpus, cpu))
			return true;
	return false;
}

static int add_cluster(struct trace_info *info, const struct cpulist *cpus)
{
	struct trace_package *more = reallocarray(info->package, info->packages + 1, sizeof(*more));
	int err = more ? 0 : -ENOMEM;

	if (err)
		return err;
	info->package = more;
	more += info->packages++;
	*more = (struct trace_package){ .cluster = true };
	for (size_t i = 0; i < cpus->n && !err; i++)
		if (cpulist_has(&info->cpus, cpus->cpu[i]))
			err = cpulist_add(&more->cpus, cpus->cpu[i]);
	return err;
}

int record_clusters(const struct root *root, struct trace_info *info)
{
	int err = 0;

	for (size_t i = 0; i < info->cpus.n && !err; i++) {
		int cpu = info->cpus.cpu[i];
		struct cpulist cluster, core, package;

		siblings(root, cpu, "cluster", &cluster);
		siblings(root, cpu, "core", &core);
		siblings(root, cpu, "package", &package);
		if (cluster.n > core.n && cluster.n < package.n && !in_cluster(info, cpu))
			err = add_cluster(info, &cluster);
		cpulist_free(&cluster);
		cpulist_free(&core);
		cpulist_free(&package);
	}
	return err;
}

int record_info(const struct record_order *order, struct trace_info *ret)
{
	char governor[GOVERNOR_NAME_MAX], hz[16];
	struct trace_info info = { 0 };
	int err = add_cpus(order->idle, &info.cpus);

	if (!err)
		err = cpulist_copy(order->workload, &info.workload);
	if (!err)
		err = add_tables(order->idle, &info);
	if (!err)
		err = add_packages(order, &info);
	if (!err)
		err = record_clusters(order->root, &info);
	if (err) {
		trace_info_free(&info);
		return error_no_memory();
	}
	info.kernel = name_of(order->root, "proc/sys/kernel/osrelease");
	info.machine = name_of(order->root, "sys/class/dmi/id/product_name");
	if (!info.machine)
		info.machine = name_of(order->root, "proc/device-tree/model");
	if (!governor_current(order->root, governor))
		info.governor = strdup(governor);
	if (!kconfig_get(order->root, "CONFIG_HZ", hz, sizeof(hz), NULL))
		info.hz = (uint32_t)strtoul(hz, NULL, 10);
	*ret = info;
	return 0;
}

void record_tick_functions(const struct root *root, uint64_t ret[2])
{
	int fd = root_open_file(root, "proc/kallsyms", O_RDONLY);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "re");
	char line[256], name[128];
	unsigned long long address;
	size_t n = 0;

	if (!file) {
		if (fd >= 0)
			close(fd);
		return;
	}
	while (n < 2 && fgets(line, sizeof(line), file))
		if (strstr(line, " tick_") && sscanf(line, "%llx %*c %127s", &address, name) == 2 &&
		    address &&
		    (!strcmp(name, "tick_nohz_handler") || !strcmp(name, "tick_sched_timer")))
			ret[n++] = address;
	fclose(file);
}
