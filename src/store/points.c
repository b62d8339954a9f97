/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One row a point that the sweep may have: a few hundred of each. The file is small enough to be
 * written anew whenever points are chosen, so there is never half of a choice.
 */
#include "store/points.h"
#include "lib/error.h"
#include "lib/file.h"
#include "lib/tsv.h"
#include "store/format.h"
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FIRST_MIN 4 /* points of the first round: fewer show no bend */
#define PLACES_MAX 100000 /* steps of a scale; more are no sweep of ours */

int store_points_add(struct store_points *points, const struct store_point *point)
{
	struct store_point *bigger =
		reallocarray(points->point, points->n + 1, sizeof(*points->point));
	struct store_point *to;

	if (!bigger)
		return error_no_memory();
	points->point = bigger;
	to = &points->point[points->n++];
	*to = *point;
	to->section = strdup(point->section);
	to->point = strdup(point->point);
	to->sweep = strdup(point->sweep);
	to->why = strdup(point->why ? point->why : "");
	to->curve = strdup(point->curve ? point->curve : "");
	return to->section && to->point && to->sweep && to->why && to->curve ? 0
									     : error_no_memory();
}

static size_t nearest(const struct store_point *row, size_t rows, double place)
{
	size_t best = 0;

	for (size_t i = 1; i < rows; i++)
		if (fabs((double)row[i].at - place) < fabs((double)row[best].at - place))
			best = i;
	return best;
}

void store_points_first(struct store_point *row, size_t rows)
{
	size_t wanted = rows ? row[0].wanted : 0, first = (2 * wanted + 2) / 5;
	double lo = rows ? (double)row[0].at : 0;
	double hi = rows ? (double)row[rows - 1].at : 0;

	first = first < FIRST_MIN ? FIRST_MIN : first;
	for (size_t i = 0; i < rows; i++)
		row[i].round = wanted && wanted < rows && first < rows ? -1 : 0;
	for (size_t k = 0; rows && k < first; k++)
		row[nearest(row, rows, lo + (hi - lo) * (double)k / (double)(first - 1))].round = 0;
}

/* An integer of the row within 0..PLACES_MAX; @ret stays as it is where the cell is empty. */
static int read_count(const struct tsv *tsv, size_t row, const char *name, size_t *ret)
{
	int column = tsv_column(tsv, name), got;
	uint64_t value;

	if (column < 0)
		return column;
	got = tsv_u64(tsv, row, column, &value);
	if (got <= 0)
		return got;
	if (value > PLACES_MAX)
		return error_set(-EBADMSG, "%s:%zu: column %s: %llu is too large", tsv->path,
				 row + 2, name, (unsigned long long)value);
	*ret = (size_t)value;
	return 0;
}

static int read_row(const struct tsv *tsv, size_t row, struct store_points *points)
{
	static const char *const texts[] = { "section", "point", "sweep", "why", "curve" };
	size_t round = SIZE_MAX;
	struct store_point p = { .by_pct = NAN };
	char **to[] = { &p.section, &p.point, &p.sweep, &p.why, &p.curve };
	int err = 0;

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		int column = tsv_column(tsv, texts[i]);

		if (column < 0)
			return column;
		*to[i] = (char *)tsv_text(tsv, row, column);
	}
	if (tsv_double(tsv, row, tsv_column(tsv, "by_pct"), &p.by_pct) < 0)
		return -EINVAL;
	err = read_count(tsv, row, "at", &p.at);
	err = err ? err : read_count(tsv, row, "wanted", &p.wanted);
	err = err ? err : read_count(tsv, row, "from", &p.from);
	err = err ? err : read_count(tsv, row, "to", &p.to);
	err = err ? err : read_count(tsv, row, "round", &round);
	p.round = round == SIZE_MAX ? -1 : (int)round;
	return err ? err : store_points_add(points, &p);
}

int store_points_read(const char *dir, struct store_points *ret)
{
	struct store_points points = { 0 };
	char path[PATH_MAX];
	struct tsv tsv;
	int err;

	*ret = points;
	snprintf(path, sizeof(path), "%s/" STORE_POINTS, dir);
	if (access(path, F_OK) && errno == ENOENT)
		return 0;
	err = tsv_load(path, &tsv);
	if (err)
		return err;
	if (!tsv.rows) /* a campaign without unequal steps has no file */
		err = error_set(-EBADMSG, "%s: no row of any point", path);
	for (size_t i = 0; i < tsv.rows && !err; i++)
		err = read_row(&tsv, i, &points);
	tsv_free(&tsv);
	if (err)
		store_points_free(&points);
	else
		*ret = points;
	return err == -EINVAL || err == -ENOENT ? -EBADMSG : err;
}

static void print_row(const struct store_point *p, FILE *out)
{
	tsv_put(out, p->section);
	putc('\t', out);
	tsv_put(out, p->sweep);
	fprintf(out, "\t%zu\t", p->at);
	tsv_put(out, p->point);
	fprintf(out, "\t%zu\t", p->wanted);
	if (p->round >= 0)
		fprintf(out, "%d", p->round);
	putc('\t', out);
	tsv_put(out, p->why);
	putc('\t', out);
	tsv_put(out, p->curve);
	if (p->round > 0)
		fprintf(out, "\t%zu\t%zu\t", p->from, p->to);
	else
		fputs("\t\t\t", out);
	if (isfinite(p->by_pct) && p->round > 0) /* -99.96 must not become -100, which is all */
		fprintf(out, "%.6g", p->by_pct);
	putc('\n', out);
}

void store_points_print(const struct store_points *points, FILE *out)
{
	fputs(STORE_POINTS_COLUMNS, out);
	for (size_t i = 0; i < points->n; i++)
		print_row(&points->point[i], out);
}

int store_points_write(const char *dir, const struct store_points *points)
{
	char path[PATH_MAX], *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	int err;

	if (!out)
		return error_no_memory();
	store_points_print(points, out);
	if (fclose(out))
		err = error_no_memory();
	else if (snprintf(path, sizeof(path), "%s/" STORE_POINTS, dir) >= (int)sizeof(path))
		err = error_set(-ENAMETOOLONG, "%s: too long a path", dir);
	else
		err = file_write_atomic(path, text, size);
	free(text);
	return err;
}

int store_points_explain(struct store_points *points, size_t i, const char *why, const char *curve)
{
	struct store_point *p = &points->point[i];
	char *a = strdup(why), *b = strdup(curve);

	if (!a || !b) {
		free(a);
		free(b);
		return error_no_memory();
	}
	free(p->why);
	free(p->curve);
	p->why = a;
	p->curve = b;
	return 0;
}

void store_points_free(struct store_points *points)
{
	for (size_t i = 0; i < points->n; i++) {
		free(points->point[i].section);
		free(points->point[i].point);
		free(points->point[i].sweep);
		free(points->point[i].why);
		free(points->point[i].curve);
	}
	free(points->point);
	*points = (struct store_points){ 0 };
}
