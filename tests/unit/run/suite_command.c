/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "run -- COMMAND" as a suite: whatever the words are, the workload gets the same ones. */
#include "tests/unit/run/suites.h"

#include "run/plan.h"
#include "workloads/command-words.h"
#include "workloads/command.h"
#include <stdio.h>
#include <stdlib.h>

static void expect_same(char *const *words)
{
	struct suite suite, again;
	char **got;
	size_t n = 0;

	if (suite_of_command(words, NULL, 0, &suite))
		fail_msg("%s: %s", words[0], error_text());
	assert_string_equal(suite.name, "command");
	assert_int_equal(suite.sections, 1);
	assert_string_equal(suite.section[0].workload->name, "command");
	if (command_words_split(suite.section[0].sweep[COMMAND_COMMAND].value[0].text, &got))
		fail_msg("%s: %s", suite.text, error_text());
	for (; words[n]; n++) {
		assert_non_null(got[n]);
		assert_string_equal(got[n], words[n]);
	}
	assert_null(got[n]);
	command_words_free(got);
	/* It is stored as text, and continued from that. */
	assert_int_equal(suite_parse("command", suite.text, NULL, 0, &again), 0);
	assert_string_equal(again.section[0].sweep[COMMAND_COMMAND].value[0].text,
			    suite.section[0].sweep[COMMAND_COMMAND].value[0].text);
	suite_free(&again);
	suite_free(&suite);
}

static void words(void **state)
{
	char *one[] = { (char[]){ "true" }, NULL };
	char *odd[] = { (char[]){ "sh" },
			(char[]){ "-c" },
			(char[]){ "echo a ; echo b" },
			(char[]){ "" },
			(char[]){ ";" },
			(char[]){ "; x" },
			(char[]){ "it's" },
			(char[]){ "''" },
			(char[]){ "\\" },
			(char[]){ "a\nb\t\x01" },
			(char[]){ "$HOME `id` \"" },
			(char[]){ " x " },
			(char[]){ "#" },
			(char[]){ "[a]" },
			(char[]){ "=:" },
			(char[]){ "\xc3\xa4" },
			(char[]){ "\x7f" },
			(char[]){ "\x80\xff" },
			NULL };

	(void)state;
	expect_same(one);
	expect_same(odd);
}

/* Lines of a suite are short: every length of word, plain and not, meets their end somewhere. */
static void long_words(void **state)
{
	static const char *const kinds[] = { "abc", "a b;c ;d", "'", "\n", "a'b ;\n" };

	(void)state;
	for (size_t kind = 0; kind < sizeof(kinds) / sizeof(kinds[0]); kind++) {
		for (size_t size = 100; size < 420; size++) {
			char *line[] = { (char[]){ "x" }, malloc(size + 1), (char[]){ "y" }, NULL };

			for (size_t i = 0; i < size; i++)
				line[1][i] = kinds[kind][i % strlen(kinds[kind])];
			line[1][size] = '\0';
			expect_same(line);
			free(line[1]);
		}
	}
}

static void many_words(void **state)
{
	char word[] = "--some option=1", *line[301] = { 0 };

	(void)state;
	for (size_t i = 0; i < 300; i++)
		line[i] = word;
	expect_same(line);
}

static void too_long(void **state)
{
	struct suite suite;
	char *line[] = { calloc(1, 70001), NULL };

	(void)state;
	memset(line[0], 'a', 70000);
	error_clear();
	assert_int_equal(suite_of_command(line, NULL, 0, &suite), -EINVAL);
	assert_true(error_is_usage());
	assert_says("more than 65536 bytes");
	free(line[0]);
}

static struct plan plan_of(const struct suite *suite)
{
	struct plan plan;

	assert_int_equal(plan_make(suite,
				   &(struct plan_request){
					   .governors = "menu", .repeat = 1, .order = "blocked" },
				   &plan),
			 0);
	return plan;
}

static void expect_window(const char *text, double option_ns, double want_ns)
{
	struct suite suite = suite_of(text);
	struct plan plan = plan_of(&suite);

	assert_true(plan_window_ns(&plan, 0, option_ns) == want_ns);
	assert_true(plan_warmup_ns(&plan, 0, -1) == 0);
	plan_free(&plan);
	suite_free(&suite);
}

#define TRUE "[run a]\nworkload = command\ncommand = true\n"

/* Only who asks for a window gets one. */
static void windows(void **state)
{
	(void)state;
	expect_window(HEAD TRUE, -1, 0);
	expect_window(HEAD TRUE, 3e9, 3e9);
	expect_window(HEAD "window = 2s\n" TRUE, -1, 2e9);
	expect_window(HEAD "window = 2s\n" TRUE "window = none\n", -1, 0);
	expect_window(HEAD TRUE "window = 1s\n", -1, 1e9);
}

static void expect_refused(const char *text, const char *says)
{
	struct suite suite;

	error_clear();
	assert_int_equal(suite_parse("x.ini", text, NULL, 0, &suite), -EINVAL);
	assert_true(error_is_usage());
	assert_says(says);
}

static void refusals(void **state)
{
	(void)state;
	expect_refused(HEAD "[run a]\nworkload = command\n",
		       "x.ini:3: [run a]: command: is missing");
	expect_refused(HEAD TRUE "warmup = 1s\n", "[run a]: warmup has no effect");
	expect_refused(HEAD RING "window = none\n", "[run a]: window = none: it does not end");
	expect_refused(HEAD TRUE "shell = no\nshell = no\n",
		       "x.ini:7: key 'shell' is there already");
	expect_refused(HEAD TRUE "metric = x\n", "metric: is written");
	expect_refused(HEAD "[run a]\nworkload = command\ncommand = echo 'a ; b'\n",
		       "begins a comment");
}

/* Lines of the file add up; the command line replaces them, and adds up again. */
static void lines(void **state)
{
	static const char *const set[] = { "metric=x - none x(.)", "metric=y - none y(.)" };
	static const char text[] =
		HEAD TRUE "command = b\nmetric = v - none v(.)\nmetric = w - none w(.)\n";
	struct suite suite = suite_of(text);

	(void)state;
	assert_string_equal(suite.section[0].sweep[COMMAND_COMMAND].value[0].text, "true\nb");
	assert_string_equal(suite.section[0].sweep[COMMAND_METRIC].value[0].text,
			    "v - none v(.)\nw - none w(.)");
	suite_free(&suite);
	assert_int_equal(suite_parse("x.ini", text, set, 2, &suite), 0);
	assert_string_equal(suite.section[0].sweep[COMMAND_METRIC].value[0].text,
			    "x - none x(.)\ny - none y(.)");
	suite_free(&suite);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words),      cmocka_unit_test(long_words),
		cmocka_unit_test(many_words), cmocka_unit_test(too_long),
		cmocka_unit_test(windows),    cmocka_unit_test(refusals),
		cmocka_unit_test(lines),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
