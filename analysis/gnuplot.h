/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs gnuplot over many scripts, as many processes as there are CPUs. */
#ifndef ANALYSIS_GNUPLOT_H
#define ANALYSIS_GNUPLOT_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Draws NAME.gp of @names in the folder @plots; @png: NAME.png, else NAME.svg. -ENOENT when there
 * is no gnuplot, -EIO with gnuplot's first words when a script failed.
 */
int gnuplot_draw(const char *plots, const char *const *names, size_t n, bool png);

/* Copies the common scripts, found beside the source or as installed, into @plots. */
int gnuplot_copy_scripts(const char *plots);

#endif
