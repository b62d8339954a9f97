/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Options and order of work. A file is either replayed (a list of gaps, or a trace) or, with
 * --vectors, checked: the governors' answers against recorded ones.
 */
#include "analysis/replay.h"
#include "analysis/governor_load.h"
#include "analysis/replay_figures.h"
#include "analysis/replay_print.h"
#include "analysis/scene.h"
#include "analysis/vectors.h"
#include "analysis/verb.h"
#include "lib/error.h"
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>

static const char help[] =
	"Usage: runner replay FILE [--governors LIST] [--table NAME|FILE] [OPTION...]\n"
	"       runner replay --vectors FILE... [--governors NAME]\n"
	"       runner replay --list\n"
	"\n"
	"Puts idle periods through modelled governors: of a trace ('runner record', or\n"
	"text of trace-cmd, perf script or ftrace), or of a list of idle durations, one\n"
	"a line (12, 12us, 1.5ms; a number alone is us) or in columns start, duration,\n"
	"wake.\n"
	"\n"
	"  --governors LIST    which (default all); teo@6.12 is what that kernel has\n"
	"  --governor-so FILE  and one from a shared object; may be given again\n"
	"  --table NAME|FILE   the machine: one of configs/machines, or an INI file\n"
	"                      (default: the trace's own states; for a list skx)\n"
	"  --set KEY=VALUE     a constant of the machine: hz=250, utilisation=31,\n"
	"                      C6.disabled=yes, ...; may be given again\n"
	"  --hz N              the same as --set hz=N\n"
	"  --loop open|closed  closed: what a CPU wakes comes later when that CPU is\n"
	"                      woken later (ping-pong, request and response)\n"
	"  --wake CLASS        what ends a gap of a list where no column says it: timer,\n"
	"                      which a governor may know of, or irq (default)\n"
	"  --recorded NAME     a trace's governor, instead of what its head tells\n"
	"  --decisions FILE    -o FILE: each decision, tab separated\n"
	"  --misses FILE       each period in which the recorded governor's model chooses\n"
	"                      another state than the kernel, and why\n"
	"  --figures DIR       a new folder with figures and their data\n"
	"  --format FORMAT     text (default), csv or json\n"
	"  --vectors           FILEs are decision vectors (plain or .xz): are all equal?\n"
	"  --list              the governors, and the first kernel with their rules\n"
	"  --help              this text\n"
	"\n"
	"exit status: 0 complete; 1 error, or a vector that is not equal; 2 usage; 3 a\n"
	"trace that is not whole\n";

struct request {
	struct governor_set set;
	const struct governor *recorded;
	struct scene_order scene;
	const char *output, *misses, *figures;
	void (*print)(const struct replay_result *result, FILE *out); /* NULL = as text */
	bool vectors, list, help, closed;
};

static int take_format(const char *name, struct request *r)
{
	if (!strcmp(name, "csv"))
		r->print = replay_print_csv;
	else if (!strcmp(name, "json"))
		r->print = replay_print_json;
	else if (!strcmp(name, "text"))
		r->print = replay_print_text;
	else
		return error_usage("--format %s: there are text, csv and json", name);
	return 0;
}

static int take_option(int c, void *request)
{
	struct request *r = request;

	switch (c) {
	case 'g':
		return governor_load_list(optarg, &r->set);
	case 'S':
		return governor_load_object(optarg, &r->set);
	case 't':
	case 's':
	case 'z':
	case 'w':
		return scene_option(&r->scene, c, optarg);
	case 'L':
		return options_choice("--loop", optarg, "closed", "open", &r->closed);
	case 'r':
		r->recorded = governor_find(optarg);
		return r->recorded ? 0 : -EINVAL;
	case 'm':
		r->misses = optarg;
		return 0;
	case 'F':
		r->figures = optarg;
		return 0;
	case 'f':
		return take_format(optarg, r);
	case 'o':
		r->output = optarg;
		return 0;
	case 'v':
		r->vectors = true;
		return 0;
	case 'l':
		r->list = true;
		return 0;
	default: /* 'h' */
		r->help = true;
		return 0;
	}
}

static int parse(int argc, char **argv, struct request *r)
{
	static const struct option known[] = {
		{ "governors", required_argument, NULL, 'g' },
		{ "governor-so", required_argument, NULL, 'S' },
		SCENE_OPTIONS,
		{ "loop", required_argument, NULL, 'L' },
		{ "recorded", required_argument, NULL, 'r' },
		{ "output", required_argument, NULL, 'o' },
		{ "decisions", required_argument, NULL, 'o' },
		{ "misses", required_argument, NULL, 'm' },
		{ "figures", required_argument, NULL, 'F' },
		{ "format", required_argument, NULL, 'f' },
		{ "vectors", no_argument, NULL, 'v' },
		{ "list", no_argument, NULL, 'l' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	static const struct verb_options verb = { "", ":o:h", known, take_option };

	return options_take(&verb, argc, argv, r);
}

static int check_vectors(char **path, int paths, const struct request *r)
{
	bool equal = true;
	int err = 0;

	if (r->set.n > 1)
		return error_usage("--vectors: one governor, or none for the one that each names");
	for (int i = 0; i < paths; i++) {
		struct vectors_result got;

		err = vectors_check(path[i], r->set.n ? r->set.governor[0] : NULL, stdout, &got);
		if (err)
			return err;
		printf("%s: %zu of %zu equal, %zu of %zu sums\n", path[i], got.equal, got.decisions,
		       got.sums_equal, got.sums);
		equal &= got.equal == got.decisions && got.sums_equal == got.sums;
	}
	return equal ? EXIT_SUCCESS : EXIT_FAILURE;
}

static bool is_same(const char *a, const char *b)
{
	struct stat x, y;

	return a && b &&
	       (!strcmp(a, b) || (!stat(a, &x) && !stat(b, &y) && S_ISREG(x.st_mode) &&
				  x.st_dev == y.st_dev && x.st_ino == y.st_ino));
}

/* Rows never go over what is replayed, nor over each other. */
static int check_rows(const char *path, const struct request *r)
{
	if (is_same(r->output, path))
		return error_usage("--decisions %s: this is what is replayed", r->output);
	if (is_same(r->misses, path))
		return error_usage("--misses %s: this is what is replayed", r->misses);
	if (is_same(r->misses, r->output))
		return error_usage("--misses %s: the decisions go there", r->misses);
	return 0;
}

/* A file that rows go to; NULL = none. */
static int open_rows(const char *path, FILE **ret)
{
	*ret = path ? fopen(path, "we") : NULL;
	return path && !*ret ? error_set(-errno, "%s: %m", path) : 0;
}

static int close_rows(const char *path, FILE *rows, int err)
{
	bool failed = rows && ferror(rows);

	errno = EIO;
	if (rows && (fclose(rows) || failed) && !err)
		return error_set(-errno, "%s: %m", path);
	return err;
}

static int run_oracles(struct replay_result *result)
{
	int err = replay_run(result->scene, governor_find("oracle"), result->closed, NULL,
			     &result->oracle);

	return err ? err
		   : replay_run(result->scene, governor_find("oracle-energy"), result->closed, NULL,
				&result->least);
}

static int run_governors(const struct request *r, struct replay_result *result)
{
	FILE *rows;
	int err = open_rows(r->output, &rows);

	if (err)
		return err;
	if (rows)
		replay_rows_header(rows);
	for (size_t i = 0; !err && i < r->set.n; i++)
		err = replay_run(result->scene, r->set.governor[i], r->closed, rows,
				 &result->sums[i]);
	return close_rows(r->output, rows, err);
}

/* Of traces. */
static int measure_fidelity(const struct request *r, struct replay_result *result,
			    struct fidelity *fidelity)
{
	FILE *misses;
	int err;

	if (!result->scene->is_trace)
		return r->misses || r->recorded
			       ? error_usage("%s: --misses and --recorded are for traces",
					     result->scene->path)
			       : 0;
	err = open_rows(r->misses, &misses);
	if (err)
		return err;
	fidelity_measure(result->scene, r->recorded, misses, fidelity);
	result->fidelity = fidelity;
	return close_rows(r->misses, misses, 0);
}

static int replay_scene(const struct request *r, const struct scene *scene)
{
	struct replay_result result = { .scene = scene, .set = &r->set, .closed = r->closed };
	struct fidelity fidelity;
	int err = run_oracles(&result);

	if (!err)
		err = run_governors(r, &result);
	if (!err)
		err = measure_fidelity(r, &result, &fidelity);
	if (!err)
		(r->print ? r->print : replay_print_text)(&result, stdout);
	if (!err && r->figures)
		err = replay_figures_write(&result, r->figures);
	for (size_t i = 0; i < r->set.n; i++)
		replay_sums_free(&result.sums[i]);
	replay_sums_free(&result.oracle);
	replay_sums_free(&result.least);
	return err;
}

static int replay_file(const char *path, struct request *r)
{
	struct scene scene;
	int err = check_rows(path, r);

	if (!err && !r->set.n)
		err = governor_load_list("all", &r->set);
	r->scene.path = path;
	if (!err)
		err = scene_load(&r->scene, &scene);
	if (err)
		return err;
	if (r->closed && !scene.is_trace)
		err = error_usage("--loop closed: a list is of one CPU, which nobody else wakes");
	if (!err)
		err = replay_scene(r, &scene);
	if (!err && scene.is_trace && scene_is_damaged(&scene))
		err = EXIT_INCOMPLETE;
	scene_free(&scene);
	return err;
}

static int work(int argc, char **argv, struct request *r)
{
	if (r->help) {
		fputs(help, stdout);
		return EXIT_SUCCESS;
	}
	if (r->list) {
		replay_print_governors(stdout);
		return EXIT_SUCCESS;
	}
	if (optind == argc)
		return error_usage("replay which file?");
	if (r->vectors)
		return check_vectors(argv + optind, argc - optind, r);
	if (argc - optind > 1)
		return error_usage("replay takes one file, but got '%s' as well", argv[optind + 1]);
	return replay_file(argv[optind], r);
}

int replay_main(int argc, char **argv)
{
	struct request request = { 0 };
	int status = parse(argc, argv, &request);

	return status ? status : work(argc, argv, &request);
}
