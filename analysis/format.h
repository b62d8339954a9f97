/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The forms in which a whole report is written: a file summary.EXTENSION each, and what "report
 * --format NAME" prints. Both are the same bytes. A row in formats.def is all that a form needs.
 */
#ifndef ANALYSIS_FORMAT_H
#define ANALYSIS_FORMAT_H

#include "analysis/section.h"
#include <stdio.h>

/* Errors are the stream's (ferror). */
typedef void format_writer(const struct table *table, FILE *out);

struct format {
	const char *name, *extension;
	format_writer *write;
};

/* NULL with a usage error that names the known ones. */
const struct format *format_find(const char *name);

/* @folder/summary.EXTENSION of every format. -errno with a text. */
int format_write_all(const struct table *table, const char *folder);

#endif
