/* SPDX-License-Identifier: GPL-2.0-or-later */
/* summary.txt: no line above 78 columns (bytes), made to be pasted into a mail to a list (P-62). */
#ifndef ANALYSIS_TEXT_H
#define ANALYSIS_TEXT_H

#include "analysis/section.h"
#include <stdio.h>

#define TEXT_COLUMNS 78

/* Writes the whole summary. Errors are the stream's (ferror). */
void text_write(const struct table *table, FILE *out);

/* One section; part of text_write(). */
void text_section(const struct table *table, const struct section *section, FILE *out);

/* The points of a sweep and the other measures, governors across; part of text_section(). */
void text_grids(const struct table *table, const struct section *section, FILE *out);

/* Breaks @text at blanks so that no line is longer than 78 columns; blanks before the first word
 * stay, later lines are indented by @indent. */
void text_wrap(FILE *out, const char *text, int indent);

/* Characters of UTF-8 text, each taken as one column wide. */
int text_width(const char *text);

/* Pads as printf's "%*s" does, but by characters: @width below 0 puts the blanks behind. */
void text_put(FILE *out, const char *text, int width);

#endif
