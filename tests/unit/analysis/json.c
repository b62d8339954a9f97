/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values of summary.json: text that is not UTF-8, numbers that are none, seeds of 64 bits. */
#include "analysis/json.h"
#include "tests/unit/analysis/made.h"

#define BAD "\xef\xbf\xbd" /* U+FFFD */

static void expect(const char *text, const char *expected)
{
	struct pool pool = { 0 };
	struct table table = { .pool = &pool };
	json_t *json = json_text(&table, text);

	assert_true(json_is_string(json));
	assert_string_equal(json_string_value(json), expected);
	json_decref(json);
	pool_free(&pool);
}

static void utf8_stays(void **state)
{
	(void)state;
	expect("", "");
	expect("menu", "menu");
	expect("gr\xc3\xb6\xc3\x9f"
	       "e",
	       "gr\xc3\xb6\xc3\x9f"
	       "e");
	expect("\xe2\x82\xac \xf0\x9f\x90\xa7 \xf4\x8f\xbf\xbf",
	       "\xe2\x82\xac \xf0\x9f\x90\xa7 \xf4\x8f\xbf\xbf");
}

static void other_bytes_are_marked(void **state)
{
	(void)state;
	expect("a\xff", "a" BAD);
	expect("\x80z", BAD "z");
	expect("\xc3", BAD); /* cut at the end of the text */
	expect("\xe2\x82", BAD BAD);
	expect("\xf0\x9f\x90", BAD BAD BAD);
	expect("\xc0\xaf", BAD BAD); /* overlong */
	expect("\xe0\x80\xaf", BAD BAD BAD);
	expect("\xed\xa0\x80", BAD BAD BAD); /* a surrogate */
	expect("\xf4\x90\x80\x80", BAD BAD BAD BAD); /* beyond U+10FFFF */
	expect("\xf5\x80", BAD BAD);
}

static void missing_values_are_null(void **state)
{
	(void)state;
	assert_true(json_is_null(json_text(NULL, NULL)));
	assert_true(json_is_null(json_number_or_null(NAN)));
	assert_true(json_is_null(json_number_or_null(INFINITY)));
}

static void seeds(void **state)
{
	json_t *small = json_seed(INT64_MAX), *large = json_seed(UINT64_MAX);

	(void)state;
	assert_true(json_integer_value(small) == INT64_MAX);
	assert_string_equal(json_string_value(large), "18446744073709551615");
	json_decref(small);
	json_decref(large);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(utf8_stays),
		cmocka_unit_test(other_bytes_are_marked),
		cmocka_unit_test(missing_values_are_null),
		cmocka_unit_test(seeds),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
