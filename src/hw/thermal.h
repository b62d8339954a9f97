/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How hot the packages are, and how often the CPUs were slowed down for it.
 *
 * On Intel a temperature is read by a CPU of the package, which is interrupted for it: read at the
 * edges of a window, not inside. AMD's sensor and the throttle counts are asked without that.
 */
#ifndef HW_THERMAL_H
#define HW_THERMAL_H

#include "lib/cpulist.h"
#include "lib/root.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define THERMAL_PATH_MAX 128
#define THERMAL_LABEL_MAX 64

struct thermal_sensor {
	char label[THERMAL_LABEL_MAX]; /* "thermal_zone2 x86_pkg_temp", "hwmon3 Package id 0" */
	char path[THERMAL_PATH_MAX]; /* below the root */
};

struct thermal {
	struct thermal_sensor *sensor; /* of packages only, in the kernel's order */
	size_t n;
};

/*
 * The packages' sensors: thermal zones of type x86_pkg_temp, else hwmon's coretemp ("Package id
 * N") and k10temp ("Tctl"). None is no error. -ENOMEM.
 */
int thermal_find(const struct root *root, struct thermal *ret);
void thermal_free(struct thermal *thermal);

/* Thousandths of a degree Celsius, may be below 0. -errno with a text: not available. */
int thermal_read(const struct root *root, const struct thermal_sensor *sensor, int *ret_mc);

/* The hottest of all. False = no sensor could be read. */
bool thermal_hottest(const struct root *root, const struct thermal *thermal, int *ret_mc);

struct thermal_count {
	uint64_t value;
	bool known; /* false = no such file */
};

/* Since boot, of one CPU. All CPUs of a package show the package's count: do not add them up. */
struct thermal_throttle {
	struct thermal_count core, package;
};

/* Fills @ret[cpus->n]. Never fails: what is missing is not known. */
void thermal_read_throttle(const struct root *root, const struct cpulist *cpus,
			   struct thermal_throttle *ret);

/*
 * True with a sentence ("cpu3: core throttled 12 times, package 40 times") when a CPU was
 * throttled between two reads: a doubt. A count that is unknown at either read tells nothing.
 */
bool thermal_throttled(const struct cpulist *cpus, const struct thermal_throttle *first,
		       const struct thermal_throttle *last, char *text, size_t size);

#endif
