// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What is said of results that are no measurement: each mark of marks.def alone, all at once, none.
 */
#include "analysis/describe.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static struct result result;
static struct table table;
static struct pool pool;

static void reset(void)
{
	memset(&result, 0, sizeof(result));
	table.result = &result;
	table.pool = &pool;
}

static void a_measurement_has_none(void **state)
{
	(void)state;
	reset();
	assert_string_equal(describe_flags(&table), "");
	assert_string_equal(describe_warning(&table), "");
}

static void each_has_its_words(void **state)
{
	(void)state;
#define MARK(flag, words, warning)                                                                 \
	reset();                                                                                   \
	result.flag = true;                                                                        \
	assert_string_equal(describe_flags(&table), words);                                        \
	assert_string_equal(describe_warning(&table), words ": " warning);
#include "analysis/marks.def"
#undef MARK
}

static void several_are_all_named(void **state)
{
	(void)state;
	reset();
	result.rehearsal = true;
	result.emulated = true;
	assert_string_equal(describe_flags(&table), "REHEARSAL, EMULATED");
	assert_non_null(strstr(describe_warning(&table), "not its times; timing is not"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_measurement_has_none),
		cmocka_unit_test(each_has_its_words),
		cmocka_unit_test(several_are_all_named),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
