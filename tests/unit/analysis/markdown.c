/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Escaping in summary.md: names are shown as they are, and end neither a cell nor a line. */
#include "analysis/markdown.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

static void expect(const char *text, const char *expected)
{
	char *got;
	size_t size;
	FILE *out = open_memstream(&got, &size);

	assert_non_null(out);
	markdown_put(out, text);
	fclose(out);
	assert_string_equal(got, expected);
	free(got);
}

static void names_are_no_markup(void **state)
{
	(void)state;
	expect("menu", "menu");
	expect("a|b", "a\\|b");
	expect("<b>x</b> & `code` *bold* [link]",
	       "\\<b\\>x\\</b\\> \\& \\`code\\` \\*bold\\* \\[link\\]");
	expect("c:\\d", "c:\\\\d");
	expect("issue #12", "issue \\#12");
	expect("two\nlines\r", "two lines ");
	expect("~~gone~~", "\\~\\~gone\\~~");
}

/* Names of metrics are to be read as text, too. */
static void underscores_within_words_stay(void **state)
{
	(void)state;
	expect("loop_us", "loop_us");
	expect("_loop_", "\\_loop\\_");
	expect("a _b", "a \\_b");
}

static void a_verdict_stays(void **state)
{
	(void)state;
	expect("~", "~");
	expect("+0.44 % (worse?) ~", "+0.44 % (worse?) ~");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_no_markup),
		cmocka_unit_test(underscores_within_words_stay),
		cmocka_unit_test(a_verdict_stays),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
