/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A folder of figures that is no report: data/NAME.tsv, plots/NAME.gp, plots/NAME.svg, so that a
 * reader can take the figures away and draw them again.
 */
#ifndef ANALYSIS_PLOT_FOLDER_H
#define ANALYSIS_PLOT_FOLDER_H

#include <stddef.h>
#include <stdio.h>

#define PLOTS_MAX 16 /* figures of one folder */

/* What a figure's script is told. Texts may hold anything; they are quoted. */
struct plot {
	const char *name, *script; /* file name; the common script without ".gp" */
	const char *title, *subtitle, *y;
	const char *watermark; /* across the picture; "" = none */
};

/* The new folder @dir with data and plots in it. -errno with a text; -EEXIST. */
int plot_folder_make(const char *dir);

/* A figure: its script, and its data by @put. */
int plot_folder_add(const char *dir, const struct plot *plot,
		    void (*put)(const void *context, FILE *out), const void *context);

/* Draws those; one that cannot be drawn is an error here: there are few. */
int plot_folder_draw(const char *dir, const char *const *name, size_t n);

#endif
