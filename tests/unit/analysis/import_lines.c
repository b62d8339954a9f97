/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines, cells and numbers of imported files; what a file's name says. */
#include "analysis/import/table.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#define close_to(a, b, by) assert_true(fabs((a) - (b)) <= (by))

static char path[] = "/tmp/import-lines-XXXXXX";

static void put(const char *text, size_t size)
{
	FILE *out = fopen(path, "we");

	assert_non_null(out);
	assert_int_equal(fwrite(text, 1, size, out), size);
	assert_int_equal(fclose(out), 0);
}

static void line_by_line(void **state)
{
	static const char text[] = "\xef\xbb\xbf"
				   "one\r\n\ntw\ro\nthree\0\nfour";
	struct lines lines;

	(void)state;
	put(text, sizeof(text) - 1);
	assert_int_equal(lines_open(path, &lines), 0);
	assert_true(lines_next(&lines));
	assert_string_equal(lines.text, "one"); /* no byte order mark, no carriage return */
	assert_null(lines.fault);
	assert_true(lines_next(&lines));
	assert_string_equal(lines.text, "");
	assert_true(lines_next(&lines));
	assert_string_equal(lines.fault, "not text");
	assert_true(lines_next(&lines));
	assert_string_equal(lines.fault, "not text");
	assert_int_equal(lines.number, 4);
	assert_true(lines_next(&lines));
	assert_string_equal(lines.fault, "cut off: the last line has no newline");
	assert_false(lines_next(&lines));
	lines_close(&lines);
}

static void long_lines_are_passed_over(void **state)
{
	size_t size = 3 * LINES_MAX;
	char *text = malloc(size);
	struct lines lines;

	(void)state;
	assert_non_null(text);
	memset(text, 'x', size);
	memcpy(text + size - 6, "\nnext\n", 6);
	put(text, size);
	free(text);
	assert_int_equal(lines_open(path, &lines), 0);
	assert_true(lines_next(&lines));
	assert_string_equal(lines.fault, "a line of more than 64 KiB");
	assert_true(lines_next(&lines));
	assert_null(lines.fault);
	assert_string_equal(lines.text, "next");
	lines_close(&lines);
}

static void cells(void **state)
{
	char text[] = "a, \"b, c\" ,,d", *cell[LINES_CELLS_MAX + 1];
	char many[2 * LINES_CELLS_MAX + 8];

	(void)state;
	assert_int_equal(lines_cut(text, ',', cell), 4);
	assert_string_equal(cell[0], "a");
	assert_string_equal(cell[1], "b, c");
	assert_string_equal(cell[2], "");
	assert_string_equal(cell[3], "d");
	assert_int_equal(lines_find(cell, 4, "d"), 3);
	assert_int_equal(lines_find(cell, 4, "e"), -1);
	memset(many, ',', sizeof(many));
	many[sizeof(many) - 1] = '\0';
	assert_int_equal(lines_cut(many, ',', cell), LINES_CELLS_MAX + 1);
}

static void numbers(void **state)
{
	uint64_t n;

	(void)state;
	assert_true(lines_u64("18446744073709551615", &n) && n == UINT64_MAX);
	assert_false(lines_u64("18446744073709551616", &n));
	assert_false(lines_u64("1e3", &n));
	assert_false(lines_u64("-1", &n));
	assert_false(lines_u64("", &n));
	assert_true(lines_seconds("1737461761.722216", &n) && n == 1737461761722216000u);
	assert_true(lines_seconds("1737461915.0059266", &n) && n == 1737461915005926600u);
	assert_true(lines_seconds("5", &n) && n == 5000000000u);
	assert_false(lines_seconds("5.", &n));
	assert_false(lines_seconds(".5", &n));
	assert_false(lines_seconds("17374617610.5", &n));
	assert_false(lines_seconds("1.0000000001", &n));
	assert_false(lines_seconds("1 ", &n));
}

/* A printed number stands for all that may have been rounded to it. */
static void rounding(void **state)
{
	(void)state;
	close_to(lines_rounding("0.87"), 0.005, 1e-15);
	close_to(lines_rounding("12"), 0.5, 1e-15);
	assert_true(table_agrees("0.298", 119988.0 / 402522, 0));
	assert_false(table_agrees("0.297", 119988.0 / 402522, 0));
	assert_true(table_agrees("0.5", 0.55, 0)); /* either way at a half */
	assert_false(table_agrees("x", 1, 100));
}

static void units(void **state)
{
	(void)state;
	assert_string_equal(table_unit("sleep_us"), "us");
	assert_string_equal(table_unit("base_s"), "s");
	assert_string_equal(table_unit("us_per_loop"), "us");
	assert_string_equal(table_unit("_s"), "");
	assert_string_equal(table_unit("iops"), "");
}

static void check_label(const char *name, const char *want, int want_repeat, int want_edge)
{
	struct pool pool = { 0 };
	int repeat, edge;

	assert_string_equal(import_label(&pool, name, &repeat, &edge), want);
	assert_int_equal(repeat, want_repeat);
	assert_int_equal(edge, want_edge);
	pool_free(&pool);
}

static void labels(void **state)
{
	(void)state;
	check_label("/a/6.1-base-before-test.txt", "6.1-base-test", 0, -1);
	check_label("6.1-base-after-test.txt", "6.1-base-test", 0, 1);
	check_label("raw_milan0.txt", "milan0", 0, 0);
	check_label("acpower_milan0.txt", "milan0", 0, 0);
	check_label("x/teo-r12-before", "teo", 12, -1);
	check_label("menu-r3.log", "menu", 3, 0);
	check_label("beforehand.txt", "beforehand", 0, 0);
	check_label("run1/before/", "run1", 0, -1);
	check_label("before.txt", "imported", 0, -1);
	check_label("turbostat.log", "turbostat", 0, 0);
	check_label("a b\n:.csv", "a_b__", 0, 0);
	check_label("..", "_.", 0, 0);
}

static int make_file(void **state)
{
	int fd = mkstemp(path);

	(void)state;
	return fd < 0 || close(fd);
}

static int remove_file(void **state)
{
	(void)state;
	return unlink(path);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(line_by_line), cmocka_unit_test(long_lines_are_passed_over),
		cmocka_unit_test(cells),	cmocka_unit_test(numbers),
		cmocka_unit_test(rounding),	cmocka_unit_test(units),
		cmocka_unit_test(labels),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, make_file, remove_file);
}
