/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * command without a process: words of a line, values from text, the room for the output, and which
 * settings are refused.
 */
#include "workloads/command.h"
#include "lib/error.h"
#include "workloads/command-output.h"
#include "workloads/command-words.h"
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* The words, each in brackets. */
static void expect_words(const char *line, const char *want)
{
	char **words, text[256] = "";

	if (command_words_split(line, &words))
		fail_msg("%s: %s", line, error_text());
	for (char **word = words; *word; word++) {
		strcat(text, "[");
		strcat(text, *word);
		strcat(text, "]");
	}
	command_words_free(words);
	assert_string_equal(text, want);
}

static void expect_no_words(const char *line, const char *says)
{
	char **words = NULL;

	error_clear();
	assert_int_equal(command_words_split(line, &words), -EINVAL);
	assert_true(error_is_usage());
	if (!strstr(error_text(), says))
		fail_msg("%s: '%s'", line, error_text());
	assert_null(words);
}

static void test_words(void **state)
{
	(void)state;
	expect_words("ls", "[ls]");
	expect_words("  ls \t-l\n/usr  ", "[ls][-l][/usr]");
	expect_words("a 'b  c' \"d e\" f\\ g", "[a][b  c][d e][f g]");
	expect_words("a'b'\"c\"d", "[abcd]");
	expect_words("a '' \"\"", "[a][][]");
	expect_words("a 'it'\\''s'", "[a][it's]");
	expect_words("a \"q\\\" b\\\\ n\\n \\$\"", "[a][q\" b\\ n\\n $]");
	expect_words("a $'x\\ty\\x41\\'z\\\\'", "[a][x\ty"
						"A'z\\]");
	expect_words("a\\\nb c \\\n d", "[ab][c][d]"); /* a line that goes on */
	expect_words("a '|&;<>()$`' \\| \"|;\"", "[a][|&;<>()$`][|][|;]");
	expect_words("--x=[0-9]* ~ # {a,b} !", "[--x=[0-9]*][~][#][{a,b}][!]");
}

static void test_no_words(void **state)
{
	static const char only[] = "|&;<>()$`";

	(void)state;
	for (const char *c = only; *c; c++) {
		char line[] = "a b?c";

		line[3] = *c;
		expect_no_words(line, "a shell only");
	}
	expect_no_words("a \"$HOME\"", "a shell only");
	expect_no_words("a \"`id`\"", "a shell only");
	expect_no_words("", "no program's name");
	expect_no_words(" \n ", "no program's name");
	expect_no_words("'' x", "no program's name");
	expect_no_words("a 'b", "the quote ' is not closed");
	expect_no_words("a \"b", "the quote \" is not closed");
	expect_no_words("a $'b", "the quote $' is not closed");
	expect_no_words("a $'\\q'", "unknown escape '\\q'");
	expect_no_words("a $'\\x00'", "unknown escape '\\x'");
	expect_no_words("a b\\", "a backslash at the end");
}

/* The value of the one pick @metric in @text. */
static double pick(const char *metric, const char *text)
{
	struct command_picks picks;
	char copy[256];
	double value;

	if (command_picks_parse(metric, &picks))
		fail_msg("%s: %s", metric, error_text());
	assert_int_equal(picks.n, 1);
	snprintf(copy, sizeof(copy), "%s", text);
	command_picks_scan(&picks, copy, strlen(text));
	value = picks.pick[0].value;
	command_picks_free(&picks);
	return value;
}

static void test_picks(void **state)
{
	(void)state;
	assert_true(pick("v us lower ^v ([0-9.]+)$", "x\nv 12.5\ny\n") == 12.5);
	assert_true(pick("v us lower ^v ([0-9.]+)$", "v 1\nv 2\nv 3\nw 4\n") == 3); /* the last */
	assert_true(pick("v us lower v ([0-9]+)", "v 1 v 2") == 1); /* the first of its line */
	assert_true(pick("v us lower v (.+)", "v -1.5e-3\r\nother") == -1.5e-3);
	assert_true(pick("v - none ([0-9]+) of   two", "7 of   two\n") == 7);
	assert_true(pick("v us lower ^v ([0-9.]+)", "10%\r20%\rv 9\r") == 9); /* a progress bar */
	assert_true(isnan(pick("v us lower ^v ([0-9.]+)$", "nothing\n")));
	assert_true(isnan(pick("v us lower ^v ([0-9.]+)$", "")));
	/* 12.5k is not 12.5: no unit is guessed. */
	assert_true(isnan(pick("v us lower IOPS=([^,]+)", "IOPS=12.5k, BW")));
	/* A later line that matches without a number does not leave the earlier one standing. */
	assert_true(isnan(pick("v us lower v (.*)", "v 1\nv none\n")));
	/* A group that took no part in the match is none. */
	assert_true(isnan(pick("v us lower x|v ([0-9]+)", "x\n")));
}

static void test_pick_nul(void **state)
{
	struct command_picks picks;
	char text[] = "a\0b v 5\nc";

	(void)state;
	assert_int_equal(command_picks_parse("v - none v ([0-9])", &picks), 0);
	command_picks_scan(&picks, text, sizeof(text) - 1);
	assert_true(picks.pick[0].value == 5);
	command_picks_free(&picks);
}

static void test_several_picks(void **state)
{
	struct command_picks picks;
	char text[] = "ops 3\nlat 4\nops 5\n";

	(void)state;
	assert_int_equal(
		command_picks_parse("ops 1/s higher ops ([0-9]+)\nlat us lower lat ([0-9]+)\n"
				    "no - none no ([0-9]+)",
				    &picks),
		0);
	assert_int_equal(picks.n, 3);
	command_picks_scan(&picks, text, sizeof(text) - 1);
	assert_string_equal(picks.pick[0].name, "ops");
	assert_string_equal(picks.pick[0].unit, "1/s");
	assert_int_equal(picks.pick[0].better, BETTER_HIGHER);
	assert_true(picks.pick[0].value == 5 && picks.pick[1].value == 4);
	assert_int_equal(picks.pick[1].better, BETTER_LOWER);
	assert_string_equal(picks.pick[2].unit, "");
	assert_false(picks.pick[2].found);
	command_picks_reset(&picks);
	assert_true(!picks.pick[0].found && isnan(picks.pick[0].value));
	command_picks_free(&picks);
}

static void test_pick_refusals(void **state)
{
	static const struct {
		const char *metric, *says;
	} bad[] = {
		{ "v", "NAME UNIT BETTER REGEX" },
		{ "v us lower", "NAME UNIT BETTER REGEX" },
		{ "v us lower  ", "NAME UNIT BETTER REGEX" },
		{ "V us lower ([0-9]+)", "'V': a metric's name" },
		{ "v-p us lower ([0-9]+)", "a metric's name" },
		{ "abcdefghijabcdefghijabcdefghijab us lower (.)", "a metric's name" },
		{ "run_s s lower ([0-9]+)", "of every command already" },
		{ "v us less ([0-9]+)", "v: better is lower, higher or none, not 'less'" },
		{ "v us lower [0-9]+", "has 0 groups" },
		{ "v us lower (a|b)([0-9]+)", "has 2 groups" },
		{ "v us lower ([0-9]+", "not a regular expression" },
		{ "v us lower (.)\nv us lower (.)", "'v' is given twice" },
		{ "v 0123456789abcdef lower (.)", "a unit has at most" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct command_picks picks = { 0 };

		error_clear();
		assert_int_equal(command_picks_parse(bad[i].metric, &picks), -EINVAL);
		assert_true(error_is_usage());
		if (!strstr(error_text(), bad[i].says))
			fail_msg("%s: '%s'", bad[i].metric, error_text());
	}
}

static struct command_output *output_of(void)
{
	struct command_output *output = calloc(1, sizeof(*output));

	assert_non_null(output);
	return output;
}

/* Lines "N\n", nine digits each, in pieces of all sizes. */
static void fill(struct command_output *output, unsigned int lines)
{
	char piece[1000];
	size_t n = 0, step = 1;

	for (unsigned int i = 0; i < lines; i++) {
		n += (size_t)sprintf(piece + n, "%09u\n", i);
		if (n < step && i + 1 < lines)
			continue;
		command_output_add(output, 0, piece, n);
		step = step % 900 + 1;
		n = 0;
	}
}

static void test_output(void **state)
{
	struct command_output *output = output_of();
	size_t size;
	char *text;

	(void)state;
	assert_int_equal(command_output_tail(output, &text, &size), 0);
	assert_int_equal(size, 0);
	free(text);
	fill(output, 2 * COMMAND_KEPT / 10); /* all but a few bytes of the room */
	assert_int_equal(output->total, 2 * COMMAND_KEPT / 10 * 10);
	assert_int_equal(command_output_tail(output, &text, &size), 0);
	assert_int_equal(size, output->total);
	for (unsigned int i = 0; i < size / 10; i++)
		assert_int_equal(atoi(text + (size_t)i * 10), (int)i);
	free(text);
	free(output);
}

/* Beginning and end stay, whole and in order, whatever lies between. */
static void test_cut_output(void **state)
{
	const unsigned int lines = 1000003;
	struct command_output *output = output_of();
	size_t size;
	char *text, last[16];

	(void)state;
	fill(output, lines);
	assert_int_equal(output->total, (uint64_t)lines * 10);
	assert_memory_equal(output->kept, "000000000\n000000001\n", 20);
	assert_int_equal(command_output_tail(output, &text, &size), 0);
	assert_int_equal(size, COMMAND_KEPT);
	for (unsigned int i = 1; i < size / 10; i++)
		assert_int_equal(atoi(text + size - (size_t)i * 10), (int)(lines - i));
	free(text);
	snprintf(last, sizeof(last), "%09u", lines - 1);
	assert_string_equal(command_output_last(output), last);
	free(output);
}

/* A match in the beginning may not be the last one when the middle is gone: no value. */
static void test_cut_picks(void **state)
{
	struct command_output *output = output_of();
	struct command_picks picks;

	(void)state;
	command_output_add(output, 0, "early 1\nboth 2\n", 15);
	fill(output, 200000);
	command_output_add(output, 0, "both 3\nlate 4\n", 14);
	assert_int_equal(
		command_picks_parse("early - none ^early ([0-9])\nboth - none ^both ([0-9])\n"
				    "late - none ^late ([0-9])",
				    &picks),
		0);
	assert_int_equal(command_output_pick(output, &picks), 0);
	assert_true(isnan(picks.pick[0].value));
	assert_true(picks.pick[1].value == 3 && picks.pick[2].value == 4);
	command_picks_free(&picks);
	free(output);
}

static void test_last_line(void **state)
{
	struct command_output *output = output_of();

	(void)state;
	assert_string_equal(command_output_last(output), "");
	command_output_add(output, 0, "out\n\n", 5);
	assert_string_equal(command_output_last(output), "out");
	command_output_add(output, 1, "first\nsec", 9);
	command_output_add(output, 0, "more\n", 5);
	command_output_add(output, 1, "ond\n\n", 5);
	assert_string_equal(command_output_last(output), "second");
	free(output);
}

/* Settings as "key=value" pairs, the last one NULL. */
static int ask(const char *const *pairs, struct workload_needs *ret)
{
	const struct workload *workload = workload_find("command");
	struct param_value values[COMMAND_PARAMS];
	char key[32];

	assert_int_equal(param_defaults(workload->params, values), 0);
	for (; *pairs; pairs++) {
		const char *value = strchr(*pairs, '=') + 1;
		int row;

		snprintf(key, sizeof(key), "%.*s", (int)(value - *pairs) - 1, *pairs);
		row = param_find(workload->params, key);
		assert_true(row >= 0);
		assert_int_equal(param_parse(&workload->params[row], value, &values[row]), 0);
	}
	error_clear();
	if (workload->needs(values, ret))
		return -EINVAL;
	return workload->present(values);
}

static void test_needs(void **state)
{
	struct workload_needs needs;

	(void)state;
	assert_int_equal(ask((const char *[]){ "command=true", NULL }, &needs), 0);
	assert_int_equal(needs.tasks, 1);
	assert_true(needs.ends_itself && !needs.pinned && !needs.timer_based);
	assert_int_equal(ask((const char *[]){ "command=true | cat", "shell=yes", NULL }, &needs),
			 0);
}

static void test_setting_refusals(void **state)
{
	static const struct {
		const char *pairs[4];
		int code;
		const char *says;
	} bad[] = {
		{ { "command=true | cat" }, -EINVAL, "command: '|'" },
		{ { "command=true", "metric=x" }, -EINVAL, "metric: is written" },
		{ { "command=true", "shell=yes", "package=fio" }, -EINVAL, "names the programs" },
		{ { "command=nosuch-1 x" }, -ENOENT, "nosuch-1: no such program in PATH" },
		{ { "command=/no/such" }, -ENOENT, "/no/such: no such program" },
		{ { "command=/usr" }, -ENOENT, "/usr: no such program" },
		{ { "command=nosuch-1 x", "package=some" },
		  -ENOENT,
		  "nosuch-1 is not installed: apt install some" },
		{ { "command=true", "package=some true nosuch-2" },
		  -ENOENT,
		  "nosuch-2 is not installed: apt install some" },
		{ { "command=x", "shell=yes", "package=http://a.b/c nosuch-3" },
		  -ENOENT,
		  "nosuch-3 is not installed: see http://a.b/c" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct workload_needs needs;

		assert_int_equal(ask(bad[i].pairs, &needs), bad[i].code);
		assert_int_equal(error_is_usage(), bad[i].code == -EINVAL);
		if (!strstr(error_text(), bad[i].says))
			fail_msg("'%s' instead of '%s'", error_text(), bad[i].says);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words),	      cmocka_unit_test(test_no_words),
		cmocka_unit_test(test_picks),	      cmocka_unit_test(test_pick_nul),
		cmocka_unit_test(test_several_picks), cmocka_unit_test(test_pick_refusals),
		cmocka_unit_test(test_output),	      cmocka_unit_test(test_cut_output),
		cmocka_unit_test(test_cut_picks),     cmocka_unit_test(test_last_line),
		cmocka_unit_test(test_needs),	      cmocka_unit_test(test_setting_refusals),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
