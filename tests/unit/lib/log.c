/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages on stderr: one line each, the prefix of a warning, what --quiet takes away.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "lib/log.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Sends stderr into a file while @say talks; what came of it is in @text. */
static void capture(void (*say)(void), char *text, size_t size)
{
	FILE *file = tmpfile();
	int saved = dup(STDERR_FILENO);
	size_t got;

	assert_non_null(file);
	assert_true(saved >= 0);
	assert_true(dup2(fileno(file), STDERR_FILENO) >= 0);
	say();
	fflush(stderr);
	assert_true(dup2(saved, STDERR_FILENO) >= 0);
	close(saved);
	rewind(file);
	got = fread(text, 1, size - 1, file);
	text[got] = '\0';
	fclose(file);
}

static void say_both(void)
{
	log_info("cell %d of %s", 3, "9");
	log_warn("cpu%d is busy", 1);
}

static void lines_and_prefix(void **state)
{
	char text[200];

	(void)state;
	log_set_quiet(false);
	capture(say_both, text, sizeof(text));
	assert_string_equal(text, "cell 3 of 9\nwarning: cpu1 is busy\n");
}

static void say_all(void)
{
	say_both();
	log_note("only in the copy");
	log_warn("%01200d", 7); /* longer than a line of the copy */
}

/* The copy has what --quiet takes away, and the time of each line; a line is one line. */
static void a_copy_is_dated_and_whole(void **state)
{
	static const char *const ends[] = { " cell 3 of 9", " warning: cpu1 is busy",
					    " only in the copy", "0" };
	char text[4096], line[2048];
	FILE *copy = tmpfile();
	size_t n = 0;

	(void)state;
	assert_non_null(copy);
	log_copy_to(fileno(copy));
	log_set_quiet(true);
	capture(say_all, text, sizeof(text));
	log_copy_to(-1);
	log_set_quiet(false);
	log_note("nowhere");
	assert_null(strstr(text, "only in the copy"));
	assert_null(strstr(text, "cell 3"));
	rewind(copy);
	for (; fgets(line, sizeof(line), copy); n++) {
		size_t size = strcspn(line, "\n");

		assert_true(n < 4 && line[size] == '\n' && size < 1024);
		line[size] = '\0';
		assert_true(line[4] == '-' && line[10] == 'T' && line[25] == ' ');
		assert_string_equal(line + size - strlen(ends[n]), ends[n]);
	}
	assert_int_equal(n, 4);
	fclose(copy);
}

static void quiet_keeps_warnings(void **state)
{
	char text[200];

	(void)state;
	log_set_quiet(true);
	capture(say_both, text, sizeof(text));
	log_set_quiet(false);
	assert_string_equal(text, "warning: cpu1 is busy\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_and_prefix),
		cmocka_unit_test(a_copy_is_dated_and_whole),
		cmocka_unit_test(quiet_keeps_warnings),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
