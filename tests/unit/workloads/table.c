/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What holds for every row of workloads.def, so that its names can be options, suite keys, columns
 * and words of a file's name: their characters, that they are unique, and that all is explained.
 */
#include "workloads/options.h"
#include "workloads/workload.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define LOWER "abcdefghijklmnopqrstuvwxyz"
#define DIGITS "0123456789"

static void assert_word(const char *word, const char *characters)
{
	if (!*word || strspn(word, characters) != strlen(word) || strchr("-_" DIGITS, *word))
		fail_msg("'%s' has characters beside %s", word, characters);
}

/* One line without a full stop that could begin a second one. */
static void assert_line(const char *name, const char *text)
{
	if (!text || !*text || strpbrk(text, "\n\t") || strstr(text, "  "))
		fail_msg("%s is not explained in one line", name);
}

static void test_workloads(void **state)
{
	(void)state;
	assert_non_null(workload_table[0]);
	for (size_t i = 0; workload_table[i]; i++) {
		const struct workload *w = workload_table[i];

		assert_word(w->name, LOWER DIGITS "-");
		assert_line(w->name, w->about);
		assert_non_null(w->needs);
		assert_non_null(w->setup);
		assert_non_null(w->task);
		assert_non_null(w->finish);
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(w->name, workload_table[k]->name);
	}
}

static void test_metrics(void **state)
{
	(void)state;
	for (size_t i = 0; workload_table[i]; i++) {
		const struct metric *metric = workload_table[i]->metrics;

		assert_non_null(metric[0].name); /* the headline */
		for (size_t m = 0; metric[m].name; m++) {
			assert_word(metric[m].name, LOWER DIGITS "_");
			assert_line(metric[m].name, metric[m].help);
			assert_non_null(metric[m].unit);
			assert_true(strlen(metric[m].unit) < 16);
			assert_true(metric[m].better <= BETTER_NONE);
			for (size_t k = 0; k < m; k++)
				assert_string_not_equal(metric[m].name, metric[k].name);
		}
	}
}

/* Words that a program's command line or a suite's section has beside the parameters. */
static void assert_not_taken(const char *name)
{
	static const char *const taken[] = { "workload", "disable", "cpus", "output",
					     "sync-fd",	 "unbound", "help" };

	for (size_t i = 0; i < sizeof(taken) / sizeof(taken[0]); i++)
		assert_string_not_equal(name, taken[i]);
	for (size_t i = 0; options_common[i].name; i++)
		assert_string_not_equal(name, options_common[i].name);
}

static void test_params(void **state)
{
	(void)state;
	for (size_t i = 0; workload_table[i]; i++) {
		const struct param *param = workload_table[i]->params;
		bool calibrated = false;

		for (size_t p = 0; param[p].name; p++) {
			assert_word(param[p].name, LOWER DIGITS "-_");
			assert_line(param[p].name, param[p].help);
			assert_not_taken(param[p].name);
			assert_int_equal(param[p].type == PARAM_CHOICE, param[p].choices != NULL);
			calibrated |= param[p].calibrated;
			for (size_t k = 0; k < p; k++)
				assert_string_not_equal(param[p].name, param[k].name);
		}
		assert_int_equal(calibrated, workload_table[i]->resolve != NULL);
	}
}

/* With units given as times and loads, no row of the table is left that a program would not know.
 */
static void test_resolve(void **state)
{
	(void)state;
	for (size_t i = 0; workload_table[i]; i++) {
		const struct workload *w = workload_table[i];
		struct param_value *values = calloc(param_count(w->params) + 1, sizeof(*values));

		assert_non_null(values);
		assert_int_equal(param_defaults(w->params, values), 0);
		if (workload_needs_calibration(w, values))
			assert_int_equal(workload_resolve(w, values, 1.3, 2), 0);
		assert_false(workload_needs_calibration(w, values));
		free(values);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_workloads),
		cmocka_unit_test(test_metrics),
		cmocka_unit_test(test_params),
		cmocka_unit_test(test_resolve),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
