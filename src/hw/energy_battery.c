/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Batteries, for who asks for them: the energy that the whole machine has drawn, in steps of what
 * the battery reports (often 10 mWh, every 10 s or slower). It counts while the battery discharges
 * only: on mains a battery does not tell what the machine takes.
 */
#include "hw/energy_private.h"

#include "lib/error.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CLASS "sys/class/power_supply"
#define UJ_PER_UWH 3600
#define BATTERY_NAME_MAX 40

struct battery {
	const char *name;
	char dir[ENERGY_PATH_MAX / 2];
	const char *unit; /* "energy" in uWh or "charge" in uAh */
	long double uj_per_unit;
	uint64_t full; /* in that unit */
};

static int read_file(const struct root *root, const struct battery *b, const char *file,
		     uint64_t *ret)
{
	char path[ENERGY_PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", b->dir, file);
	return root_read_u64(root, path, ret);
}

static bool file_is(const struct root *root, const struct battery *b, const char *file,
		    const char *word)
{
	char path[ENERGY_PATH_MAX], text[ENERGY_SYSFS_MAX];

	snprintf(path, sizeof(path), "%s/%s", b->dir, file);
	return root_read(root, path, text, sizeof(text)) >= 0 && !strcmp(text, word);
}

static void raise(uint64_t *highest, uint64_t value)
{
	if (value > *highest)
		*highest = value;
}

/* Which counter the battery has, and a level that it does not exceed. */
static bool read_unit(const struct root *root, struct battery *b)
{
	static const char *const level[] = { "now", "full", "full_design" };
	char file[64];
	uint64_t value, uv;

	b->unit = "energy";
	b->uj_per_unit = UJ_PER_UWH;
	if (read_file(root, b, "energy_now", &value)) {
		b->unit = "charge";
		if (read_file(root, b, "charge_now", &value) ||
		    read_file(root, b, "voltage_min_design", &uv) || !uv)
			return false;
		b->uj_per_unit = UJ_PER_UWH * ((long double)uv / 1e6L);
	}
	for (size_t i = 0; i < sizeof(level) / sizeof(level[0]); i++) {
		snprintf(file, sizeof(file), "%s_%s", b->unit, level[i]);
		if (!read_file(root, b, file, &value))
			raise(&b->full, value);
	}
	return b->full > 0;
}

static int add_battery(struct energy *energy, const struct battery *b)
{
	struct energy_item *item = energy_add(energy);
	char path[ENERGY_PATH_MAX];

	if (!item)
		return -ENOMEM;
	snprintf(item->zone.place, ENERGY_PLACE_MAX, "%.40s", b->name);
	snprintf(item->zone.label, ENERGY_LABEL_MAX, "battery/%.40s", b->name);
	item->zone.endless = true;
	item->full = b->full;
	item->uj_per_unit = b->uj_per_unit;
	snprintf(path, sizeof(path), "%s/%s_now", b->dir, b->unit);
	item->zone.path = energy_resolve(energy->root, path);
	item->fd = energy_open_file(energy->root, path);
	snprintf(path, sizeof(path), "%s/status", b->dir);
	item->status_fd = energy_open_file(energy->root, path);
	if (item->fd < 0 || item->status_fd < 0 || !item->zone.path) {
		int r = energy_add_note(energy, "%s is not read: no %s_now or no status", b->name,
					b->unit);

		energy_drop(energy, energy->n - 1);
		return r;
	}
	return 0;
}

int energy_find_battery(struct energy *energy)
{
	char **name;
	size_t n;
	int r = energy_list(energy->root, CLASS, &name, &n);

	for (size_t i = 0; i < n && !r; i++) {
		struct battery b = { .name = name[i] };

		if (strlen(name[i]) > BATTERY_NAME_MAX) {
			/* Cut, two of them could get one label. */
			r = energy_add_note(energy, "%.40s... is not read: its name is too long",
					    name[i]);
			continue;
		}
		snprintf(b.dir, sizeof(b.dir), CLASS "/%.128s", name[i]);
		/* Scope "Device" is the battery of a mouse or a headset. */
		if (!file_is(energy->root, &b, "type", "Battery") ||
		    file_is(energy->root, &b, "scope", "Device"))
			continue;
		if (read_unit(energy->root, &b))
			r = add_battery(energy, &b);
		else
			r = energy_add_note(energy,
					    "%s is not read: it tells neither energy_now nor "
					    "charge_now with voltage_min_design",
					    name[i]);
	}
	energy_list_free(name, n);
	if (!r)
		r = energy_classify(energy);
	if (r)
		return r;
	return energy_set_reason(energy, energy->n
						 ? "a battery tells what the whole machine draws, "
						   "not the package"
						 : "no battery that tells its energy");
}
