/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a workload is: a descriptor (names, parameters, metrics, needs) that the runner reads
 * without running it, and the functions that its own program runs. One C file and one row in
 * workloads.def each.
 */
#ifndef WORKLOADS_WORKLOAD_H
#define WORKLOADS_WORKLOAD_H

#include "workloads/param.h"

struct driver; /* workloads/driver.h: what the running program has */

enum metric_better { BETTER_LOWER, BETTER_HIGHER, BETTER_NONE /* a fact, not a score */ };

struct metric {
	const char *name; /* "loop_us"; [a-z0-9_] */
	const char *unit; /* "us", "1/s", "" for a bare count */
	enum metric_better better;
	const char *help; /* one line */
};

/* What placement has to provide. Filled by .needs from the parameters. */
struct workload_needs {
	int tasks; /* tasks that run; 0 for the null workload; -N: N for each core that is found
		      (cores = all: -1, pairs = all: -2) */
	int cpus; /* distinct CPUs wanted for them; -1 = all cores; 0 = none */
	int group; /* neighbours in groups of this many stops should have @distance: ring length, or
		      2 for pairs; -1 when tasks is -1: all of them */
	int distance; /* enum workload_distance */
	bool pinned; /* false: affinity free, the scheduler places the tasks */
	bool wrap; /* fewer CPUs than .cpus will do: the tasks then share them in turn */
	bool timer_based; /* its wakes are timers that the governor can know (P-45) */
	double window_ns; /* the shortest window that it can do its work in; 0 = any */
	double loop_ns; /* about what a loop takes, for the time that a plan takes; 0 = unknown */
	bool ends_itself; /* it has no warm-up, and ends when it is done; a window only limits it */
};

enum workload_distance {
	DISTANCE_ANY, /* own physical core each, siblings last */
	DISTANCE_SMT_SIBLING, /* neighbours share a core */
	DISTANCE_SAME_CACHE, /* neighbours share the last level cache, on different cores */
	DISTANCE_SAME_PACKAGE, /* neighbours share the package, on different cores */
	DISTANCE_OTHER_PACKAGE, /* neighbours sit in different packages */
};
#define WORKLOAD_CHILD "--child" /* argv[1] of such a program */
#define WORKLOAD_DISTANCES "any|smt-sibling|same-cache|same-package|other-package"

struct workload {
	const char *name; /* "ping-pong" */
	const char *about; /* one line */
	const char *timer_note; /* which parameter decides whether it is timer based; NULL = none */
	const struct param *params; /* ends with a NULL name */
	const struct metric *metrics; /* what it publishes, every time; ends with a NULL name. [0]
					 is the headline */

	/*
	 * Checks the combination ("cores has no effect with pairs": usage error) and says what
	 * placement it wants.
	 * @values in the order of params, with is_time work still unresolved. Pure; the runner
	 * calls it when planning.
	 */
	int (*needs)(const struct param_value *values, struct workload_needs *ret);

	/*
	 * NULL unless a row of params is .calibrated: turns such rows (a load in percent) into
	 * units of work of other rows, and marks them as not given. @cpus: how many CPUs there are
	 * for the tasks. Usage error when that cannot be done. Pure.
	 */
	int (*resolve)(struct param_value *values, double ns_per_unit, size_t cpus);

	/*
	 * NULL, or whether what it needs is installed: -ENOENT with what is missing and the package
	 * that brings it. The runner asks before the first run, the program before it begins.
	 */
	int (*present)(const struct param_value *values);

	/* The rest is called by the driver inside the workload's own program; see
	 * workloads/driver.h. */
	int (*setup)(struct driver *driver);
	int (*task)(struct driver *driver, int task);
	int (*finish)(struct driver *driver);

	/* NULL, or what the program does instead when it is started as "NAME WORKLOAD_CHILD ...",
	 * by itself only; returns the exit status. */
	int (*child)(int argc, char **argv);
};

/* All rows of workloads.def, ends with NULL. */
extern const struct workload *const workload_table[];

/* By name, or NULL with a usage error that names the nearest. */
const struct workload *workload_find(const char *name);

/* True when a value is a time or a load that a calibration has to turn into units of work. */
bool workload_needs_calibration(const struct workload *workload, const struct param_value *values);

/* Turns them; afterwards none of them is left. ns_per_unit > 0. */
int workload_resolve(const struct workload *workload, struct param_value *values,
		     double ns_per_unit, size_t cpus);

/* Usage error when a window is shorter than workload_needs.window_ns. */
int workload_check_window(double needed_ns, double window_ns);

/* What it asks for with the defaults of its table. */
int workload_default_needs(const struct workload *workload, struct workload_needs *ret);

#endif
