/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * index.html: one page without scripts or foreign parts, readable in light and dark, on paper and
 * on a telephone. Every text of the result goes through html_put().
 */
#ifndef ANALYSIS_HTML_H
#define ANALYSIS_HTML_H

#include "analysis/figure.h"
#include "analysis/section.h"
#include <stdio.h>

void html_write(const struct table *table, const struct figure_list *figures, FILE *out);

/* @text with & < > " ' escaped. */
void html_put(FILE *out, const char *text);
/* "<tag>text</tag>", escaped. */
void html_element(FILE *out, const char *tag, const char *text);

/* The verdicts of all sections in one table; part of html_write(). */
void html_verdicts(const struct table *table, FILE *out);
/* One section with its figures; part of html_write(). */
void html_section(const struct table *table, const struct section *section,
		  const struct figure_list *figures, FILE *out);
/* Machine, states, what is missing or doubtful; part of html_write(). */
void html_conditions(const struct table *table, FILE *out);

#endif
