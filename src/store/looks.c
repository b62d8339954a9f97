/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The file is small (a line for each comparison and look), so it is written anew each time. */
#include "store/looks.h"
#include "lib/error.h"
#include "lib/file.h"
#include "store/format.h"
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NOTHING "none"
#define NOTHING_ROW "\t" NOTHING "\t\t\t\t\t\t\t\t\t\t\t\t\t\tyes\n"

const char *store_looks_text(const struct store_looks *looks, size_t row, const char *column)
{
	return tsv_text(&looks->tsv, row, tsv_column(&looks->tsv, column));
}

bool store_looks_decided(const struct store_looks *looks, size_t row)
{
	return !strcmp(store_looks_text(looks, row, "decided"), "yes");
}

bool store_looks_same(const struct store_looks *looks, size_t a, size_t b)
{
	static const char *const key[] = { "section",	       "scope",	 "point", "governor",
					   "cpufreq_governor", "kernel", "metric" };

	for (size_t i = 0; i < sizeof(key) / sizeof(key[0]); i++)
		if (strcmp(store_looks_text(looks, a, key[i]), store_looks_text(looks, b, key[i])))
			return false;
	return true;
}

/* Row at which the look begins that ends before row @end. */
static size_t look_before(const struct store_looks *l, size_t end)
{
	size_t row = end;

	while (row &&
	       !strcmp(store_looks_text(l, row - 1, "look"), store_looks_text(l, end - 1, "look")))
		row--;
	return row;
}

static int read_last(struct store_looks *l)
{
	const struct tsv *t = &l->tsv;
	uint64_t look;

	if (tsv_u64(t, t->rows - 1, tsv_column(t, "look"), &look) != 1 ||
	    tsv_u64(t, t->rows - 1, tsv_column(t, "repeat"), &l->repeat) != 1 ||
	    tsv_u64(t, t->rows - 1, tsv_column(t, "runs"), &l->runs) != 1)
		return error_set(-EBADMSG, "%s: the last line has no look, repeat or runs",
				 t->path);
	l->looks = look;
	l->first = look_before(l, t->rows);
	l->before = l->first ? look_before(l, l->first) : l->first;
	for (size_t i = l->first; i < t->rows; i++) {
		l->compared += strcmp(store_looks_text(l, i, "scope"), NOTHING) != 0;
		l->open += !store_looks_decided(l, i);
	}
	return 0;
}

/* The columns are those of this version, in its order: rows are copied as they are. */
static bool has_columns(const struct tsv *t)
{
	const char *at = STORE_LOOKS_COLUMNS;

	for (size_t i = 0; i < t->columns; i++) {
		size_t n = strcspn(at, "\t\n");

		if (strlen(t->cell[i]) != n || strncmp(t->cell[i], at, n))
			return false;
		at += n + 1;
	}
	return !*at;
}

int store_looks_read(const char *dir, struct store_looks *ret)
{
	struct store_looks l = { 0 };
	char path[PATH_MAX];
	int err;

	snprintf(path, sizeof(path), "%s/" STORE_LOOKS, dir);
	if (access(path, F_OK) && errno == ENOENT) {
		*ret = l;
		return 0;
	}
	err = tsv_load(path, &l.tsv);
	if (err)
		return err;
	if (!has_columns(&l.tsv))
		err = error_set(-EBADMSG, "%s: other columns than this version's", path);
	if (!err && l.tsv.rows)
		err = read_last(&l);
	if (err)
		store_looks_free(&l);
	else
		*ret = l;
	return err;
}

void store_looks_free(struct store_looks *looks)
{
	if (looks->tsv.text)
		tsv_free(&looks->tsv);
	*looks = (struct store_looks){ 0 };
}

static void copy_rows(const struct store_looks *have, FILE *out)
{
	for (size_t row = 0; row < have->tsv.rows; row++)
		for (size_t c = 0; c < have->tsv.columns; c++)
			fprintf(out, "%s%c", tsv_text(&have->tsv, row, (int)c),
				c + 1 < have->tsv.columns ? '\t' : '\n');
}

int store_looks_add(const char *dir, const struct store_looks *have, const char *boot, int repeat,
		    size_t runs, const char *decisions)
{
	char path[PATH_MAX], *text = NULL;
	size_t size = 0;
	FILE *out;
	int err;

	if (strncmp(decisions, STORE_DECISION_COLUMNS, strlen(STORE_DECISION_COLUMNS)))
		return error_set(-EBADMSG, "the analysis program printed no decisions");
	out = open_memstream(&text, &size);
	if (!out)
		return error_no_memory();
	fputs(STORE_LOOKS_COLUMNS, out);
	copy_rows(have, out);
	decisions = strchr(decisions, '\n') + 1;
	if (!*decisions)
		decisions = NOTHING_ROW;
	for (const char *line = decisions; *line;) {
		size_t n = strcspn(line, "\n");

		fprintf(out, "%zu\t%s\t%d\t%zu\t%.*s\n", have->looks + 1, boot, repeat, runs,
			(int)n, line);
		line += n + (line[n] == '\n');
	}
	err = fclose(out) ? error_no_memory() : 0;
	snprintf(path, sizeof(path), "%s/" STORE_LOOKS, dir);
	if (!err)
		err = file_write_atomic(path, text, size);
	free(text);
	return err;
}
