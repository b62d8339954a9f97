/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pieces of a figure's two files that every shape writes alike: gnuplot variables and TSV cells.
 * gnuplot's single quotes know one escape only, so every text goes through figure_put_text().
 */
#ifndef ANALYSIS_FIGURE_PUT_H
#define ANALYSIS_FIGURE_PUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* NAME = 'text', and array NAME[n] = ['a', 'b']; control bytes become '?'. */
void figure_put_text(FILE *out, const char *name, const char *text);
void figure_put_list(FILE *out, const char *name, const char *const *text, size_t n);
/* array NAME[n] = [1.5, 2] */
void figure_put_numbers(FILE *out, const char *name, const double *value, size_t n);

/* A leading tab, then the number; nothing for NAN (not available) or what is beyond a double. Can
 * it be drawn? */
bool figure_put_cell(FILE *out, double value);
/* Three cells: median, smallest, largest of @value without its NANs. Sorts. */
void figure_put_median(FILE *out, double *value, size_t n);

/* "#0072B2" of column colour @colour (0 = the reference). */
const char *figure_colour(size_t colour);

#endif
