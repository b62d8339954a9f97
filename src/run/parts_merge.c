/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One table of several workloads' tables: the names in it get the workload's in front
 * ("periodic:package_w"), nothing else changes. A failed run's tables are taken as far as they go.
 */
#include "lib/error.h"
#include "lib/file.h"
#include "lib/tsv.h"
#include "run/parts.h"
#include "store/format.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
	const char *file, *column; /* that gets the workload's name */
} tables[] = {
	{ STORE_METRICS, "name" },
	{ STORE_LATENCY, "role" },
	{ STORE_TASKS, "role" },
	{ STORE_SERIES, "name" },
};
#define TABLES (sizeof(tables) / sizeof(tables[0]))

static void put_header(FILE *out, const struct tsv *tsv)
{
	for (size_t c = 0; c < tsv->columns; c++)
		fprintf(out, "%s%s", c ? "\t" : "", tsv->cell[c]);
	fputc('\n', out);
}

static void put_rows(FILE *out, const struct tsv *tsv, int column, const char *workload)
{
	for (size_t row = 0; row < tsv->rows; row++) {
		for (size_t c = 0; c < tsv->columns; c++) {
			fputs(c ? "\t" : "", out);
			if ((int)c == column)
				fprintf(out, "%s:", workload);
			tsv_put(out, tsv_text(tsv, row, (int)c));
		}
		fputc('\n', out);
	}
}

static bool same_header(const struct tsv *a, const struct tsv *b)
{
	if (a->columns != b->columns)
		return false;
	for (size_t c = 0; c < a->columns; c++)
		if (strcmp(a->cell[c], b->cell[c]))
			return false;
	return true;
}

/* The first one's header is everybody's. */
static int put_table(const struct cell *cell, size_t k, size_t table, struct tsv *first, FILE *out)
{
	struct tsv tsv;
	char path[PATH_MAX];
	int err;

	snprintf(path, sizeof(path), "%s/%s", cell->part[k].dir, tables[table].file);
	err = tsv_load(path, &tsv);
	if (err)
		return cell->run.state == STORE_COMPLETE ? err : 0;
	if (!first->path)
		put_header(out, &tsv);
	else if (!same_header(first, &tsv))
		err = error_set(-EBADMSG, "%s: not the columns of %s", path, first->path);
	if (!err)
		put_rows(out, &tsv, tsv_column(&tsv, tables[table].column),
			 cell->part[k].workload->name);
	if (first->path)
		tsv_free(&tsv);
	else
		*first = tsv;
	return err;
}

static int merge_table(const struct cell *cell, size_t table)
{
	struct tsv first = { 0 };
	char path[PATH_MAX], *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	int err = out ? 0 : error_no_memory();

	for (size_t k = 0; k < cell->parts && !err; k++)
		err = put_table(cell, k, table, &first, out);
	if (out)
		fclose(out);
	snprintf(path, sizeof(path), "%s/%s", cell->tmp, tables[table].file);
	if (!err && first.path)
		err = file_write_atomic(path, text, size);
	if (first.path)
		tsv_free(&first);
	free(text);
	return err;
}

/* What they wrote to stderr, each line with its workload's name. */
static int merge_stderr(const struct cell *cell)
{
	char path[PATH_MAX], *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	int err;

	if (!out)
		return error_no_memory();
	for (size_t k = 0; k < cell->parts; k++) {
		char *log, *rest, *line;
		size_t length;

		snprintf(path, sizeof(path), "%s/" STORE_STDERR, cell->part[k].dir);
		if (file_read(path, &log, &length))
			continue; /* it was never started */
		for (rest = log; (line = strsep(&rest, "\n"));)
			if (*line || rest)
				fprintf(out, "%s: %s\n", cell->part[k].workload->name, line);
		free(log);
	}
	fclose(out);
	snprintf(path, sizeof(path), "%s/" STORE_STDERR, cell->tmp);
	err = file_write_atomic(path, text, size);
	free(text);
	return err;
}

/* What a workload has written beside its tables stays in its folder. */
static void remove_merged(const char *dir)
{
	char path[PATH_MAX];

	for (size_t i = 0; i < TABLES; i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, tables[i].file);
		unlink(path);
	}
	snprintf(path, sizeof(path), "%s/" STORE_STDERR, dir);
	unlink(path);
	rmdir(dir);
}

int parts_merge(struct cell *cell)
{
	int err = 0;

	if (cell->parts < 2)
		return 0;
	for (size_t i = 0; i < TABLES && !err; i++)
		err = merge_table(cell, i);
	if (!err)
		err = merge_stderr(cell);
	for (size_t k = 0; k < cell->parts && !err; k++)
		remove_merged(cell->part[k].dir);
	return err;
}
