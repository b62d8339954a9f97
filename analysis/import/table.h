/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A CSV with a header, row by row: what the styles that read tables of results share.
 */
#ifndef ANALYSIS_IMPORT_TABLE_H
#define ANALYSIS_IMPORT_TABLE_H

#include "analysis/import/lines.h"

struct table_file {
	struct import_source *source;
	struct lines lines;
	char separator;
	char header[LINES_MAX + 1], row[LINES_MAX + 1];
	char *name[LINES_CELLS_MAX + 1], *cell[LINES_CELLS_MAX + 1];
	size_t columns;
};

/* Cuts the first line of @text into @name, with @line as memory; the number of columns. */
size_t table_header(const char *text, char line[4096], char *name[LINES_CELLS_MAX + 1]);

/* Opens the source's file and reads the header. -errno with a text. */
int table_open(struct import_source *source, struct table_file **ret);
/* The next row that has as many cells as the header; the others become faults. */
bool table_next(struct table_file *table);
void table_close(struct table_file *table);

/* The row's cell of that name, "" when there is no such column. */
const char *table_text(const struct table_file *table, const char *name);
/* Is the cell a number? A fault when it is something else; an empty or missing one is none. */
bool table_number(struct table_file *table, const char *name, double *ret);

/* Does @printed, as text, agree with @value, of which @doubt is how far it may be off? */
bool table_agrees(const char *printed, double value, double doubt);

/* The unit that a column's name ends with: "us" of "sleep_us", "" when it has none. */
const char *table_unit(const char *name);

/* "ns", "us", "ms", "s" */
bool table_is_time(const char *unit);

#endif
