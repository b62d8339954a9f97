/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file of the report: collected in memory, written at once, so that the error of a full disk is
 * the one that the user reads. A stdio stream only remembers that there was one.
 */
#ifndef ANALYSIS_OUTPUT_H
#define ANALYSIS_OUTPUT_H

#include <stddef.h>
#include <stdio.h>

struct output {
	FILE *stream;
	char *text;
	size_t size;
};

/* Opens the stream that the text goes to. Aborts when out of memory, as the pool does. */
void output_open(struct output *ret);

/* Writes what the stream got to @path, a new file, and frees it. -errno with a text. */
int output_write(struct output *output, const char *path);

/* The same of a table: a last column "mark" says @mark in each row; "" = there is none. */
int output_write_table(struct output *output, const char *mark, const char *path);

/* Frees what the stream got. */
void output_drop(struct output *output);

/* Ends the stream: text (NUL terminated) and size are valid until free(). */
void output_end(struct output *output);

#endif
