/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The verb "simulate": runs of a modelled machine, written as a result directory. The runner plans
 * and calls it twice: to prepare, when it learns what is modelled, and to make the cells that it
 * hands over.
 */
#ifndef ANALYSIS_SIMULATE_H
#define ANALYSIS_SIMULATE_H

#include "analysis/governor_load.h"
#include "analysis/machine.h"
#include <stdio.h>

#define SIMULATE_SET_MAX 64

struct simulate_request {
	const char *machine; /* as machine_load() takes it, or a folder that tools/gather made */
	const char *set[SIMULATE_SET_MAX];
	size_t sets;
	struct governor_set governors; /* of --governors and --governor-so */
	const char *list; /* prepare: --governors as given */
	const char *cpufreq; /* prepare: names that are to be known, joined by commas; NULL */
	const char *prepare, *make; /* the runner's folder, one of them */
	const char *into; /* make: the folder runs/ of a boot */
	int64_t interval_ns; /* make: between samples */
	int jobs; /* make: cells at a time, 1 and up */
	bool exact; /* make: all of each window, however many events it has */
	bool quiet, help;
};

/* The program's part of "simulate". */
int simulate_main(int argc, char **argv);

/* The verb "machines": name and first line of each of configs/machines. */
int simulate_machines(FILE *out);

/* The machine that is asked for; usage errors. */
int simulate_machine(const struct simulate_request *request, struct machine *ret);

/*
 * Writes into the folder @request->prepare:
 *	root/		a /sys and /proc of the machine, with the governors as those offered
 *	machine.ini	all its constants, to be read back by machine_load()
 *	answer.ini	[answer]: governors (their full names), model (the machine and a checksum of
 *its constants), power (what its energy is), workloads (that are modelled, a blank between),
 *unit_ns model.txt	lines for host.ini: section [model], the same constants
 */
int simulate_prepare(const struct simulate_request *request, const struct machine *machine);

/* Makes the folder @dir a root/ (see above). @boot: of its constants; runs of others are not of the
 * same boot. */
int simulate_lay_out(const struct machine *machine, const struct governor_set *governors,
		     uint32_t boot, const char *dir);

/*
 * The machine's file as text, malloc'ed: [machine] and a [state] each, every constant in it.
 * @prefix NULL; else it is one section [@prefix] with keys STATE.KEY, for host.ini.
 */
char *simulate_constants(const struct machine *machine, const char *prefix);

/*
 * The same from a dump of tools/gather: what it says of states, HZ and CPUs; all else is at its
 * default, powers are not known. malloc'ed. -ENOENT when it has no idle states.
 */
int simulate_dump(const char *dir, char **ret);

/* Makes the cells of @request->make; EXIT status: 3 when something in it is not modelled. */
int simulate_make(const struct simulate_request *request, const struct machine *machine);

#endif
