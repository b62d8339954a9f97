/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Idle misses by run, in the column order in which reviewers of governors read them (P-22).
 */
#ifndef ANALYSIS_MISSES_H
#define ANALYSIS_MISSES_H

#include "analysis/section.h"
#include <stdio.h>

/* Sums over the states of a run's CPUs; NAN = not available. */
struct misses {
	double idles; /* entries: usage */
	double belows, aboves; /* too shallow, too deep */
};

/*
 * Of the workload's CPUs; of all CPUs where the workload has none of its own. All NAN without
 * readings.
 */
void misses_of(const struct result *result, const struct loaded_run *run, struct misses *ret);

/*
 * data/misses.tsv: a header, then a row a complete run in the order of sections, points, columns
 * and repeats. A cell is empty when it is not available; the ratio is "-" when there were no idles.
 */
void misses_write(const struct table *table, FILE *out);

#endif
