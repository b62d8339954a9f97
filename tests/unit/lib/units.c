/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers with units: what is taken, what is refused and in which words, and that a printed time
 * reads back as the same double.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "lib/error.h"
#include "lib/units.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static void count_takes_exact_integers(void **state)
{
	static const struct {
		const char *text;
		uint64_t value;
	} good[] = {
		{ "0", 0 },
		{ "12", 12 },
		{ "007", 7 },
		{ "1e6", 1000000 },
		{ "1.5e3", 1500 },
		{ "1E+2", 100 },
		{ "120e-1", 12 },
		{ "0e9999", 0 },
		{ "18446744073709551615", UINT64_MAX },
		{ "1e19", UINT64_C(10000000000000000000) },
		{ "1.000e1", 10 },
		{ "1.0e0", 1 },
	};
	uint64_t value;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(good); i++) {
		value = 99;
		assert_int_equal(units_parse_count(good[i].text, &value), 0);
		assert_true(value == good[i].value);
	}
}

static void count_refuses_the_rest_and_leaves_the_result(void **state)
{
	static const char *const bad[] = {
		"",
		"1.5",
		"1.0",
		"-1",
		"-0",
		"+1",
		" 1",
		"1 ",
		"0x10",
		"1k",
		"1e",
		"e6",
		"1e-1",
		"nan",
		"inf",
		"1,5",
		"1.",
		".5",
		"1e6s",
		"1\n",
		"1.5e0",
		"12e-2",
		"18446744073709551616",
		"1e20",
		"1e99999999999",
		"2e19",
	};
	uint64_t value = 99;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(bad); i++) {
		error_clear();
		assert_int_equal(units_parse_count(bad[i], &value), -EINVAL);
		assert_true(error_is_usage());
		assert_non_null(strchr(error_text(), '\''));
		assert_int_equal(value, 99);
	}
}

static void counts_are_one_or_a_range(void **state)
{
	static const char *const bad[] = { "",
					   "6..",
					   "..6",
					   "6..6",
					   "7..6",
					   "6...9",
					   "6..9..12",
					   "6-9",
					   "6..1.5",
					   "6 ..9",
					   "1000000000000000000000000..9" };
	uint64_t from = 99, to = 99;

	(void)state;
	for (size_t i = 0; i < COUNT(bad); i++) {
		error_clear();
		assert_int_equal(units_parse_counts(bad[i], &from, &to), -EINVAL);
		assert_true(error_is_usage() && from == 99 && to == 99);
	}
	assert_int_equal(units_parse_counts("6..40", &from, &to), 0);
	assert_true(from == 6 && to == 40);
	assert_int_equal(units_parse_counts("12", &from, &to), 0);
	assert_true(from == 12 && to == 0);
}

static void number_has_a_sign_and_no_unit(void **state)
{
	static const char *const bad[] = {
		"",   "+1", "nan", "inf", "-inf", "0x1p3", "1e400", "1s",
		" 1", "1 ", ".",   ".5",  "5.",	  "--1",   "1e+",   "1_0"
	};
	double value = 7;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(bad); i++)
		assert_int_equal(units_parse_number(bad[i], &value), -EINVAL);
	assert_true(value == 7);
	assert_int_equal(units_parse_number("-2.5e-3", &value), 0);
	assert_true(value == -2.5e-3);
	assert_int_equal(units_parse_number("0.1", &value), 0);
	assert_true(value == 0.1);
}

static void time_takes_every_unit(void **state)
{
	static const struct {
		const char *text;
		double ns;
	} good[] = {
		{ "1ns", 1 },	      { "12.3us", 12300 }, { "20ms", 20e6 }, { "0us", 0 },
		{ "1.1s", 1.1e9 },    { "1.5m", 90e9 },	   { "2h", 7200e9 }, { "0.1us", 100 },
		{ "1e3us", 1000000 }, { "1e9s", 1e18 },	   { "0.5ns", 0.5 },
	};
	double ns;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(good); i++) {
		assert_int_equal(units_parse_time(good[i].text, &ns), 0);
		assert_true(ns == good[i].ns);
	}
}

static void time_says_what_is_wrong(void **state)
{
	static const struct {
		const char *text, *message;
	} bad[] = {
		{ "20", "'20' has no unit (write 20s, 20ms, 20us or 20ns)" },
		{ "5 s", "'5 s' is not a time: unknown unit ' s' (takes ns, us, ms, s, m or h)" },
		{ "20x", "'20x' is not a time: unknown unit 'x' (takes ns, us, ms, s, m or h)" },
		{ "20%", "'20%' is not a time: unknown unit '%' (takes ns, us, ms, s, m or h)" },
		{ "-5s", "'-5s' is negative" },
		{ "+5s", "'+5s' is not a time" },
		{ "s", "'s' is not a time" },
		{ "", "'' is not a time" },
		{ "nans", "'nans' is not a time" },
		{ "0x5s",
		  "'0x5s' is not a time: unknown unit 'x5s' (takes ns, us, ms, s, m or h)" },
		{ "1.1e9s", "'1.1e9s' is out of range (at most 1e9s)" },
		{ "1e999s", "'1e999s' is out of range (at most 1e9s)" },
		{ "1\033s",
		  "'1?s' is not a time: unknown unit '?s' (takes ns, us, ms, s, m or h)" },
	};
	double ns = 7;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(bad); i++) {
		assert_int_equal(units_parse_time(bad[i].text, &ns), -EINVAL);
		assert_true(error_is_usage());
		assert_string_equal(error_text(), bad[i].message);
	}
	assert_true(ns == 7);
}

static void frequency_percent_and_bytes(void **state)
{
	double value;
	uint64_t bytes = 9;

	(void)state;
	assert_int_equal(units_parse_frequency("347Hz", &value), 0);
	assert_true(value == 347);
	assert_int_equal(units_parse_frequency("2.3kHz", &value), 0);
	assert_true(value == 2300);
	assert_int_equal(units_parse_frequency("1MHz", &value), 0);
	assert_true(value == 1e6);
	assert_int_equal(units_parse_frequency("0Hz", &value), -EINVAL);
	assert_int_equal(units_parse_frequency("1e400Hz", &value), -EINVAL);
	assert_string_equal(error_text(), "'1e400Hz' is out of range (too large)");
	assert_int_equal(units_parse_frequency("1GHz", &value), -EINVAL);
	assert_true(value == 1e6);
	assert_int_equal(units_parse_frequency("100", &value), -EINVAL);
	assert_string_equal(error_text(), "'100' has no unit (write 100Hz, 100kHz or 100MHz)");
	assert_int_equal(units_parse_percent("3%", &value), 0);
	assert_true(value == 3);
	assert_int_equal(units_parse_percent("3", &value), -EINVAL);
	assert_string_equal(error_text(), "'3' has no unit (write 3%)");
	assert_int_equal(units_parse_bytes("4KiB", &bytes), 0);
	assert_int_equal(bytes, 4096);
	assert_int_equal(units_parse_bytes("1e3B", &bytes), 0);
	assert_int_equal(bytes, 1000);
	assert_int_equal(units_parse_bytes("17179869184GiB", &bytes), -EINVAL);
	assert_int_equal(units_parse_bytes("1.5KiB", &bytes), -EINVAL);
	assert_int_equal(units_parse_bytes("4KB", &bytes), -EINVAL);
	assert_int_equal(bytes, 1000);
}

static void any_tells_the_kind(void **state)
{
	static const struct {
		const char *text;
		double value;
		enum unit_kind kind;
	} good[] = {
		{ "40us", 40000, UNIT_TIME }, { "73Hz", 73, UNIT_FREQUENCY },
		{ "2%", 2, UNIT_PERCENT },    { "1MiB", 1048576, UNIT_BYTES },
		{ "-4", -4, UNIT_NONE },      { "1e6", 1e6, UNIT_NONE },
	};
	enum unit_kind kind = UNIT_BYTES;
	double value = 7;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(good); i++) {
		assert_int_equal(units_parse_any(good[i].text, &value, &kind), 0);
		assert_true(value == good[i].value);
		assert_int_equal(kind, good[i].kind);
	}
	assert_int_equal(units_parse_any("40uss", &value, &kind), -EINVAL);
	assert_int_equal(units_parse_any("all", &value, &kind), -EINVAL);
	assert_int_equal(units_parse_any("-1s", &value, &kind), -EINVAL);
	assert_true(value == 1e6);
	assert_int_equal(kind, UNIT_NONE);
}

static void format_picks_the_fitting_unit(void **state)
{
	static const struct {
		double ns;
		int digits;
		const char *text;
	} good[] = {
		{ 12500, 3, "12.5us" },	     { 0, 3, "0us" },
		{ 999.99, 3, "1us" },	     { 1, 6, "1ns" },
		{ 100, 1, "100ns" },	     { 1e6, 3, "1ms" },
		{ 90e9, 3, "90s" },	     { 3600e9, 6, "3600s" },
		{ 0.5, 3, "0.5ns" },	     { 0.01234, 2, "0.012ns" },
		{ 1e18, 3, "1000000000s" },  { 1234567, 4, "1.235ms" },
		{ -2500, 2, "-2.5us" },	     { 999999.4, 6, "999.999us" },
		{ 999999.6, 6, "1ms" },	     { 1e-7, 3, "1e-7ns" },
		{ 1.25e-7, 3, "1.25e-7ns" },
	};
	char text[24];
	size_t i;

	(void)state;
	for (i = 0; i < COUNT(good); i++) {
		units_format_time(good[i].ns, good[i].digits, text, sizeof(text));
		assert_string_equal(text, good[i].text);
	}
	units_format_time(NAN, 3, text, sizeof(text));
	assert_string_equal(text, "NA");
}

/* A log-uniform time of 1e-3 to 1e18 ns. */
static double some_time(unsigned short seed[3])
{
	return pow(10, erand48(seed) * 21 - 3);
}

static void printed_times_read_back(void **state)
{
	unsigned short seed[3] = { 1, 2, 3 };
	double ns, back, again;
	char text[24];
	int i, digits;

	(void)state;
	for (i = 0; i < 200000; i++) {
		ns = some_time(seed);
		digits = 1 + i % 15;
		units_format_time(ns, digits, text, sizeof(text));
		assert_true(strlen(text) < sizeof(text) - 1);
		assert_int_equal(units_parse_time(text, &back), 0);
		/* The printed name and the rounded value are the same number, to the last bit. */
		assert_true(back == units_round(ns, digits));
		assert_true(fabs(back - ns) <= 0.5000001 * ns * pow(10, 1 - digits));
		assert_int_equal(units_parse_any(text, &again, &(enum unit_kind){ UNIT_NONE }), 0);
		assert_true(again == back);
	}
}

static void tiny_times_fit_as_well(void **state)
{
	double back;
	char text[24];

	(void)state;
	units_format_time(1.23456789012345e-300, 15, text, sizeof(text));
	assert_string_equal(text, "1.23456789012345e-300ns");
	assert_int_equal(units_parse_time(text, &back), 0);
	assert_true(back == 1.23456789012345e-300);
}

static void round_keeps_digits(void **state)
{
	(void)state;
	assert_true(units_round(12345, 3) == 12300);
	assert_true(units_round(0.00123456, 2) == 0.0012);
	assert_true(units_round(-9.96, 2) == -10);
	assert_true(units_round(0, 3) == 0);
	assert_true(isnan(units_round(NAN, 3)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(count_takes_exact_integers),
		cmocka_unit_test(count_refuses_the_rest_and_leaves_the_result),
		cmocka_unit_test(counts_are_one_or_a_range),
		cmocka_unit_test(number_has_a_sign_and_no_unit),
		cmocka_unit_test(time_takes_every_unit),
		cmocka_unit_test(time_says_what_is_wrong),
		cmocka_unit_test(frequency_percent_and_bytes),
		cmocka_unit_test(any_tells_the_kind),
		cmocka_unit_test(format_picks_the_fitting_unit),
		cmocka_unit_test(printed_times_read_back),
		cmocka_unit_test(tiny_times_fit_as_well),
		cmocka_unit_test(round_keeps_digits),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
