/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where points lie on their sweep's scale. Most sweeps have equal steps, and nothing to say; an
 * adaptive one lies dense where the governors differ, so that a mean that counts its points would
 * ask the answer first where to look.
 */
#ifndef ANALYSIS_SCALE_H
#define ANALYSIS_SCALE_H

#include "analysis/section.h"

/* Reads the source's points.tsv, which may be missing; a damaged one is listed as broken and counts
 * as missing. -ENOMEM. Part of load_results(). */
int scale_load(struct result *result, size_t source);

/*
 * Sets the section's places and weights, where all of its points have a place in points.tsv and
 * these ascend along every facet; both stay NULL else: equal steps. Part of section_points().
 */
void scale_points(struct table *table, struct section *section);

/* Places of the facet's points, for transitions_find(); NULL: equal steps. */
const double *scale_of_facet(const struct table *table, const struct section *section,
			     const struct facet *facet);

#endif
