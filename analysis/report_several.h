/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a report of several result directories says beside its figures: which they are, what differs
 * between them, what only one has, and how the governor that is the control did. Of one directory
 * only what is to be said of its kernels, where its boots are of several.
 */
#ifndef ANALYSIS_REPORT_SEVERAL_H
#define ANALYSIS_REPORT_SEVERAL_H

#include "analysis/section.h"
#include <jansson.h>
#include <stdio.h>

void several_text(const struct table *table, FILE *out);
void several_html(const struct table *table, FILE *out);
/* NULL for one directory. */
json_t *several_json(const struct table *table);

/* Sentences on the reference governor across kernels (P-36), and how many. */
size_t several_control(const struct table *table, const char ***ret);

#endif
