/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From stored energy readings to watts: the counter's wrap, the choice of zones, the time base.
 */
#ifndef ANALYSIS_ENERGY_H
#define ANALYSIS_ENERGY_H

#include "lib/tsv.h"
#include <stdbool.h>
#include <stdint.h>

/* W per zone above which a reading is damage: nothing sold comes near it (P-04). */
#define ENERGY_CEILING_W 2000.0
/* W below which a package's counter is taken for a guest's dummy (P-10). */
#define ENERGY_FLOOR_W 0.05

/*
 * uJ between two readings of a counter that wraps at @range_uj (P-01). @range_uj 0 = unknown: then
 * -ERANGE when it went backwards (P-03). -ERANGE as well for a reading above its own range.
 */
int energy_delta_uj(uint64_t uj0, uint64_t uj1, uint64_t range_uj, uint64_t *ret);

/* True for package-<n> and package-<n>-die-<m>, nothing else (P-05). */
bool energy_is_package(const char *label);

struct energy_power {
	double package_w, dram_w, psys_w; /* NAN = not available */
	const char *package_reason; /* why package_w is NAN; NULL when it is known; a constant */
};

/*
 * Power from a table with the columns zone label t0_ns t1_ns uj0 uj1 range_uj. Zones that say the
 * same thing twice (the mmio twin, a link) count once, the first of intel-rapl before
 * intel-rapl-mmio (P-06). Unreadable cells make the zone, and so the sum, NA. -ENOENT when a column
 * is missing.
 */
int energy_power(const struct tsv *tsv, struct energy_power *ret);

#endif
