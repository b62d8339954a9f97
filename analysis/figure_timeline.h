/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What one run's samples.tsv and series.tsv say over time. Counters are straight between two
 * samples, so their rate over any stretch inside the samples is known; means of blocks belong to
 * the block's end. A single sample of an idle counter can be far off (it moves at a wake only).
 */
#ifndef ANALYSIS_FIGURE_TIMELINE_H
#define ANALYSIS_FIGURE_TIMELINE_H

#include "analysis/figure.h"
#include "lib/tsv.h"
#include <stdio.h>

/* One quantity of one run. */
struct track {
	const char *name; /* "loop_us", "package_w", a state's name for its share */
	const char *unit; /* of what figure_track_mean() returns */
	bool is_state, counter;
	double scale; /* counter: value of the mean for 1 a second */
	double *t_s, *value; /* since t0, ascending */
	size_t n;
};

struct timeline {
	double length_s; /* of the window */
	struct track *track; /* the series in the order of the file, package_w, states */
	size_t n;
};

/* A table beside a run that has more to show where it is there: false where it is missing or
 * damaged. */
bool figure_open_table(const struct table *table, const struct loaded_run *run, const char *name,
		       struct tsv *ret);

/* Tracks of a run, the states' over the CPUs of @set. A missing or damaged table has none. */
void figure_timeline(const struct table *table, const struct loaded_run *run, enum cpu_set set,
		     struct timeline *ret);

/* NULL when there is none. */
const struct track *figure_track(const struct timeline *timeline, const char *name);

/* Mean rate, or mean of the blocks that end in (@from, @to] seconds; NAN: nothing is known there.
 */
double figure_track_mean(const struct track *track, double from, double to);

/* There is a value, or a step of a counter, inside (0, @length_s]. */
bool figure_track_known(const struct track *track, double length_s);

/* Timelines of the complete runs that a governor has at a section's point; returns how many. */
size_t figure_timelines(const struct table *table, const struct section *section, size_t point,
			size_t column, struct timeline **ret);

/* Some governor uses the state at the figure's point: a line at 0 shows nothing. */
bool figure_state_used(const struct table *table, const struct figure *figure, const char *state);

#endif
