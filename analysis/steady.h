/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Was a run in a steady state (P-54)? Judged from what lies between its two readings: the block
 * means of the headline (series.tsv) and package power (samples.tsv). Temperature is stored at a
 * run's end only, so it is compared with that of the other runs of the same point.
 */
#ifndef ANALYSIS_STEADY_H
#define ANALYSIS_STEADY_H

#include "analysis/section.h"
#include <stdio.h>

#define STEADY_BINS 20 /* parts of the window, each with the median of what lies in it */
#define STEADY_ALPHA 0.01
#define STEADY_SERIES_PCT 3 /* drift of the headline over the run that matters */
#define STEADY_POWER_PCT 3 /* of package power */
#define STEADY_COLDER_C 3 /* K below the median of the point's runs */

/*
 * Cuts the time from the first to the last of @n readings into STEADY_BINS equal parts (fewer when
 * there are fewer readings) and judges the medians of the parts. Not settled: Kendall's test
 * against time has p < STEADY_ALPHA and the line through them (Theil, Sen) rises or falls over the
 * run by more than @limit_pct of their median. @t_ns ascends. Fewer than ROBUST_TREND_MIN parts:
 * all NAN, and nothing is said.
 */
struct steady steady_judge(const double *t_ns, const double *value, size_t n, double limit_pct);

/* Reads the tables of a complete run in @dir into run->series and run->watts; not settled is a note
 * of the run. Part of load_result(). -errno with a text for a damaged table. */
int steady_load(struct result *result, const char *dir, struct loaded_run *run);

/* Notes of runs that ended more than STEADY_COLDER_C below the median of their cell, of at least
 * STATS_N_MIN runs. Part of section_build(). */
void steady_temperatures(struct result *result, const struct table *table,
			 const struct section *section);

/* data/steady.tsv: a row for each complete run and series, see docs/result-format.md. */
void steady_write(const struct table *table, FILE *out);

#endif
