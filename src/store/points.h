/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * points.tsv: where the points of a campaign's sweeps lie on their scales, and, of an adaptive
 * sweep, which of them have been chosen and why. There is none where all points lie at equal steps.
 */
#ifndef STORE_POINTS_H
#define STORE_POINTS_H

#include <stddef.h>
#include <stdio.h>

struct store_point {
	char *section, *point; /* as in run.ini: "two-cores", "cores=2,work=12us" */
	char *sweep; /* the axes beside the swept one, "cores=2"; "" = there are none */
	size_t at; /* place on the scale, in steps of the full sweep, from 0 */
	size_t wanted; /* points that the sweep is to have */
	int round; /* 0: measured from the start; 1, 2, ...: chosen then; -1: not (yet) */
	/* Of a chosen point: what made it wanted, in which curve ("teo loop_us"), between which
	 * places, and how large that was. "" and NAN where there is no such thing. */
	char *why, *curve;
	size_t from, to;
	double by_pct;
};

struct store_points {
	struct store_point *point;
	size_t n;
};

/* *ret is empty when @dir has no such file. -EBADMSG with file:line for a damaged one. */
int store_points_read(const char *dir, struct store_points *ret);

/* Writes beside DIR/points.tsv, fsync, rename. */
int store_points_write(const char *dir, const struct store_points *points);

/* The file's text, to any stream. */
void store_points_print(const struct store_points *points, FILE *out);

/*
 * Marks those of one sweep's rows, ascending by place, that are measured from the start (round 0):
 * two of five of the wanted ones, the ends among them, at steps as equal as the places allow. The
 * others get -1. All of them where all are wanted.
 */
void store_points_first(struct store_point *row, size_t rows);

/* A copy of @point, the texts included, behind the others. 0 or -ENOMEM. */
int store_points_add(struct store_points *points, const struct store_point *point);

/* Replaces both texts of point number @i; 0 or -ENOMEM, they stay then. */
int store_points_explain(struct store_points *points, size_t i, const char *why, const char *curve);

void store_points_free(struct store_points *points);

#endif
