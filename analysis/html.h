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

/*
 * The same page without anything beside it: @page, what html_write() gave, with the drawings and
 * tables of the report in @folder inside. A table of more than HTML_INLINE_MAX bytes, and what is
 * not there, loses its link. 0 or -errno with a text.
 */
#define HTML_INLINE_MAX (256 * 1024)
int html_standalone(const struct table *table, const char *folder, const char *page, FILE *out);

/* @text with & < > " ' escaped. */
void html_put(FILE *out, const char *text);
/* "<tag>text</tag>", escaped. */
void html_element(FILE *out, const char *tag, const char *text);

/* A link to the section's part of the page. */
void html_section_link(const struct section *section, bool strong, FILE *out);

extern const char html_style[];

/* Figures of a section (NULL: of the report), and those that are not drawn with their reasons. */
void html_figures(const struct section *section, const struct figure_list *figures, FILE *out);
void html_missing_figures(const struct section *section, const struct figure_list *figures,
			  FILE *out);

/* The verdicts in words, a sentence a section; part of html_write(). */
void html_sentences(const struct table *table, FILE *out);
/* The verdicts of all sections in one table; part of html_write(). */
void html_verdicts(const struct table *table, FILE *out);
/* One section with its figures; part of html_write(). */
void html_section(const struct table *table, const struct section *section,
		  const struct figure_list *figures, FILE *out);
/* Machine, states, what is missing or doubtful; part of html_write(). */
void html_conditions(const struct table *table, FILE *out);

#endif
