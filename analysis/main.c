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
#include "analysis/verb.h"
#include "lib/error.h"
#include "lib/log.h"
#include "lib/suggest.h"
#include <errno.h>
#include <getopt.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

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

struct request {
	struct report_options options;
	bool help;
};

static int take_option(int c, void *request)
{
	struct request *r = request;

	switch (c) {
	case 'q':
		r->options.quiet = true;
		return 0;
	case 'w':
		r->options.open = true;
		return 0;
	case 'F':
		r->options.format = format_find(optarg);
		return r->options.format ? 0 : -EINVAL;
	case 'o':
		r->options.output = optarg;
		return 0;
	case 'l':
		r->options.label[r->options.labels++] = optarg;
		return 0;
	case 'r':
		r->options.reference = optarg;
		return 0;
	case 'f':
		r->options.force = true;
		return 0;
	case 'p':
		r->options.png = true;
		return 0;
	case 's':
		r->options.standalone = true;
		return 0;
	default: /* 'h' */
		r->help = true;
		return 0;
	}
}

static int parse(int argc, char **argv, struct request *r)
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
	static const struct verb_options verb = { "", ":o:", known, take_option };

	return options_take(&verb, argc, argv, r);
}

static int usage(void)
{
	fprintf(stderr, "analysis: %s\nTry 'analysis --help'.\n", error_text());
	return EXIT_USAGE;
}

static int report_main(int argc, char **argv)
{
	struct request r = { .options.label = calloc((size_t)argc, sizeof(char *)) };
	int status;

	if (!r.options.label || parse(argc, argv, &r)) {
		status = usage();
	} else if (r.help) {
		fputs(help, stdout);
		status = EXIT_SUCCESS;
	} else if (optind == argc) {
		error_usage("report: which result directory?");
		status = usage();
	} else {
		log_set_quiet(r.options.quiet);
		status = report_build((const char *const *)argv + optind, (size_t)(argc - optind),
				      &r.options);
	}
	free(r.options.label);
	return status;
}

static int figures_main(int argc, char **argv)
{
	if (argc > 1) {
		error_usage("figures takes no argument, but got '%s'", argv[1]);
		return usage();
	}
	figure_print_table(stdout);
	return EXIT_SUCCESS;
}

static int machines_main(int argc, char **argv)
{
	return argc > 1 ? error_usage("machines takes no argument, but got '%s'", argv[1])
			: simulate_machines(stdout);
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

static const struct {
	const char *name;
	int (*main)(int argc, char **argv);
} verb[] = {
	{ "report", report_main },
	{ "figures", figures_main },
	{ "import", import_main },
	{ "replay", replay_main },
	{ "trace", trace_main },
	{ "simulate", simulate_main },
	{ "machines", machines_main },
	{ "explain", explain_main },
	/* The runner's own; nobody else is told of them. */
	{ "decide", decide_main },
	{ "refine", refine_main },
};
#define VERBS (sizeof(verb) / sizeof(*verb))
#define VERBS_TOLD (VERBS - 2)

static int run_verb(int argc, char **argv)
{
	const char *told[VERBS_TOLD];
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
	for (size_t i = 0; i < VERBS; i++)
		if (!strcmp(argv[1], verb[i].name))
			return verb[i].main(argc - 1, argv + 1);
	for (size_t i = 0; i < VERBS_TOLD; i++)
		told[i] = verb[i].name;
	error_usage("unknown verb '%s'%s", argv[1],
		    suggest_text(argv[1], told, VERBS_TOLD, near, sizeof(near)));
	return usage();
}

/* An error is said behind what was printed before it. */
static int end(int status)
{
	if (status >= 0)
		return status;
	fflush(stdout);
	fprintf(stderr, "analysis: %s\n", error_text());
	return error_is_usage() ? EXIT_USAGE : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
	setlocale(LC_ALL, "C"); /* '.' decimals whatever the user's locale */
	return close_stdout(end(run_verb(argc, argv)));
}
