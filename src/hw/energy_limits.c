/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Power limits (PL1, PL2) as powercap's constraints tell them. Anybody may read them, so they are
 * told where the counters are not.
 */
#include "hw/energy_private.h"

#include "lib/error.h"
#include <stdio.h>
#include <stdlib.h>

/* Path of a constraint's file in a zone's folder. */
static void file_of(char path[ENERGY_PATH_MAX], const struct energy_zone *zone, int constraint,
		    const char *file)
{
	snprintf(path, ENERGY_PATH_MAX, "%.400s/constraint_%d_%s", zone->path, constraint, file);
}

/* Writes the limits of one zone, behind "; " unless it is the @first: true when it has any. */
static bool write_zone(const struct root *root, const struct energy_zone *zone, bool first,
		       FILE *out)
{
	char path[ENERGY_PATH_MAX], name[ENERGY_SYSFS_MAX];
	bool any = false;
	uint64_t uw;

	for (int c = 0; c < ENERGY_CONSTRAINTS_MAX; c++) {
		file_of(path, zone, c, "power_limit_uw");
		if (root_read_u64(root, path, &uw))
			continue;
		file_of(path, zone, c, "name");
		if (root_read_name(root, path, name, sizeof(name)) <= 0)
			snprintf(name, sizeof(name), "constraint %d", c);
		if (any)
			fputs(", ", out);
		else
			fprintf(out, "%s%s (%s): ", first ? "" : "; ", zone->label, zone->place);
		fprintf(out, "%s %g W", name, (double)uw / 1e6);
		any = true;
	}
	return any;
}

int energy_limits(const struct root *root, char **ret)
{
	struct energy energy = { .root = root };
	struct energy_denied denied;
	bool any = false;
	char *text = NULL;
	size_t size;
	FILE *out;
	int r = energy_walk_powercap(&energy, &denied);

	out = r ? NULL : open_memstream(&text, &size);
	for (size_t i = 0; i < energy.n && out; i++)
		any |= write_zone(root, &energy.item[i].zone, !any, out);
	if (!r && (!out || fclose(out)))
		r = error_no_memory();
	while (energy.n)
		energy_drop(&energy, energy.n - 1);
	free(energy.item);
	if (r || !any) {
		free(text);
		text = NULL;
	}
	if (!r)
		*ret = text;
	return r;
}
