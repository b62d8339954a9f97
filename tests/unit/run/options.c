/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command line of a verb: values, order, and each refusal with its words.
 */
#include "tests/unit/run/suites.h"

#include "run/options.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define WORDS_MAX 160

/* Words at the blanks of @line; '_' stands for a blank in a word. They live until the next call. */
static int parse(enum options_verb verb, const char *line, struct options *ret)
{
	static char copy[4096];
	static char *argv[WORDS_MAX];
	char *save;
	int argc = 0;

	snprintf(copy, sizeof(copy), "runner %s", line);
	for (char *word = strtok_r(copy, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
		for (char *c = word; *c; c++)
			*c = *c == '_' ? ' ' : *c;
		assert_true(argc + 1 < WORDS_MAX);
		argv[argc++] = word;
	}
	argv[argc] = NULL;
	error_clear();
	return options_parse(verb, argc, argv, ret);
}

static struct options taken(const char *line)
{
	struct options o;

	if (parse(OPTIONS_RUN, line, &o))
		fail_msg("%s: %s", line, error_text());
	return o;
}

static void refused(enum options_verb verb, const char *line, const char *says)
{
	struct options o;

	if (!parse(verb, line, &o))
		fail_msg("%s: taken", line);
	assert_true(error_is_usage());
	assert_says(says);
}

static void nothing_said(void **state)
{
	struct options o = taken("");

	(void)state;
	assert_null(o.suite);
	assert_null(o.governors);
	assert_null(o.results);
	assert_null(o.root);
	assert_null(o.run_as);
	assert_true(o.window_ns == -1 && o.warmup_ns == -1 && o.interval_ns == -1);
	assert_false(o.repeat_given || o.seed_given || o.quiet || o.dry_run || o.no_report);
	assert_int_equal(o.sets, 0);
	assert_int_equal(o.rests, 0);
}

static void everything_said(void **state)
{
	struct options o =
		taken("--suite smoke --governors=menu,teo --reference teo --repeat 3 "
		      "--window 20s --warmup=500ms --interval 1s --cpus 0-3,6 "
		      "--order abba --seed 18446744073709551615 --set work=1us_5us "
		      "--set a.cores=2 --results r --no-report --dry-run --root / --quiet "
		      "--run-as somebody");

	(void)state;
	assert_string_equal(o.suite, "smoke");
	assert_string_equal(o.governors, "menu,teo");
	assert_string_equal(o.reference, "teo");
	assert_true(o.repeat_given && o.repeat == 3);
	assert_true(o.window_ns == 20e9 && o.warmup_ns == 500e6 && o.interval_ns == 1e9);
	assert_string_equal(o.cpus, "0-3,6");
	assert_string_equal(o.order, "abba");
	assert_true(o.seed_given && o.seed == UINT64_MAX);
	assert_int_equal(o.sets, 2);
	assert_string_equal(o.set[0], "work=1us 5us");
	assert_string_equal(o.set[1], "a.cores=2");
	assert_string_equal(o.results, "r");
	assert_true(o.no_report && o.dry_run && o.quiet && !o.help);
	assert_string_equal(o.root, "/");
	assert_string_equal(o.run_as, "somebody");
}

static void order_does_not_matter(void **state)
{
	struct options o;

	(void)state;
	assert_int_equal(parse(OPTIONS_REPORT, "one --quiet two", &o), 0);
	assert_true(o.quiet);
	assert_int_equal(o.rests, 2);
	assert_string_equal(o.rest[0], "one");
	assert_string_equal(o.rest[1], "two");
	assert_int_equal(parse(OPTIONS_REPORT, "-- --quiet two", &o), 0);
	assert_false(o.quiet);
	assert_int_equal(o.rests, 2);
	assert_string_equal(o.rest[0], "--quiet");
	assert_int_equal(parse(OPTIONS_REPORT, "one -- two", &o), 0);
	assert_int_equal(o.rests, 2);
	assert_int_equal(parse(OPTIONS_REPORT, "-h", &o), 0);
	assert_true(o.help);
	/* A flag may be said again: it means the same. */
	assert_int_equal(parse(OPTIONS_RUN, "--quiet --quiet", &o), 0);
	assert_true(o.quiet);
}

/* What follows "--" is a command with its own options; of "run" nothing else is an argument. */
static void a_command(void **state)
{
	struct options o = taken("--quiet -- ls --quiet -- x");

	(void)state;
	assert_true(o.quiet);
	assert_int_equal(o.rests, 0);
	assert_non_null(o.command);
	assert_string_equal(o.command[0], "ls");
	assert_string_equal(o.command[1], "--quiet");
	assert_string_equal(o.command[2], "--");
	assert_string_equal(o.command[3], "x");
	assert_null(o.command[4]);
	o = taken("--");
	assert_non_null(o.command);
	assert_null(o.command[0]);
	assert_null(taken("--quiet").command);
	/* An option's value is no end of the options. */
	o = taken("--results -- --quiet");
	assert_null(o.command);
	assert_true(o.quiet);
	o = taken("--results -- word");
	assert_null(o.command);
	assert_int_equal(o.rests, 1);
	o = taken("word -- ls");
	assert_null(o.command);
	assert_int_equal(o.rests, 3);
	assert_int_equal(parse(OPTIONS_REPORT, "-- two", &o), 0);
	assert_null(o.command);
}

static void unknown_options(void **state)
{
	(void)state;
	refused(OPTIONS_RUN, "--suit smoke --sute x", "'--sute' (did you mean '--suite'?)");
	refused(OPTIONS_RUN, "--govenors menu", "'--govenors' (did you mean '--governors'?)");
	refused(OPTIONS_RUN, "--govenors=menu", "'--govenors' (did you mean '--governors'?)");
	refused(OPTIONS_REPORT, "word --xyzzy", "unknown option '--xyzzy'");
	refused(OPTIONS_RUN, "-x", "unknown option '-x'");
	refused(OPTIONS_RUN, "--suite smoke -qh", "unknown option '-q'");
	/* Each verb has its own. */
	refused(OPTIONS_STATUS, "--suite smoke", "unknown option '--suite'");
	refused(OPTIONS_LIST, "--quiet", "unknown option '--quiet'");
	refused(OPTIONS_RUN, "--dry-run=yes", "--dry-run takes no value");
}

static void values(void **state)
{
	(void)state;
	refused(OPTIONS_RUN, "--governors menu --suite", "--suite needs a value");
	refused(OPTIONS_RUN, "--suite=", "--suite: empty");
	refused(OPTIONS_RUN, "--window 20", "--window: '20' has no unit");
	refused(OPTIONS_RUN, "--window 20parsecs", "--window: '20parsecs'");
	refused(OPTIONS_RUN, "--warmup=-1s", "--warmup: '-1s' is negative");
	refused(OPTIONS_RUN, "--repeat six", "--repeat: 'six' is not a whole number");
	refused(OPTIONS_RUN, "--repeat -1", "--repeat: '-1'");
	refused(OPTIONS_RUN, "--seed 18446744073709551616", "--seed: ");
	refused(OPTIONS_RUN, "--seed 0x10", "--seed: '0x10'");
	refused(OPTIONS_RUN, "--set work", "--set: 'work' is not key=value");
	refused(OPTIONS_RUN, "--set =5", "--set: '=5' is not key=value");
}

static void twice(void **state)
{
	(void)state;
	refused(OPTIONS_RUN, "--suite smoke --suite smoke", "--suite is given twice");
	refused(OPTIONS_RUN, "--repeat 3 --repeat=4", "--repeat is given twice");
	refused(OPTIONS_RUN, "--window 1s --quiet --window 1s", "--window is given twice");
}

static void too_many_sets(void **state)
{
	char line[16 * (OPTIONS_SET_MAX + 1)] = "";
	struct options o;

	(void)state;
	for (int i = 0; i < OPTIONS_SET_MAX; i++)
		strcat(line, " --set a=1");
	o = taken(line);
	assert_int_equal(o.sets, OPTIONS_SET_MAX);
	strcat(line, " --set a=1");
	refused(OPTIONS_RUN, line, "--set: more than 64");
}

/* What options_help() prints, in a pipe. */
static void read_help(enum options_verb verb, char *text, size_t size)
{
	int pipe_fd[2], stdout_fd = dup(1);
	ssize_t n;

	fflush(stdout);
	assert_int_equal(pipe(pipe_fd), 0);
	dup2(pipe_fd[1], 1);
	close(pipe_fd[1]);
	options_help(verb);
	fflush(stdout);
	dup2(stdout_fd, 1);
	close(stdout_fd);
	n = read(pipe_fd[0], text, size - 1);
	close(pipe_fd[0]);
	assert_true(n > 0);
	text[n] = '\0';
}

static void help_names_the_verb_s_options(void **state)
{
	char text[8192];

	(void)state;
	read_help(OPTIONS_RUN, text, sizeof(text));
	assert_non_null(strstr(text, "\n  --governors LIST"));
	assert_non_null(strstr(text, "\n  --dry-run "));
	assert_non_null(strstr(text, "\n  --help "));
	for (char *save, *line = strtok_r(text, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save))
		assert_true(strlen(line) <= 80);
	read_help(OPTIONS_LIST, text, sizeof(text));
	assert_non_null(strstr(text, "--root DIR"));
	assert_null(strstr(text, "--suite"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_said),
		cmocka_unit_test(everything_said),
		cmocka_unit_test(order_does_not_matter),
		cmocka_unit_test(a_command),
		cmocka_unit_test(unknown_options),
		cmocka_unit_test(values),
		cmocka_unit_test(twice),
		cmocka_unit_test(too_many_sets),
		cmocka_unit_test(help_names_the_verb_s_options),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
