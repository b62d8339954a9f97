/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What only a run's idle trace tells, as metrics: facts that are compared and scored by nobody. A
 * trace that is damaged or incomplete gives none, and the run keeps its other figures.
 */
#include "analysis/load.h"
#include "analysis/trace.h"
#include "analysis/trace_stack.h"
#include "analysis/trace_together.h"
#include "store/format.h"
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define METRICS 5

static double seconds(const struct trace_analysis *a)
{
	return (double)(a->t_last_ns - a->info->t0_ns) / 1e9;
}

/* Of the workload's CPUs a second; a CPU that gave no idle events is not known. */
static double sum_per_s(const struct trace_analysis *a,
			uint64_t (*of)(const struct trace_cpu_sum *))
{
	double sum = 0;

	for (size_t i = 0; i < a->info->cpus.n; i++) {
		if (trace_set_of(a->info, a->info->cpus.cpu[i]) != TRACE_WORKLOAD)
			continue;
		if (a->cpu[i].deaf)
			return NAN;
		sum += (double)of(&a->cpu[i]);
	}
	return sum / seconds(a);
}

static uint64_t tick_wakes(const struct trace_cpu_sum *cpu)
{
	return cpu->cause[TRACE_TICK];
}

static uint64_t tick_stops(const struct trace_cpu_sum *cpu)
{
	return cpu->count[TRACE_TICK_STOPS];
}

static double mean_us(const struct trace_analysis *a)
{
	double ns = 0, periods = 0;

	for (size_t i = 0; i < a->info->cpus.n; i++) {
		if (trace_set_of(a->info, a->info->cpus.cpu[i]) != TRACE_WORKLOAD)
			continue;
		if (a->cpu[i].deaf)
			return NAN;
		ns += (double)a->cpu[i].ns;
		periods += (double)a->cpu[i].periods;
	}
	return periods > 0 ? ns / periods / 1e3 : NAN;
}

static double together_pct(const struct trace_analysis *a, enum trace_level level)
{
	uint64_t ns = trace_together_of(a->together, 0, level)->ns;

	/* Which state is the deepest is in the table. */
	if (trace_group_is_deaf(a, 0) || (level == TRACE_ALL_DEEP && !a->info->tables))
		return NAN;
	return 100 * (double)ns / (double)trace_together_ns(a->together);
}

static void add(struct result *r, struct loaded_run *run, const struct trace_analysis *a)
{
	const bool timers = a->info->kinds & TRACE_HAS_TIMERS;
	const struct metric_value made[METRICS] = {
		{ "idle_period_us", "us", "none", mean_us(a) },
		{ "all_idle_pct", "%", "none", together_pct(a, TRACE_ALL_IDLE) },
		{ "all_deepest_pct", "%", "none", together_pct(a, TRACE_ALL_DEEP) },
		{ "tick_wakes_per_s", "1/s", "none", timers ? sum_per_s(a, tick_wakes) : NAN },
		{ "tick_stops_per_s", "1/s", "none", timers ? sum_per_s(a, tick_stops) : NAN },
	};
	struct metric_value *list = pool_alloc(&r->pool, run->metrics + METRICS, sizeof(*list));

	memcpy(list, run->metric, run->metrics * sizeof(*list));
	memcpy(list + run->metrics, made, sizeof(made));
	run->metrics += METRICS;
	run->metric = list;
}

void load_trace(struct result *r, const char *dir, struct loaded_run *run)
{
	struct trace_analysis a;
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/" STORE_TRACE, dir);
	/* Nothing of these becomes the headline of a run that published nothing. */
	if (access(path, F_OK) || !run->metrics)
		return;
	if (trace_analyse(path, &a)) {
		load_note(r, run, "idle trace left out: it is none, or its head is damaged");
		return;
	}
	if (!a.whole || a.damages || trace_total(&a, TRACE_LOST))
		load_note(r, run,
			  "idle trace left out: damaged, without its end, or events are lost");
	else if (seconds(&a) > 0)
		add(r, run, &a);
	trace_analysis_free(&a);
}
