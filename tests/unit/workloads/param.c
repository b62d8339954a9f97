/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every row of every workload's table: defaults, both ends of its range, one step beyond each. */
#include "lib/error.h"
#include "workloads/options.h"
#include "workloads/workload.h"
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* All tables, the common options included. */
static const struct param *table_at(size_t i)
{
	size_t n = 0;

	while (workload_table[n])
		n++;
	if (i < n)
		return workload_table[i]->params;
	return i == n ? options_common : NULL;
}

static void assert_same(const struct param *param, const struct param_value *a,
			const struct param_value *b)
{
	assert_true(a->number == b->number);
	if (param->type == PARAM_WORK)
		assert_int_equal(a->is_time, b->is_time);
	assert_int_equal(a->choice, b->choice);
}

static void check_round_trip(const struct param *param, const struct param_value *value)
{
	struct param_value back;
	char text[64];

	param_format(param, value, text, sizeof(text));
	assert_null(strstr(text, "e+")); /* it becomes part of a directory's name: "100Hz" */
	assert_int_equal(param_parse(param, text, &back), 0);
	assert_same(param, value, &back);
}

static void check_refused(const struct param *param, double number, bool is_time)
{
	struct param_value value = { .number = number, .is_time = is_time }, untouched = value;
	char text[64];

	param_format(param, &value, text, sizeof(text));
	error_clear();
	assert_int_equal(param_parse(param, text, &value), -EINVAL);
	assert_true(error_is_usage());
	assert_memory_equal(error_text(), param->name, strlen(param->name));
	assert_memory_equal(&value, &untouched, sizeof(value));
}

static void check_ends(const struct param *param, bool is_time)
{
	struct param_value value = { .number = param->min, .is_time = is_time };

	/* A frequency has no text for 0; no table may offer it. */
	check_round_trip(param, &value);
	value.number = param->max;
	check_round_trip(param, &value);
	check_refused(param, param->max + 1, is_time);
	check_refused(param, param->min - 1, is_time);
}

static void check_choices(const struct param *param)
{
	struct param_value value;
	char text[64];
	int n = 0;

	for (const char *c = param->choices; c;
	     c = strchr(c, '|') ? strchr(c, '|') + 1 : NULL, n++) {
		value = (struct param_value){ .choice = n, .number = n };
		check_round_trip(param, &value);
		param_format(param, &value, text, sizeof(text));
		assert_memory_equal(text, c, strlen(text));
	}
	assert_true(n >= 2);
	assert_int_equal(param_parse(param, "nosuchword", &value), -EINVAL);
	assert_int_equal(param_parse(param, "", &value), -EINVAL);
	assert_int_equal(param_parse(param, param->choices, &value), -EINVAL);
}

static void check_text(const struct param *param)
{
	struct param_value value, untouched;
	size_t longest = (size_t)param->max;
	char *text = malloc(longest + 2), *whole;

	assert_non_null(text);
	assert_null(param->choices);
	memset(text, 'x', longest + 1);
	text[longest + 1] = 0;
	memset(&value, 0, sizeof(value));
	untouched = value;
	assert_int_equal(param_parse(param, text, &value), -EINVAL);
	assert_int_equal(param_parse(param, "", &value), -EINVAL);
	assert_true(error_is_usage());
	assert_memory_equal(error_text(), param->name, strlen(param->name));
	assert_memory_equal(&value, &untouched, sizeof(value));
	text[longest] = 0;
	assert_int_equal(param_parse(param, text, &value), 0);
	whole = param_text(param, &value);
	assert_string_equal(whole, text);
	free(whole);
	free(text);
}

static void test_every_row(void **state)
{
	const struct param *table;
	size_t rows = 0;

	(void)state;
	for (size_t t = 0; (table = table_at(t)); t++) {
		for (; table->name; table++, rows++) {
			assert_non_null(table->help);
			if (table->type == PARAM_CHOICE) {
				check_choices(table);
				continue;
			}
			if (table->type == PARAM_TEXT) {
				check_text(table);
				continue;
			}
			assert_true(table->min < table->max);
			check_ends(table, table->type == PARAM_TIME);
			if (table->type == PARAM_WORK)
				check_ends(table, true);
		}
	}
	assert_true(rows >= 11);
}

static void test_defaults(void **state)
{
	struct param_value values[64];
	const struct param *table;

	(void)state;
	for (size_t t = 0; (table = table_at(t)); t++) {
		assert_true(param_count(table) <= 64);
		assert_int_equal(param_defaults(table, values), 0);
		for (size_t i = 0; table[i].name; i++) {
			assert_int_equal(values[i].set, table[i].fallback != NULL);
			assert_false(values[i].given);
			assert_int_equal(param_find(table, table[i].name), (int)i);
		}
	}
}

static const struct param sample[] = {
	{ "count", PARAM_COUNT, NULL, 1, .max = 1e15 },
	{ "period", PARAM_TIME, NULL, 0, .max = 1e15 },
	{ "work", PARAM_WORK, NULL, 0, .max = 1e11 },
	{ "load", PARAM_PERCENT, NULL, 0, .max = 100 },
	{ "rate", PARAM_FREQUENCY, NULL, 1, .max = 1e6 },
	{ "cores", PARAM_CPUS, NULL, 2, .max = 64 },
	{ "size", PARAM_BYTES, NULL, 8, .max = 1u << 30 },
	{ "how", PARAM_CHOICE, NULL, .choices = "one|two|three" },
	{ 0 },
};

static void test_values(void **state)
{
	static const struct {
		int row;
		const char *text;
		double number;
		bool is_time;
	} good[] = {
		{ 0, "1e6", 1e6, false },
		{ 0, "12", 12, false },
		{ 1, "12.5us", 12500, true },
		{ 1, "0us", 0, true },
		{ 2, "3000", 3000, false },
		{ 2, "0", 0, false },
		{ 2, "20us", 20000, true },
		{ 2, "1e6", 1e6, false },
		{ 3, "3%", 3, false },
		{ 3, "0.25%", 0.25, false },
		{ 4, "347Hz", 347, false },
		{ 4, "1.5kHz", 1500, false },
		{ 4, "100Hz", 100, false },
		{ 3, "100%", 100, false },
		{ 5, "6", 6, false },
		{ 5, "all", -1, false },
		{ 6, "512KiB", 524288, false },
		{ 6, "8B", 8, false },
		{ 6, "1GiB", 1073741824, false },
		{ 6, "1025KiB", 1049600, false },
		{ 7, "two", 1, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		const struct param *param = &sample[good[i].row];
		struct param_value value;

		assert_int_equal(param_parse(param, good[i].text, &value), 0);
		assert_true(value.number == good[i].number);
		assert_true(value.set && value.given);
		if (param->type == PARAM_WORK)
			assert_int_equal(value.is_time, good[i].is_time);
		check_round_trip(param, &value);
	}
}

static void test_refusals(void **state)
{
	static const struct {
		int row;
		const char *text;
	} bad[] = {
		{ 0, "" },     { 0, "0" },     { 0, "-1" },
		{ 0, "1.5" },  { 0, "1e16" },  { 0, "6x" },
		{ 0, " 6" },   { 1, "20" },    { 1, "20u" },
		{ 1, "-1us" }, { 1, "us" },    { 2, "1.5" },
		{ 2, "3%" },   { 2, "101s" },  { 3, "3" },
		{ 3, "101%" }, { 4, "0Hz" },   { 4, "347" },
		{ 5, "All" },  { 5, "1" },     { 5, "65" },
		{ 5, "-1" },   { 6, "512" },   { 6, "7B" },
		{ 6, "2GiB" }, { 6, "512KB" }, { 7, "tow" },
		{ 7, "On" },   { 4, "2MHz" },  { 0, "18446744073709551616" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct param_value value;

		error_clear();
		assert_int_equal(param_parse(&sample[bad[i].row], bad[i].text, &value), -EINVAL);
		assert_true(error_is_usage());
	}
	assert_int_equal(param_find(sample, "perido"), -ENOENT);
	assert_non_null(strstr(error_text(), "did you mean 'period'"));
}

/* A value that came from a sweep has to survive being printed and read. */
static void test_round_trip(void **state)
{
	(void)state;
	for (double ns = 1; ns < 1e11; ns *= 1.37) {
		struct param_value value = { .number = ns, .is_time = true };

		check_round_trip(&sample[1], &value); /* parts of a ns, all 17 digits of them */
		value.number = (double)(long)value.number;
		check_round_trip(&sample[1], &value);
		check_round_trip(&sample[2], &value);
	}
}

static void test_required(void **state)
{
	static const struct param table[] = {
		{ "about", PARAM_TEXT, NULL, .max = 9, .help = "what" },
		{ "command", PARAM_TEXT, NULL, .max = 9, .required = true, .help = "to run" },
		{ 0 },
	};
	struct param_value values[2] = { 0 };

	(void)state;
	error_clear();
	assert_int_equal(param_check_required(table, values), -EINVAL);
	assert_string_equal(error_text(), "command: is missing: to run");
	assert_int_equal(param_parse(&table[1], "true", &values[1]), 0);
	assert_int_equal(param_check_required(table, values), 0);
}

/* A repeatable text is its lines. */
static void test_append(void **state)
{
	char *both = param_append("a 'b", "c' d");

	(void)state;
	assert_string_equal(both, "a 'b\nc' d");
	free(both);
}

static void test_workload_find(void **state)
{
	(void)state;
	for (size_t i = 0; workload_table[i]; i++) {
		assert_ptr_equal(workload_find(workload_table[i]->name), workload_table[i]);
		assert_non_null(workload_table[i]->metrics[0].name);
	}
	assert_null(workload_find("ping-pnog"));
	assert_true(error_is_usage());
	assert_non_null(strstr(error_text(), "did you mean 'ping-pong'"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_row),  cmocka_unit_test(test_defaults),
		cmocka_unit_test(test_values),	   cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_round_trip), cmocka_unit_test(test_workload_find),
		cmocka_unit_test(test_required),   cmocka_unit_test(test_append),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
