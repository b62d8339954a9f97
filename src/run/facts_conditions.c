/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What can stand between a governor and a figure: latency limits, frequency, power, heat, room on
 * the disk.
 */
#include "run/facts.h"
#include "hw/cpufreq.h"
#include "hw/energy.h"
#include "hw/qos.h"
#include "hw/thermal.h"
#include "lib/error.h"
#include "run/power.h"
#include "run/where.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

#define MIB (1024u * 1024u)

static int add_limits(struct facts *f, const struct qos *qos)
{
	char where[QOS_WHERE_MAX], number[16];
	struct qos_limit limit = qos_smallest_of_all(qos, where);

	if (!limit.known)
		return facts_add(f, "qos", "latency limit", FACTS_MISSING,
				 f->root->live ? "run as root to see it" : NULL,
				 "not known: %s/dev/cpu_dma_latency or a CPU's "
				 "pm_qos_resume_latency_us cannot be read",
				 f->root->path);
	if (limit.none)
		return facts_add(f, "qos", "latency limit", FACTS_OK, NULL, "none");
	return facts_add(f, "qos", "latency limit", FACTS_OK, NULL,
			 "%s us (%s), which forbids no enabled state",
			 qos_limit_text(&limit, number), where);
}

int facts_qos(struct facts *f)
{
	struct qos qos;
	char text[512];
	int err;

	if (!f->idle)
		return 0;
	err = qos_read(f->root, &f->cpus, &qos);
	if (err)
		return err;
	if (qos_explain(f->root, &qos, f->idle, text, sizeof(text)))
		err = facts_add(f, "qos", "latency limit", FACTS_DOUBT,
				"stop what sets it (tuned, audio or network daemons): no governor "
				"may choose that state now",
				"%s", text);
	else
		err = add_limits(f, &qos);
	qos_free(&qos);
	return err;
}

int facts_cpufreq(struct facts *f)
{
	struct cpufreq_policies policies;
	char doubt[512] = "", *text;
	bool confounds;
	int err = cpufreq_policies(f->root, &policies);

	if (err == -ENOMEM)
		return err;
	if (err)
		return facts_add(f, "cpufreq", "cpufreq", FACTS_MISSING,
				 "frequency cannot be held or watched here", "%s", error_text());
	confounds = cpufreq_confounds(&policies, doubt, sizeof(doubt));
	text = cpufreq_describe(&policies);
	if (text)
		err = facts_add(f, "cpufreq", "cpufreq", confounds ? FACTS_DOUBT : FACTS_OK, doubt,
				"%s", text);
	else
		err = error_no_memory();
	free(text);
	cpufreq_policies_free(&policies);
	return err;
}

int facts_power(struct facts *f)
{
	struct energy *energy;
	const char *reason;
	char *text;
	int err = energy_open(f->root, ENERGY_AUTO, &energy);

	if (err)
		return err == -ENOMEM ? err
				      : facts_add(f, "power", "power", FACTS_MISSING, NULL, "%s",
						  error_text());
	if (energy_zones(energy) && f->root->live)
		err = power_vet(energy);
	text = err ? NULL : energy_describe(energy);
	reason = energy_reason(energy);
	if (!text)
		err = err ? err : error_no_memory();
	else if (reason)
		err = facts_add(f, "power", "power", FACTS_MISSING,
				"governors are compared without it; --power-source battery or "
				"hwmon where there is one",
				"%s", reason);
	else
		err = facts_add(f, "power", "power", *energy_note(energy) ? FACTS_DOUBT : FACTS_OK,
				energy_note(energy), "%s", text);
	free(text);
	energy_close(energy);
	return err;
}

/* Since boot: a hint that cooling is short, no proof that a run was touched. */
static bool was_throttled(const struct facts *f, char *text, size_t size)
{
	struct thermal_throttle *now = calloc(f->cpus.n + 1, sizeof(*now)),
				*never = calloc(f->cpus.n + 1, sizeof(*never));
	bool yes = false;

	if (now && never) {
		thermal_read_throttle(f->root, &f->cpus, now);
		for (size_t i = 0; i < f->cpus.n; i++)
			never[i] = (struct thermal_throttle){
				.core = { 0, now[i].core.known },
				.package = { 0, now[i].package.known },
			};
		yes = thermal_throttled(&f->cpus, never, now, text, size);
	}
	free(now);
	free(never);
	return yes;
}

int facts_temperature(struct facts *f)
{
	char throttled[256] = "", degrees[64] = "no package sensor";
	struct thermal thermal;
	int mc, err = thermal_find(f->root, &thermal);

	if (err)
		return err;
	if (thermal_hottest(f->root, &thermal, &mc))
		snprintf(degrees, sizeof(degrees), "hottest package %.1f C", mc / 1000.0);
	else if (thermal.n)
		snprintf(degrees, sizeof(degrees), "%zu sensor(s), none can be read", thermal.n);
	if (was_throttled(f, throttled, sizeof(throttled)))
		err = facts_add(f, "temperature", "temperature", FACTS_DOUBT,
				"it was slowed down for heat since boot: a run during which that "
				"happens is marked",
				"%s; %s", degrees, throttled);
	else
		err = facts_add(f, "temperature", "temperature",
				thermal.n ? FACTS_OK : FACTS_MISSING,
				thermal.n ? NULL : "modprobe coretemp or k10temp, not in a guest",
				"%s", degrees);
	thermal_free(&thermal);
	return err;
}

/* The nearest folder that exists already. */
static int free_room(const char *dir, struct statvfs *ret)
{
	char path[PATH_MAX], *slash;

	if (snprintf(path, sizeof(path), "%s", dir) >= (int)sizeof(path))
		return -ENAMETOOLONG;
	while (statvfs(path, ret)) {
		if (errno != ENOENT && errno != ENOTDIR)
			return -errno;
		slash = strrchr(path, '/');
		if (!slash)
			return statvfs(".", ret) ? -errno : 0;
		*(slash == path ? slash + 1 : slash) = '\0';
		if (slash == path)
			return statvfs(path, ret) ? -errno : 0;
	}
	return 0;
}

int facts_disk_of(struct facts *f, const char *dir)
{
	struct statvfs room;
	unsigned long long mib;
	int err = free_room(dir, &room);

	if (err)
		return facts_add(f, "disk", "disk", FACTS_DOUBT, NULL, "%s: %s", dir,
				 strerror(-err));
	mib = (unsigned long long)room.f_bavail * room.f_frsize / MIB;
	if (mib < FACTS_DISK_MIN_MIB)
		return facts_add(f, "disk", "disk", FACTS_DOUBT,
				 "make room, or name another place with --results DIR",
				 "%llu MiB free at %s; a campaign needs %d", mib, dir,
				 FACTS_DISK_MIN_MIB);
	return facts_add(f, "disk", "disk", FACTS_OK, NULL, "%llu MiB free at %s", mib, dir);
}

int facts_disk(struct facts *f)
{
	char dir[PATH_MAX];

	if (where_results(dir))
		return facts_add(f, "disk", "disk", FACTS_DOUBT, NULL, "%s", error_text());
	return facts_disk_of(f, dir);
}
