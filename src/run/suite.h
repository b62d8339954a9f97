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

struct suite_section {
	char *name; /* of [run NAME]; the stable identity for resume */
	int line;
	const struct workload *workload;
	struct sweep *sweep; /* param_count(workload->params) of them; .n = 0: not set */
	double window_ns, warmup_ns; /* -1 = the suite's */
};

struct suite {
	char *path;
	char *name; /* file name without .ini */
	char *text; /* the file, verbatim */
	char *about;
	char *governors; /* "available" by default */
	char *reference; /* NULL = the first governor */
	char *order; /* "shuffled" by default */
	int repeat; /* default 6: fewer give no verdict (P-50) */
	double window_ns, warmup_ns, interval_ns; /* defaults 10s, 2s, 1s */
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

void suite_free(struct suite *suite);

/* The suites of the configs folder, sorted. */
struct suite_names {
	char **name;
	size_t n;
};
int suite_names_read(struct suite_names *ret);
void suite_names_free(struct suite_names *names);

#endif
