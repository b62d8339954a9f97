/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From stored energy readings to watts: the counter's wrap, the choice of zones, the time base.
 */
#ifndef ANALYSIS_ENERGY_H
#define ANALYSIS_ENERGY_H

#include "lib/tsv.h"

/* W per zone above which a reading is damage: nothing sold comes near it (P-04). */
#define ENERGY_CEILING_W 2000.0
/* W below which a package's counter is taken for a guest's dummy (P-10). */
#define ENERGY_FLOOR_W 0.05

struct energy_power {
	double package_w, dram_w, psys_w; /* NAN = not available */
	const char *package_reason; /* why package_w is NAN; NULL when it is known; a constant */
	char zone[64]; /* the first part of package power that is not available; "" = none */
};

/*
 * Power from energy.tsv (zone label t0_ns t1_ns uj0 uj1 range_uj). @samples is samples.tsv, or
 * NULL: its columns energy:LABEL lie between the two readings, so a counter that wraps several
 * times in a window is followed from one to the next (P-02). Package power is the sum that P-05
 * asks for, dram and psys are sums of their own. Zones that say the same thing twice (the mmio
 * twin, a link) count once, the first of intel-rapl before intel-rapl-mmio (P-06). Unreadable cells
 * make the zone, and so the sum, NA. -ENOENT when a column is missing.
 */
int energy_power(const struct tsv *tsv, const struct tsv *samples, struct energy_power *ret);

#endif
