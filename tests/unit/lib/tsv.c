/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables: reading by column name, NA against 0, every kind of damage with its line, safe writing.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "lib/error.h"
#include "lib/file.h"
#include "lib/tsv.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/tsv-test-XXXXXX";
static char path[64];

static int make_folder(void **state)
{
	(void)state;
	if (!mkdtemp(folder))
		return -1;
	snprintf(path, sizeof(path), "%s/t.tsv", folder);
	return 0;
}

static int remove_folder(void **state)
{
	(void)state;
	return file_remove_tree(folder);
}

static int load(const char *text, size_t size, struct tsv *ret)
{
	assert_int_equal(file_write_atomic(path, text, size), 0);
	return tsv_load(path, ret);
}

static void cells_by_column_name(void **state)
{
	static const char text[] = "cpu\tname\tusage\tpower\n"
				   "0\tPOLL\t18446744073709551615\t-1.5e3\n"
				   "1\thaltpoll idle\t\t\n";
	struct tsv tsv;
	uint64_t number = 99;
	double real = 99;
	int usage, power;

	(void)state;
	assert_int_equal(load(text, sizeof(text) - 1, &tsv), 0);
	assert_int_equal(tsv.columns, 4);
	assert_int_equal(tsv.rows, 2);
	usage = tsv_column(&tsv, "usage");
	power = tsv_column(&tsv, "power");
	assert_int_equal(usage, 2);
	assert_string_equal(tsv_text(&tsv, 1, tsv_column(&tsv, "name")), "haltpoll idle");
	assert_int_equal(tsv_u64(&tsv, 0, usage, &number), 1);
	assert_true(number == UINT64_MAX);
	assert_int_equal(tsv_double(&tsv, 0, power, &real), 1);
	assert_true(real == -1500);
	/* NA leaves the result alone. */
	assert_int_equal(tsv_u64(&tsv, 1, usage, &number), 0);
	assert_true(number == UINT64_MAX);
	assert_int_equal(tsv_double(&tsv, 1, power, &real), 0);
	assert_true(real == -1500);
	assert_int_equal(tsv_column(&tsv, "energy"), -ENOENT);
	assert_non_null(strstr(error_text(), "t.tsv: no column 'energy'"));
	assert_string_equal(tsv_text(&tsv, 0, -ENOENT), "");
	assert_int_equal(tsv_u64(&tsv, 0, -ENOENT, &number), 0);
	assert_string_equal(tsv_text(&tsv, 2, 0), "");
	tsv_free(&tsv);
}

static void wrong_numbers_have_a_place(void **state)
{
	static const char text[] = "a\tb\n1\t2\nx\t1.5\n-1\tnan\n1e3\t0x1\n"
				   "18446744073709551616\tinf\n";
	struct tsv tsv;
	uint64_t number = 99;
	double real = 99;
	size_t row;
	char place[160];

	(void)state;
	assert_int_equal(load(text, sizeof(text) - 1, &tsv), 0);
	for (row = 1; row < 5; row++) {
		assert_int_equal(tsv_u64(&tsv, row, 0, &number), -EINVAL);
		assert_false(error_is_usage());
		snprintf(place, sizeof(place), "%s:%zu: column a: '%s' is not a whole number", path,
			 row + 2, tsv_text(&tsv, row, 0));
		assert_memory_equal(error_text(), place, strlen(place));
	}
	for (row = 2; row < 5; row++)
		assert_int_equal(tsv_double(&tsv, row, 1, &real), -EINVAL);
	assert_true(number == 99 && real == 99);
	tsv_free(&tsv);
}

static void damage_is_refused_with_its_line(void **state)
{
	static const struct {
		const char *text;
		size_t size;
		const char *message;
	} bad[] = {
		{ "", 0, ": empty file" },
		{ "a\tb", 3, ":1: no newline at the end" },
		{ "a\tb\n1\t2", 7, ":2: no newline at the end" },
		{ "a\tb\n1\n", 6, ":2: 1 cells, the header has 2" },
		{ "a\tb\n1\t2\n1\t2\t3\n", 14, ":3: 3 cells, the header has 2" },
		{ "a\tb\n\n", 5, ":2: 1 cells, the header has 2" },
		{ "a\tb\n1\t\0\n", 8, ":2: control byte 0x00" },
		{ "a\tb\r\n", 5, ":1: control byte 0x0d" },
		{ "a\ta\n", 4, ":1: column 'a' is there twice" },
		{ "a\t\n", 3, ":1: column 2 has no name" },
		{ "\n", 1, ":1: column 1 has no name" },
	};
	struct tsv tsv = { .rows = 42 };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(load(bad[i].text, bad[i].size, &tsv), -EBADMSG);
		assert_memory_equal(error_text(), path, strlen(path));
		assert_memory_equal(error_text() + strlen(path), bad[i].message,
				    strlen(bad[i].message));
	}
	assert_int_equal(tsv.rows, 42);
	assert_int_equal(tsv_load("/nonexistent.tsv", &tsv), -ENOENT);
	assert_int_equal(tsv_load(folder, &tsv), -EISDIR);
}

static void header_alone_is_a_table(void **state)
{
	struct tsv tsv;

	(void)state;
	assert_int_equal(load("a\n", 2, &tsv), 0);
	assert_int_equal(tsv.rows, 0);
	tsv_free(&tsv);
}

static void put_cannot_break_a_table(void **state)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	assert_non_null(out);
	tsv_put(out, "a\tb\nc\033\177 \xc3\xa9");
	tsv_put(out, NULL);
	tsv_put(out, "");
	assert_int_equal(fclose(out), 0);
	assert_string_equal(text, "a?b?c?? \xc3\xa9");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cells_by_column_name),
		cmocka_unit_test(wrong_numbers_have_a_place),
		cmocka_unit_test(damage_is_refused_with_its_line),
		cmocka_unit_test(header_alone_is_a_table),
		cmocka_unit_test(put_cannot_break_a_table),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
