/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * "did you mean": known distances, the metric's symmetry, and who is near enough to be named.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "lib/suggest.h"
#include <string.h>

static void known_distances(void **state)
{
	static const struct {
		const char *a, *b;
		size_t distance;
	} pair[] = {
		{ "", "", 0 },		{ "", "abc", 3 },	    { "teo", "teo", 0 },
		{ "tea", "teo", 1 },	{ "toe", "teo", 1 },	    { "peroid", "period", 1 },
		{ "menu", "menus", 1 }, { "kitten", "sitting", 3 }, { "ca", "abc", 3 },
		{ "ladder", "teo", 5 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(pair) / sizeof(pair[0]); i++) {
		assert_int_equal(suggest_distance(pair[i].a, pair[i].b), pair[i].distance);
		assert_int_equal(suggest_distance(pair[i].b, pair[i].a), pair[i].distance);
	}
}

static const char *const known[] = { "menu", "teo", "ladder", "haltpoll" };

static void the_nearest_is_named(void **state)
{
	char text[40];

	(void)state;
	assert_string_equal(suggest_nearest("tea", known, 4), "teo");
	assert_string_equal(suggest_nearest("mneu", known, 4), "menu");
	assert_string_equal(suggest_nearest("haltpol", known, 4), "haltpoll");
	assert_string_equal(suggest_text("tea", known, 4, text, sizeof(text)),
			    " (did you mean 'teo'?)");
}

static void far_words_are_not_named(void **state)
{
	char text[40] = "old";

	(void)state;
	assert_null(suggest_nearest("xyz", known, 4));
	assert_null(suggest_nearest("to", known, 4)); /* one edit, but half of the word */
	assert_null(suggest_nearest("taa", known, 4));
	assert_null(suggest_nearest("", known, 4));
	assert_null(suggest_nearest("haltp", known, 4)); /* three edits */
	assert_null(suggest_nearest("menu", known, 0));
	assert_string_equal(suggest_text("xyz", known, 4, text, sizeof(text)), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_distances),
		cmocka_unit_test(the_nearest_is_named),
		cmocka_unit_test(far_words_are_not_named),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
