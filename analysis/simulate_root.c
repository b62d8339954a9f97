/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files of /sys and /proc by which the runner and hwloc know a machine, for one that is only
 * modelled: CPUs, cores, packages, the last level cache of each package, idle states. Counters are
 * not among them: nobody is to read a counter that stands still.
 */
#include "analysis/simulate.h"
#include "lib/error.h"
#include "lib/file.h"
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CPU "sys/devices/system/cpu"

struct layout {
	const struct machine *machine;
	const char *dir; /* becomes "/" */
	int cpus, cores, threads, packages;
	int err; /* the first; nothing is written behind it */
};

/* One file with a newline behind its text; its folders are made. */
static void write_file(struct layout *l, const char *text, const char *format, va_list list)
	__attribute__((format(printf, 3, 0)));

static void write_file(struct layout *l, const char *text, const char *format, va_list list)
{
	char path[PATH_MAX], name[256];
	FILE *out;

	if (l->err)
		return;
	vsnprintf(name, sizeof(name), format, list);
	snprintf(path, sizeof(path), "%s/%s", l->dir, name);
	*strrchr(path, '/') = '\0';
	l->err = file_make_dirs(path);
	snprintf(path, sizeof(path), "%s/%s", l->dir, name);
	out = l->err ? NULL : fopen(path, "we");
	if (!l->err && !out)
		l->err = error_set(-errno, "%s: %m", path);
	if (out && ((fprintf(out, "%s\n", text) < 0) | fclose(out)))
		l->err = error_set(-EIO, "%s: cannot be written", path);
}

static void put(struct layout *l, const char *text, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void put(struct layout *l, const char *text, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	write_file(l, text, format, list);
	va_end(list);
}

static void put_number(struct layout *l, int64_t number, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void put_number(struct layout *l, int64_t number, const char *format, ...)
{
	char text[24];
	va_list list;

	snprintf(text, sizeof(text), "%" PRId64, number);
	va_start(list, format);
	write_file(l, text, format, list);
	va_end(list);
}

static int core_of(const struct layout *l, int cpu)
{
	return cpu % l->cores;
}

static int package_of(const struct layout *l, int cpu)
{
	return core_of(l, cpu) / (l->cores / l->packages);
}

/* The mask, as sysfs prints it, of the CPUs with the same core or package as @cpu. */
static void mask(const struct layout *l, int (*of)(const struct layout *, int), int cpu, char *text)
{
	int words = (l->cpus - 1) / 32 + 1;

	*text = '\0';
	for (int w = words - 1; w >= 0; w--) {
		uint32_t word = 0;

		for (int i = w * 32; i < l->cpus && i < (w + 1) * 32; i++)
			word |= (uint32_t)(of(l, i) == of(l, cpu)) << (i % 32);
		sprintf(text + strlen(text), "%s%08x", w + 1 < words ? "," : "", word);
	}
}

static void put_cache(struct layout *l, int cpu, int level, const char *set)
{
	char folder[96];

	snprintf(folder, sizeof(folder), CPU "/cpu%d/cache/index%d", cpu, level);
	put(l, level == 2 ? "2" : "3", "%s/level", folder);
	put(l, "Unified", "%s/type", folder);
	put(l, level == 2 ? "1024K" : "16384K", "%s/size", folder);
	put(l, set, "%s/shared_cpu_map", folder);
}

static void put_topology(struct layout *l, int cpu)
{
	char core[MODEL_CPUS_MAX / 32 * 9 + 1], package[sizeof(core)];
	int each = l->cores / l->packages;

	mask(l, core_of, cpu, core);
	mask(l, package_of, cpu, package);
	put_number(l, core_of(l, cpu) % each, CPU "/cpu%d/topology/core_id", cpu);
	put_number(l, package_of(l, cpu), CPU "/cpu%d/topology/physical_package_id", cpu);
	put(l, core, CPU "/cpu%d/topology/thread_siblings", cpu);
	put(l, core, CPU "/cpu%d/topology/core_cpus", cpu);
	put(l, package, CPU "/cpu%d/topology/core_siblings", cpu);
	put(l, package, CPU "/cpu%d/topology/package_cpus", cpu);
	put_cache(l, cpu, 2, core);
	put_cache(l, cpu, 3, package);
	put(l, "1", CPU "/cpu%d/online", cpu);
}

#define STATE CPU "/cpu%d/cpuidle/state%d/"

static void put_states(struct layout *l, int cpu)
{
	const struct machine *m = l->machine;

	for (int i = 0; i < m->table.states; i++) {
		put(l, m->state[i], STATE "name", cpu, i);
		put(l, m->state[i], STATE "desc", cpu, i);
		put_number(l, m->table.latency_ns[i] / 1000, STATE "latency", cpu, i);
		put_number(l, m->table.residency_ns[i] / 1000, STATE "residency", cpu, i);
		put_number(l, m->disabled >> i & 1, STATE "disable", cpu, i);
		put(l, "enabled", STATE "default_status", cpu, i);
	}
}

static void put_system(struct layout *l, const struct governor_set *governors)
{
	char text[GOVERNOR_LOAD_MAX * 20] = "", all[32];
	size_t used = 0;

	snprintf(all, sizeof(all), l->cpus > 1 ? "0-%d" : "%d", l->cpus - 1);
	put(l, all, CPU "/present");
	put(l, all, CPU "/possible");
	put(l, all, CPU "/online");
	put(l, l->threads > 1 ? "on" : "notsupported", CPU "/smt/control");
	for (size_t i = 0; i < governors->n && used < sizeof(text); i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s", i ? " " : "",
					 governors->governor[i]->name);
	put(l, text, CPU "/cpuidle/available_governors");
	put(l, governors->governor[0]->name, CPU "/cpuidle/current_governor");
	put(l, "modelled", CPU "/cpuidle/current_driver");
}

static void put_proc(struct layout *l, uint32_t boot)
{
	char text[256];

	snprintf(text, sizeof(text), "model name\t: model of %s", l->machine->name);
	put(l, text, "proc/cpuinfo");
	put(l, "model", "proc/sys/kernel/osrelease");
	snprintf(text, sizeof(text), "%08x-0000-4000-8000-000000000000", boot);
	put(l, text, "proc/sys/kernel/random/boot_id");
	snprintf(text, sizeof(text), "CONFIG_HZ=%ld",
		 (1000000000 + l->machine->table.tick_ns / 2) / l->machine->table.tick_ns);
	put(l, text, "boot/config-model");
}

int simulate_lay_out(const struct machine *machine, const struct governor_set *governors,
		     uint32_t boot, const char *dir)
{
	const struct model_machine *model = &machine->model;
	struct layout l = { .machine = machine,
			    .dir = dir,
			    .cpus = model_machine_cpus(model),
			    .cores = model->cores,
			    .threads = model->threads,
			    .packages = model->packages };

	put_system(&l, governors);
	for (int cpu = 0; cpu < l.cpus && !l.err; cpu++) {
		put_topology(&l, cpu);
		put_states(&l, cpu);
	}
	put_proc(&l, boot);
	return l.err;
}
