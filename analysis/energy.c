/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A sum is only as good as its worst member: one package without a reading makes the machine's
 * package power NA, because the sum of the others would look like a saving.
 */
#include "analysis/energy.h"
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <string.h>

struct columns {
	int zone, label, t0, t1, uj0, uj1, range;
};

int energy_delta_uj(uint64_t uj0, uint64_t uj1, uint64_t range_uj, uint64_t *ret)
{
	if (uj1 >= uj0) {
		*ret = uj1 - uj0;
		return 0;
	}
	if (!range_uj || uj0 > range_uj)
		return -ERANGE;
	*ret = uj1 + (range_uj - uj0);
	return 0;
}

static const char *digits(const char *text)
{
	if (!isdigit((unsigned char)*text))
		return NULL;
	while (isdigit((unsigned char)*text))
		text++;
	return text;
}

bool energy_is_package(const char *label)
{
	const char *rest;

	if (strncmp(label, "package-", 8))
		return false;
	rest = digits(label + 8);
	if (!rest)
		return false;
	if (!*rest)
		return true;
	if (strncmp(rest, "-die-", 5))
		return false;
	rest = digits(rest + 5);
	return rest && !*rest;
}

static int find_columns(const struct tsv *tsv, struct columns *ret)
{
	struct columns c = {
		.zone = tsv_column(tsv, "zone"),
		.label = tsv_column(tsv, "label"),
		.t0 = tsv_column(tsv, "t0_ns"),
		.t1 = tsv_column(tsv, "t1_ns"),
		.uj0 = tsv_column(tsv, "uj0"),
		.uj1 = tsv_column(tsv, "uj1"),
		.range = tsv_column(tsv, "range_uj"),
	};

	if (c.zone < 0 || c.label < 0 || c.t0 < 0 || c.t1 < 0 || c.uj0 < 0 || c.uj1 < 0 ||
	    c.range < 0)
		return -ENOENT;
	*ret = c;
	return 0;
}

/* W of one zone over its own two stamps (P-13), NAN when a cell is missing or absurd. */
static double zone_w(const struct tsv *tsv, size_t row, const struct columns *c)
{
	uint64_t t0, t1, uj0, uj1, range = 0, uj;
	double w;

	if (tsv_u64(tsv, row, c->t0, &t0) != 1 || tsv_u64(tsv, row, c->t1, &t1) != 1 ||
	    tsv_u64(tsv, row, c->uj0, &uj0) != 1 || tsv_u64(tsv, row, c->uj1, &uj1) != 1 ||
	    t1 <= t0)
		return NAN;
	if (tsv_u64(tsv, row, c->range, &range) < 0)
		return NAN;
	if (energy_delta_uj(uj0, uj1, range, &uj))
		return NAN;
	w = (double)uj * 1000.0 / (double)(t1 - t0);
	return w > ENERGY_CEILING_W ? NAN : w;
}

static bool is_mmio(const struct tsv *tsv, size_t row, const struct columns *c)
{
	return strstr(tsv_text(tsv, row, c->zone), "mmio") != NULL;
}

/* A package row that another row already stands for. */
static bool is_twin(const struct tsv *tsv, size_t row, const struct columns *c)
{
	const char *zone = tsv_text(tsv, row, c->zone), *label = tsv_text(tsv, row, c->label);
	size_t i;

	for (i = 0; i < tsv->rows; i++) {
		if (i == row || strcmp(label, tsv_text(tsv, i, c->label)))
			continue;
		if (i < row && !strcmp(zone, tsv_text(tsv, i, c->zone)))
			return true;
		if (!energy_is_package(label) && strcmp(label, "psys"))
			continue; /* dram has the same label in every package */
		if (is_mmio(tsv, row, c) && !is_mmio(tsv, i, c))
			return true;
		if (i < row && is_mmio(tsv, row, c) == is_mmio(tsv, i, c))
			return true;
	}
	return false;
}

static void add(double *sum, double w, bool first)
{
	*sum = first ? w : *sum + w;
}

int energy_power(const struct tsv *tsv, struct energy_power *ret)
{
	struct energy_power p = { NAN, NAN, NAN, NULL };
	bool package = false, dram = false, psys = false;
	struct columns c;
	size_t row;

	if (find_columns(tsv, &c))
		return -ENOENT;
	for (row = 0; row < tsv->rows; row++) {
		const char *label = tsv_text(tsv, row, c.label);

		if (is_twin(tsv, row, &c))
			continue;
		if (energy_is_package(label)) {
			add(&p.package_w, zone_w(tsv, row, &c), !package);
			package = true;
		} else if (!strcmp(label, "dram") && !is_mmio(tsv, row, &c)) {
			add(&p.dram_w, zone_w(tsv, row, &c), !dram);
			dram = true;
		} else if (!strcmp(label, "psys")) {
			add(&p.psys_w, zone_w(tsv, row, &c), !psys);
			psys = true;
		}
	}
	if (!package) {
		p.package_reason = tsv->rows ? "no package zone among the energy readings"
					     : "no energy readings in this run";
	} else if (isnan(p.package_w)) {
		p.package_reason = "an energy reading is missing or impossible";
	} else if (p.package_w < ENERGY_FLOOR_W) {
		p.package_w = NAN;
		p.package_reason = "the energy counter does not advance (a guest's dummy?)";
	}
	*ret = p;
	return 0;
}
