/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One modelled run on a machine of configs/machines, for tests that hold the model to published
 * figures. The constants are those of the file: no test has its own.
 */
#ifndef TESTS_UNIT_ANALYSIS_MODELLED_H
#define TESTS_UNIT_ANALYSIS_MODELLED_H

#include "analysis/machine.h"
#include "lib/error.h"
#include "model/model.h"
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

/* "work=3000 pairs=2": parameters of a suite, separated by blanks. */
static inline size_t split_params(char *text, struct model_param *param)
{
	size_t n = 0;

	for (char *at = strtok(text, " "); at; at = strtok(NULL, " ")) {
		char *equals = strchr(at, '=');

		assert_non_null(equals);
		*equals = '\0';
		param[n++] = (struct model_param){ at, equals + 1 };
	}
	return n;
}

/* The result is the caller's. Warm-up 1 s; 20 s where idle CPUs need it to settle. */
static inline struct model_result *modelled(const char *machine_name, const char *governor,
					    const char *workload, const char *params,
					    double window_s, double warmup_s, uint64_t seed)
{
	struct machine machine;
	struct model_workload w;
	struct model_param param[16];
	struct model_setup setup = { .machine = &machine.model,
				     .governor = governor_find(governor),
				     .workload = &w,
				     .seed = seed,
				     .warmup_ns = (int64_t)(warmup_s * 1e9),
				     .window_ns = (int64_t)(window_s * 1e9),
				     .events_max = UINT64_MAX };
	struct model_result *result = NULL;
	char text[200], path[100];

	snprintf(text, sizeof(text), "%s", params);
	snprintf(path, sizeof(path), "configs/machines/%s.ini", machine_name);
	assert_int_equal(machine_load(path, NULL, 0, &machine), 0);
	assert_non_null(setup.governor);
	assert_int_equal(model_workload_parse(workload, param, split_params(text, param),
					      &machine.model, &w),
			 0);
	assert_int_equal(model_run(&setup, &result), 0);
	return result;
}

static inline double metric_of(const struct model_result *result, const char *name)
{
	if (!strcmp(name, "W"))
		return model_result_power_w(result);
	for (int i = 0; i < result->metrics; i++) {
		if (!strcmp(result->metric[i].name, name))
			return result->metric[i].value;
	}
	fail_msg("no metric %s", name);
	return NAN;
}

/* Percent of the time of the CPUs @first to @last - 1 in the state. */
static inline double time_pct(const struct model_result *r, int state, int first, int last)
{
	double ns = 0;

	for (int c = first; c < last; c++)
		ns += (double)r->cpu[c].state[state].time_ns;
	return 100 * ns / r->window_ns / (last - first);
}

struct model_sums {
	double usage[GOVERNOR_STATES_MAX], all, above, below, decisions, asked;
};

/* Over all CPUs. */
static inline struct model_sums sums_of(const struct model_result *r)
{
	struct model_sums s = { 0 };

	for (int c = 0; c < r->cpus; c++) {
		s.decisions += (double)r->cpu[c].decisions;
		s.asked += (double)r->cpu[c].asked;
		for (int i = 0; i < GOVERNOR_STATES_MAX; i++) {
			s.usage[i] += (double)r->cpu[c].state[i].usage;
			s.all += (double)r->cpu[c].state[i].usage;
			s.above += (double)r->cpu[c].state[i].above;
			s.below += (double)r->cpu[c].state[i].below;
		}
	}
	return s;
}

#endif
