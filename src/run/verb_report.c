/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report: hands its arguments to the report program.
 */
#include "lib/error.h"
#include "run/privilege.h"
#include "run/report.h"
#include "run/verb.h"
#include <errno.h>
#include <stdlib.h>

int verb_report(const struct options *options)
{
	static char report[] = "report", quiet[] = "--quiet";
	char **arguments = calloc((size_t)options->rests + 3, sizeof(*arguments));
	int n = 0, status = 0;

	if (!arguments)
		return error_set(-ENOMEM, "out of memory");
	if (!options->rests) {
		free(arguments);
		return error_usage("report which result directory?");
	}
	arguments[n++] = report;
	for (int i = 0; i < options->rests && !status; i++) {
		arguments[n++] = options->rest[i];
		status = privilege_check_folder(options->rest[i]);
	}
	if (options->quiet)
		arguments[n++] = quiet;
	if (!status)
		status = report_program(arguments);
	free(arguments);
	return status;
}
