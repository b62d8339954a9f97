/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sequential campaigns: blocks are added until every comparison is decided (campaign.ini has
 * repeat_min, the blocks before the first look, and repeat, the most). A decision is a pure
 * function of the runs: the report and the question of the runner have the same answer.
 */
#ifndef ANALYSIS_SEQUENTIAL_H
#define ANALYSIS_SEQUENTIAL_H

#include "analysis/section.h"
#include <stdio.h>

/* Levels of the looks of each source; part of section_build(). */
void sequential_prepare(struct table *table);

/* Some source is sequential. */
bool sequential_is(const struct table *table);

/* What holds for a column against its reference: its own campaign's looks, else its reference's;
 * NULL = one look. */
const struct spending *sequential_of(const struct table *table, size_t column);

/* A comparison that a campaign waits for: a measure that is judged, at a point or over the whole
 * curve. */
struct comparison {
	const struct section *section;
	const struct measure *measure;
	size_t point; /* NO_POINT: the whole curve of a sweep */
	size_t column;
	const struct difference *difference;
	bool decided; /* better, worse, or equivalent */
};
#define NO_POINT SIZE_MAX

/* All of them, in the order of sections, columns, measures, points; in the table's pool. */
size_t sequential_comparisons(const struct table *table, struct comparison **ret);

/* STORE_DECISION_COLUMNS and a row for each comparison; what "analysis decide DIR" prints. */
void sequential_write(const struct table *table, FILE *out);

struct sequential {
	int from, to; /* blocks of the first look and the last */
	size_t looks; /* that were taken; 0 also where nobody noted them */
	size_t comparisons, decided;
};
/* Of the first source that is sequential; false when none is. */
bool sequential_summary(const struct table *table, struct sequential *ret);

/* "sequential, 6 to 40 repeats, 5 looks so far: 3 of 12 comparisons are decided"; "" = not
 * sequential. */
const char *sequential_text(const struct table *table);

/* What that means for p, intervals and verdicts: sentences; "" likewise. */
const char *sequential_method(const struct table *table);

#endif
