/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sensors are found by what they say they are: the numbers of thermal zones and of hwmon devices
 * change from boot to boot, and have gaps.
 */
#include "hw/thermal.h"

#include "lib/error.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ZONES "sys/class/thermal"
#define HWMON "sys/class/hwmon"
#define WORD_MAX 48

/* Numbers N of the folder's entries PREFIXN, ascending; 0 or -ENOMEM. No folder has none. */
static int find_numbers(const struct root *root, const char *folder, const char *prefix,
			struct cpulist *ret)
{
	int fd = root_open_file(root, folder, O_RDONLY | O_DIRECTORY), r = 0;
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;

	if (!dir) {
		if (fd >= 0)
			close(fd);
		return 0;
	}
	while (!r && (entry = readdir(dir))) {
		const char *digits = entry->d_name + strlen(prefix);
		unsigned long number;
		char *end;

		if (strncmp(entry->d_name, prefix, strlen(prefix)) || *digits < '0' ||
		    *digits > '9')
			continue;
		number = strtoul(digits, &end, 10);
		if (*end || number > INT_MAX)
			continue;
		r = cpulist_add(ret, (int)number);
	}
	closedir(dir);
	cpulist_sort(ret);
	return r;
}

static int add_sensor(struct thermal *thermal, const char *path, const char *label)
{
	struct thermal_sensor *grown =
		reallocarray(thermal->sensor, thermal->n + 1, sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	thermal->sensor = grown;
	snprintf(grown[thermal->n].path, THERMAL_PATH_MAX, "%s", path);
	snprintf(grown[thermal->n].label, THERMAL_LABEL_MAX, "%s", label);
	thermal->n++;
	return 0;
}

static int find_zones(const struct root *root, struct thermal *thermal)
{
	char path[THERMAL_PATH_MAX], type[WORD_MAX], label[THERMAL_LABEL_MAX];
	struct cpulist zones = { 0 };
	int r = find_numbers(root, ZONES, "thermal_zone", &zones);

	for (size_t i = 0; i < zones.n && !r; i++) {
		snprintf(path, sizeof(path), ZONES "/thermal_zone%d/type", zones.cpu[i]);
		if (root_read(root, path, type, sizeof(type)) < 0 || strcmp(type, "x86_pkg_temp"))
			continue;
		snprintf(path, sizeof(path), ZONES "/thermal_zone%d/temp", zones.cpu[i]);
		snprintf(label, sizeof(label), "thermal_zone%d x86_pkg_temp", zones.cpu[i]);
		r = add_sensor(thermal, path, label);
	}
	cpulist_free(&zones);
	return r;
}

/* The inputs of one hwmon device whose label begins with @wanted. */
static int find_inputs(const struct root *root, int device, const char *wanted,
		       struct thermal *thermal)
{
	char path[THERMAL_PATH_MAX], text[WORD_MAX], label[THERMAL_LABEL_MAX];
	int r = 0;

	/* hwmon counts from 1; coretemp has the package first, k10temp has Tctl there. */
	for (int input = 1; input <= 16 && !r; input++) {
		snprintf(path, sizeof(path), HWMON "/hwmon%d/temp%d_label", device, input);
		if (root_read_name(root, path, text, sizeof(text)) < 0 ||
		    strncmp(text, wanted, strlen(wanted)))
			continue;
		snprintf(path, sizeof(path), HWMON "/hwmon%d/temp%d_input", device, input);
		snprintf(label, sizeof(label), "hwmon%d %.40s", device, text);
		r = add_sensor(thermal, path, label);
	}
	return r;
}

static int find_hwmon(const struct root *root, struct thermal *thermal)
{
	char path[THERMAL_PATH_MAX], name[WORD_MAX];
	struct cpulist devices = { 0 };
	int r = find_numbers(root, HWMON, "hwmon", &devices);

	for (size_t i = 0; i < devices.n && !r; i++) {
		snprintf(path, sizeof(path), HWMON "/hwmon%d/name", devices.cpu[i]);
		if (root_read(root, path, name, sizeof(name)) < 0)
			continue;
		if (!strcmp(name, "coretemp"))
			r = find_inputs(root, devices.cpu[i], "Package id", thermal);
		else if (!strcmp(name, "k10temp"))
			r = find_inputs(root, devices.cpu[i], "Tctl", thermal);
	}
	cpulist_free(&devices);
	return r;
}

int thermal_find(const struct root *root, struct thermal *ret)
{
	struct thermal thermal = { 0 };
	int r = find_zones(root, &thermal);

	/* Not both: coretemp shows the same packages again. */
	if (!r && !thermal.n)
		r = find_hwmon(root, &thermal);
	if (r) {
		thermal_free(&thermal);
		return error_set(r, "out of memory");
	}
	error_clear(); /* of the files that are missing */
	*ret = thermal;
	return 0;
}

void thermal_free(struct thermal *thermal)
{
	free(thermal->sensor);
	*thermal = (struct thermal){ 0 };
}

int thermal_read(const struct root *root, const struct thermal_sensor *sensor, int *ret_mc)
{
	char text[32], quoted[ERROR_QUOTE_SIZE], *end;
	int r = root_read(root, sensor->path, text, sizeof(text));
	const char *digits = text + (text[0] == '-');
	long value;

	if (r < 0)
		return r;
	errno = 0;
	value = strtol(text, &end, 10);
	/* Below -273 degrees or above 1000, it is a driver's way to say that it does not know. */
	if (*digits < '0' || *digits > '9' || *end || errno || value < -273000 || value > 1000000)
		return error_set(-EBADMSG, "%s/%s: '%s' is not a temperature", root->path,
				 sensor->path, error_quote(text, quoted));
	*ret_mc = (int)value;
	return 0;
}

bool thermal_hottest(const struct root *root, const struct thermal *thermal, int *ret_mc)
{
	bool known = false;
	int mc;

	for (size_t i = 0; i < thermal->n; i++) {
		if (thermal_read(root, &thermal->sensor[i], &mc))
			continue;
		if (!known || mc > *ret_mc)
			*ret_mc = mc;
		known = true;
	}
	if (known)
		error_clear();
	return known;
}

static struct thermal_count read_count(const struct root *root, int cpu, const char *file)
{
	struct thermal_count count = { .known = false };
	char path[THERMAL_PATH_MAX];

	snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%d/thermal_throttle/%s", cpu, file);
	count.known = !root_read_u64(root, path, &count.value);
	return count;
}

void thermal_read_throttle(const struct root *root, const struct cpulist *cpus,
			   struct thermal_throttle *ret)
{
	for (size_t i = 0; i < cpus->n; i++) {
		ret[i].core = read_count(root, cpus->cpu[i], "core_throttle_count");
		ret[i].package = read_count(root, cpus->cpu[i], "package_throttle_count");
	}
	error_clear(); /* of the files that are missing */
}

static uint64_t growth(const struct thermal_count *first, const struct thermal_count *last)
{
	return first->known && last->known && last->value > first->value
		       ? last->value - first->value
		       : 0;
}

bool thermal_throttled(const struct cpulist *cpus, const struct thermal_throttle *first,
		       const struct thermal_throttle *last, char *text, size_t size)
{
	for (size_t i = 0; i < cpus->n; i++) {
		uint64_t core = growth(&first[i].core, &last[i].core);
		uint64_t package = growth(&first[i].package, &last[i].package);

		if (!core && !package)
			continue;
		snprintf(text, size,
			 "cpu%d: core throttled %" PRIu64 " times, package %" PRIu64
			 " times for heat or power",
			 cpus->cpu[i], core, package);
		return true;
	}
	return false;
}
