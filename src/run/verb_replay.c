/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replay: hands all its arguments to the analysis program, options and --help included, which runs
 * as the user who called and never touches the machine.
 */
#include "lib/error.h"
#include "run/report.h"
#include "run/verb.h"
#include <errno.h>
#include <stdlib.h>

int verb_replay(const struct options *options)
{
	static char replay[] = "replay";
	char **arguments = calloc((size_t)options->rests + 2, sizeof(*arguments));
	int status;

	if (!arguments)
		return error_set(-ENOMEM, "out of memory");
	arguments[0] = replay;
	for (int i = 0; i < options->rests; i++)
		arguments[1 + i] = options->rest[i];
	status = report_program(arguments);
	free(arguments);
	return status;
}
