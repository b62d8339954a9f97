/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Zones of /sys/class/powercap. The kernel lists every zone flat (a link) and nested in its parent;
 * one package may be there twice, as intel-rapl (MSR or TPMI) and as intel-rapl-mmio (P-06). AMD
 * uses the same names, with package and core only (P-11). energy_uj is readable by root only since
 * 5.10; whether it can be read is found by reading it (P-08).
 */
#include "hw/energy_private.h"

#include "lib/error.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CLASS "sys/class/powercap"

static int file_of(char path[ENERGY_PATH_MAX], const char *folder, const char *file)
{
	return snprintf(path, ENERGY_PATH_MAX, "%s/%s", folder, file) < ENERGY_PATH_MAX
		       ? 0
		       : -ENAMETOOLONG;
}

/* Twice the highest limit of the zone; powers above 2 kW in there mean "none". */
static double read_ceiling(const struct root *root, const char *folder)
{
	static const char *const limit[] = { "max_power_uw", "power_limit_uw" };
	char path[ENERGY_PATH_MAX], file[48];
	uint64_t uw, highest = 0;
	double w;

	for (int c = 0; c < ENERGY_CONSTRAINTS_MAX; c++) {
		for (int l = 0; l < 2; l++) {
			snprintf(file, sizeof(file), "constraint_%d_%s", c, limit[l]);
			if (!file_of(path, folder, file) && !root_read_u64(root, path, &uw) &&
			    uw > highest)
				highest = uw;
		}
	}
	w = 2.0 * (double)highest / 1e6;
	return w > 0 && w < ENERGY_CEILING_W ? w : ENERGY_CEILING_W;
}

/* Opens the counter and reads it once: some files open and then refuse. */
static void open_counter(const struct root *root, struct energy_item *item, const char *folder,
			 struct energy_denied *denied)
{
	char path[ENERGY_PATH_MAX], first[1];
	int fd;

	if (file_of(path, folder, "energy_uj"))
		return;
	fd = energy_open_file(root, path);
	if (fd >= 0 && pread(fd, first, 1, 0) < 0) {
		int err = -errno;

		close(fd);
		fd = err;
	}
	if (fd >= 0) {
		item->fd = fd;
		return;
	}
	item->err = fd;
	if (!denied->err) {
		denied->err = fd;
		file_of(denied->path, CLASS, item->zone.place);
	}
}

static bool known_place(const struct energy *energy, const char *path, const char *place)
{
	for (size_t i = 0; i < energy->n; i++)
		if (!strcmp(energy->item[i].zone.path, path) ||
		    !strcmp(energy->item[i].zone.place, place))
			return true;
	return false;
}

/*
 * Is there an energy counter, or ought there to be one? A package without its counter is a zone
 * that is not known: left out, the other packages would pass for the whole machine (P-08).
 */
static bool has_counter(const struct root *root, const char *folder, const char *name)
{
	char path[ENERGY_PATH_MAX];
	int package, die;

	if (zone_package_of(name, &package, &die))
		return true;
	return !file_of(path, folder, "energy_uj") && root_exists(root, path);
}

/*
 * Adds the zone in @folder, unless it is no zone (a control type), has no energy counter, or is
 * there already: by its real path, and by its place where a dump has copies instead of links.
 */
static int add_zone(struct energy *energy, const char *folder, struct energy_denied *denied)
{
	char path[ENERGY_PATH_MAX], name[ENERGY_LABEL_MAX];
	const struct root *root = energy->root;
	char *real = energy_resolve(root, folder);
	struct energy_item *item;
	const char *place;

	if (!real)
		return 0;
	place = strrchr(real, '/') ? strrchr(real, '/') + 1 : real;
	if (strlen(place) >= ENERGY_PLACE_MAX || known_place(energy, real, place) ||
	    file_of(path, real, "name") || root_read_name(root, path, name, sizeof(name)) <= 0 ||
	    !has_counter(root, real, name)) {
		free(real);
		return 0;
	}
	item = energy_add(energy);
	if (!item) {
		free(real);
		return -ENOMEM;
	}
	for (char *slash = name; (slash = strchr(slash, '/'));)
		*slash = '?'; /* it parts a label's names, and only there */
	item->zone.path = real;
	memcpy(item->zone.place, place, strlen(place) + 1);
	memcpy(item->zone.label, name, strlen(name) + 1);
	if (file_of(path, real, "max_energy_range_uj") ||
	    root_read_u64(root, path, &item->zone.range_uj))
		item->zone.range_uj = 0;
	item->zone.ceiling_w = read_ceiling(root, real);
	open_counter(root, item, real, denied);
	return 0;
}

/* A folder of the class, and what is nested in it. */
static int walk(struct energy *energy, const char *folder, int depth, struct energy_denied *denied)
{
	char path[ENERGY_PATH_MAX], **name;
	size_t n;
	int r;

	r = energy_list(energy->root, folder, &name, &n);
	for (size_t i = 0; i < n && !r; i++) {
		if ((depth && !strchr(name[i], ':')) || file_of(path, folder, name[i]))
			continue; /* "subsystem", "device" and "power" lead elsewhere */
		r = add_zone(energy, path, denied);
		if (!r && depth < 3)
			r = walk(energy, path, depth + 1, denied);
	}
	energy_list_free(name, n);
	return r;
}

/* "intel-rapl:0" is the parent of "intel-rapl:0:2": NULL for a zone at the top. */
static const struct energy_zone *parent_of(const struct energy *energy,
					   const struct energy_zone *zone)
{
	const char *last = strrchr(zone->place, ':');
	size_t length = last ? (size_t)(last - zone->place) : 0;

	for (size_t i = 0; i < energy->n; i++) {
		const struct energy_zone *other = &energy->item[i].zone;

		if (strlen(other->place) == length && !strncmp(other->place, zone->place, length))
			return other;
	}
	return NULL;
}

/* "PARENT/NAME" for every nested zone, so that a label is unique within its control type. */
static void qualify(struct energy *energy)
{
	for (size_t i = 0; i < energy->n; i++) {
		struct energy_zone *zone = &energy->item[i].zone;
		const struct energy_zone *parent = parent_of(energy, zone);
		char label[2 * ENERGY_LABEL_MAX];

		if (!parent || strchr(zone->label, '/'))
			continue;
		snprintf(label, sizeof(label), "%s/%s", parent->label, zone->label);
		if (strlen(label) < sizeof(zone->label))
			memcpy(zone->label, label, strlen(label) + 1);
	}
}

static bool is_mmio(const struct energy_item *item)
{
	return strstr(item->zone.place, "mmio") != NULL;
}

/* Is @a the better one of two that count the same? */
static bool better(const struct energy_item *a, const struct energy_item *b)
{
	if ((a->fd >= 0) != (b->fd >= 0))
		return a->fd >= 0;
	return !is_mmio(a) && is_mmio(b);
}

/* Drops all but the best zone of each label, and says which. */
static int drop_twins(struct energy *energy)
{
	for (size_t i = 0; i < energy->n; i++) {
		for (size_t j = i + 1; j < energy->n;) {
			struct energy_item *keep = &energy->item[i], *twin = &energy->item[j];
			int r;

			if (strcmp(keep->zone.label, twin->zone.label)) {
				j++;
				continue;
			}
			if (better(twin, keep)) {
				struct energy_item swap = *keep;

				*keep = *twin;
				*twin = swap;
			}
			r = energy_add_note(energy, "%s repeats %s of %s and is not read",
					    twin->zone.place, keep->zone.label, keep->zone.place);
			if (r)
				return r;
			energy_drop(energy, j);
		}
	}
	return 0;
}

static bool name_is_alone(const struct energy *energy, const char *name, size_t i)
{
	for (size_t j = 0; j < energy->n; j++) {
		const char *label = energy->item[j].zone.label, *slash = strrchr(label, '/');

		if (j != i && !strcmp(slash ? slash + 1 : label, name))
			return false;
	}
	return true;
}

/* "package-0/core" is just "core" where no other zone has that name. */
static void shorten(struct energy *energy)
{
	for (size_t i = 0; i < energy->n; i++) {
		char *label = energy->item[i].zone.label, *slash = strrchr(label, '/');

		if (slash && name_is_alone(energy, slash + 1, i))
			memmove(label, slash + 1, strlen(slash + 1) + 1);
	}
}

/* By the package that leads the label, before it is shortened. */
static void find_cpus(struct energy *energy)
{
	for (size_t i = 0; i < energy->n; i++) {
		struct energy_zone *zone = &energy->item[i].zone;
		char top[ENERGY_LABEL_MAX];
		int package, die;

		memcpy(top, zone->label, sizeof(top));
		top[strcspn(top, "/")] = '\0';
		if (zone_package_of(top, &package, &die))
			zone->cpu = energy_first_cpu(energy->root, package, die);
	}
}

static int note_ranges(struct energy *energy)
{
	for (size_t i = 0; i < energy->n; i++) {
		const struct energy_zone *zone = &energy->item[i].zone;
		int r;

		if (zone->range_uj || energy->item[i].fd < 0)
			continue;
		r = energy_add_note(energy,
				    "%s: max_energy_range_uj is missing or 0: intervals in which "
				    "the counter goes backwards are not available",
				    zone->label);
		if (r)
			return r;
	}
	return 0;
}

/* The package zone that cannot be read, if that is what is wrong: a twin's fault is none. */
static void find_denied(const struct energy *energy, struct energy_denied *denied)
{
	for (size_t i = 0; i < energy->n; i++) {
		const struct energy_item *item = &energy->item[i];

		if (item->fd >= 0 || !item->zone.in_package)
			continue;
		denied->err = item->err;
		file_of(denied->path, CLASS, item->zone.place);
		return;
	}
}

/* The sentence about a machine whose package power is not to be had, or not whole. */
static int explain(struct energy *energy, struct energy_denied *denied)
{
	const char *ways = "";

	find_denied(energy, denied);
	if (denied->err == -EACCES || denied->err == -EPERM)
		ways = ": run as root, or use the perf PMU with kernel.perf_event_paranoid <= 0 "
		       "or CAP_PERFMON";
	if (denied->err)
		return energy_set_reason(energy, "%s/%s/energy_uj: %s%s", energy->root->path,
					 denied->path, strerror(-denied->err), ways);
	return energy_set_reason(energy, energy->n ? "powercap has no package zone"
						   : "no powercap zones on this machine");
}

static void count_zones(const struct energy *energy, size_t *ret_readable, size_t *ret_lacking)
{
	*ret_readable = *ret_lacking = 0;
	for (size_t i = 0; i < energy->n; i++) {
		const struct energy_item *item = &energy->item[i];

		*ret_readable += item->fd >= 0;
		*ret_lacking += item->fd < 0 && item->zone.in_package;
	}
}

int energy_walk_powercap(struct energy *energy, struct energy_denied *ret_denied)
{
	*ret_denied = (struct energy_denied){ .err = 0 };
	return walk(energy, CLASS, 0, ret_denied);
}

int energy_find_powercap(struct energy *energy)
{
	struct energy_denied denied;
	size_t readable, lacking;
	int r = energy_walk_powercap(energy, &denied);

	if (r)
		return r;
	qualify(energy);
	r = drop_twins(energy);
	if (r)
		return r;
	find_cpus(energy);
	shorten(energy);
	r = energy_classify(energy);
	if (!r)
		r = note_ranges(energy);
	if (r)
		return r;
	count_zones(energy, &readable, &lacking);
	if (lacking || !energy_has_package(energy))
		r = explain(energy, &denied);
	while (!readable && energy->n)
		energy_drop(energy, energy->n - 1);
	return r;
}
