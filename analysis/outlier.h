/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs that lie far from the other runs of their point and governor. They are named and stay in:
 * medians and ranks bear them, and a governor that is sometimes slow is slow.
 */
#ifndef ANALYSIS_OUTLIER_H
#define ANALYSIS_OUTLIER_H

#include "analysis/section.h"

/*
 * Iglewicz and Hoaglin's 3.5 is for many values: of six from a normal distribution it names one in
 * every seventh sample, since their MAD is anything. With 36 / n more it is about one in a hundred
 * samples of 6 to 50, by simulation (tests/unit/analysis/control.c, docs/statistics.md).
 */
#define OUTLIER_LIMIT(n) (3.5 + 36.0 / (double)(n))

/*
 * Modified z scores of @n values, 0.6745 (x - median) / MAD; where more than half of the values are
 * equal (MAD 0) 0.7979 (x - median) / mean distance from the median. All 0 when all are equal.
 * Iglewicz, Hoaglin, "How to Detect and Handle Outliers", ASQC 1993.
 */
void outlier_scores(const double *value, size_t n, double *ret_z);

/* Adds a note to each run whose headline metric or package power is an outlier among STATS_N_MIN or
 * more runs and further from their median than the measure's threshold. */
void outlier_note(struct result *result, const struct table *table);

#endif
