/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace: hands its arguments to the analysis program, which reads the trace as the user who called.
 */
#include "lib/error.h"
#include "run/report.h"
#include "run/verb.h"

int verb_trace(const struct options *options)
{
	static char trace[] = "trace", output[] = "--output", end[] = "--";
	char *arguments[6], **at = arguments;

	if (options->rests != 1)
		return error_usage("trace takes one file");
	*at++ = trace;
	if (options->output) {
		*at++ = output;
		*at++ = (char *)options->output;
	}
	*at++ = end;
	*at++ = options->rest[0];
	*at = NULL;
	return report_program(arguments);
}
