/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report program. It reads result directories and never the machine, so that a result can be
 * looked at on a laptop; the runner calls it for its verb "report".
 */
#include "analysis/figure.h"
#include "analysis/report.h"
#include "lib/error.h"
#include "lib/log.h"
#include "lib/suggest.h"
#include <errno.h>
#include <getopt.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_USAGE = 2, EXIT_INCOMPLETE = 3 };

static const char help[] =
	"usage: analysis report DIR... [--quiet] [--open] [--png]\n"
	"       analysis figures\n"
	"\n"
	"report    build DIR/report (index.html, summary.txt, summary.json, data, plots)\n"
	"          from the runs in the result directory DIR. An old report is replaced.\n"
	"          Of several directories each gets its own report; they are not\n"
	"          compared with one another.\n"
	"figures   print the figures a report may have: name, tab, title\n"
	"\n"
	"  --quiet   print neither the summary nor the path of the report\n"
	"  --open    show the page with xdg-open\n"
	"  --png     write the figures as PNG beside the SVG\n"
	"  --help    print this text\n"
	"\n"
	"exit status: 0 complete; 1 error; 2 usage; 3 the report is there, but a\n"
	"governor or a cell that was asked has no complete run, or a run is damaged\n";

/* Parses the options behind the verb; usage error, or the index of the first directory in *ret. */
static int parse(int argc, char **argv, struct report_options *options, bool *ret_help)
{
	static const struct option known[] = {
		{ "quiet", no_argument, NULL, 'q' },
		{ "open", no_argument, NULL, 'o' },
		{ "png", no_argument, NULL, 'p' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	static const char *const names[] = { "--quiet", "--open", "--png", "--help" };
	char near[64];
	int c;

	opterr = 0;
	while ((c = getopt_long(argc, argv, ":", known, NULL)) != -1) {
		switch (c) {
		case 'q':
			options->quiet = true;
			break;
		case 'o':
			options->open = true;
			break;
		case 'p':
			options->png = true;
			break;
		case 'h':
			*ret_help = true;
			break;
		default:
			return error_usage(
				"unknown option '%s'%s", argv[optind - 1],
				suggest_text(argv[optind - 1], names, 4, near, sizeof(near)));
		}
	}
	return 0;
}

static int report_all(int argc, char **argv, const struct report_options *options)
{
	int status = EXIT_SUCCESS, one, i;

	for (i = 0; i < argc; i++) {
		one = report_build(argv[i], options);
		if (one < 0) {
			fprintf(stderr, "analysis: %s\n", error_text());
			one = error_is_usage() ? EXIT_USAGE : EXIT_FAILURE;
		}
		if (one == EXIT_FAILURE || one == EXIT_USAGE || status == EXIT_SUCCESS)
			status = one ? one : status;
	}
	return status;
}

static int usage(void)
{
	fprintf(stderr, "analysis: %s\nTry 'analysis --help'.\n", error_text());
	return EXIT_USAGE;
}

static int verb_report(int argc, char **argv)
{
	struct report_options options = { 0 };
	bool want_help = false;

	if (parse(argc, argv, &options, &want_help))
		return usage();
	if (want_help) {
		fputs(help, stdout);
		return EXIT_SUCCESS;
	}
	if (optind == argc) {
		error_usage("report: which result directory?");
		return usage();
	}
	log_set_quiet(options.quiet);
	return report_all(argc - optind, argv + optind, &options);
}

static int verb_figures(int argc, char **argv)
{
	if (argc > 1) {
		error_usage("figures takes no argument, but got '%s'", argv[1]);
		return usage();
	}
	figure_print_table(stdout);
	return EXIT_SUCCESS;
}

/* What was asked for has not been said when the disk behind ">file" is full. */
static int close_stdout(int status)
{
	errno = 0;
	if (!fflush(stdout) && !ferror(stdout))
		return status;
	fprintf(stderr, "analysis: standard output: %s\n",
		errno ? strerror(errno) : "cannot be written");
	return EXIT_FAILURE;
}

static int run_verb(int argc, char **argv)
{
	static const char *const verbs[] = { "report", "figures" };
	char near[64];

	if (argc < 2) {
		error_usage("what to do? (report or figures)");
		return usage();
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
		fputs(help, stdout);
		return EXIT_SUCCESS;
	}
	if (!strcmp(argv[1], "report"))
		return verb_report(argc - 1, argv + 1);
	if (!strcmp(argv[1], "figures"))
		return verb_figures(argc - 1, argv + 1);
	error_usage("unknown verb '%s'%s", argv[1],
		    suggest_text(argv[1], verbs, 2, near, sizeof(near)));
	return usage();
}

int main(int argc, char **argv)
{
	setlocale(LC_ALL, "C"); /* '.' decimals whatever the user's locale */
	return close_stdout(run_verb(argc, argv));
}
