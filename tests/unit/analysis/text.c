/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Breaking lines at 78 columns: at blanks, inside words that are longer, never inside a character.
 */
#include "analysis/text.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static void expect(const char *text, int indent, const char *expected)
{
	char *got;
	size_t size;
	FILE *out = open_memstream(&got, &size);

	assert_non_null(out);
	text_wrap(out, text, indent);
	fclose(out);
	assert_string_equal(got, expected);
	free(got);
}

#define TEN "1234567890"
#define SEVENTY TEN TEN TEN TEN TEN TEN TEN

static void breaks_at_blanks(void **state)
{
	(void)state;
	expect("", 2, "\n");
	expect("a  b", 2, "a  b\n");
	expect(SEVENTY " 2345678", 2, SEVENTY " 2345678\n");
	expect(SEVENTY " 23456789 x", 2, SEVENTY "\n  23456789 x\n");
	expect(SEVENTY "      123456", 2, SEVENTY "\n  123456\n");
}

static void blanks_in_front_count(void **state)
{
	(void)state;
	expect("  11 x " SEVENTY "12", 6, "  11 x\n      " SEVENTY "12\n");
	expect("  " SEVENTY " 12345", 6, "  " SEVENTY " 12345\n");
	expect("  " SEVENTY " 123456", 6, "  " SEVENTY "\n      123456\n");
}

static void long_words_are_broken(void **state)
{
	(void)state;
	expect(SEVENTY "12345678X", 2, SEVENTY "12345678\n  X\n");
	expect("  " SEVENTY "123456X", 4, "  " SEVENTY "123456\n    X\n");
	/* The two bytes of the letter would be the 78th and 79th. */
	expect(SEVENTY "1234567\xc3\xa9", 2, SEVENTY "1234567\n  \xc3\xa9\n");
}

static void expect_put(const char *text, int width, const char *expected)
{
	char *got;
	size_t size;
	FILE *out = open_memstream(&got, &size);

	assert_non_null(out);
	text_put(out, text, width);
	fclose(out);
	assert_string_equal(got, expected);
	free(got);
}

static void pads_by_characters(void **state)
{
	(void)state;
	assert_int_equal(text_width("t\xc3\xa9o"), 3);
	expect_put("menu", -6, "menu  ");
	expect_put("menu", 6, "  menu");
	expect_put("t\xc3\xa9o", -6, "t\xc3\xa9o   ");
	expect_put("t\xc3\xa9o", 4, " t\xc3\xa9o");
	expect_put("longer", 3, "longer");
	expect_put("", 2, "  ");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(breaks_at_blanks),
		cmocka_unit_test(blanks_in_front_count),
		cmocka_unit_test(long_words_are_broken),
		cmocka_unit_test(pads_by_characters),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
