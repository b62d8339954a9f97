/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The verb "trace": tables on stdout, with -o a folder with data and figures. Exit status 3 when
 * the trace is damaged, has no end, lost events, or has none of a CPU that was idle.
 */
#include "analysis/trace.h"
#include "analysis/trace_text.h"
#include "analysis/verb.h"
#include "lib/error.h"
#include <getopt.h>
#include <stdlib.h>

static const char help[] =
	"usage: analysis trace FILE [-o DIR]\n"
	"       analysis trace TEXT --convert OUT\n"
	"\n"
	"Tables of the idle periods in FILE, which 'runner record' made, or which is\n"
	"trace text: of trace-cmd report, perf script, or ftrace's file 'trace'.\n"
	"\n"
	"  -o, --output DIR  a new folder with data and figures\n"
	"  --convert OUT     write a trace from trace text, and nothing else\n"
	"  --help            print this text\n"
	"\n"
	"exit status: 0 complete; 1 error; 2 usage; 3 the trace is damaged, has no end,\n"
	"events are lost or left out, or a CPU gave none\n";

struct arguments {
	const char *output, *convert, *path;
	bool help;
};

static int take_option(int c, void *request)
{
	struct arguments *arguments = request;

	switch (c) {
	case 'o':
		arguments->output = optarg;
		return 0;
	case 'c':
		arguments->convert = optarg;
		return 0;
	default: /* 'h' */
		arguments->help = true;
		return 0;
	}
}

static int parse(int argc, char **argv, struct arguments *ret)
{
	static const struct option known[] = { { "output", required_argument, NULL, 'o' },
					       { "convert", required_argument, NULL, 'c' },
					       { "help", no_argument, NULL, 'h' },
					       { 0 } };
	static const struct verb_options verb = { "trace: ", ":o:h", known, take_option };
	int err = options_take(&verb, argc, argv, ret);

	if (err || ret->help)
		return err;
	if (optind + 1 != argc)
		return error_usage("trace: one file, please");
	ret->path = argv[optind];
	return 0;
}

static int report(const char *path, const char *output)
{
	struct trace_analysis a;
	int err = trace_analyse(path, &a), status;

	if (err)
		return err;
	trace_print_tables(&a, stdout);
	if (output)
		err = trace_write_folder(&a, output);
	status = a.damages || !a.whole || trace_deaf(&a) || trace_total(&a, TRACE_LOST) ||
				 trace_total(&a, TRACE_NO_ENTRY) ||
				 trace_total(&a, TRACE_NO_EXIT) || trace_total(&a, TRACE_BACKWARDS)
			 ? EXIT_INCOMPLETE
			 : EXIT_SUCCESS;
	trace_analysis_free(&a);
	return err ? err : status;
}

/* Text becomes a trace first, in a file that has no name any more when it is read. */
static int report_any(const struct arguments *arguments)
{
	char temporary[] = "/tmp/idle-trace-XXXXXX";
	int status;

	if (!trace_text_detect(arguments->path))
		return report(arguments->path, arguments->output);
	if (arguments->convert)
		return trace_text_convert(arguments->path, arguments->convert);
	status = trace_text_temporary(arguments->path, temporary);
	if (status >= 0) {
		int shown = report(temporary, arguments->output);

		status = shown ? shown : status;
	}
	remove(temporary);
	return status;
}

int trace_main(int argc, char **argv)
{
	struct arguments arguments = { 0 };
	int status = parse(argc, argv, &arguments);

	if (!status && arguments.help) {
		fputs(help, stdout);
		return EXIT_SUCCESS;
	}
	return status ? status : report_any(&arguments);
}
