/* SPDX-License-Identifier: GPL-2.0-or-later */
/* summary.json: the content of the report for programs; docs/result-format.md describes it. */
#ifndef ANALYSIS_JSON_H
#define ANALYSIS_JSON_H

#include "analysis/section.h"
#include <jansson.h>

#define JSON_FORMAT 1

/* Writes the file. -errno with a text. */
int json_write(const struct table *table, const char *path);

/* One section; part of json_write(). NULL when out of memory. */
json_t *json_section(const struct table *table, const struct section *section);

/* A number, null for NAN. */
json_t *json_number_or_null(double value);

#endif
