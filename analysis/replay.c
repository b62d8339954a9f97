/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Options and order of work. A file is either replayed (gaps) or, with --vectors, checked: the
 * governors' answers against recorded ones.
 */
#include "analysis/replay.h"
#include "analysis/governor_load.h"
#include "analysis/replay_print.h"
#include "analysis/vectors.h"
#include "lib/error.h"
#include "lib/suggest.h"
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdlib.h>

enum { EXIT_USAGE = 2 };

#define SETTINGS_MAX 64
#define WORK_NS 10000

static const char help[] =
	"Usage: runner replay FILE [--governors LIST] [--table NAME|FILE] [-o FILE]\n"
	"       runner replay --vectors FILE... [--governors NAME]\n"
	"       runner replay --list\n"
	"\n"
	"Puts a list of idle durations, one a line (12, 12us, 1.5ms; a number alone is\n"
	"us), or columns start, duration, wake, through modelled governors.\n"
	"\n"
	"  --governors LIST    which (default all); teo@6.12 is what that kernel has\n"
	"  --governor-so FILE  and one from a shared object; may be given again\n"
	"  --table NAME|FILE   the machine: one of configs/machines, or an INI file\n"
	"                      (default skx)\n"
	"  --set KEY=VALUE     a constant of the machine: hz=250, utilisation=31,\n"
	"                      C6.disabled=yes, ...; may be given again\n"
	"  --hz N              the same as --set hz=N\n"
	"  --wake CLASS        what ends a gap where no column says it: timer, which a\n"
	"                      governor may know of, or irq (default)\n"
	"  --output FILE       -o FILE: each decision, tab separated\n"
	"  --vectors           FILEs are decision vectors (plain or .xz): are all equal?\n"
	"  --list              the governors, and the first kernel with their rules\n"
	"  --help              this text\n"
	"\n"
	"exit status: 0 complete; 1 error, or a vector that is not equal; 2 usage\n";

struct request {
	struct governor_set set;
	const char *table, *output, *setting[SETTINGS_MAX];
	size_t settings;
	char hz[32];
	bool timer, vectors, list, help;
};

static int add_setting(struct request *r, const char *setting)
{
	if (r->settings == SETTINGS_MAX)
		return error_usage("more than %d times --set", SETTINGS_MAX);
	r->setting[r->settings++] = setting;
	return 0;
}

static int take_option(int c, char **argv, struct request *r)
{
	switch (c) {
	case 'g':
		return governor_load_list(optarg, &r->set);
	case 'S':
		return governor_load_object(optarg, &r->set);
	case 't':
		r->table = optarg;
		return 0;
	case 's':
		return add_setting(r, optarg);
	case 'z':
		if ((size_t)snprintf(r->hz, sizeof(r->hz), "hz=%s", optarg) >= sizeof(r->hz))
			return error_usage("--hz %s is out of range", optarg);
		return add_setting(r, r->hz);
	case 'w':
		r->timer = !strcmp(optarg, "timer");
		if (r->timer || !strcmp(optarg, "irq"))
			return 0;
		return error_usage("--wake %s: there are timer and irq", optarg);
	case 'o':
		r->output = optarg;
		return 0;
	case 'v':
		r->vectors = true;
		return 0;
	case 'l':
		r->list = true;
		return 0;
	case 'h':
		r->help = true;
		return 0;
	default:
		return error_usage("%s needs a value", argv[optind - 1]);
	}
}

static int parse(int argc, char **argv, struct request *r)
{
	static const struct option known[] = {
		{ "governors", required_argument, NULL, 'g' },
		{ "governor-so", required_argument, NULL, 'S' },
		{ "table", required_argument, NULL, 't' },
		{ "set", required_argument, NULL, 's' },
		{ "hz", required_argument, NULL, 'z' },
		{ "wake", required_argument, NULL, 'w' },
		{ "output", required_argument, NULL, 'o' },
		{ "vectors", no_argument, NULL, 'v' },
		{ "list", no_argument, NULL, 'l' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	static const char *const names[] = { "--governors", "--governor-so", "--table",
					     "--set",	    "--hz",	     "--wake",
					     "--output",    "--vectors",     "--list",
					     "--help" };
	char near[64];
	int c, err = 0;

	opterr = 0;
	while (!err && (c = getopt_long(argc, argv, ":o:h", known, NULL)) != -1) {
		if (c == '?')
			return error_usage("unknown option '%s'%s", argv[optind - 1],
					   suggest_text(argv[optind - 1], names,
							sizeof(names) / sizeof(names[0]), near,
							sizeof(near)));
		err = take_option(c, argv, r);
	}
	return err;
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

/* NAN where the machine's powers are not known. */
static int least_energy(const struct machine *machine, const struct gaps *gaps, double *ret_uj)
{
	struct replay_sums sums;
	int err;

	*ret_uj = NAN;
	if (!machine->has_energy)
		return 0;
	err = replay_run(machine, gaps, governor_find("oracle-energy"), NULL, &sums);
	if (!err)
		*ret_uj = sums.energy_uj;
	return err;
}

static int replay_gaps(const char *path, const struct machine *machine, const struct gaps *gaps,
		       const struct governor_set *set, FILE *rows)
{
	struct replay_sums sums[GOVERNOR_LOAD_MAX];
	double least_uj;
	int err = least_energy(machine, gaps, &least_uj);

	if (rows)
		replay_rows_header(rows);
	for (size_t i = 0; !err && i < set->n; i++)
		err = replay_run(machine, gaps, set->governor[i], rows, &sums[i]);
	if (err)
		return err;
	replay_print_head(path, machine, gaps, stdout);
	replay_print_table(machine, gaps, set, sums, least_uj, stdout);
	return 0;
}

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

static int replay_file(const char *path, struct request *r)
{
	struct machine machine;
	struct gaps gaps;
	FILE *rows;
	int err = r->set.n ? 0 : governor_load_list("all", &r->set);

	if (!err)
		err = machine_load(r->table ? r->table : "skx", r->setting, r->settings, &machine);
	if (!err)
		err = gaps_load(path, r->timer, WORK_NS, &gaps);
	if (err)
		return err;
	err = open_rows(r->output, &rows);
	if (!err) {
		err = replay_gaps(path, &machine, &gaps, &r->set, rows);
		err = close_rows(r->output, rows, err);
	}
	gaps_free(&gaps);
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

	if (!status)
		status = work(argc, argv, &request);
	if (status >= 0)
		return status;
	fflush(stdout);
	fprintf(stderr, "analysis: %s\n", error_text());
	return error_is_usage() ? EXIT_USAGE : EXIT_FAILURE;
}
