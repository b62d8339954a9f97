/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The campaign's own check (P-49): a governor asked for twice is compared with itself, where every
 * difference is chance. What such comparisons show is the null distribution of all the others.
 */
#ifndef ANALYSIS_CONTROL_H
#define ANALYSIS_CONTROL_H

#include "analysis/section.h"
#include <stdio.h>

/* An A/A control: its governor is the reference's own. */
bool control_is(const struct table *table, size_t column);

/* Comparisons with STATS_N_MIN runs or more, of all points and of measures with a direction. */
struct control {
	size_t compared;
	size_t flagged; /* p < STATS_ALPHA before Holm: about 1 in 20 by chance, fewer of
			 * repeated p */
	size_t verdicts; /* better or worse */
	double median_pct, largest_pct; /* size of the differences; NAN without any */
};

void control_count(const struct table *table, const struct section *section, size_t column,
		   struct control *ret);

/* data/control.tsv: a row for each comparison behind control_count(). */
void control_write(const struct table *table, FILE *out);

#endif
