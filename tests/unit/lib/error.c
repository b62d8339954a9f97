/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The error text: formatting, prefixes, the usage mark, cutting, one text per thread, safe quoting.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "lib/error.h"
#include <errno.h>
#include <pthread.h>
#include <string.h>

static void set_returns_the_code_and_stores_the_text(void **state)
{
	(void)state;
	assert_int_equal(error_set(-EIO, "%s: %d", "disk", 5), -EIO);
	assert_string_equal(error_text(), "disk: 5");
	assert_false(error_is_usage());
}

static void usage_marks_until_the_next_set(void **state)
{
	(void)state;
	assert_int_equal(error_usage("bad %s", "key"), -EINVAL);
	assert_true(error_is_usage());
	assert_int_equal(error_prefix(-EINVAL, "%s:%d", "a.ini", 3), -EINVAL);
	assert_true(error_is_usage());
	assert_string_equal(error_text(), "a.ini:3: bad key");
	error_set(-EIO, "other");
	assert_false(error_is_usage());
	error_clear();
	assert_string_equal(error_text(), "");
}

static void prefix_with_its_own_separator_gets_no_second(void **state)
{
	(void)state;
	error_set(-EIO, "text");
	error_prefix(-EIO, "while %s: ", "reading");
	assert_string_equal(error_text(), "while reading: text");
}

static void stored_text_may_be_an_argument(void **state)
{
	(void)state;
	error_set(-EIO, "inner");
	error_set(-EIO, "outer: %s", error_text());
	assert_string_equal(error_text(), "outer: inner");
	error_prefix(-EIO, "%s", error_text());
	assert_string_equal(error_text(), "outer: inner: outer: inner");
}

static void long_text_is_cut_visibly(void **state)
{
	char text[3000];

	(void)state;
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	error_set(-EIO, "%s", text);
	assert_int_equal(strlen(error_text()), 1023);
	assert_string_equal(error_text() + 1019, "x...");
	error_prefix(-EIO, "p");
	assert_int_equal(strlen(error_text()), 1023);
	assert_memory_equal(error_text(), "p: xxx", 6);
	assert_string_equal(error_text() + 1019, "x...");
	error_prefix(-EIO, "%s", text);
	assert_int_equal(strlen(error_text()), 1023);
}

static void *other_thread(void *seen)
{
	*(int *)seen = !*error_text();
	error_set(-EIO, "thread");
	return NULL;
}

static void each_thread_has_its_own_text(void **state)
{
	pthread_t thread;
	int was_empty = 0;

	(void)state;
	error_set(-EIO, "main");
	assert_int_equal(pthread_create(&thread, NULL, other_thread, &was_empty), 0);
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_true(was_empty);
	assert_string_equal(error_text(), "main");
}

static void quote_is_safe_and_short(void **state)
{
	char quoted[ERROR_QUOTE_SIZE];

	(void)state;
	assert_string_equal(error_quote("", quoted), "");
	assert_string_equal(error_quote("a\033[31m\tb\177\n", quoted), "a?[31m?b??");
	assert_string_equal(error_quote("0123456789012345678901234567890123456789", quoted),
			    "0123456789012345678901234567890123456789");
	assert_string_equal(error_quote("0123456789012345678901234567890123456789x", quoted),
			    "0123456789012345678901234567890123456789...");
	/* The cut falls into a UTF-8 sequence of two bytes: it goes as a whole. */
	assert_string_equal(error_quote("012345678901234567890123456789012345678\xc3\xa9z", quoted),
			    "012345678901234567890123456789012345678...");
}

static void control_bytes_do_not_reach_the_terminal(void **state)
{
	(void)state;
	error_set(-EIO, "%s: no", "a\033[31m\tb\177\n\xc3\xa9");
	assert_string_equal(error_text(), "a?[31m?b??\xc3\xa9: no");
	error_usage("%s", "c\r");
	error_prefix(-EINVAL, "p\n");
	assert_string_equal(error_text(), "p?: c?");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(set_returns_the_code_and_stores_the_text),
		cmocka_unit_test(usage_marks_until_the_next_set),
		cmocka_unit_test(prefix_with_its_own_separator_gets_no_second),
		cmocka_unit_test(stored_text_may_be_an_argument),
		cmocka_unit_test(long_text_is_cut_visibly),
		cmocka_unit_test(each_thread_has_its_own_text),
		cmocka_unit_test(quote_is_safe_and_short),
		cmocka_unit_test(control_bytes_do_not_reach_the_terminal),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
