/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report: hands its arguments to the report program.
 */
#include "lib/error.h"
#include "run/privilege.h"
#include "run/report.h"
#include "run/verb.h"
#include <stdlib.h>

/* exec takes what it does not change without const. */
static char *literal(const char *text)
{
	return (char *)text;
}

static size_t put_options(const struct options *o, char **arguments)
{
	size_t n = 0;

	arguments[n++] = literal("report");
	if (o->quiet)
		arguments[n++] = literal("--quiet");
	if (o->force)
		arguments[n++] = literal("--force");
	if (o->png)
		arguments[n++] = literal("--png");
	if (o->standalone)
		arguments[n++] = literal("--standalone");
	if (o->open)
		arguments[n++] = literal("--open");
	if (o->format) {
		arguments[n++] = literal("--format");
		arguments[n++] = literal(o->format);
	}
	if (o->output) {
		arguments[n++] = literal("--output");
		arguments[n++] = literal(o->output);
	}
	if (o->reference) {
		arguments[n++] = literal("--reference");
		arguments[n++] = literal(o->reference);
	}
	for (int i = 0; i < o->sets; i++) {
		arguments[n++] = literal("--label");
		arguments[n++] = literal(o->set[i]);
	}
	arguments[n++] = literal("--"); /* a directory may begin with '-' */
	return n;
}

int verb_report(const struct options *options)
{
	/* report --quiet --force --png --standalone --open --format X --output X --reference X --,
	 * labels, directories, NULL */
	size_t room = 13 + 2 * (size_t)options->sets + (size_t)options->rests + 1, n;
	char **arguments;
	int status = 0;

	if (!options->rests)
		return error_usage("report which result directory?");
	arguments = calloc(room, sizeof(*arguments));
	if (!arguments)
		return error_no_memory();
	n = put_options(options, arguments);
	if (options->output)
		status = privilege_check_folder(options->output);
	for (int i = 0; i < options->rests && !status; i++) {
		arguments[n++] = options->rest[i];
		status = privilege_check_folder(options->rest[i]);
	}
	if (!status)
		status = report_program(arguments);
	free(arguments);
	return status;
}
