/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replay and explain: hand all their arguments to the analysis program, options and --help
 * included, which runs as the user who called and never touches the machine.
 */
#include "lib/error.h"
#include "run/report.h"
#include "run/verb.h"
#include <stdlib.h>

static int pass_on(char *verb, const struct options *options)
{
	char **arguments = calloc((size_t)options->rests + 2, sizeof(*arguments));
	int status;

	if (!arguments)
		return error_no_memory();
	arguments[0] = verb;
	for (int i = 0; i < options->rests; i++)
		arguments[1 + i] = options->rest[i];
	status = report_program(arguments);
	free(arguments);
	return status;
}

int verb_replay(const struct options *options)
{
	static char replay[] = "replay";

	return pass_on(replay, options);
}

int verb_explain(const struct options *options)
{
	static char explain[] = "explain";

	return pass_on(explain, options);
}
