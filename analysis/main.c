/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report program. It reads result directories and never the machine, so that a result can be
 * looked at on a laptop; the runner calls it for its verb "report".
 */
#include "analysis/decide.h"
#include "analysis/explain.h"
#include "analysis/figure.h"
#include "analysis/format.h"
#include "analysis/import/import.h"
#include "analysis/refine.h"
#include "analysis/replay.h"
#include "analysis/report.h"
#include "analysis/simulate.h"
#include "analysis/trace.h"
#include "analysis/verb_options.h"
#include "lib/error.h"
#include "lib/log.h"
#include "lib/suggest.h"
#include <errno.h>
#include <getopt.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_USAGE = 2 };

static const char help[] =
	"usage: analysis report DIR... [-o OUT] [--label DIR=TEXT]... [--reference WHAT]\n"
	"                       [--force] [--quiet] [--open] [--png] [--standalone]\n"
	"       analysis figures\n"
	"       analysis import FILE... -o DIR\n"
	"       analysis replay FILE [--governors LIST]\n"
	"       analysis explain FILE --at TIME --governor NAME\n"
	"       analysis trace FILE [-o DIR]\n"
	"       analysis machines\n"
	"\n"
	"report    build DIR/report (index.html, summary.txt, summary.json, data, plots)\n"
	"          from the runs in the result directory DIR. An old report is replaced.\n"
	"          Several directories are compared in one report, ./report-A-B.\n"
	"figures   print the figures a report may have: name, tab, title\n"
	"import    read other tools' dumps and logs into a result directory: see\n"
	"          import --help\n"
	"replay    idle periods under modelled governors: see replay --help\n"
	"explain   why a governor decides as it does: see explain --help\n"
	"trace     tables and figures of an idle trace: see trace --help\n"
	"machines  print the machines that can be modelled, for runner simulate\n"
	"\n"
	"  -o, --output OUT\n"
	"            the folder of the report; one with another content is refused\n"
	"  --label DIR=TEXT, --label DIR:GOVERNOR=TEXT\n"
	"            what columns are called; directories of one label are pooled\n"
	"  --reference WHAT\n"
	"            what is compared with: a governor (each kernel and machine within\n"
	"            itself), a directory, label, kernel or machine (each governor with\n"
	"            its namesake there), or one column as tables call it\n"
	"  --force   compare although conditions differ that make figures false\n"
	"  --format FORMAT\n"
	"            what to print instead of text and path; files of the report have\n"
	"            the same: text, json, csv, markdown\n"
	"  --quiet   print neither the summary nor the path of the report; what\n"
	"            --format asks for is printed\n"
	"  --open    show the page with xdg-open\n"
	"  --png     write the figures as PNG beside the SVG\n"
	"  --standalone\n"
	"            index.html has figures and tables inside: one file to send\n"
	"  --help    print this text\n"
	"\n"
	"exit status: 0 complete; 1 error; 2 usage; 3 the report is there, but a\n"
	"governor or a cell that was asked has no complete run, or a run is damaged\n";

/* Parses the options behind the verb; usage error, or the index of the first directory in *ret. */
static int parse(int argc, char **argv, struct report_options *options, bool *ret_help)
{
	static const struct option known[] = {
		{ "quiet", no_argument, NULL, 'q' },
		{ "open", no_argument, NULL, 'w' },
		{ "png", no_argument, NULL, 'p' },
		{ "standalone", no_argument, NULL, 's' },
		{ "format", required_argument, NULL, 'F' },
		{ "output", required_argument, NULL, 'o' },
		{ "label", required_argument, NULL, 'l' },
		{ "reference", required_argument, NULL, 'r' },
		{ "force", no_argument, NULL, 'f' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	int c;

	opterr = 0;
	while ((c = getopt_long(argc, argv, ":o:", known, NULL)) != -1) {
		switch (c) {
		case 'q':
			options->quiet = true;
			break;
		case 'w':
			options->open = true;
			break;
		case 'F':
			options->format = format_find(optarg);
			if (!options->format)
				return -EINVAL;
			break;
		case 'o':
			options->output = optarg;
			break;
		case 'l':
			options->label[options->labels++] = optarg;
			break;
		case 'r':
			options->reference = optarg;
			break;
		case 'f':
			options->force = true;
			break;
		case ':':
			return error_usage("%s needs a value", argv[optind - 1]);
		case 'p':
			options->png = true;
			break;
		case 's':
			options->standalone = true;
			break;
		case 'h':
			*ret_help = true;
			break;
		default:
			return options_unknown("", known, argv[optind - 1]);
		}
	}
	return 0;
}

static int report(int argc, char **argv, const struct report_options *options)
{
	int status = report_build((const char *const *)argv, (size_t)argc, options);

	if (status >= 0)
		return status;
	fprintf(stderr, "analysis: %s\n", error_text());
	return error_is_usage() ? EXIT_USAGE : EXIT_FAILURE;
}

static int usage(void)
{
	fprintf(stderr, "analysis: %s\nTry 'analysis --help'.\n", error_text());
	return EXIT_USAGE;
}

static int verb_report(int argc, char **argv)
{
	struct report_options options = { .label = calloc((size_t)argc, sizeof(char *)) };
	bool want_help = false;
	int status;

	if (!options.label || parse(argc, argv, &options, &want_help)) {
		status = usage();
	} else if (want_help) {
		fputs(help, stdout);
		status = EXIT_SUCCESS;
	} else if (optind == argc) {
		error_usage("report: which result directory?");
		status = usage();
	} else {
		log_set_quiet(options.quiet);
		status = report(argc - optind, argv + optind, &options);
	}
	free(options.label);
	return status;
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

static int verb_machines(int argc, char **argv)
{
	int err = argc > 1 ? error_usage("machines takes no argument, but got '%s'", argv[1])
			   : simulate_machines(stdout);

	if (!err)
		return EXIT_SUCCESS;
	fprintf(stderr, "analysis: %s\n", error_text());
	return error_is_usage() ? EXIT_USAGE : EXIT_FAILURE;
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
	static const char *const verbs[] = { "report", "figures",  "import",   "replay",
					     "trace",  "simulate", "machines", "explain" };
	char near[64];

	if (argc < 2) {
		error_usage(
			"what to do? (report, figures, import, replay, explain, trace, simulate or machines)");
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
	if (!strcmp(argv[1], "import"))
		return import_main(argc - 1, argv + 1);
	if (!strcmp(argv[1], "replay"))
		return replay_main(argc - 1, argv + 1);
	if (!strcmp(argv[1], "simulate"))
		return simulate_main(argc - 1, argv + 1);
	if (!strcmp(argv[1], "machines"))
		return verb_machines(argc - 1, argv + 1);
	if (!strcmp(argv[1], "explain"))
		return explain_main(argc - 1, argv + 1);
	if (!strcmp(argv[1], "trace"))
		return trace_main(argc - 1, argv + 1);
	if (!strcmp(argv[1], "decide")) /* the runner's own, as "refine" */
		return decide_main(argc - 1, argv + 1);
	if (!strcmp(argv[1], "refine"))
		return refine_main(argc - 1, argv + 1);
	error_usage(
		"unknown verb '%s'%s", argv[1],
		suggest_text(argv[1], verbs, sizeof(verbs) / sizeof(verbs[0]), near, sizeof(near)));
	return usage();
}

int main(int argc, char **argv)
{
	setlocale(LC_ALL, "C"); /* '.' decimals whatever the user's locale */
	return close_stdout(run_verb(argc, argv));
}
