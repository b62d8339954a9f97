/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Panels of what runs show over their window: one quantity each, a line a governor, a value the
 * median of its runs. The figures of the course and of the ramp differ in their x axis only.
 */
#ifndef ANALYSIS_FIGURE_PANEL_H
#define ANALYSIS_FIGURE_PANEL_H

#include "analysis/figure_timeline.h"

struct figure_panel {
	const char *name, *unit; /* of the track */
	size_t bins; /* of the course; 0: its two ends only */
};

/* Timelines at the figure's point, of the first governor that has some; returns how many. */
size_t figure_panel_lines(const struct table *table, const struct figure *figure,
			  struct timeline **ret);

/* Some run has a value of that track inside its window: else the panel would be empty. */
bool figure_panel_known(const struct table *table, const struct figure *figure, const char *name);

/* A row: panel, unit, governor, @at (its own cells), median, smallest, largest. False, and no row,
 * without a value. Sorts @value. */
bool figure_put_panel_row(const struct figure_panel *panel, const char *governor, const char *at,
			  double *value, size_t n, FILE *out);

/* gnuplot's panel_name[] and panel_label[]: "lateness_us (us)". */
void figure_put_panels(const struct table *table, const struct figure_panel *panel, size_t n,
		       FILE *out);

#endif
