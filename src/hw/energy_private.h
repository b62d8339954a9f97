/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What energy.c and the readers energy_*.c share; for those only. */
#ifndef HW_ENERGY_PRIVATE_H
#define HW_ENERGY_PRIVATE_H

#include "hw/energy.h"

#define ENERGY_PATH_MAX 512
#define ENERGY_CONSTRAINTS_MAX 8 /* of a powercap zone; the kernel has 3 */
#define ENERGY_SYSFS_MAX 64 /* bytes of a number or a word in sysfs */

/* A zone and how it is read. */
struct energy_item {
	struct energy_zone zone;
	int fd; /* -1 = cannot be read: err */
	int status_fd; /* batteries: "Discharging" or not; -1 else */
	int err;
	bool binary; /* a perf counter: 8 bytes */
	long double uj_per_unit; /* of what is read */
	uint64_t full; /* batteries: energy drawn is full - what is read */
};

struct energy {
	const struct root *root;
	enum energy_source source;
	struct energy_item *item;
	size_t n;
	char *reason, *note;
};

/* An empty zone behind the last: NULL when out of memory. */
struct energy_item *energy_add(struct energy *energy);

/* Frees and closes item @i and closes the gap. */
void energy_drop(struct energy *energy, size_t i);

/* Appends to the note, "; " between sentences; replaces the reason. -ENOMEM or 0. */
int energy_add_note(struct energy *energy, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
int energy_set_reason(struct energy *energy, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Kind and in_package of all zones by their labels. */
int energy_classify(struct energy *energy);

/* True when zone @i is part of package power and can be read. */
bool energy_has_package(const struct energy *energy);

/*
 * The readers: each fills an empty @energy, and sets the reason when there is no package zone that
 * can be read. Nothing found is 0.
 */
int energy_find_powercap(struct energy *energy);
int energy_find_perf(struct energy *energy);
int energy_find_battery(struct energy *energy);
int energy_find_hwmon(struct energy *energy);

/* The first zone that may not be read, for the reason; err 0 = none. */
struct energy_denied {
	char path[ENERGY_PATH_MAX];
	int err;
};

/* Every powercap zone once, twins and those that may not be read included; labels are bare names.
 */
int energy_walk_powercap(struct energy *energy, struct energy_denied *ret_denied);

/* energy_find_perf() without opening: zones from the PMU's files, descriptors -1. */
struct energy_event {
	uint32_t type;
	uint64_t config;
};
int energy_perf_discover(struct energy *energy, struct energy_event **ret_event);

/* The reason when the PMU gives no package power or only a part; @package: it has such an event. */
int energy_perf_explain(struct energy *energy, bool package, int err);

/* Names in a folder below the root, ascending, without dots; a missing folder has none. */
int energy_list(const struct root *root, const char *path, char ***ret, size_t *ret_n);
void energy_list_free(char **name, size_t n);

/* Path below the root with all links resolved, malloc'ed; NULL when that cannot be told. */
char *energy_resolve(const struct root *root, const char *path);

/* Opens a file to be read again and again: descriptor or -errno, no text. */
int energy_open_file(const struct root *root, const char *path);

/* First online CPU of a package (and die, -1 = any); -1 = unknown. */
int energy_first_cpu(const struct root *root, int package, int die);

/* Physical package and die of a CPU, -1 = unknown. */
void energy_where(const struct root *root, int cpu, int *ret_package, int *ret_die);

#endif
