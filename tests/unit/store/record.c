/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any text goes into an INI value and comes back the same.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "lib/error.h"
#include "store/record.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define LONG_KEY "a_key_of_thirty_two_bytes_exactly"

/* [s] with one key, as record_put() writes it. */
static char *written(const char *key, const char *value)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	fputs("[s]\n", out);
	record_put(out, key, value);
	assert_int_equal(fclose(out), 0);
	return text;
}

static void expect_same(const char *value)
{
	static const char *const keys[] = { "k", LONG_KEY };

	for (size_t i = 0; i < 2; i++) {
		char *text = written(keys[i], value), *back;
		struct ini ini;

		if (ini_load_text("x.ini", text, strlen(text), &ini))
			fail_msg("%s: %s", error_text(), text);
		back = record_get(&ini, "s", keys[i]);
		assert_non_null(back);
		assert_string_equal(back, value);
		free(back);
		ini_free(&ini);
		free(text);
	}
}

static void ordinary_text_stays_readable(void **state)
{
	char *text = written("about", "Token passing, 2 cores: work = 0..40us (a/b)");

	(void)state;
	assert_string_equal(text, "[s]\nabout = Token passing, 2 cores: work = 0..40us (a/b)\n");
	free(text);
	text = written("about", "100%; next\n");
	assert_string_equal(text, "[s]\nabout = 100%25; next%0A\n");
	free(text);
}

static void awful_texts(void **state)
{
	static const char *const value[] = {
		"",
		" ",
		"  a  ",
		"\t",
		"a\tb",
		"\n",
		"a\nb\n",
		"\r\n",
		";",
		"a ; b",
		"a;b",
		"# x",
		"[section]",
		"k = v",
		"=",
		":",
		"%",
		"%%",
		"%41",
		"%0",
		"%zz",
		"100%",
		"\x01\x02\x7f",
		"'\"\\",
		"\xc3\xa4 \xe2\x82\xac \xf0\x9f\x90\xa2",
		"\xff\xfe",
		"a  b   c",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(value) / sizeof(value[0]); i++)
		expect_same(value[i]);
}

static void long_texts(void **state)
{
	static const char *const unit[] = { "x",    " ",  "%",	       "x ",  "\xc3\xa4",
					    "ab; ", "\n", "  word%  ", "a  b" };
	char text[2048];

	(void)state;
	for (size_t u = 0; u < sizeof(unit) / sizeof(unit[0]); u++) {
		for (size_t size = 120; size < 1100; size += size < 280 ? 1 : 97) {
			text[0] = '\0';
			while (strlen(text) < size)
				strcat(text, unit[u]);
			text[size] = '\0';
			expect_same(text);
			/* Outer blanks are escaped anyway; here they are inner ones. */
			text[0] = text[size - 1] = 'q';
			expect_same(text);
		}
	}
}

static void random_texts(void **state)
{
	unsigned int seed = 1;
	char text[1001];

	(void)state;
	for (int round = 0; round < 2000; round++) {
		size_t n = (size_t)rand_r(&seed) % sizeof(text);

		for (size_t i = 0; i < n; i++)
			text[i] = round % 2 ? (char)(1 + rand_r(&seed) % 255)
					    : " ;%\nab"[rand_r(&seed) % 6];
		text[n] = '\0';
		expect_same(text);
	}
}

static void absent_is_not_empty(void **state)
{
	char *text = written("k", NULL), *back;
	struct ini ini;

	(void)state;
	assert_string_equal(text, "[s]\n");
	free(text);
	assert_int_equal(ini_load_text("x.ini", "[s]\nk =\n", 8, &ini), 0);
	assert_null(record_get(&ini, "s", "other"));
	assert_null(record_get(&ini, "t", "k"));
	back = record_get(&ini, "s", "k");
	assert_string_equal(back, "");
	free(back);
	ini_free(&ini);
}

/* The key of a second line, cut to what fits somewhere, must not be the key again. */
static void long_keys(void **state)
{
	for (int n = 1; n < INI_LINE_MAX - 4; n++) {
		char text[INI_LINE_MAX + 16], key[INI_LINE_MAX], *back;
		struct ini ini;

		memset(key, 'k', (size_t)n);
		key[n] = '\0';
		snprintf(text, sizeof(text), "[s]\n%s = v\n", key);
		assert_int_equal(ini_load_text("x.ini", text, strlen(text), &ini), 0);
		back = record_get(&ini, "s", key);
		assert_string_equal(back, "v");
		free(back);
		ini_free(&ini);
	}
	(void)state;
}

static void numbers(void **state)
{
	static const char text[] = "[s]\nmax = 18446744073709551615\nover = 18446744073709551616\n"
				   "minus = -1\nword = x\nempty =\n";
	uint64_t value = 7;
	struct ini ini;

	(void)state;
	assert_int_equal(ini_load_text("x.ini", text, strlen(text), &ini), 0);
	assert_int_equal(record_get_u64(&ini, "s", "absent", &value), 0);
	assert_int_equal(record_get_u64(&ini, "s", "over", &value), -EBADMSG);
	assert_non_null(strstr(error_text(), "x.ini"));
	assert_non_null(strstr(error_text(), "over"));
	assert_int_equal(record_get_u64(&ini, "s", "minus", &value), -EBADMSG);
	assert_int_equal(record_get_u64(&ini, "s", "word", &value), -EBADMSG);
	assert_int_equal(record_get_u64(&ini, "s", "empty", &value), -EBADMSG);
	assert_int_equal(value, 7);
	assert_int_equal(record_get_u64(&ini, "s", "max", &value), 1);
	assert_true(value == UINT64_MAX);
	ini_free(&ini);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ordinary_text_stays_readable),
		cmocka_unit_test(awful_texts),
		cmocka_unit_test(long_texts),
		cmocka_unit_test(random_texts),
		cmocka_unit_test(absent_is_not_empty),
		cmocka_unit_test(long_keys),
		cmocka_unit_test(numbers),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
