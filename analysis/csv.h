/* SPDX-License-Identifier: GPL-2.0-or-later */
/* summary.csv: a row for each point, column and measure; docs/result-format.md has the fields. */
#ifndef ANALYSIS_CSV_H
#define ANALYSIS_CSV_H

#include "analysis/section.h"
#include <stdio.h>

/* Writes the header and all rows. Errors are the stream's (ferror). */
void csv_write(const struct table *table, FILE *out);

/* One field: quoted as RFC 4180 has it where it must be. */
void csv_put(const char *text, FILE *out);

#endif
