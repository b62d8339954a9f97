/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs gnuplot over many scripts, as many processes as there are CPUs. */
#ifndef ANALYSIS_GNUPLOT_H
#define ANALYSIS_GNUPLOT_H

#include <stdbool.h>
#include <stddef.h>

struct gnuplot_figure {
	const char *name;
	char *fault; /* why it could not be drawn, malloc'ed; NULL = it is drawn */
};

/*
 * Draws NAME.gp of @figure in the folder @plots; @png: NAME.png, else NAME.svg. A script that fails
 * takes no other figure with it, and its half picture is removed. 0 also when some failed; -ENOENT
 * when there is no gnuplot, -ENOMEM, or what starting it gives.
 */
int gnuplot_draw(const char *plots, struct gnuplot_figure *figure, size_t n, bool png);

/* Copies the common scripts, found beside the source or as installed, into @plots. */
int gnuplot_copy_scripts(const char *plots);

#endif
