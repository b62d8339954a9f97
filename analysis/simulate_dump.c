/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A machine from a dump of a real one: states, HZ and the number of CPUs, cores and packages are
 * the dump's. The model numbers CPUs its own way, and has one table for all.
 */
#include "analysis/simulate.h"
#include "lib/cpulist.h"
#include "lib/error.h"
#include "lib/log.h"
#include "lib/root.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CPU "sys/devices/system/cpu"
#define TEXT_MAX 65536

struct dump {
	struct root root;
	struct cpulist online;
	size_t cores, packages;
	FILE *out;
};

static int read_state_text(const struct dump *d, int cpu, int state, const char *name, char *text,
			   size_t size)
{
	char path[128];

	snprintf(path, sizeof(path), CPU "/cpu%d/cpuidle/state%d/%s", cpu, state, name);
	return root_read_name(&d->root, path, text, size);
}

static uint64_t read_state(const struct dump *d, int cpu, int state, const char *name)
{
	char path[128];
	uint64_t value;

	snprintf(path, sizeof(path), CPU "/cpu%d/cpuidle/state%d/%s", cpu, state, name);
	return root_read_u64(&d->root, path, &value) ? 0 : value;
}

/* Two CPUs' tables are the same as far as the model sees them. */
static bool same_table(const struct dump *d, int a, int b)
{
	char x[64], y[64];

	for (int i = 0; i < GOVERNOR_STATES_MAX; i++) {
		bool there = read_state_text(d, a, i, "name", x, sizeof(x)) >= 0;

		if (there != (read_state_text(d, b, i, "name", y, sizeof(y)) >= 0))
			return false;
		if (there && (strcmp(x, y) ||
			      read_state(d, a, i, "latency") != read_state(d, b, i, "latency") ||
			      read_state(d, a, i, "residency") != read_state(d, b, i, "residency")))
			return false;
	}
	return true;
}

static int put_states(const struct dump *d)
{
	int cpu = d->online.cpu[0], states = 0;
	char name[MACHINE_NAME_MAX], desc[64];

	for (int i = 0; i < GOVERNOR_STATES_MAX; i++) {
		if (read_state_text(d, cpu, i, "name", name, sizeof(name)) < 0)
			continue;
		if (read_state_text(d, cpu, i, "desc", desc, sizeof(desc)) < 0)
			*desc = '\0';
		states++;
		fprintf(d->out,
			"\n[state %s]\nlatency = %" PRIu64 "us\nresidency = %" PRIu64 "us\n", name,
			read_state(d, cpu, i, "latency"), read_state(d, cpu, i, "residency"));
		if (!strcmp(name, "POLL") || !strcmp(name, "snooze") || strstr(desc, "POLL"))
			fputs("polling = yes\n", d->out);
		if (read_state(d, cpu, i, "disable"))
			fputs("disabled = yes\n", d->out);
	}
	if (!states)
		return error_set(-ENOENT, "%s: CPU %d has no idle states (no cpuidle)",
				 d->root.path, cpu);
	for (size_t i = 1; i < d->online.n; i++) {
		if (same_table(d, cpu, d->online.cpu[i]))
			continue;
		log_warn("%s: CPU %d has other idle states than CPU %d, whose are modelled",
			 d->root.path, d->online.cpu[i], cpu);
		break;
	}
	return 0;
}

static uint64_t read_topology(const struct dump *d, int cpu, const char *name)
{
	char path[128];
	uint64_t value;

	snprintf(path, sizeof(path), CPU "/cpu%d/topology/%s", cpu, name);
	return root_read_u64(&d->root, path, &value) ? UINT64_MAX : value;
}

/* Different (package, core) pairs and packages. */
static void count_cores(struct dump *d)
{
	for (size_t i = 0; i < d->online.n; i++) {
		uint64_t package = read_topology(d, d->online.cpu[i], "physical_package_id");
		uint64_t core = read_topology(d, d->online.cpu[i], "core_id");
		bool new_package = true, new_core = true;

		for (size_t k = 0; k < i && new_core; k++) {
			if (read_topology(d, d->online.cpu[k], "physical_package_id") != package)
				continue;
			new_package = false;
			new_core = read_topology(d, d->online.cpu[k], "core_id") != core;
		}
		d->packages += new_package;
		d->cores += new_core;
	}
}

static void put_topology(struct dump *d)
{
	size_t cpus = d->online.n, threads;

	count_cores(d);
	threads = d->cores ? cpus / d->cores : 1;
	if (d->cores * threads != cpus || d->cores % d->packages ||
	    d->packages > MODEL_PACKAGES_MAX) {
		log_warn("%s: its %zu CPUs are not alike cores in alike packages: modelled as "
			 "%zu cores of one package",
			 d->root.path, cpus, cpus);
		d->cores = cpus;
		d->packages = threads = 1;
	}
	fprintf(d->out, "packages = %zu\ncores = %zu\nthreads = %zu\n", d->packages, d->cores,
		threads);
}

/* The kernel's own configuration; without it HZ is a guess, and said to be one. */
static void put_hz(const struct dump *d)
{
	static char text[TEXT_MAX];
	char release[128], path[160];
	const char *at = NULL;

	if (root_read_name(&d->root, "proc/sys/kernel/osrelease", release, sizeof(release)) > 0) {
		snprintf(path, sizeof(path), "boot/config-%s", release);
		if (root_read(&d->root, path, text, sizeof(text)) > 0)
			at = strstr(text, "CONFIG_HZ=");
	}
	if (!at)
		log_warn("%s does not say what HZ is: 1000 is taken (--set hz=N)", d->root.path);
	fprintf(d->out, "hz = %d\n", at ? atoi(at + strlen("CONFIG_HZ=")) : 1000);
}

static int put_machine(struct dump *d)
{
	char text[4096];
	int err = root_read(&d->root, CPU "/online", text, sizeof(text));

	if (err < 0)
		return err;
	err = cpulist_parse(text, &d->online);
	if (err)
		return error_prefix(err, "%s/" CPU "/online: ", d->root.path);
	if (!d->online.n)
		return error_set(-EBADMSG, "%s: no CPU is online", d->root.path);
	fputs("[machine]\nabout = from a dump; what it does not say is at its default\n", d->out);
	put_hz(d);
	put_topology(d);
	return put_states(d);
}

int simulate_dump(const char *dir, char **ret)
{
	struct dump d = { 0 };
	char *text = NULL;
	size_t size;
	int err = root_open(dir, &d.root);

	if (err)
		return err;
	d.out = open_memstream(&text, &size);
	err = d.out ? put_machine(&d) : error_no_memory();
	if (d.out && fclose(d.out) && !err)
		err = error_no_memory();
	cpulist_free(&d.online);
	root_close(&d.root);
	if (err)
		free(text);
	else
		*ret = text;
	return err;
}
