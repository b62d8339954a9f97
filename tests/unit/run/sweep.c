/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values, lists and ranges: which points come of them, that the name of a point is its value, and
 * what is refused.
 */
#include "tests/unit/run/suites.h"

#include "run/sweep.h"
#include <stdio.h>

static const struct param work = { "work", PARAM_WORK, "0", 0, 1e11, .help = "" };
static const struct param count = { "loops", PARAM_COUNT, NULL, 1, 1e15, .help = "" };
static const struct param cores = { "cores", PARAM_CPUS, "2", 2, 4096, .help = "" };
static const struct param period = { "period", PARAM_TIME, NULL, 0, 1e12, .help = "" };
static const struct param rate = { "rate", PARAM_FREQUENCY, NULL, 1, 1e6, .help = "" };
static const struct param load = { "load", PARAM_PERCENT, NULL, 0, 100, .help = "" };
static const struct param word = { "transport", PARAM_CHOICE, "pipe",
				   .choices = "pipe|eventfd|futex", .help = "" };

static struct sweep sweep_of(const struct param *param, const char *text)
{
	struct sweep sweep = { 0 };

	if (sweep_parse(param, text, &sweep))
		fail_msg("'%s' is refused: %s", text, error_text());
	return sweep;
}

static void expect_names(const struct param *param, const char *text, const char *names)
{
	struct sweep sweep = sweep_of(param, text);
	char got[1024] = "", one[64];

	for (size_t i = 0; i < sweep.n; i++) {
		param_format(param, &sweep.value[i], one, sizeof(one));
		snprintf(got + strlen(got), sizeof(got) - strlen(got), "%s%s", i ? " " : "", one);
	}
	assert_string_equal(got, names);
	sweep_free(&sweep);
	assert_null(sweep.value);
	assert_int_equal(sweep.n, 0);
}

static void expect_refusal(const struct param *param, const char *text, const char *says)
{
	struct sweep sweep = { 0 };

	error_clear();
	if (!sweep_parse(param, text, &sweep))
		fail_msg("'%s' is taken", text);
	assert_true(error_is_usage());
	assert_null(sweep.value);
	assert_says(says);
	assert_says(param->name);
}

/* The suite ping-sweep's own line. */
static void zero_to_40us_log_24(void **state)
{
	struct sweep sweep = sweep_of(&work, "0..40us log 24");

	(void)state;
	assert_int_equal(sweep.n, 24);
	assert_true(sweep.value[0].number == 0);
	assert_true(sweep.value[1].number == 40);
	assert_true(sweep.value[23].number == 40000);
	for (size_t i = 0; i < sweep.n; i++)
		assert_true(sweep.value[i].is_time && sweep.value[i].set);
	/* Equal ratios from the second point on: 1000 over 22 steps, to four digits. */
	for (size_t i = 2; i < sweep.n; i++) {
		double ratio = sweep.value[i].number / sweep.value[i - 1].number;

		assert_true(ratio > 1.366 && ratio < 1.372);
	}
	sweep_free(&sweep);
}

static void expect_names_are_values(const struct param *param, const char *text)
{
	struct sweep sweep = sweep_of(param, text);

	assert_true(sweep.n >= 2);
	for (size_t i = 0; i < sweep.n; i++) {
		struct param_value back;
		char name[64];

		param_format(param, &sweep.value[i], name, sizeof(name));
		assert_int_equal(param_parse(param, name, &back), 0);
		assert_true(back.number == sweep.value[i].number);
		assert_int_equal(back.is_time, sweep.value[i].is_time);
		if (i)
			assert_true(sweep.value[i].number > sweep.value[i - 1].number);
	}
	sweep_free(&sweep);
}

static void a_point_is_its_name(void **state)
{
	(void)state;
	expect_names_are_values(&work, "0..40us log 24");
	expect_names_are_values(&work, "0..2ms log 40");
	expect_names_are_values(&work, "1ns..100s log 10000");
	expect_names_are_values(&work, "0..1e11 log 300");
	expect_names_are_values(&work, "0..7 linear 8");
	expect_names_are_values(&work, "3..1000000 log 57");
	expect_names_are_values(&period, "0s..1us linear 10000");
	expect_names_are_values(&rate, "7Hz..13.3kHz log 41");
	expect_names_are_values(&load, "0%..33.3% linear 7");
	expect_names_are_values(&cores, "2..9 linear 100");
}

static void ends_are_as_written(void **state)
{
	struct sweep sweep = sweep_of(&count, "12345..678912345 log 5");

	(void)state;
	assert_true(sweep.value[0].number == 12345);
	assert_true(sweep.value[sweep.n - 1].number == 678912345);
	sweep_free(&sweep);
	/* Rounded to four digits the points between would lie outside. */
	expect_names(&count, "10001..10004 linear 4", "10001 10004");
}

static void ranges(void **state)
{
	(void)state;
	expect_names(&work, "1us..5us linear 5", "1us 2us 3us 4us 5us");
	expect_names(&work, "0..30 linear 4", "0 10 20 30");
	expect_names(&work, "1..1000 log 4", "1 10 100 1000");
	expect_names(&work, "  0..40us   log\t2 ", "0us 40us");
	expect_names(&work, "1ms..1s log 4", "1ms 10ms 100ms 1s");
	expect_names(&cores, "2..4 linear 9", "2 3 4");
	expect_names(&rate, "101Hz..303Hz linear 3", "101Hz 202Hz 303Hz");
	expect_names(&load, "0..99% linear 3", "0% 49.5% 99%");
	expect_names(&period, "0..3us log 2", "0us 3us");
}

static void lists(void **state)
{
	(void)state;
	expect_names(&work, "5us", "5us");
	expect_names(&rate, "73Hz 113Hz 347Hz", "73Hz 113Hz 347Hz");
	expect_names(&rate, "73Hz,113Hz, 347Hz", "73Hz 113Hz 347Hz");
	expect_names(&word, "futex pipe", "futex pipe");
	expect_names(&cores, "2 all", "2 all");
	expect_names(&work, "100 100us", "100 100us");
	/* The order is the user's. */
	expect_names(&count, "8 2 4", "8 2 4");
}

static void refused_lists(void **state)
{
	(void)state;
	expect_refusal(&work, "", "no value");
	expect_refusal(&work, " , ", "no value");
	expect_refusal(&work, "5us 6us 5us", "'5us' is given twice");
	expect_refusal(&work, "1ms 1000us", "'1000us' is given twice");
	expect_refusal(&word, "pipe pipe", "given twice");
	expect_refusal(&cores, "all all", "given twice");
	expect_refusal(&word, "pipe fuetx", "did you mean 'futex'?");
	expect_refusal(&period, "5", "has no unit");
	expect_refusal(&period, "5 us", "has no unit");
	expect_refusal(&rate, "5us", "unknown unit 'us'");
	expect_refusal(&cores, "1", "out of range (2 to 4096)");
	expect_refusal(&count, "0", "out of range");
	expect_refusal(&work, "-5us", "negative");
	expect_refusal(&work, "nan", "is not");
	expect_refusal(&work, "1e400", "1e400");
}

static void refused_ranges(void **state)
{
	(void)state;
	expect_refusal(&work, "40us..1us log 24", "'40us..1us' has lo above hi");
	expect_refusal(&work, "5us..5us linear 3", "empty range");
	expect_refusal(&work, "0..0 linear 3", "empty range");
	expect_refusal(&work, "..5us linear 3", "empty range");
	expect_refusal(&work, "5us.. linear 3", "empty range");
	expect_refusal(&work, "..", "'lo..hi linear N'");
	expect_refusal(&work, "0..5us", "'lo..hi linear N'");
	expect_refusal(&work, "0..5us log", "'lo..hi linear N'");
	expect_refusal(&work, "0..5us lin 3", "'lo..hi linear N'");
	expect_refusal(&work, "0..5us log 3 4", "'lo..hi linear N'");
	expect_refusal(&work, "1us log 2us..3us", "'lo..hi linear N'");
	expect_refusal(&work, "1us log ..", "'lo..hi linear N'");
	expect_refusal(&work, "1us .. 5us log 3", "'lo..hi linear N'");
	expect_refusal(&work, "0..5us log 1", "2 to 10000");
	expect_refusal(&work, "0..5us log 0", "2 to 10000");
	expect_refusal(&work, "0..5us log 10001", "2 to 10000");
	expect_refusal(&work, "0..5us log 2.5", "whole number");
	expect_refusal(&work, "0..5us log 99999999999999999999", "out of range");
	expect_refusal(&work, "100..5us log 3", "mixes a time and a count");
	expect_refusal(&period, "1..5us log 3", "has no unit");
	expect_refusal(&cores, "2..all linear 3", "'all' cannot be an end");
	expect_refusal(&word, "pipe..futex linear 2", "words have no range");
	expect_refusal(&cores, "2..5000 linear 3", "out of range");
}

/* An adaptive range has the values of the full one, and their places. */
static void adaptive(void **state)
{
	struct sweep full = sweep_of(&work, "0..2ms log 300"), sweep;
	static const char *const same[] = { "0..2ms adaptive 60", "0..2ms log adaptive 60" };

	(void)state;
	assert_null(full.at);
	assert_int_equal(full.wanted, 0);
	for (size_t k = 0; k < 2; k++) {
		sweep = sweep_of(&work, same[k]);
		assert_int_equal(sweep.n, full.n);
		assert_int_equal(sweep.wanted, 60);
		for (size_t i = 0; i < sweep.n; i++) {
			assert_true(sweep.value[i].number == full.value[i].number);
			assert_int_equal(sweep.at[i], i);
		}
		sweep_free(&sweep);
		assert_null(sweep.at);
	}
	sweep_free(&full);
	sweep = sweep_of(&work, "0..399 linear adaptive 80");
	assert_int_equal(sweep.n, 400);
	assert_true(sweep.value[7].number == 7);
	sweep_free(&sweep);
	/* Rounding folds values: the others keep their places. */
	sweep = sweep_of(&count, "1..1000 log 61");
	assert_true(sweep.n < 61);
	assert_true(sweep.value[1].number == 2 && sweep.at[1] == 4);
	assert_int_equal(sweep.at[sweep.n - 1], 60);
	sweep_free(&sweep);
}

static void refused_adaptive(void **state)
{
	(void)state;
	expect_refusal(&work, "0..5us adaptive", "'lo..hi adaptive N'");
	expect_refusal(&work, "0..5us log adaptive", "'lo..hi adaptive N'");
	expect_refusal(&work, "0..5us adaptive many", "the number of points");
	expect_refusal(&work, "0..5us adaptive 60 70", "'lo..hi adaptive N'");
	expect_refusal(&work, "0..5us lin adaptive 60", "'lo..hi adaptive N'");
	expect_refusal(&work, "0..5us adaptive adaptive 60", "'lo..hi adaptive N'");
	expect_refusal(&work, "0..5us adaptive 7", "an adaptive range has 8 to 2000");
	expect_refusal(&work, "0..5us adaptive 2001", "an adaptive range has 8 to 2000");
	expect_refusal(&cores, "2..12 adaptive 11", "only 11 different values");
	expect_refusal(&cores, "2..12 linear adaptive 60", "only 11 different values");
}

static void too_many_values(void **state)
{
	static char text[8 * (SWEEP_POINTS_MAX + 1)];
	struct sweep sweep;
	size_t n = 0;

	(void)state;
	for (int i = 1; i <= SWEEP_POINTS_MAX + 1; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%d ", i);
	expect_refusal(&count, text, "more than 10000 values");
	*strrchr(text, '1') = '\0';
	*strrchr(text, ' ') = '\0';
	sweep = sweep_of(&count, text);
	assert_int_equal(sweep.n, SWEEP_POINTS_MAX);
	sweep_free(&sweep);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(zero_to_40us_log_24),
		cmocka_unit_test(a_point_is_its_name),
		cmocka_unit_test(ends_are_as_written),
		cmocka_unit_test(ranges),
		cmocka_unit_test(lists),
		cmocka_unit_test(refused_lists),
		cmocka_unit_test(refused_ranges),
		cmocka_unit_test(adaptive),
		cmocka_unit_test(refused_adaptive),
		cmocka_unit_test(too_many_values),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
