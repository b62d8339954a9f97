/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A suite file: what to run, as text that has been checked. Places (file:line) are kept for every
 * later message.
 */
#ifndef RUN_SUITE_H
#define RUN_SUITE_H

#include "run/sweep.h"
#include "workloads/workload.h"
#include <stdint.h>

#define SUITE_NAME_MAX 48 /* bytes of a suite's or section's name */
#define SUITE_PARTS_MAX 4 /* workloads of a section */

/*
 * How a run is kept apart from what was before it, and from what does not end; of [suite], or of a
 * section, where a negative number is the suite's. Zero: none.
 */
struct suite_care {
	double pause_ns; /* the machine is left idle before the run */
	double settle_pct; /* P-54: package power drifts by less than this much a minute */
	double settle_span_ns; /* over this long */
	double settle_timeout_ns; /* at the latest then the run begins, "not settled" */
	double deadline_ns; /* of what ends itself: behind t0 */
};

/* One of the workloads that a section runs at the same time. */
struct suite_part {
	const struct workload *workload;
	size_t first; /* row of its first parameter in the section's table */
};

struct suite_section {
	char *name; /* of [run NAME]; the stable identity for resume */
	int line;
	const struct workload *workload; /* the headline's: part[0] */
	struct suite_part part[SUITE_PARTS_MAX];
	size_t parts;
	struct param *params; /* all parts' (of several: "WORKLOAD.KEY"), then "disable" */
	size_t disable; /* row of "disable" */
	struct sweep *sweep; /* one a row of params; .n = 0: not set */
	double window_ns, warmup_ns; /* -1 = the suite's; window 0 = none */
	struct suite_care care;
};

struct suite {
	char *path;
	char *name; /* file name without .ini */
	char *text; /* the file, verbatim */
	char *about;
	char *governors; /* "available" by default */
	char *reference; /* NULL = the first governor */
	char *order; /* "shuffled" by default */
	bool trace; /* an idle trace of each run */
	int repeat; /* default 6: fewer give no verdict (P-50) */
	int repeat_max; /* "repeat = 6..40": at most, when blocks are added until decided; 0 = one
			   number was given */
	bool until_decided; /* "stop = decided" */
	double window_ns, warmup_ns, interval_ns; /* defaults 10s, 2s, 1s */
	bool window_given; /* else what ends itself has none */
	struct suite_care care;
	struct suite_section *section;
	size_t sections;
};

/* Limits of the keys that suite and command line share (ns); window: P-12. */
#define SUITE_WINDOW_MIN_NS 100e6
#define SUITE_WINDOW_MAX_NS 86400e9
#define SUITE_WARMUP_MAX_NS 7200e9
#define SUITE_INTERVAL_MIN_NS 100e6
#define SUITE_INTERVAL_MAX_NS 3600e9
#define SUITE_REPEAT_MAX 1000

/*
 * Of a sequential campaign: the first look is after 6 blocks at the earliest, below which there is
 * no verdict (P-50); at most 40 blocks where only the first look is given.
 */
#define SUITE_LOOK_MIN 6
#define SUITE_LOOK_DEFAULT_MAX 40

extern const char *const suite_orders[]; /* "shuffled", "blocked", "abba", NULL */

/*
 * @name: a suite of the configs folder, or a path (it holds a '/' or ends with .ini). Usage errors
 * with path:line. "set" pairs of the command line ("key=value", "section.key=value") replace the
 * file's values before the check.
 */
int suite_load(const char *name, const char *const *set, int sets, struct suite *ret);

/* The same from text, @path for messages; used for a campaign's stored suite. */
int suite_parse(const char *path, const char *text, const char *const *set, int sets,
		struct suite *ret);

/*
 * "run -- COMMAND": a suite of one section that runs it; its text reads back to the same words. The
 * suite is called "command".
 */
int suite_of_command(char *const *words, const char *const *set, int sets, struct suite *ret);

/*
 * Leaves out sections with other workloads than those of @workloads (a blank between), or with
 * several; a warning for each. Usage error when none is left.
 */
int suite_keep(struct suite *suite, const char *workloads);

void suite_free(struct suite *suite);

/* The suites of the configs folder, sorted. */
struct suite_names {
	char **name;
	size_t n;
};
int suite_names_read(struct suite_names *ret);
void suite_names_free(struct suite_names *names);

#endif
