/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * INI files: entries with their lines, every refusal in its words, and random damage that must end
 * in an answer (run it with SANITIZE=address,undefined).
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "lib/error.h"
#include "lib/ini.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int load(const char *text, struct ini *ret)
{
	return ini_load_text("x.ini", text, strlen(text), ret);
}

static void expect_entry(const struct ini *ini, size_t i, const char *section, const char *key,
			 const char *value, int line)
{
	assert_true(i < ini->n);
	assert_string_equal(ini->entry[i].section, section);
	if (key)
		assert_string_equal(ini->entry[i].key, key);
	else
		assert_null(ini->entry[i].key);
	assert_string_equal(ini->entry[i].value, value);
	assert_int_equal(ini->entry[i].line, line);
}

static void entries_in_file_order_with_lines(void **state)
{
	struct ini ini;

	(void)state;
	assert_int_equal(load("# comment\n"
			      "[suite]\n"
			      "format    = 1\n"
			      "\n"
			      "  about = Token passing ; remark\n"
			      "\t; a comment that is indented\n"
			      "[run two-cores]  # why\n"
			      "work:0..40us log 24\n"
			      "empty =\n"
			      "url = a=b;c\n"
			      "[ bare ]\n"
			      "last = no newline",
			      &ini),
			 0);
	assert_int_equal(ini.n, 9);
	assert_string_equal(ini.path, "x.ini");
	expect_entry(&ini, 0, "suite", NULL, "", 2);
	expect_entry(&ini, 1, "suite", "format", "1", 3);
	expect_entry(&ini, 2, "suite", "about", "Token passing", 5);
	expect_entry(&ini, 3, "run two-cores", NULL, "", 7);
	expect_entry(&ini, 4, "run two-cores", "work", "0..40us log 24", 8);
	expect_entry(&ini, 5, "run two-cores", "empty", "", 9);
	expect_entry(&ini, 6, "run two-cores", "url", "a=b;c", 10);
	expect_entry(&ini, 7, "bare", NULL, "", 11);
	expect_entry(&ini, 8, "bare", "last", "no newline", 12);
	assert_string_equal(ini_get(&ini, "suite", "about"), "Token passing");
	assert_null(ini_get(&ini, "suite", "work"));
	assert_null(ini_get(&ini, "nowhere", "about"));
	ini_free(&ini);
	assert_int_equal(ini.n, 0);
}

static void byte_order_mark_crlf_and_utf8(void **state)
{
	struct ini ini;

	(void)state;
	assert_int_equal(load("\xef\xbb\xbf[a]\r\nk = caf\xc3\xa9 \xff\r\n\r\nl=2\r\n", &ini), 0);
	assert_int_equal(ini.n, 3);
	expect_entry(&ini, 1, "a", "k", "caf\xc3\xa9 \xff", 2);
	expect_entry(&ini, 2, "a", "l", "2", 4);
	ini_free(&ini);
	assert_int_equal(load("", &ini), 0);
	assert_int_equal(ini.n, 0);
	ini_free(&ini);
}

static void long_names_stay_whole(void **state)
{
	struct ini ini;
	/* inih itself keeps 49 bytes of a section's name. */
	static const char section[] = "run 0123456789012345678901234567890123456789-"
				      "0123456789-0123456789";
	char text[300];

	(void)state;
	snprintf(text, sizeof(text), "[%s]\nk = 1\n[%sx]\nk = 2\n", section, section);
	assert_int_equal(load(text, &ini), 0);
	assert_string_equal(ini_get(&ini, section, "k"), "1");
	ini_free(&ini);
}

static void refusals(void **state)
{
	static const struct {
		const char *text, *message;
	} bad[] = {
		{ "[a]\nkey value\n", "x.ini:2: not 'key = value': 'key value'" },
		{ "[a]\n  key ; = 1\n", "x.ini:2: not 'key = value': 'key ; = 1'" },
		{ "k = 1\n[a]\n", "x.ini:1: key 'k' stands before the first [section]" },
		{ "[a]\nk = 1\n\nk = 2\n", "x.ini:4: key 'k' is there already, in line 2" },
		{ "[a]\n[b]\n[a]\n", "x.ini:3: section [a] is there already, in line 1" },
		{ "[a\nk = 1\n", "x.ini:1: no ']' in section header '[a'" },
		{ "[a] b = 1\n", "x.ini:1: 'b = 1' behind the section header" },
		{ "[]\n", "x.ini:1: section without a name" },
		{ "[a ;b]\n", "x.ini:1: ';' in a section's name" },
		{ "[a]\n = 1\n", "x.ini:2: no key before '='" },
		{ "[a]\nk = \033[31m\n", "x.ini:2: control byte 0x1b" },
		{ "[a]\nk = 1\rl = 2\n", "x.ini:2: control byte 0x0d" },
		{ "[a]\nx\nk = 1\nk = 2\n", "x.ini:2: not 'key = value': 'x'" },
		{ "[a]\nk = 1\nk = 2\nx\n", "x.ini:3: key 'k' is there already, in line 2" },
		{ "[a]\n0123456789012345678901234567890123456789012\n",
		  "x.ini:2: not 'key = value': '0123456789012345678901234567890123456789...'" },
	};
	struct ini ini = { .n = 42 };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(load(bad[i].text, &ini), -EINVAL);
		assert_true(error_is_usage());
		assert_string_equal(error_text(), bad[i].message);
	}
	assert_int_equal(ini.n, 42);
	assert_int_equal(ini_load_text("x.ini", "[a]\nk\0=1\n", 9, &ini), -EINVAL);
	assert_string_equal(error_text(), "x.ini:2: NUL byte: not a text file (UTF-16?)");
}

static bool is_b(const char *key)
{
	return !strcmp(key, "b");
}

static void keys_that_may_repeat(void **state)
{
	static const char text[] = "[s]\na = 1\nb = 2\nb = 3\n[t]\nb = 4\n",
			  bad[] = "[s]\nb=1\na=2\na=3\n";
	struct ini ini;

	(void)state;
	assert_int_equal(ini_load_repeating("x.ini", text, sizeof(text) - 1, is_b, &ini), 0);
	assert_int_equal(ini.n, 6);
	expect_entry(&ini, 2, "s", "b", "2", 3);
	expect_entry(&ini, 3, "s", "b", "3", 4);
	expect_entry(&ini, 5, "t", "b", "4", 6);
	assert_string_equal(ini_get(&ini, "s", "b"), "2");
	ini_free(&ini);
	assert_int_equal(ini_load_repeating("x.ini", bad, sizeof(bad) - 1, is_b, &ini), -EINVAL);
	assert_string_equal(error_text(), "x.ini:4: key 'a' is there already, in line 3");
}

static void a_line_has_a_longest_length(void **state)
{
	char text[INI_LINE_MAX + 20];
	struct ini ini;
	size_t n;

	(void)state;
	n = (size_t)sprintf(text, "[a]\nk=");
	memset(text + n, 'v', INI_LINE_MAX - 2);
	strcpy(text + 4 + INI_LINE_MAX, "\n");
	assert_int_equal(load(text, &ini), 0);
	assert_int_equal(strlen(ini_get(&ini, "a", "k")), INI_LINE_MAX - 2);
	ini_free(&ini);
	strcpy(text + 4 + INI_LINE_MAX, "w\n");
	assert_int_equal(load(text, &ini), -EINVAL);
	assert_string_equal(error_text(), "x.ini:2: line of 199 bytes (at most 198)");
	/* The rule is the same for a last line without a newline. */
	strcpy(text + 4 + INI_LINE_MAX, "w");
	assert_int_equal(load(text, &ini), -EINVAL);
}

static void error_at_an_entry(void **state)
{
	struct ini ini;

	(void)state;
	assert_int_equal(load("[a]\nk = 1\n", &ini), 0);
	assert_int_equal(ini_error(&ini, &ini.entry[1], "unknown key '%s'", "k"), -EINVAL);
	assert_true(error_is_usage());
	assert_string_equal(error_text(), "x.ini:2: unknown key 'k'");
	ini_free(&ini);
}

static void files_that_cannot_be_read(void **state)
{
	struct ini ini;

	(void)state;
	assert_int_equal(ini_load("/nonexistent/x.ini", &ini), -ENOENT);
	assert_false(error_is_usage());
	assert_string_equal(error_text(), "/nonexistent/x.ini: No such file or directory");
	assert_int_equal(ini_load("/", &ini), -EISDIR);
	assert_string_equal(error_text(), "/: Is a directory");
}

/* Every key and value of a loaded file is one line of printable text. */
static void random_damage_ends_in_an_answer(void **state)
{
	static const char good[] = "\xef\xbb\xbf[suite]\nformat = 1\nabout = A text\n[run a]\n"
				   "  work = 0..40us log 24 ; c\n# c\n[run b]\r\nx: y\n";
	static const char bytes[] = "[]=:;# \t\n\r\0\x7f\xff"
				    "ax";
	unsigned short seed[3] = { 3, 1, 4 };
	char text[sizeof(good)];
	struct ini ini;
	int round, edit, loaded = 0;
	size_t i;

	(void)state;
	for (round = 0; round < 30000; round++) {
		memcpy(text, good, sizeof(good));
		for (edit = 0; edit < 1 + round % 5; edit++)
			text[nrand48(seed) % (long)(sizeof(good) - 1)] =
				bytes[nrand48(seed) % (long)(sizeof(bytes) - 1)];
		if (ini_load_text("x.ini", text, sizeof(good) - 1, &ini)) {
			assert_true(error_is_usage());
			assert_memory_equal(error_text(), "x.ini:", 6);
			continue;
		}
		loaded++;
		for (i = 0; i < ini.n; i++) {
			assert_true(ini.entry[i].line > 0);
			assert_true(*ini.entry[i].section);
			assert_null(strpbrk(ini.entry[i].value, "\r\n"));
			assert_true(!ini.entry[i].key || *ini.entry[i].key);
		}
		ini_free(&ini);
	}
	assert_true(loaded > 300 && loaded < 29700);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(entries_in_file_order_with_lines),
		cmocka_unit_test(byte_order_mark_crlf_and_utf8),
		cmocka_unit_test(long_names_stay_whole),
		cmocka_unit_test(refusals),
		cmocka_unit_test(keys_that_may_repeat),
		cmocka_unit_test(a_line_has_a_longest_length),
		cmocka_unit_test(error_at_an_entry),
		cmocka_unit_test(files_that_cannot_be_read),
		cmocka_unit_test(random_damage_ends_in_an_answer),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
