/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fields of summary.csv: quoting, and rows of a result made in memory. */
#include "analysis/csv.h"
#include "tests/unit/analysis/made.h"
#include <stdio.h>

static void expect(const char *text, const char *expected)
{
	char *got;
	size_t size;
	FILE *out = open_memstream(&got, &size);

	assert_non_null(out);
	csv_put(text, out);
	fclose(out);
	assert_string_equal(got, expected);
	free(got);
}

static void quotes_what_must_be(void **state)
{
	(void)state;
	expect("", "");
	expect("menu", "menu");
	expect("a b", "a b");
	expect("work=1us,cores=2", "\"work=1us,cores=2\"");
	expect("say \"no\"", "\"say \"\"no\"\"\"");
	expect("two\nlines", "\"two\nlines\"");
	expect(" blank", "\" blank\"");
	expect("blank ", "\"blank \"");
}

static char *written(struct made *m)
{
	char *got;
	size_t size;
	FILE *out = open_memstream(&got, &size);

	assert_non_null(out);
	build(m);
	csv_write(&m->table, out);
	fclose(out);
	return got;
}

/* Medians 2 and 3 of three runs each; averages 2 and 4: by hand. */
static void rows_of_a_point(void **state)
{
	static const double menu[] = { 1, 2, 3 }, teo[] = { 2, 3, 7 };
	struct made *m = make("menu,teo");
	char *text;

	(void)state;
	for (int i = 0; i < 3; i++) {
		add(m, "menu", NULL, i + 1, menu[i]);
		add(m, "teo", NULL, i + 1, teo[i]);
	}
	text = written(m);
	assert_non_null(strstr(text, "\ns,,menu,loop_us,us,lower,3,2,,,,,,,,,,2,1,1,3,,1,,,,,\n"));
	assert_non_null(strstr(text, "\ns,,teo,loop_us,us,lower,3,3,,,"));
	assert_non_null(strstr(text, ",n too small,menu,"));
	assert_non_null(strstr(text, ",4,2.645751311,2,7,100,1,,,,,\n"));
	free(text);
	done(m);
}

/* A point that teo lacks has a row of it, all empty; the sweep's row counts the other point only.
 */
static void what_is_missing_is_empty(void **state)
{
	struct made *m = make("menu,teo");
	char *text;

	(void)state;
	for (int i = 1; i <= 6; i++) {
		add(m, "menu", "1us", i, 10 + i);
		add(m, "menu", "2us", i, 20 + i);
		add(m, "teo", "2us", i, 20 + i);
	}
	text = written(m);
	assert_non_null(strstr(text, "\ns,1us,teo,loop_us,us,lower,0,,,,,,,,,menu,,,,,,,1,,,,,\n"));
	assert_non_null(strstr(text, "\ns,,menu,loop_us,us,lower,6,23.5,"));
	assert_null(strstr(text, "nan"));
	free(text);
	done(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quotes_what_must_be),
		cmocka_unit_test(rows_of_a_point),
		cmocka_unit_test(what_is_missing_is_empty),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
