/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The verb: options, the sources one after the other, what was left out on stderr, what the
 * counters say on stdout. Exit 3 when anything was left out.
 */
#include "analysis/import/result.h"
#include "analysis/verb.h"
#include "lib/error.h"
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#define FAULTS_PRINTED 20 /* of one source */
#define SOURCES_MAX 4096

static const char help[] =
	"usage: analysis import FILE... -o DIR [--pair] [--since-boot] [--quiet]\n"
	"\n"
	"Reads other tools' dumps, logs and tables into the new result directory DIR, of\n"
	"which 'report DIR' makes tables and graphs.\n"
	"\n"
	"  -o, --output DIR  where to; it must not be there\n"
	"  --pair            the dumps are before, after, before, after, ...; else their\n"
	"                    names say so: X-before.txt, X-after.txt\n"
	"  --since-boot      a dump alone is a run whose counters began at 0\n"
	"  --quiet           print no tables\n"
	"  --help            print this text\n"
	"\n"
	"styles:\n";

static void print_help(void)
{
	fputs(help, stdout);
	for (size_t i = 0; import_styles[i].name; i++)
		printf("  %-13s %s\n", import_styles[i].name, import_styles[i].about);
	printf("\nexit status: 0 complete; 1 error; 2 usage, or a file of no known style; 3 rows\n"
	       "that contradict themselves or cannot be read were named and left out\n");
}

struct request {
	struct import_options options;
	bool help;
};

static int take_option(int c, void *request)
{
	struct request *r = request;

	switch (c) {
	case 'o':
		r->options.output = optarg;
		return 0;
	case 'p':
		r->options.pair = true;
		return 0;
	case 's':
		r->options.since_boot = true;
		return 0;
	case 'q':
		r->options.quiet = true;
		return 0;
	default: /* 'h' */
		r->help = true;
		return 0;
	}
}

static int parse(int argc, char **argv, struct request *r)
{
	static const struct option known[] = {
		{ "output", required_argument, NULL, 'o' }, { "pair", no_argument, NULL, 'p' },
		{ "since-boot", no_argument, NULL, 's' },   { "quiet", no_argument, NULL, 'q' },
		{ "help", no_argument, NULL, 'h' },	    { 0 },
	};
	static const struct verb_options verb = { "import: ", ":o:h", known, take_option };

	return options_take(&verb, argc, argv, r);
}

static size_t print_faults(const struct import_source *source, size_t n)
{
	size_t faults = 0;

	for (size_t i = 0; i < n; i++) {
		const struct import_source *s = &source[i];
		size_t shown = s->faults < FAULTS_PRINTED ? s->faults : FAULTS_PRINTED;

		for (size_t j = 0; j < shown; j++) {
			/* error_set() makes the text fit for a terminal. */
			if (s->fault[j].line)
				error_set(-1, "%s:%zu: %s", s->path, s->fault[j].line,
					  s->fault[j].what);
			else
				error_set(-1, "%s: %s", s->path, s->fault[j].what);
			fprintf(stderr, "analysis: %s\n", error_text());
		}
		if (s->faults > shown)
			fprintf(stderr, "analysis: %s: %zu more (DIR/import/left-out.tsv)\n",
				s->path, s->faults - shown);
		faults += s->faults;
	}
	return faults;
}

static void print_result(const struct import_result *r, const char *dir)
{
	for (size_t i = 0; i < r->sources; i++)
		printf("%s: %s\n", r->source[i].path, r->source[i].style->name);
	import_shares_print(r, stdout);
	printf("\n%zu run%s imported: %s\n", r->runs, r->runs == 1 ? "" : "s", dir);
	if (!r->runs)
		printf("no runs: a dump alone has state tables and counters only (see --pair, "
		       "--since-boot)\n");
}

static int import_all(struct pool *pool, char **path, size_t n,
		      const struct import_options *options)
{
	struct import_source *source = pool_alloc(pool, n + 1, sizeof(*source));
	struct import_result result;
	size_t faults;
	int err;

	for (size_t i = 0; i < n; i++) {
		err = import_read(pool, path[i], &source[i]);
		if (err)
			return err;
	}
	import_assemble(pool, source, n, options, &result);
	faults = print_faults(source, n);
	if (!result.boots)
		return error_set(-EBADMSG, "%s%s: nothing usable in it", path[0],
				 n > 1 ? " and the others" : "");
	err = import_write(&result, options->output);
	if (err)
		return err;
	if (!options->quiet)
		print_result(&result, options->output);
	return faults ? EXIT_INCOMPLETE : EXIT_SUCCESS;
}

static int check(const struct import_options *options, int files)
{
	if (!files)
		return error_usage("import: which files?");
	if (files > SOURCES_MAX)
		return error_usage("import: more than %d files", SOURCES_MAX);
	if (!options->output || !*options->output)
		return error_usage("import: where to? (-o DIR)");
	return 0;
}

int import_main(int argc, char **argv)
{
	struct request r = { 0 };
	struct pool pool = { 0 };
	int status = parse(argc, argv, &r);

	if (!status && r.help) {
		print_help();
		return EXIT_SUCCESS;
	}
	if (!status)
		status = check(&r.options, argc - optind);
	if (!status)
		status = import_all(&pool, argv + optind, (size_t)(argc - optind), &r.options);
	pool_free(&pool);
	return status;
}
