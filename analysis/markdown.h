/* SPDX-License-Identifier: GPL-2.0-or-later */
/* summary.md: the summary as tables of GitHub's markdown, made to be pasted into an issue. */
#ifndef ANALYSIS_MARKDOWN_H
#define ANALYSIS_MARKDOWN_H

#include "analysis/section.h"
#include <stdio.h>

/* Writes the whole summary. Errors are the stream's (ferror). */
void markdown_write(const struct table *table, FILE *out);

/* One section; part of markdown_write(). */
void markdown_section(const struct table *table, const struct section *section, FILE *out);

/* Text in which nothing is markup, links or ends a table's cell. */
void markdown_put(FILE *out, const char *text);

/* The next cell of a row: " | text". */
void markdown_cell(FILE *out, const char *text);

#endif
