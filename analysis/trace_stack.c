/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The script draws what it is given: sums from bar to bar are made here.
 */
#include "analysis/trace_stack.h"
#include "analysis/trace_print.h"
#include "analysis/trace_together.h"
#include "lib/tsv.h"
#include <inttypes.h>
#include <stdlib.h>

#define GROUPS_DRAWN 12

static const char head[] = "panel\tlabel\tkey\tlow\thigh\n";

/* A part of a bar: *@at is where it begins, and then where it ends. */
static void put(const char *panel, const char *label, const char *key, double part, double *at,
		FILE *out)
{
	tsv_put(out, panel);
	fputc('\t', out);
	tsv_put(out, label);
	fputc('\t', out);
	tsv_put(out, key);
	fprintf(out, "\t%.4f\t%.4f\n", *at, *at + part);
	*at += part;
}

static double pct(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

static uint64_t periods_of(const struct trace_sum *sum)
{
	uint64_t n = 0;

	for (int s = 0; s < TRACE_STATES; s++)
		n += sum->state[s].periods;
	return n;
}

/* "2:C1E" */
static const char *key_of(const struct trace_analysis *a, size_t t, unsigned int s, char key[48])
{
	char name[32];

	snprintf(key, 48, "%u:%s", s,
		 trace_state_name(trace_table_at(a->info, t), s, name, sizeof(name)));
	return key;
}

static const char *panel_of(const struct trace_analysis *a, size_t row, char panel[48])
{
	size_t tables = a->info->tables + 1, t = row % tables;
	const char *set = a->info->workload.n ? trace_set_name[row / tables] : "all";

	snprintf(panel, 48, t ? "%s, table %zu" : "%s", set, t);
	return panel;
}

/* The same keys in each figure, so that a state keeps its colour. */
static bool is_used(const struct trace_sum *sum, unsigned int state)
{
	for (unsigned int s = 0; s < TRACE_STATES; s++)
		if (sum->state[s].ideal[state])
			return true;
	return sum->by_state[state];
}

void trace_stack_bins(const struct trace_analysis *a, FILE *out)
{
	char key[48], panel[48];

	fputs(head, out);
	for (size_t r = 0; r < TRACE_SETS * (a->info->tables + 1); r++) {
		const struct trace_sum *sum = &a->sum[r];
		uint64_t all = periods_of(sum);

		for (unsigned int b = 0; all && b < TRACE_BINS; b++) {
			double at = 0;

			for (unsigned int s = 0; s < TRACE_STATES; s++)
				if (is_used(sum, s))
					put(panel_of(a, r, panel), trace_bin_name(b),
					    key_of(a, r % (a->info->tables + 1), s, key),
					    pct(sum->by_state[s] ? sum->by_state[s]->bin[b] : 0,
						all),
					    &at, out);
		}
	}
}

void trace_stack_ideal(const struct trace_analysis *a, FILE *out)
{
	char key[48], chosen[48], label[80], panel[48];

	fputs(head, out);
	for (size_t r = 0; r < TRACE_SETS * (a->info->tables + 1); r++) {
		const struct trace_sum *sum = &a->sum[r];
		size_t t = r % (a->info->tables + 1);

		for (unsigned int s = 0; s < TRACE_STATES; s++) {
			double at = 0;

			if (!sum->state[s].periods)
				continue;
			snprintf(label, sizeof(label), "%s (%" PRIu64 ")", key_of(a, t, s, chosen),
				 sum->state[s].periods);
			for (unsigned int i = 0; i < TRACE_STATES; i++)
				if (is_used(sum, i))
					put(panel_of(a, r, panel), label, key_of(a, t, i, key),
					    pct(sum->state[s].ideal[i], sum->state[s].periods), &at,
					    out);
		}
	}
}

void trace_stack_ticks(const struct trace_analysis *a, FILE *out)
{
	static const char *const name[] = { "tick wakes", "tick stops", "refused", "hrtimers",
					    "timers" };
	static const enum trace_count count[] = { TRACE_TICK_STOPS, TRACE_TICK_REFUSALS,
						  TRACE_HRTIMER_STARTS, TRACE_TIMER_STARTS };
	uint64_t sum[TRACE_SETS][5] = { { 0 } }, cpus[TRACE_SETS] = { 0 };
	double s = (double)(a->t_last_ns - a->info->t0_ns) / 1e9;

	fputs(head, out);
	for (size_t i = 0; i < a->info->cpus.n; i++) {
		int set = trace_set_of(a->info, a->info->cpus.cpu[i]);

		if (a->cpu[i].deaf)
			continue;
		cpus[set]++;
		sum[set][0] += a->cpu[i].cause[TRACE_TICK];
		for (int c = 0; c < 4; c++)
			sum[set][c + 1] += a->cpu[i].count[count[c]];
	}
	for (int set = 0; s > 0 && set < TRACE_SETS; set++)
		for (int c = 0; cpus[set] && c < 5; c++)
			put(a->info->workload.n ? trace_set_name[set] : "all", name[c],
			    "of the recorded CPUs", (double)sum[set][c] / s / (double)cpus[set],
			    &(double){ 0 }, out);
}

bool trace_group_is_deaf(const struct trace_analysis *a, size_t group)
{
	const struct cpulist *cpus = trace_together_cpus(a->together, group);

	for (size_t i = 0; i < a->info->cpus.n; i++)
		if (a->cpu[i].deaf && cpulist_has(cpus, a->info->cpus.cpu[i]))
			return true;
	return false;
}

void trace_stack_together(const struct trace_analysis *a, FILE *out)
{
	double ns = (double)trace_together_ns(a->together);

	fputs(head, out);
	for (size_t g = 0; g < trace_together_groups(a->together) && g < GROUPS_DRAWN; g++) {
		const struct trace_shared *idle = trace_together_of(a->together, g, TRACE_ALL_IDLE);
		const struct trace_shared *deep = trace_together_of(a->together, g, TRACE_ALL_DEEP);
		char *list = cpulist_format(trace_together_cpus(a->together, g)), label[64];
		double at = 0, in_deepest = (double)deep->ns / ns * 100,
		       in_any = (double)idle->ns / ns * 100;

		snprintf(label, sizeof(label), "%s %.50s", trace_together_what(a->together, g),
			 list ? list : "");
		free(list);
		if (ns <= 0 || trace_group_is_deaf(a, g))
			continue;
		if (a->info->tables) /* else nothing tells which that is */
			put("all at once", label, "all in their deepest state", in_deepest, &at,
			    out);
		put("all at once", label, "all idle", in_any > in_deepest ? in_any - in_deepest : 0,
		    &at, out);
	}
}
