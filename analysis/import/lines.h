/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A text file line by line in bounded memory, and lines cut into cells. What is no text (control
 * bytes), too long or without its newline is told, never silently used.
 */
#ifndef ANALYSIS_IMPORT_LINES_H
#define ANALYSIS_IMPORT_LINES_H

#include "analysis/import/import.h"

#define LINES_MAX 65536 /* bytes of a line */
#define LINES_CELLS_MAX 512

struct lines {
	FILE *file;
	char *text; /* the line, NUL terminated, without newline and carriage return */
	size_t number; /* 1-based */
	const char *fault; /* why the line cannot be used; a constant; NULL */
};

/* -errno with a text; a folder, FIFO or device is refused. */
int lines_open(const char *path, struct lines *ret);

/* The next line; false at the end of the file. */
bool lines_next(struct lines *lines);

/* The next line that can be used; the others become faults of @source. */
bool lines_next_good(struct lines *lines, struct import_source *source);

void lines_close(struct lines *lines);

/*
 * Cuts @text in place at @separator; blanks round a cell and quotes round the whole of it go away.
 * Returns the number of cells, at most LINES_CELLS_MAX + 1, which is too many.
 */
size_t lines_cut(char *text, char separator, char *cell[LINES_CELLS_MAX + 1]);

/* Index of the cell that is @name, or -1. */
int lines_find(char *const *cell, size_t n, const char *name);

/* Digits only, below 2^64. */
bool lines_u64(const char *text, uint64_t *ret);
/* A finite decimal number. */
bool lines_number(const char *text, double *ret);
/* Seconds with up to nine decimals, as ns: exact, unlike a double. */
bool lines_seconds(const char *text, uint64_t *ret_ns);
/* What a tool says when it is stopped: the end of its log, not damage. */
bool lines_is_trailer(const char *text);
/* Half a unit of the last printed decimal: how far rounding may have moved the number. */
double lines_rounding(const char *text);

#endif
