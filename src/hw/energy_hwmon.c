/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * energyN_input of hwmon, for who asks for it: board sensors, and the out-of-tree amd_energy, whose
 * "Esocket0" is package 0 (P-11). The values are uJ; drivers extend them to 64 bits, and the files
 * tell no range.
 */
#include "hw/energy_private.h"

#include "lib/error.h"
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CLASS "sys/class/hwmon"

/* The N of "energyN_input", -1 for any other name. */
static int sensor_number(const char *name)
{
	int n = -1, end = 0;

	if (strncmp(name, "energy", 6) || !isdigit((unsigned char)name[6]))
		return -1;
	if (sscanf(name, "energy%5d_input%n", &n, &end) < 1 || !end || name[end])
		return -1;
	return n;
}

static void read_word(const struct root *root, const char *path, const char *otherwise, char *text)
{
	if (root_read_name(root, path, text, ENERGY_SYSFS_MAX) <= 0)
		snprintf(text, ENERGY_SYSFS_MAX, "%s", otherwise);
}

static bool label_taken(const struct energy *energy, const char *label)
{
	for (size_t i = 0; i < energy->n; i++)
		if (!strcmp(energy->item[i].zone.label, label))
			return true;
	return false;
}

static void choose_label(const struct energy *energy, const char *driver, const char *sensor,
			 const char *place, char label[ENERGY_LABEL_MAX])
{
	int socket, end = 0;

	if (!strcmp(driver, "amd_energy") && sscanf(sensor, "Esocket%5d%n", &socket, &end) == 1 &&
	    !sensor[end])
		snprintf(label, ENERGY_LABEL_MAX, "package-%d", socket);
	else
		snprintf(label, ENERGY_LABEL_MAX, "%.28s/%.28s", driver, sensor);
	if (label_taken(energy, label))
		snprintf(label, ENERGY_LABEL_MAX, "%s", place);
}

static int add_sensor(struct energy *energy, const char *device, int number)
{
	char path[ENERGY_PATH_MAX], driver[ENERGY_SYSFS_MAX], sensor[ENERGY_SYSFS_MAX];
	char place[ENERGY_PLACE_MAX], label[ENERGY_LABEL_MAX], *real;
	struct energy_item *item;
	int fd;

	snprintf(place, sizeof(place), "%.40s/energy%d", device, number);
	snprintf(path, sizeof(path), CLASS "/%.128s/energy%d_input", device, number);
	real = energy_resolve(energy->root, path);
	fd = energy_open_file(energy->root, path);
	if (!real || fd < 0) {
		free(real);
		return energy_add_note(energy, "%s is not read: %s", place,
				       fd < 0 ? strerror(-fd) : "its path cannot be told");
	}
	snprintf(path, sizeof(path), CLASS "/%.128s/name", device);
	read_word(energy->root, path, "hwmon", driver);
	snprintf(path, sizeof(path), CLASS "/%.128s/energy%d_label", device, number);
	read_word(energy->root, path, strrchr(place, '/') + 1, sensor);
	choose_label(energy, driver, sensor, place, label);
	item = energy_add(energy);
	if (!item) {
		free(real);
		return -ENOMEM;
	}
	item->fd = fd;
	item->zone.path = real;
	item->zone.endless = true;
	memcpy(item->zone.place, place, sizeof(place));
	memcpy(item->zone.label, label, sizeof(label));
	return 0;
}

static int add_device(struct energy *energy, const char *device)
{
	char path[ENERGY_PATH_MAX], **name;
	size_t n;
	int r;

	snprintf(path, sizeof(path), CLASS "/%.128s", device);
	r = energy_list(energy->root, path, &name, &n);
	for (size_t i = 0; i < n && !r; i++) {
		int number = sensor_number(name[i]);

		if (number >= 0)
			r = add_sensor(energy, device, number);
	}
	energy_list_free(name, n);
	return r;
}

int energy_find_hwmon(struct energy *energy)
{
	char **name;
	size_t n;
	int r = energy_list(energy->root, CLASS, &name, &n);

	for (size_t i = 0; i < n && !r; i++)
		r = add_device(energy, name[i]);
	energy_list_free(name, n);
	if (!r)
		r = energy_classify(energy);
	if (r || energy_has_package(energy))
		return r;
	return energy_set_reason(energy, energy->n ? "hwmon has no package sensor"
						   : "hwmon has no energy sensor");
}
