/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any program as a workload: how long it takes, what CPU time it uses, and what its output says.
 *
 * It starts at T0 and has no warm-up: what runs before a program's start is not that program. It
 * ends by itself, and then its run time counts; or the window ends it, and then it does not.
 */
#include "workloads/command.h"
#include "lib/error.h"
#include "workloads/command-keeper.h"
#include "workloads/command-words.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#define TEXT_MAX 65536 /* half of what the kernel takes as one argument */
#define GRACE_NS 30000000000u /* more than ending its processes may take */

enum { SHELL_NO, SHELL_YES };

static const struct param params[] = {
	[COMMAND_COMMAND] = { "command", PARAM_TEXT, NULL, .max = TEXT_MAX, .required = true,
			      .repeatable = true,
			      .help = "The program and its arguments; given again, it goes on" },
	[COMMAND_SHELL] = { "shell", PARAM_CHOICE, "no", .choices = "no|yes",
			    .help = "yes: the command is a line for sh -c; no: words only, "
				    "quoted as for a shell, nothing is expanded" },
	[COMMAND_METRIC] = { "metric", PARAM_TEXT, NULL, .max = TEXT_MAX, .repeatable = true,
			     .help = "NAME UNIT BETTER REGEX: a value from the output; the last "
				     "line that matches counts, the one group is the number" },
	[COMMAND_PACKAGE] = { "package", PARAM_TEXT, NULL, .max = 256,
			      .help = "PACKAGE PROGRAM...: what brings the programs (an address for what "
				      "is not packaged); without PROGRAM that of the command" },
	[COMMAND_PARAMS] = { 0 },
};

const struct metric command_metrics[] = {
	{ "run_s", "s", BETTER_LOWER,
	  "Run time of its first process; NA when the window ended it" },
	{ "cpu_s", "s", BETTER_LOWER, "User and system CPU time of it and all its descendants" },
	{ "user_s", "s", BETTER_NONE, "User part of that" },
	{ "system_s", "s", BETTER_NONE, "System part of that" },
	{ "ended_by_window", "", BETTER_NONE, "1: the window ended it; 0: it ended by itself" },
	{ "left_processes", "", BETTER_NONE, "Its children that were there after its end; killed" },
	{ "output_bytes", "", BETTER_NONE, "What it printed" },
	{ "timer_slack_ns", "ns", BETTER_NONE, "Timer slack that it begins with; 50us by default" },
	{ "unit_start_ns", "ns", BETTER_NONE, "Time per work unit before the run" },
	{ "unit_end_ns", "ns", BETTER_NONE, "Time per work unit after the run" },
	{ 0 },
};

static bool by_shell(const struct param_value *values)
{
	return values[COMMAND_SHELL].choice == SHELL_YES;
}

/* What is executed: the words, or sh -c with the lines. */
static int make_argv(const struct param_value *values, char ***ret)
{
	const char *line = values[COMMAND_COMMAND].text;
	char **argv;
	int rc;

	if (!by_shell(values)) {
		rc = command_words_split(line, ret);
		return rc ? error_prefix(rc, "command: ") : 0;
	}
	argv = calloc(4, sizeof(*argv));
	if (!argv)
		return error_no_memory();
	argv[0] = strdup("/bin/sh");
	argv[1] = strdup("-c");
	argv[2] = strdup(line);
	*ret = argv;
	if (argv[0] && argv[1] && argv[2])
		return 0;
	command_words_free(argv);
	return error_no_memory();
}

/* The package's name and the programs that it brings, as words. */
static int split_package(const struct param_value *values, char ***ret)
{
	int rc = command_words_split(values[COMMAND_PACKAGE].text, ret);

	if (!rc && by_shell(values) && !(*ret)[1]) {
		command_words_free(*ret);
		rc = error_usage("with shell = yes it names the programs, too: PACKAGE PROGRAM...");
	}
	return rc ? error_prefix(rc, "package: ") : 0;
}

static int check_texts(const struct param_value *values)
{
	struct command_picks *picks;
	char **words;
	int rc = make_argv(values, &words);

	if (rc)
		return rc;
	command_words_free(words);
	if (values[COMMAND_PACKAGE].set) {
		rc = split_package(values, &words);
		if (rc)
			return rc;
		command_words_free(words);
	}
	if (!values[COMMAND_METRIC].set)
		return 0;
	picks = calloc(1, sizeof(*picks));
	if (!picks)
		return error_no_memory();
	rc = command_picks_parse(values[COMMAND_METRIC].text, picks);
	if (!rc)
		command_picks_free(picks);
	free(picks);
	return rc;
}

static int needs(const struct param_value *values, struct workload_needs *ret)
{
	int rc = values[COMMAND_COMMAND].set ? check_texts(values) : 0;

	if (!rc)
		*ret = (struct workload_needs){ .tasks = 1, .ends_itself = true };
	return rc;
}

/* The first of the programs that is not there. */
static int check_found(char *const *programs, const char *package)
{
	for (; *programs; programs++) {
		if (command_words_found(*programs))
			continue;
		if (package)
			return error_set(-ENOENT, "%s is not installed: %s %s", *programs,
					 strstr(package, "://") ? "see" : "apt install", package);
		return error_set(-ENOENT, "%s: no such program%s", *programs,
				 strchr(*programs, '/') ? "" : " in PATH");
	}
	return 0;
}

static int present(const struct param_value *values)
{
	char **argv, **package = NULL;
	int rc = make_argv(values, &argv);

	if (!rc && values[COMMAND_PACKAGE].set)
		rc = split_package(values, &package);
	if (!rc && package && package[1])
		rc = check_found(package + 1, *package);
	if (!rc && !by_shell(values))
		rc = check_found((char *const[]){ argv[0], NULL }, package ? *package : NULL);
	command_words_free(argv);
	command_words_free(package);
	return rc;
}

static int setup(struct driver *driver)
{
	static struct command command;
	const struct param_value *values = driver->values;
	void *memory;
	int rc = make_argv(values, &command.argv);

	if (!rc && values[COMMAND_METRIC].set)
		rc = command_picks_parse(values[COMMAND_METRIC].text, &command.picks);
	if (!rc)
		rc = driver_alloc(sizeof(*command.run), &memory);
	if (rc)
		return rc;
	command.run = memory;
	driver->data = &command;
	driver->grace_ns = GRACE_NS;
	driver->end_signal = SIGTERM; /* so that the keeper can clear up */
	return 0;
}

static int task(struct driver *driver, int index)
{
	(void)index;
	return command_keep(driver);
}

static int finish(struct driver *driver)
{
	struct command *command = driver->data;
	const struct command_run *run = command->run;
	double seconds = (double)(run->end_ns - run->begin_ns) / 1e9;
	int rc = command_output_write(&run->output, driver->options.output);

	if (!rc)
		rc = command_output_pick(&run->output, &command->picks);
	if (rc)
		return rc;
	driver_metric(driver, "run_s", run->by_window ? NAN : seconds);
	driver_metric(driver, "cpu_s", (double)(run->user_ns + run->system_ns) / 1e9);
	driver_metric(driver, "user_s", (double)run->user_ns / 1e9);
	driver_metric(driver, "system_s", (double)run->system_ns / 1e9);
	driver_metric(driver, "ended_by_window", run->by_window);
	driver_metric(driver, "left_processes", run->by_window ? NAN : run->left);
	driver_metric(driver, "output_bytes", (double)run->output.total);
	driver_metric(driver, "timer_slack_ns", (double)run->slack_ns);
	driver_metric(driver, "unit_start_ns", driver->unit_start_ns);
	driver_metric(driver, "unit_end_ns", driver->unit_end_ns);
	/* What a window cuts off has no run time: then the picked values are the figures. */
	driver->added_first = driver->gate->t1_ns != UINT64_MAX;
	for (size_t i = 0; i < command->picks.n && !rc; i++) {
		const struct command_pick *pick = &command->picks.pick[i];

		rc = driver_add_metric(driver, pick->name, pick->unit, pick->better, pick->value);
	}
	return rc;
}

const struct workload workload_command = {
	.name = "command",
	.about = "Any program: its run time, CPU time, and values picked from its output.",
	.timer_note = "as far as is known: the program decides",
	.params = params,
	.metrics = command_metrics,
	.needs = needs,
	.present = present,
	.setup = setup,
	.task = task,
	.finish = finish,
};
