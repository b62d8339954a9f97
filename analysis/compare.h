/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One cell against the reference's: what compare.c does to every pair of cells of a section. */
#ifndef ANALYSIS_COMPARE_H
#define ANALYSIS_COMPARE_H

#include "analysis/section.h"

/*
 * Fills the cell's difference, verdict and Holm's p apart. With @in_blocks (the campaign's order
 * made blocks) the runs of one block are compared with each other. Runs of blocks that hold one
 * side only are left out where STATS_N_MIN blocks hold both, else they are one more block. 0 or
 * -ENOMEM.
 */
int compare_cells(const struct cell *reference, struct cell *cell, bool in_blocks, uint64_t seed);

/*
 * For a point of a sweep of @family points: when no data could get the blocked test's p below
 * STATS_ALPHA / family, takes the p of all runs as one block, Mann-Whitney's, which drift between
 * blocks makes careful but never false.
 */
int compare_in_family(const struct cell *reference, struct cell *cell, size_t family);

/* Fills the cell's median_ratio and its interval. 0 or -ENOMEM. */
int compare_medians(const struct cell *reference, struct cell *cell, uint64_t seed);

/* The smallest difference in percent that would have been told apart with 80 % probability at
 * STATS_ALPHA / @family, and been above @threshold_pct. NAN when no difference can be. */
double compare_detectable_pct(const struct difference *difference, size_t family,
			      double threshold_pct);

#endif
