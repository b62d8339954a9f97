/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tab separated tables with one header row, read by column name. An empty cell is "not available",
 * never 0.
 */
#ifndef LIB_TSV_H
#define LIB_TSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct tsv {
	char *path;
	char *text; /* the file, cut into cells */
	char **cell; /* row-major, columns * (rows + 1); row 0 is the header */
	size_t columns;
	size_t rows; /* data rows, without the header */
};

/* -errno with "path:line: ..." when unreadable, empty, with a NUL byte, without a final newline, or
 * ragged. */
int tsv_load(const char *path, struct tsv *ret);
void tsv_free(struct tsv *tsv);

/* Column of that name, or -ENOENT with a text that names the file. */
int tsv_column(const struct tsv *tsv, const char *name);

/* Cell of data row @row (0-based). Never NULL, "" is NA; so is every cell of a negative @column. */
const char *tsv_text(const struct tsv *tsv, size_t row, int column);

/* 1 = read, 0 = NA (cell empty), -EINVAL = not a number, with "path:line: column ...". */
int tsv_u64(const struct tsv *tsv, size_t row, int column, uint64_t *ret);
int tsv_double(const struct tsv *tsv, size_t row, int column, double *ret);

/* Writes one cell; a tab, newline or control byte in it becomes '?'. NULL writes nothing (NA). */
void tsv_put(FILE *out, const char *cell);
/* Several, a tab between two. */
void tsv_put_cells(FILE *out, const char *const *cell, size_t n);

#endif
