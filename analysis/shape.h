/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The shape of a section's results: what medians and differences do not show. Bi-stable points,
 * where curves step and by how much the steps are shifted, stretches of x in which governors
 * differ, runs that were not in a steady state. Every rule is in modes.h, transitions.h, steady.h
 * or here.
 */
#ifndef ANALYSIS_SHAPE_H
#define ANALYSIS_SHAPE_H

#include "analysis/section.h"
#include "analysis/spread.h"
#include "analysis/transitions.h"
#include <stdio.h>

#define SHAPE_STEPS_MAX 16 /* of one curve */
#define SHAPE_REGION_POINTS 2 /* neighbours that make a stretch */
#define SHAPE_REGION_PP 10 /* too deep or too shallow: percentage points apart */
#define SHAPE_REGION_SHARE 0.01 /* part of the idle entries that the state has at least */

/* A point whose runs of the headline fall into two groups. */
struct shape_modes {
	size_t point, column;
	double median;
	struct spread spread;
};

/* A point inside of a stretch where the curve jumps back and forth. */
struct shape_jumps {
	size_t point, column;
};

struct shape_curve {
	size_t facet, column;
	struct transition step[SHAPE_STEPS_MAX]; /* points count within the facet */
	size_t steps;
};

/* One step in two curves. */
struct shape_shift {
	size_t facet, column;
	struct transition reference, other;
	double pct; /* of x, from the reference's to the column's; NAN at x = 0 */
};

/* The largest difference of the headline along a curve. */
struct shape_peak {
	size_t facet, column, point; /* point of the section */
	double pct;
	const struct shape_shift *shift; /* the point lies between these two places; NULL */
};

/* A stretch of x where a column differs from its reference. */
struct shape_region {
	size_t facet, column, measure; /* number of the section's measure */
	size_t first, last; /* points of the facet */
	enum verdict verdict; /* of the headline; NONE: an idle state's misses */
	double lo, hi; /* the column's smallest and largest median there */
	double reference_lo, reference_hi;
};

struct shape {
	struct shape_modes *modes;
	size_t all_modes;
	struct shape_jumps *jumps;
	size_t all_jumps;
	size_t left_out; /* bi-stable points, see section.bistable */
	struct shape_curve *curve;
	size_t curves;
	struct shape_shift *shift;
	size_t shifts;
	struct shape_peak *peak;
	size_t peaks;
	struct shape_region *region;
	size_t regions;
	size_t judged, unsettled; /* complete runs */
};

/*
 * Sets section->bistable: points of a sweep where the headline of some governor is bi-stable, by
 * its repeats (modes_find()) or between neighbours (modes_jumps()). They are not part of the whole
 * curve. Part of section_build(), before the comparison.
 */
void shape_bistable(const struct table *table, struct section *section);

/* Sets all else of section->shape; part of section_build(), after the comparison. */
void shape_find(const struct table *table, struct section *section);

/* Regions of the section; part of shape_find(). */
void shape_regions(const struct table *table, const struct section *section, struct shape *shape);

/*
 * Sentences for people, the same in the summary and on the page, most important first. Returns how
 * many. */
size_t shape_sentences(const struct table *table, const struct section *section, const char ***ret);

/* data/transitions.tsv: steps, shifts and stretches of all sections, see docs/result-format.md. */
void shape_write(const struct table *table, FILE *out);

#endif
