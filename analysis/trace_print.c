/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shares are of the time that the trace covers, percentages of periods are of the state's own, with
 * the count beside them.
 */
#include "analysis/trace_print.h"
#include "analysis/trace_stack.h"
#include "analysis/trace_tasks.h"
#include "analysis/trace_together.h"
#include "trace/edge.h"
#include <inttypes.h>
#include <stdlib.h>

#define TASKS_PRINTED 20

const char *const trace_set_name[TRACE_SETS] = { "workload", "others" };

const char *trace_bin_name(unsigned int bin)
{
	static const char *const name[TRACE_BINS] = { "<5us",	   "5-10us",   "10-25us",
						      "25-50us",   "50-100us", "100-250us",
						      "250-500us", "0.5-1ms",  "1-2ms",
						      "2-4ms",	   ">=4ms" };

	return name[bin];
}

const char *trace_state_name(const struct trace_table *table, unsigned int state, char *text,
			     size_t size)
{
	if (table && (int)state < table->states && table->state[state].name[0])
		snprintf(text, size, "%s", table->state[state].name);
	else
		snprintf(text, size, "state %u", state);
	return text;
}

const struct trace_table *trace_table_at(const struct trace_info *info, size_t t)
{
	return t < info->tables ? &info->table[t] : NULL;
}

static double pct(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0.0;
}

static double seconds(const struct trace_analysis *a)
{
	return (double)(a->t_last_ns - a->info->t0_ns) / 1e9;
}

static void print_head(const struct trace_analysis *a, FILE *out)
{
	const struct trace_info *info = a->info;
	uint64_t periods = 0, losses = 0;

	for (size_t i = 0; i < info->cpus.n; i++) {
		periods += a->cpu[i].periods;
		losses += a->cpu[i].losses;
	}
	fprintf(out,
		"Idle trace: kernel %s, machine %s, governor %s\n"
		"%" PRIu64 " idle periods of %zu CPUs in %.3f s; %" PRIu64
		" events lost in %" PRIu64 " places\n",
		info->kernel ? info->kernel : "not known",
		info->machine ? info->machine : "not known",
		info->governor ? info->governor : "not known", periods, info->cpus.n, seconds(a),
		trace_total(a, TRACE_LOST), losses);
	fprintf(out,
		"left out: %" PRIu64 " exits without entry, %" PRIu64
		" entries without exit, %" PRIu64 " periods that end before they begin\n",
		trace_total(a, TRACE_NO_ENTRY), trace_total(a, TRACE_NO_EXIT),
		trace_total(a, TRACE_BACKWARDS));
	if (a->damages)
		fprintf(out,
			"DAMAGED in %" PRIu64 " places, %" PRIu64
			" bytes are no blocks, the first at offset %" PRIu64 "\n",
			a->damages, a->damaged_bytes, a->first_damage);
	for (size_t i = 0; i < info->cpus.n; i++)
		if (a->cpu[i].deaf)
			fprintf(out,
				"cpu%d: NO IDLE EVENTS came of it, and its counters grew by %" PRIu64
				" entries: it is left\nout below (other events: %" PRIu64
				" timers started)\n",
				info->cpus.cpu[i], edge_entries(&a->edge[i]),
				a->cpu[i].count[TRACE_HRTIMER_STARTS] +
					a->cpu[i].count[TRACE_TIMER_STARTS]);
	if (!a->whole)
		fputs("the trace has no end: its writer was stopped, and the last periods are "
		      "missing\n",
		      out);
}

static void print_state(const struct trace_table *table, const struct trace_sum *sum,
			unsigned int s, double ns, FILE *out)
{
	const struct trace_state_sum *state = &sum->state[s];
	const struct hist *h = &sum->by_state[s]->hist;
	char name[32];

	fprintf(out, "  %-16s %10" PRIu64 " %7.2f %11.2f %11.2f %11.2f %11.2f %8.2f %8.2f\n",
		trace_state_name(table, s, name, sizeof(name)), state->periods,
		(double)state->ns / ns * 100, hist_mean_ns(h) / 1e3, hist_quantile_ns(h, 0.5) / 1e3,
		hist_quantile_ns(h, 0.99) / 1e3, (double)h->max_ns / 1e3,
		pct(state->too_deep, state->periods), pct(state->too_shallow, state->periods));
}

static void print_bins(const char *name, const struct trace_durations *d, FILE *out)
{
	fprintf(out, "  %-16s", name);
	for (unsigned int b = 0; b < TRACE_BINS; b++)
		fprintf(out, " %9" PRIu64, d->bin[b]);
	fputc('\n', out);
}

static void print_bins_head(const char *of, FILE *out)
{
	fprintf(out, "  %-16s", of);
	for (unsigned int b = 0; b < TRACE_BINS; b++)
		fprintf(out, " %9s", trace_bin_name(b));
	fputc('\n', out);
}

static void print_ideal(const struct trace_table *table, const struct trace_sum *sum, FILE *out)
{
	char name[32];

	fputs("  chosen           ideal, by duration\n", out);
	for (unsigned int s = 0; s < TRACE_STATES; s++) {
		if (!sum->state[s].periods)
			continue;
		fprintf(out, "  %-16s", trace_state_name(table, s, name, sizeof(name)));
		for (unsigned int i = 0; i < TRACE_STATES; i++)
			if (sum->state[s].ideal[i])
				fprintf(out, " %s %.2f %%;",
					trace_state_name(table, i, name, sizeof(name)),
					pct(sum->state[s].ideal[i], sum->state[s].periods));
		fputc('\n', out);
	}
}

static size_t cpus_of(const struct trace_analysis *a, int set, size_t t)
{
	size_t n = 0;

	for (size_t i = 0; i < a->info->cpus.n; i++)
		n += !a->cpu[i].deaf && a->table_of[i] == t &&
		     (int)trace_set_of(a->info, a->info->cpus.cpu[i]) == set;
	return n;
}

static void print_sum(const struct trace_analysis *a, int set, size_t t, FILE *out)
{
	const struct trace_sum *sum = &a->sum[(size_t)set * (a->info->tables + 1) + t];
	const struct trace_table *table = trace_table_at(a->info, t);
	size_t cpus = cpus_of(a, set, t);
	char name[32], *list = table ? cpulist_format(&table->cpus) : NULL;

	if (cpus) {
		fprintf(out,
			"\nStates, %s CPUs (%zu, of the table of CPUs %s)\n"
			"  state               periods  time %%     mean us      p50 us      p99 "
			"us      max us  deep %% shallow %%\n",
			a->info->workload.n ? trace_set_name[set] : "all", cpus,
			list ? list : "without one");
		for (unsigned int s = 0; s < TRACE_STATES; s++)
			if (sum->state[s].periods)
				print_state(table, sum, s, seconds(a) * 1e9 * (double)cpus, out);
		print_bins_head("periods of", out);
		for (unsigned int s = 0; s < TRACE_STATES; s++)
			if (sum->by_state[s])
				print_bins(trace_state_name(table, s, name, sizeof(name)),
					   sum->by_state[s], out);
		print_ideal(table, sum, out);
	}
	free(list);
}

static void print_causes(const struct trace_analysis *a, int set, FILE *out)
{
	bool any = false;

	if (!(a->info->kinds & (TRACE_HAS_IRQS | TRACE_HAS_TIMERS)))
		return;
	for (int c = 0; c < TRACE_CAUSES; c++) {
		const struct trace_durations *d = a->by_cause[set][c];

		if (!d)
			continue;
		if (!any) {
			fprintf(out, "\nWhat ended the periods, %s CPUs\n",
				a->info->workload.n ? trace_set_name[set] : "all");
			print_bins_head("cause", out);
		}
		any = true;
		print_bins(trace_cause_name[c], d, out);
	}
}

static void print_rate(const char *what, uint64_t n, double s, FILE *out)
{
	fprintf(out, "  %-34s %10" PRIu64 " %12.2f /s\n", what, n, s > 0 ? (double)n / s : 0.0);
}

static void print_rates(const struct trace_analysis *a, FILE *out)
{
	uint64_t ticks = 0, calls = 0, sleeps = 0;
	double s = seconds(a);
	bool known = a->edge && a->info->cpus.n;

	for (size_t i = 0; i < a->info->cpus.n; i++) {
		ticks += a->cpu[i].cause[TRACE_TICK];
		known = known && a->edge[i].ticks_known;
		calls += known ? a->edge[i].idle_calls : 0;
		sleeps += known ? a->edge[i].idle_sleeps : 0;
	}
	if (!known && !(a->info->kinds & TRACE_HAS_TIMERS))
		return;
	fputs("\nTick and timers, all CPUs\n", out);
	if (a->info->kinds & TRACE_HAS_TIMERS) {
		print_rate("periods ended by the tick", ticks, s, out);
		print_rate("tick stops", trace_total(a, TRACE_TICK_STOPS), s, out);
		print_rate("tick stops refused", trace_total(a, TRACE_TICK_REFUSALS), s, out);
		print_rate("hrtimers started", trace_total(a, TRACE_HRTIMER_STARTS), s, out);
		print_rate("timers started", trace_total(a, TRACE_TIMER_STARTS), s, out);
	}
	if (known) {
		print_rate("idle_calls (/proc/timer_list)", calls, s, out);
		print_rate("idle_sleeps (/proc/timer_list)", sleeps, s, out);
	}
}

void trace_print_together(const struct trace_analysis *a, FILE *out)
{
	static const char *const level_name[TRACE_LEVELS] = { "all idle", "all in the deepest" };
	double ns = (double)trace_together_ns(a->together);
	/* Which state is the deepest is in the table. */
	int levels = a->info->tables ? TRACE_LEVELS : TRACE_ALL_DEEP;

	fputs("\nAll CPUs at once\n"
	      "  of      CPUs             what                     times  time %     mean us  longest us\n",
	      out);
	for (size_t g = 0; g < trace_together_groups(a->together); g++) {
		char *list = cpulist_format(trace_together_cpus(a->together, g));

		for (int level = 0; level < levels && !trace_group_is_deaf(a, g); level++) {
			const struct trace_shared *s =
				trace_together_of(a->together, g, (enum trace_level)level);

			fprintf(out, "  %-7s %-16s %-19s %10" PRIu64 " %7.2f %11.2f %11.2f\n",
				trace_together_what(a->together, g), list ? list : "",
				level_name[level], s->times,
				ns > 0 ? (double)s->ns / ns * 100 : 0.0,
				s->times ? (double)s->ns / (double)s->times / 1e3 : 0.0,
				(double)s->longest_ns / 1e3);
		}
		if (trace_group_is_deaf(a, g))
			fprintf(out, "  %-7s %-16s not known: no idle events of one of them\n",
				trace_together_what(a->together, g), list ? list : "");
		free(list);
	}
}

void trace_print_tasks(const struct trace_analysis *a, FILE *out)
{
	const struct trace_tasks *t = a->tasks;

	if (!(a->info->kinds & TRACE_HAS_SCHED))
		return;
	fputs("\nFrom woken to running\n"
	      "  task                  wakes     mean us      p50 us      p99 us      max us\n",
	      out);
	for (size_t i = 0; i < t->n && i < TASKS_PRINTED; i++) {
		const struct hist *h = &t->task[i]->latency;

		fprintf(out, "  %-16s %10" PRIu64 " %11.2f %11.2f %11.2f %11.2f\n",
			t->task[i]->name, h->count, hist_mean_ns(h) / 1e3,
			hist_quantile_ns(h, 0.5) / 1e3, hist_quantile_ns(h, 0.99) / 1e3,
			(double)h->max_ns / 1e3);
	}
	if (t->n > TASKS_PRINTED)
		fprintf(out, "  and %zu more\n", t->n - TASKS_PRINTED);
}

void trace_print_tables(const struct trace_analysis *a, FILE *out)
{
	print_head(a, out);
	trace_print_counters(a, out);
	for (int set = 0; set < TRACE_SETS; set++)
		for (size_t t = 0; t <= a->info->tables; t++)
			print_sum(a, set, t, out);
	for (int set = 0; set < TRACE_SETS; set++)
		print_causes(a, set, out);
	print_rates(a, out);
	trace_print_together(a, out);
	trace_print_tasks(a, out);
}
