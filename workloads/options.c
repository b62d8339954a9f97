/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * getopt_long from the tables. What has no effect is refused: an option twice, a window beside
 * loops, a warm-up where the runner says when to begin.
 */
#include "workloads/options.h"
#include "lib/error.h"
#include "lib/suggest.h"
#include "lib/units.h"
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COMMON_WINDOW, COMMON_WARMUP, COMMON_SLACK, COMMON_ROWS };

const struct param options_common[] = {
	[COMMON_WINDOW] = { "window", PARAM_TIME, "5s", 1e6, 1e15,
			    .help = "Length of the measured part" },
	[COMMON_WARMUP] = { "warmup", PARAM_TIME, "100ms", 0, 3.6e12,
			    .help = "Time from the start to the measured part" },
	[COMMON_SLACK] = { "timer-slack", PARAM_TIME, "1ns", 1, 1e9,
			   .help = "Timer slack of each task; the system's own default is 50us. 0 is "
				   "refused: the kernel takes it for that default" },
	[COMMON_ROWS] = { 0 },
};

/* getopt codes: rows of the workload's table, then these. */
enum {
	CODE_COMMON = 1000, /* plus row of options_common */
	CODE_CPUS = 2000,
	CODE_OUTPUT,
	CODE_SYNC_FD,
	CODE_UNBOUND,
	CODE_HELP,
};

static const struct option fixed[] = {
	{ "cpus", required_argument, NULL, CODE_CPUS },
	{ "output", required_argument, NULL, CODE_OUTPUT },
	{ "sync-fd", required_argument, NULL, CODE_SYNC_FD },
	{ "unbound", no_argument, NULL, CODE_UNBOUND },
	{ "help", no_argument, NULL, CODE_HELP },
};
#define FIXED_ROWS (sizeof(fixed) / sizeof(fixed[0]))

static struct option *make_options(const struct param *params)
{
	struct option *options =
		calloc(param_count(params) + COMMON_ROWS + FIXED_ROWS + 1, sizeof(*options));
	size_t n = 0;

	if (!options)
		return NULL;
	for (int i = 0; params[i].name; i++) {
		if (!params[i].placement)
			options[n++] =
				(struct option){ params[i].name, required_argument, NULL, i };
	}
	for (int i = 0; i < COMMON_ROWS; i++)
		options[n++] = (struct option){ options_common[i].name, required_argument, NULL,
						CODE_COMMON + i };
	memcpy(options + n, fixed, sizeof(fixed));
	return options;
}

/* What getopt did not know, with the nearest that it does. */
static int unknown_option(const struct driver *driver, const struct option *options,
			  const char *argument)
{
	const struct param *params = driver->workload->params;
	const char *known[64];
	char word[64], hint[128];
	size_t n = 0;

	if (strncmp(argument, "--", 2))
		return error_usage("unknown option '%s'", argument);
	snprintf(word, sizeof(word), "%.*s", (int)strcspn(argument + 2, "="), argument + 2);
	for (int i = 0; params[i].name; i++) {
		if (params[i].placement && !strcmp(params[i].name, word))
			return error_usage("--%s: the runner turns it into --cpus; give the CPUs "
					   "themselves",
					   word);
	}
	for (; options[n].name && n < 64; n++) {
		known[n] = options[n].name;
		if (!strcmp(word, options[n].name))
			return error_usage("--%s takes no value", word);
	}
	return error_usage("unknown option '--%s'%s", word,
			   suggest_text(word, known, n, hint, sizeof(hint)));
}

static int parse_common(struct driver_options *options, int row, const char *text)
{
	struct param_value value;
	uint64_t *target[] = { &options->window_ns, &options->warmup_ns, &options->slack_ns };
	bool *given[] = { &options->window_given, &options->warmup_given, &options->slack_given };
	double ns;
	int rc;

	if (row == COMMON_SLACK && !units_parse_time(text, &ns) && ns == 0)
		return error_usage(
			"timer-slack: %s: the kernel takes 0 for \"the default\" (50us); "
			"say 1ns or 50us",
			text);
	rc = param_parse(&options_common[row], text, &value);
	if (rc)
		return rc;
	if (value.number != floor(value.number))
		return error_usage("%s: %s is not a whole number of nanoseconds",
				   options_common[row].name, text);
	*target[row] = (uint64_t)value.number;
	*given[row] = true;
	return 0;
}

/* One line more. */
static int parse_again(struct driver *driver, int row, const char *text)
{
	char *both = param_append(driver->values[row].text, text);
	int rc;

	if (!both)
		return error_no_memory();
	rc = param_parse(&driver->workload->params[row], both, &driver->values[row]);
	if (!rc) {
		free(driver->lines[row]);
		driver->lines[row] = both;
	} else {
		free(both);
	}
	return rc;
}

static int parse_value(struct driver *driver, int row, const char *text)
{
	const struct param *param = &driver->workload->params[row];
	struct param_value *value = &driver->values[row];
	int rc;

	if (value->given && param->repeatable)
		return parse_again(driver, row, text);
	if (value->given)
		return error_usage("--%s is given twice", param->name);
	rc = param_parse(param, text, value);
	if (!rc && param->type == PARAM_CPUS && value->number < 0)
		return error_usage(
			"%s: 'all' is for suites, where the runner counts; give a number",
			param->name);
	return rc;
}

static int parse_fixed(struct driver_options *options, int code, const char *text)
{
	uint64_t number;
	int rc = 0;

	switch (code) {
	case CODE_CPUS:
		rc = cpulist_parse(text, &options->cpus);
		options->cpus_given = !rc && options->cpus.n;
		return rc ? error_prefix(rc, "cpus: ") : 0;
	case CODE_OUTPUT:
		options->output = text;
		return *text ? 0 : error_usage("output: the name of the folder is empty");
	case CODE_SYNC_FD:
		rc = units_parse_count(text, &number);
		if (!rc && number > 1048576)
			rc = error_usage("%s is not a file descriptor", text);
		if (!rc)
			options->sync_fd = (int)number;
		return rc ? error_prefix(rc, "sync-fd: ") : 0;
	case CODE_UNBOUND:
		options->unbound = true;
		break;
	case CODE_HELP:
		options->help = true;
		break;
	}
	return 0;
}

/* One option after the other; none may come twice. */
static int parse_all(struct driver *driver, const struct option *options, int argc, char **argv)
{
	bool seen[COMMON_ROWS + FIXED_ROWS] = { false };
	int code, rc = 0;

	opterr = 0;
	optind = 1;
	while (!rc && (code = getopt_long(argc, argv, "+:", options, NULL)) != -1) {
		size_t at = 0;

		if (code == '?')
			return unknown_option(driver, options, argv[optind - 1]);
		if (code == ':')
			return error_usage("%s needs a value", argv[optind - 1]);
		if (code < CODE_COMMON) {
			rc = parse_value(driver, code, optarg);
			continue;
		}
		at = code < CODE_CPUS ? (size_t)(code - CODE_COMMON)
				      : COMMON_ROWS + (size_t)(code - CODE_CPUS);
		if (seen[at])
			return error_usage("--%s is given twice",
					   at < COMMON_ROWS ? options_common[at].name
							    : fixed[at - COMMON_ROWS].name);
		seen[at] = true;
		rc = code < CODE_CPUS ? parse_common(&driver->options, code - CODE_COMMON, optarg)
				      : parse_fixed(&driver->options, code, optarg);
		if (!rc && driver->options.help)
			return 0;
	}
	if (!rc && optind < argc)
		return error_usage("'%s' is not an option", argv[optind]);
	return rc;
}

/* The default gives way to what the workload needs, what was given is refused. */
static int check_window(struct driver *driver)
{
	struct driver_options *options = &driver->options;
	int rc = workload_check_window(driver->needs.window_ns, (double)options->window_ns);

	if (!rc || driver->loops || options->sync_fd >= 0)
		return 0;
	if (options->window_given)
		return rc;
	options->window_ns = (uint64_t)driver->needs.window_ns;
	return 0;
}

static int check_combination(struct driver *driver)
{
	const struct driver_options *options = &driver->options;
	const struct param *params = driver->workload->params;
	int rc;

	for (int i = 0; params[i].name; i++) {
		if (!strcmp(params[i].name, "loops") && driver->values[i].set)
			driver->loops = (uint64_t)driver->values[i].number;
	}
	if (driver->loops && options->window_given)
		return error_usage("window has no effect with loops");
	if (options->sync_fd >= 0 && (options->window_given || options->warmup_given))
		return error_usage("%s has no effect with sync-fd: the runner says when",
				   options->window_given ? "window" : "warmup");
	rc = param_check_required(params, driver->values);
	if (!rc)
		rc = driver->workload->needs(driver->values, &driver->needs);
	if (!rc)
		rc = check_window(driver);
	if (!rc && driver->needs.ends_itself && options->warmup_given)
		rc = error_usage("warmup has no effect: %s has none", driver->workload->name);
	return rc;
}

int options_parse(struct driver *driver, int argc, char **argv)
{
	struct option *options = make_options(driver->workload->params);
	struct param_value common[COMMON_ROWS];
	int rc;

	driver->values = calloc(param_count(driver->workload->params) + 1, sizeof(*driver->values));
	driver->lines = calloc(param_count(driver->workload->params) + 1, sizeof(*driver->lines));
	if (!options || !driver->values || !driver->lines) {
		free(options);
		return error_no_memory();
	}
	driver->options = (struct driver_options){ .sync_fd = -1 };
	rc = param_defaults(driver->workload->params, driver->values);
	if (!rc)
		rc = param_defaults(options_common, common);
	if (!rc) {
		driver->options.window_ns = (uint64_t)common[COMMON_WINDOW].number;
		driver->options.warmup_ns = (uint64_t)common[COMMON_WARMUP].number;
		driver->options.slack_ns = (uint64_t)common[COMMON_SLACK].number;
		rc = parse_all(driver, options, argc, argv);
	}
	free(options);
	if (rc || driver->options.help)
		return rc;
	return check_combination(driver);
}
