/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How far the runs of one point lie apart: number, mean, deviation, ends and range together,
 * the first run apart, and whether there are two groups, which no mean describes.
 */
#ifndef ANALYSIS_SPREAD_H
#define ANALYSIS_SPREAD_H

#include "analysis/modes.h"
#include "analysis/section.h"
#include <stdio.h>

struct spread {
	size_t n; /* 0: all others are NAN */
	double mean, sd; /* sd: of a sample; NAN for one run */
	double min, max, range;
	double first, rest_mean; /* the run of the first repeat, and the mean of the others; NAN */
	struct modes modes; /* two groups of runs, where there are (P-55) */
};

/* Of the values of a cell, one a run. */
void spread_of(const struct cell *cell, struct spread *ret);

/*
 * data/spread.tsv: a row for each section, point, governor and metric (power included) with a
 * value. Empty = not available.
 */
void spread_write(const struct table *table, FILE *out);

#endif
