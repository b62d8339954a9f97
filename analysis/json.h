/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * summary.json: the content of the report for programs. docs/summary-schema.json describes it and
 * allows no other key, so a new key needs a line there.
 */
#ifndef ANALYSIS_JSON_H
#define ANALYSIS_JSON_H

#include "analysis/section.h"
#include <jansson.h>
#include <stdio.h>

#define JSON_FORMAT 1

/* Errors are the stream's (ferror). */
void json_write(const struct table *table, FILE *out);

/* One section; part of json_write(). */
json_t *json_section(const struct table *table, const struct section *section);

/* A number, null for NAN. */
json_t *json_number_or_null(double value);

/* An integer; a string when it is larger than JSON's readers' integers. */
json_t *json_seed(uint64_t seed);

/* @value with U+FFFD for every byte that is not UTF-8: a key. */
const char *json_utf8(const struct table *table, const char *value);

/* The same as a value; null for NULL. */
json_t *json_text(const struct table *table, const char *value);

/* The shape of a section's results; part of json_section(). */
json_t *json_shape(const struct table *table, const struct section *section);

#endif
