/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a replay needs of a file, loaded and normalised: CPUs, their gaps and their machines. A list
 * of durations is one CPU.
 */
#ifndef ANALYSIS_SCENE_H
#define ANALYSIS_SCENE_H

#include "analysis/machine.h"
#include "analysis/normalise.h"
#include "analysis/periods.h"

#define SCENE_SETTINGS_MAX 64

/* May not be moved once an option was taken: a setting can lie in it. */
struct scene_order {
	const char *path;
	const char *table; /* a machine; NULL: the trace's own states, or skx for a list */
	const char *setting[SCENE_SETTINGS_MAX];
	size_t settings;
	char hz[32]; /* the setting that --hz is */
	bool timer; /* of a list: what ends a gap where no column says it */
};

/* For a table of getopt_long(): the options that scene_option() takes. */
/* clang-format off */
#define SCENE_OPTIONS                                                                              \
	{ "table", required_argument, NULL, 't' },                                                 \
	{ "set", required_argument, NULL, 's' },                                                   \
	{ "hz", required_argument, NULL, 'z' },                                                    \
	{ "wake", required_argument, NULL, 'w' }
/* clang-format on */

/* @c: one of SCENE_OPTIONS; @value must outlive the order. */
int scene_option(struct scene_order *order, int c, const char *value);

/* CPUs with the same states. */
struct scene_group {
	struct machine machine, recorded; /* to be replayed on; as it was recorded */
	struct cpulist cpus; /* empty for a list */
};

struct scene_cpu {
	int cpu; /* its number; -1 for a list */
	size_t i; /* its position in the trace */
	const struct scene_group *group;
	const struct gaps *gaps;
};

/* A gap in the order of all CPUs' ends. */
struct scene_step {
	size_t cpu, gap;
	int64_t end_ns;
};

struct scene {
	const char *path;
	bool is_trace;
	struct periods periods;
	struct normal normal;
	struct gaps list;
	struct scene_group *group;
	size_t groups;
	struct scene_cpu *cpu; /* those with gaps */
	size_t n;
	int silent; /* CPUs of the trace without an idle event */
	struct scene_step *step; /* all gaps */
	size_t steps;
	bool utilisation_set; /* by the user: the trace's is not used */
};

/* Usage errors name the file, or what is not known of its states. The scene may not be moved in
 * memory. */
int scene_load(const struct scene_order *order, struct scene *ret);
void scene_free(struct scene *scene);

/* Has a trace lost events, bytes, its end, or lines of its text? */
bool scene_is_damaged(const struct scene *scene);

/* Position of a trace's CPU among scene->cpu; -1 = it has no gaps. */
int scene_position(const struct scene *scene, size_t i);

#endif
