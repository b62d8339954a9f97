/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A discrete-event model of a whole machine under an idle governor and a load: one call is one run
 * (one cell of a campaign). Whatever comes out of it is MODELLED and must be marked so wherever it
 * is printed.
 *
 * Deterministic: the same setup and seed give the same result, bit for bit. Reentrant: no globals.
 * Nothing is allocated between start and end of a run, and memory does not grow with its length.
 *
 * A run of more events than events_max is stretched: a part of the window is simulated event by
 * event and counters, energy and histograms are multiplied up to the whole. model_result.stretch
 * tells by how much; say so beside the figures.
 *
 *	machine_load(name, set, sets, &m);			analysis/machine.h; uses m.model
 *	model_workload_parse("ping-pong", params, n, &m.model, &w);
 *	model_run(&setup, &result); ... model_result_free(result);
 */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include "lib/hist.h"
#include "model/machine.h"
#include "model/workload.h"

#define MODEL_METRICS_MAX 24
#define MODEL_NAME_SIZE 32
#define MODEL_ROLES_MAX 256 /* further rings, threads or clients share the last role */
#define MODEL_EVENTS_DEFAULT 20000000 /* events_max: a few seconds of one core */

/* The highest frequency, the lowest; governors that follow the load have no model. */
enum model_cpufreq { MODEL_PERFORMANCE, MODEL_POWERSAVE, MODEL_CPUFREQS };

/* What sysfs counts of one idle state of one CPU, within the window. */
struct model_state_count {
	uint64_t usage, above, below, rejected;
	uint64_t time_ns; /* sysfs `time` is this div 1000 */
};

struct model_cpu_count {
	struct model_state_count state[GOVERNOR_STATES_MAX];
	uint64_t busy_ns; /* running a task, or the kernel's paths for it */
	uint64_t decisions; /* selects */
	uint64_t asked; /* of them, that asked for the sleep length */
	uint64_t idle_calls, idle_sleeps; /* tick up to be stopped, stopped: ticks.tsv */
	uint64_t tick_wakes; /* idle periods that a tick ended */
};

/* A block mean, as in series.tsv: the last interval's. */
struct model_series {
	char name[MODEL_NAME_SIZE]; /* "ring0.loop_us" */
	double value; /* NAN: nothing ended in the interval */
};

/* State of the run at one moment; pointers are valid during the callback only. */
struct model_sample {
	int64_t t_ns; /* since the window's start; multiples of interval_ns, and its end */
	int packages, cpus;
	const double *package_uj; /* since the window's start, [packages]; NULL without powers */
	const struct model_cpu_count *cpu; /* since the window's start, [cpus] */
	int series;
	const struct model_series *value; /* [series] */
};

struct model_setup {
	const struct model_machine *machine;
	const struct governor *governor;
	const struct model_workload *workload;
	enum model_cpufreq cpufreq;
	uint64_t seed;
	int64_t warmup_ns; /* simulated before the window, not counted; 0 and up */
	int64_t window_ns; /* above 0; with loops the run ends when they are done, or then */
	uint64_t events_max; /* 0 = MODEL_EVENTS_DEFAULT; UINT64_MAX = never stretched */

	/* NULL, or called each interval_ns (above 0) of the window, first at 0, and at its end. */
	void (*sample)(void *arg, const struct model_sample *sample);
	void *arg;
	int64_t interval_ns;
};

/* A row of metrics.tsv: names and units are those of the workload that is modelled. */
struct model_metric {
	const char *name, *unit;
	const char *better; /* "lower", "higher", "none" */
	double value; /* NAN = NA */
};

/* A role of latency.tsv. */
struct model_role {
	char name[MODEL_NAME_SIZE]; /* "ring0" */
	struct hist hist;
};

struct model_task {
	char role[MODEL_NAME_SIZE];
	int cpu; /* bound to; -1 = free */
	int cpu_start, cpu_end; /* where it was at the window's edges */
	uint64_t migrations;
};

struct model_result {
	double window_ns; /* really passed: less than asked when loops were done before */
	bool complete; /* false: loops were asked and the window ended before they were done */
	double stretch; /* 1 = all of the window was simulated event by event */
	uint64_t events; /* simulated, warm-up included */
	int packages;
	double package_uj[MODEL_PACKAGES_MAX]; /* NAN without powers */
	int cpus;
	struct model_cpu_count *cpu; /* [cpus] */
	int tasks;
	struct model_task *task; /* [tasks] */
	int roles;
	struct model_role *role; /* [roles] */
	int metrics;
	struct model_metric metric[MODEL_METRICS_MAX]; /* headline first */
};

/* -ENOMEM, or a usage error when the setup does not fit together (more tasks than can be, ...). */
int model_run(const struct model_setup *setup, struct model_result **ret);

/* NULL is fine. */
void model_result_free(struct model_result *result);

/* "performance", "powersave"; usage error for any other. */
int model_cpufreq_parse(const char *name, enum model_cpufreq *ret);

/* Package power over the window in W, NAN without powers. */
double model_result_power_w(const struct model_result *result);

#endif
