/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tab separated tables. The file is read whole and cut in place; a table is taken or refused as a
 * whole, so that nobody works on the first half of a damaged one.
 */
#include "lib/tsv.h"

#include "lib/error.h"
#include "lib/file.h"
#include "lib/units.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A table of ours has a few dozen; looking for columns of one name takes the square of it. */
#define COLUMNS_MAX 4096

/* Refuses what no table holds, counts lines and the header's columns. */
static int check_text(const struct tsv *tsv, size_t size, size_t *ret_lines)
{
	size_t i, lines = 0;
	unsigned char c;

	if (!size)
		return error_set(-EBADMSG, "%s: empty file", tsv->path);
	for (i = 0; i < size; i++) {
		c = (unsigned char)tsv->text[i];
		if (c == '\n')
			lines++;
		else if ((c < ' ' && c != '\t') || c == 0x7f)
			return error_set(-EBADMSG, "%s:%zu: control byte 0x%02x", tsv->path,
					 lines + 1, c);
	}
	if (tsv->text[size - 1] != '\n')
		return error_set(-EBADMSG, "%s:%zu: no newline at the end: the file is cut off",
				 tsv->path, lines + 1);
	*ret_lines = lines;
	return 0;
}

static size_t count_cells(const char *line)
{
	size_t n = 1;

	for (; *line != '\n'; line++)
		n += *line == '\t';
	return n;
}

/* Cuts the text into tsv->cell. */
static int cut_cells(struct tsv *tsv, size_t lines)
{
	char *at = tsv->text;
	size_t i, j, cells;

	tsv->columns = count_cells(at);
	if (tsv->columns > COLUMNS_MAX)
		return error_set(-EBADMSG, "%s:1: more than %d columns", tsv->path, COLUMNS_MAX);
	tsv->rows = lines - 1;
	tsv->cell = reallocarray(NULL, lines, tsv->columns * sizeof(*tsv->cell));
	if (!tsv->cell)
		return error_set(-ENOMEM, "%s: out of memory", tsv->path);
	for (i = 0; i < lines; i++) {
		cells = count_cells(at);
		if (cells != tsv->columns)
			return error_set(-EBADMSG, "%s:%zu: %zu cells, the header has %zu",
					 tsv->path, i + 1, cells, tsv->columns);
		for (j = 0; j < cells; j++) {
			tsv->cell[i * cells + j] = at;
			at += strcspn(at, "\t\n");
			*at++ = '\0';
		}
	}
	return 0;
}

static int check_header(const struct tsv *tsv)
{
	char quoted[ERROR_QUOTE_SIZE];
	size_t i, j;

	for (i = 0; i < tsv->columns; i++) {
		if (!*tsv->cell[i])
			return error_set(-EBADMSG, "%s:1: column %zu has no name", tsv->path,
					 i + 1);
		for (j = 0; j < i; j++) {
			if (!strcmp(tsv->cell[i], tsv->cell[j]))
				return error_set(-EBADMSG, "%s:1: column '%s' is there twice",
						 tsv->path, error_quote(tsv->cell[i], quoted));
		}
	}
	return 0;
}

int tsv_load(const char *path, struct tsv *ret)
{
	struct tsv tsv = { 0 };
	size_t size, lines = 0;
	int r = file_read(path, &tsv.text, &size);

	if (r)
		return r;
	tsv.path = strdup(path);
	r = tsv.path ? check_text(&tsv, size, &lines) : error_no_memory();
	if (!r)
		r = cut_cells(&tsv, lines);
	if (!r)
		r = check_header(&tsv);
	if (r) {
		tsv_free(&tsv);
		return r;
	}
	*ret = tsv;
	return 0;
}

void tsv_free(struct tsv *tsv)
{
	free(tsv->path);
	free(tsv->text);
	free(tsv->cell);
	*tsv = (struct tsv){ 0 };
}

int tsv_column(const struct tsv *tsv, const char *name)
{
	size_t i;

	for (i = 0; i < tsv->columns; i++) {
		if (!strcmp(tsv->cell[i], name))
			return (int)i;
	}
	return error_set(-ENOENT, "%s: no column '%s'", tsv->path, name);
}

const char *tsv_text(const struct tsv *tsv, size_t row, int column)
{
	/* A negative column (-ENOENT of tsv_column()) becomes a large one here. */
	if ((size_t)column >= tsv->columns || row >= tsv->rows)
		return "";
	return tsv->cell[(row + 1) * tsv->columns + (size_t)column];
}

static int cell_error(const struct tsv *tsv, size_t row, int column, const char *what)
{
	char quoted[ERROR_QUOTE_SIZE];

	return error_set(-EINVAL, "%s:%zu: column %s: '%s' is not %s", tsv->path, row + 2,
			 tsv->cell[column], error_quote(tsv_text(tsv, row, column), quoted), what);
}

int tsv_u64(const struct tsv *tsv, size_t row, int column, uint64_t *ret)
{
	const char *text = tsv_text(tsv, row, column);

	if (!*text)
		return 0;
	/* Plain digits only: the exponent that a user may type was never written by a program. */
	if (text[strspn(text, "0123456789")] || units_parse_count(text, ret))
		return cell_error(tsv, row, column, "a whole number below 2^64");
	return 1;
}

int tsv_double(const struct tsv *tsv, size_t row, int column, double *ret)
{
	const char *text = tsv_text(tsv, row, column);

	if (!*text)
		return 0;
	if (units_parse_number(text, ret))
		return cell_error(tsv, row, column, "a number");
	return 1;
}

void tsv_put(FILE *out, const char *cell)
{
	unsigned char c;

	for (; cell && *cell; cell++) {
		c = (unsigned char)*cell;
		putc(c < ' ' || c == 0x7f ? '?' : c, out);
	}
}

void tsv_put_cells(FILE *out, const char *const *cell, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (i)
			putc('\t', out);
		tsv_put(out, cell[i]);
	}
}
