/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command line behind "simulate", which the runner writes, and the list of machines. */
#include "analysis/simulate.h"
#include "analysis/place.h"
#include "analysis/verb.h"
#include "lib/error.h"
#include "lib/ini.h"
#include "lib/log.h"
#include "lib/units.h"
#include "model/model.h"
#include <dirent.h>
#include <errno.h>
#include <getopt.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
	"usage: analysis simulate --machine NAME|FILE|DIR --governors LIST --prepare DIR\n"
	"       analysis simulate --machine NAME|FILE|DIR --make DIR --into RUNS\n"
	"\n"
	"Called by the runner's verb simulate, which plans what is to be made: see\n"
	"runner simulate --help.\n"
	"\n"
	"  --set KEY=VALUE     a constant of the machine; may be given again\n"
	"  --governor-so FILE  a governor from a shared object; may be given again\n"
	"  --cpufreq-governors LIST\n"
	"                      that are to be modelled\n"
	"  --interval NS       between samples\n"
	"  --jobs N            cells at a time (default: one a CPU)\n"
	"  --exact             every event of each window\n"
	"  --quiet             errors and warnings only\n"
	"  --help              this text\n";

static int default_jobs(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof(set), &set) ? 1 : CPU_COUNT(&set);
}

static int take_count(const char *text, uint64_t max, uint64_t *ret)
{
	int err = units_parse_count(text, ret);

	if (!err && (*ret < 1 || *ret > max))
		err = error_usage("'%s' is out of range", text);
	return err;
}

static int take_option(int c, void *request)
{
	struct simulate_request *r = request;
	uint64_t count = 0;
	int err = 0;

	switch (c) {
	case 'm':
		r->machine = optarg;
		break;
	case 's':
		if (r->sets == SIMULATE_SET_MAX)
			return error_usage("more than %d times --set", SIMULATE_SET_MAX);
		r->set[r->sets++] = optarg;
		break;
	case 'g':
		r->list = optarg;
		return governor_load_list(optarg, &r->governors);
	case 'S':
		return governor_load_object(optarg, &r->governors);
	case 'c':
		r->cpufreq = optarg;
		break;
	case 'p':
		r->prepare = optarg;
		break;
	case 'k':
		r->make = optarg;
		break;
	case 'i':
		r->into = optarg;
		break;
	case 'n':
		err = take_count(optarg, INT64_MAX / 4, &count);
		r->interval_ns = (int64_t)count;
		break;
	case 'j':
		err = take_count(optarg, 1024, &count);
		r->jobs = (int)count;
		break;
	case 'e':
		r->exact = true;
		break;
	case 'q':
		r->quiet = true;
		break;
	default: /* 'h' */
		r->help = true;
		break;
	}
	return err;
}

static int parse(int argc, char **argv, struct simulate_request *r)
{
	static const struct option known[] = {
		{ "machine", required_argument, NULL, 'm' },
		{ "set", required_argument, NULL, 's' },
		{ "governors", required_argument, NULL, 'g' },
		{ "governor-so", required_argument, NULL, 'S' },
		{ "cpufreq-governors", required_argument, NULL, 'c' },
		{ "prepare", required_argument, NULL, 'p' },
		{ "make", required_argument, NULL, 'k' },
		{ "into", required_argument, NULL, 'i' },
		{ "interval", required_argument, NULL, 'n' },
		{ "jobs", required_argument, NULL, 'j' },
		{ "exact", no_argument, NULL, 'e' },
		{ "quiet", no_argument, NULL, 'q' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	static const struct verb_options verb = { "", ":h", known, take_option };

	return options_take(&verb, argc, argv, r);
}

static int check(const struct simulate_request *r)
{
	if (!r->machine)
		return error_usage("simulate: which machine?");
	if (!r->prepare == !r->make)
		return error_usage("simulate: --prepare or --make");
	if (r->prepare && !r->list)
		return error_usage("simulate: which governors?");
	if (r->make && !r->into)
		return error_usage("simulate: --make goes --into which folder?");
	return 0;
}

static int work(const struct simulate_request *request)
{
	struct machine machine;
	int err = check(request);

	if (!err)
		err = simulate_machine(request, &machine);
	if (err)
		return err;
	return request->prepare ? simulate_prepare(request, &machine)
				: simulate_make(request, &machine);
}

int simulate_main(int argc, char **argv)
{
	struct simulate_request request = { .interval_ns = 1000000000, .jobs = default_jobs() };
	int status = parse(argc, argv, &request);

	if (!status && request.help) {
		fputs(help, stdout);
		return EXIT_SUCCESS;
	}
	log_set_quiet(request.quiet);
	return status ? status : work(&request);
}

static int is_machine(const struct dirent *entry)
{
	size_t n = strlen(entry->d_name);

	return n > 4 && entry->d_name[0] != '.' && !strcmp(entry->d_name + n - 4, ".ini");
}

static int print_machine(const char *folder, const char *file, FILE *out)
{
	char path[PATH_MAX];
	const char *about;
	struct ini ini;
	int err;

	if (snprintf(path, sizeof(path), "%s/%s", folder, file) >= (int)sizeof(path))
		return error_set(-ENAMETOOLONG, "a machine's path is too long");
	err = ini_load(path, &ini);
	if (err)
		return err;
	about = ini_get(&ini, "machine", "about");
	fprintf(out, "  %-16.*s %s\n", (int)strlen(file) - 4, file, about ? about : "");
	ini_free(&ini);
	return 0;
}

int simulate_machines(FILE *out)
{
	struct dirent **entry;
	char folder[PATH_MAX];
	int n, err = place_find("configs/machines", "configs/machines", folder);

	if (err)
		return err;
	n = scandir(folder, &entry, is_machine, alphasort);
	if (n < 0)
		return error_set(-errno, "%s: %m", folder);
	for (int i = 0; i < n; i++) {
		if (!err)
			err = print_machine(folder, entry[i]->d_name, out);
		free(entry[i]);
	}
	free(entry);
	return err;
}
