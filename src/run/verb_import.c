/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * import: hands its arguments to the analysis program, which reads and writes as the user who
 * called.
 */
#include "lib/error.h"
#include "run/report.h"
#include "run/verb.h"
#include "run/where.h"
#include <stdlib.h>
#include <string.h>

static int import_to(const struct options *options, char *dir)
{
	static char import[] = "import", output[] = "--output", pair[] = "--pair",
		    since_boot[] = "--since-boot", quiet[] = "--quiet", end[] = "--";
	char **arguments = calloc((size_t)options->rests + 8, sizeof(*arguments));
	int n = 0, status;

	if (!arguments)
		return error_no_memory();
	arguments[n++] = import;
	arguments[n++] = output;
	arguments[n++] = dir;
	if (options->pair)
		arguments[n++] = pair;
	if (options->since_boot)
		arguments[n++] = since_boot;
	if (options->quiet)
		arguments[n++] = quiet;
	arguments[n++] = end;
	for (int i = 0; i < options->rests; i++)
		arguments[n++] = options->rest[i];
	status = report_program(arguments);
	free(arguments);
	return status;
}

int verb_import(const struct options *options)
{
	char *dir = NULL;
	int status = 0;

	if (!options->rests)
		return error_usage("import which files?");
	if (!options->output)
		status = where_new_result("imported", &dir);
	else if (!(dir = strdup(options->output)))
		status = error_no_memory();
	if (!status)
		status = import_to(options, dir);
	free(dir);
	return status;
}
