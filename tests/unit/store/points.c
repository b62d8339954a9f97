/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * points.tsv: what is written is read again, a damaged one is refused with its line, and which
 * points of a sweep are measured from the start.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "lib/error.h"
#include "lib/file.h"
#include "store/format.h"
#include "store/points.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char dir[64];

static int make_dir(void **state)
{
	(void)state;
	strcpy(dir, "/tmp/points-XXXXXX");
	return mkdtemp(dir) ? 0 : -1;
}

static int remove_dir(void **state)
{
	(void)state;
	return file_remove_tree(dir);
}

static void written_is_read(void **state)
{
	struct store_points points = { 0 }, back;
	const struct store_point chosen = { .section = (char *)"s",
					    .point = (char *)"cores=2,work=3us",
					    .sweep = (char *)"cores=2",
					    .at = 7,
					    .wanted = 60,
					    .round = 2,
					    .why = (char *)"bend",
					    .curve = (char *)"teo loop_us",
					    .from = 5,
					    .to = 9,
					    .by_pct = -99.996 };
	const struct store_point other = { .section = (char *)"s",
					   .point = (char *)"cores=2,work=4us",
					   .sweep = (char *)"",
					   .at = 8,
					   .round = -1,
					   .by_pct = NAN };

	(void)state;
	assert_int_equal(store_points_add(&points, &chosen), 0);
	assert_int_equal(store_points_add(&points, &other), 0);
	assert_int_equal(store_points_write(dir, &points), 0);
	assert_int_equal(store_points_read(dir, &back), 0);
	assert_int_equal(back.n, 2);
	assert_string_equal(back.point[0].point, chosen.point);
	assert_string_equal(back.point[0].sweep, chosen.sweep);
	assert_string_equal(back.point[0].why, "bend");
	assert_string_equal(back.point[0].curve, "teo loop_us");
	assert_int_equal(back.point[0].at, 7);
	assert_int_equal(back.point[0].wanted, 60);
	assert_int_equal(back.point[0].round, 2);
	assert_int_equal(back.point[0].from, 5);
	assert_int_equal(back.point[0].to, 9);
	assert_true(back.point[0].by_pct == -99.996);
	assert_int_equal(back.point[1].round, -1);
	assert_true(isnan(back.point[1].by_pct));
	assert_string_equal(back.point[1].why, "");
	store_points_free(&points);
	store_points_free(&back);
}

static void missing_is_empty(void **state)
{
	struct store_points points = { .n = 1 };

	(void)state;
	assert_int_equal(store_points_read("/tmp/no such folder", &points), 0);
	assert_int_equal(points.n, 0);
}

static void expect_damaged(const char *text, const char *says)
{
	struct store_points points;
	char path[128];

	snprintf(path, sizeof(path), "%s/" STORE_POINTS, dir);
	assert_int_equal(file_write_atomic(path, text, strlen(text)), 0);
	assert_int_equal(store_points_read(dir, &points), -EBADMSG);
	assert_int_equal(points.n, 0);
	if (!strstr(error_text(), says))
		fail_msg("'%s' does not say '%s'", error_text(), says);
}

static void damaged(void **state)
{
	(void)state;
	expect_damaged("", "empty file");
	expect_damaged(STORE_POINTS_COLUMNS, "no row of any point");
	expect_damaged("anything else\n", "no row of any point");
	expect_damaged("section\tpoint\na\tb\n", "no column 'sweep'");
	expect_damaged(STORE_POINTS_COLUMNS "s\t\tx\tp\t60\t0\t\t\t\t\t\n", ":2: column at");
	expect_damaged(STORE_POINTS_COLUMNS "s\t\t1\tp\t60\t-1\t\t\t\t\t\n", ":2: column round");
	expect_damaged(STORE_POINTS_COLUMNS "s\t\t1\tp\t60\t9999999\t\t\t\t\t\n", "too large");
	expect_damaged(STORE_POINTS_COLUMNS "s\t\t1\tp\t60\t0\t\t\t\t\tx\n", "column by_pct");
	expect_damaged(STORE_POINTS_COLUMNS "s\t\t1\n", "cells");
}

/* @at: places of the rows. Returns how many are of the first round. */
static size_t first_of(const size_t *at, size_t rows, size_t wanted, struct store_point *row)
{
	size_t n = 0;

	for (size_t i = 0; i < rows; i++)
		row[i] = (struct store_point){ .at = at ? at[i] : i, .wanted = wanted };
	store_points_first(row, rows);
	for (size_t i = 0; i < rows; i++)
		n += row[i].round == 0;
	return n;
}

static void first_round(void **state)
{
	static const size_t odd[] = { 0, 1, 2, 3, 40, 41, 42, 43, 44, 99 };
	struct store_point row[300];
	size_t last = 0, widest = 0;

	(void)state;
	assert_int_equal(first_of(NULL, 300, 60, row), 24);
	assert_int_equal(row[0].round, 0);
	assert_int_equal(row[299].round, 0);
	for (size_t i = 1; i < 300; i++) {
		assert_true(row[i].round == 0 || row[i].round == -1);
		if (row[i].round)
			continue;
		widest = i - last > widest ? i - last : widest;
		last = i;
	}
	assert_int_equal(widest, 13);
	/* All where all are wanted, and where it is no matter of choice. */
	assert_int_equal(first_of(NULL, 20, 20, row), 20);
	assert_int_equal(first_of(NULL, 20, 0, row), 20);
	assert_int_equal(first_of(NULL, 40, 8, row), 4);
	/* Places that are missing: the nearest ones, the ends always. */
	assert_in_range(first_of(odd, 10, 8, row), 3, 4);
	assert_int_equal(row[0].round, 0);
	assert_int_equal(row[9].round, 0);
	assert_int_equal(first_of(NULL, 0, 0, row), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(written_is_read, make_dir, remove_dir),
		cmocka_unit_test(missing_is_empty),
		cmocka_unit_test_setup_teardown(damaged, make_dir, remove_dir),
		cmocka_unit_test(first_round),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
