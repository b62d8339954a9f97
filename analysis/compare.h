/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One cell against the reference's: what compare.c does to every pair of cells of a section. */
#ifndef ANALYSIS_COMPARE_H
#define ANALYSIS_COMPARE_H

#include "analysis/section.h"

struct compare_rules {
	bool in_blocks; /* the campaign's order made blocks */
	uint64_t seed; /* of bootstraps */
	const struct spending *spending; /* NULL: the campaign was to be looked at once */
	double threshold_pct; /* smallest difference that matters */
};

/*
 * Fills the cell's difference, verdict and Holm's p apart. In blocks the runs of one block are
 * compared with each other. Runs of blocks that hold one side only are left out where STATS_N_MIN
 * blocks hold both, else they are one more block. 0 or -ENOMEM.
 */
int compare_cells(const struct cell *reference, struct cell *cell,
		  const struct compare_rules *rules);

/*
 * For a point of a sweep of @family points: when no data could get the blocked test's p below
 * STATS_ALPHA / family (at a sequential campaign's last look), takes the p of all runs as one
 * block, Mann-Whitney's, which drift between blocks makes careful but never false.
 */
int compare_in_family(const struct cell *reference, struct cell *cell, size_t family,
		      const struct compare_rules *rules);

/* The verdict on a difference whose p_holm and p_equal_holm are final. */
enum verdict compare_judge(const struct measure *measure, const struct difference *difference);

/* Fills the cell's median_ratio and its interval. 0 or -ENOMEM. */
int compare_medians(const struct cell *reference, struct cell *cell, uint64_t seed);

/* The smallest difference in percent that would have been told apart with 80 % probability at
 * STATS_ALPHA / @family, and been above @threshold_pct. NAN when no difference can be. */
double compare_detectable_pct(const struct difference *difference, size_t family,
			      double threshold_pct);

#endif
