/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The CPU was awake when its counters were read, so every period lies on one side of the reading,
 * but for those that ended while the reader waited: these are named. Times differ by what the
 * tracepoints themselves take: the kernel's own clock readings lie between them.
 */
#include "analysis/trace_print.h"
#include "trace/edge.h"
#include <inttypes.h>
#include <math.h>

#define LONG 100 /* periods */

struct verdict {
	size_t rows, counts, misses; /* rows, and those that differ */
	size_t explained; /* of the rows that differ in entries */
	uint64_t trace_ns, counter_ns, periods; /* of those whose entries agree */
};

static bool known(const struct trace_edge *edge, int s)
{
	return edge->counter[s][TRACE_EDGE_USAGE].known &&
	       edge->counter[s][TRACE_EDGE_TIME_US].known;
}

static void print_row(const struct trace_analysis *a, size_t i, int s, struct verdict *v, FILE *out)
{
	const struct trace_edge *edge = &a->edge[i];
	int cpu = a->info->cpus.cpu[i];
	uint64_t usage = edge_growth(edge, s, TRACE_EDGE_USAGE),
		 us = edge_growth(edge, s, TRACE_EDGE_TIME_US),
		 periods = a->cpu[i].between[s].periods, ns = a->cpu[i].between[s].ns,
		 above = a->cpu[i].between[s].above, below = a->cpu[i].between[s].below;
	bool misses = a->info->kinds & TRACE_HAS_MISSES &&
		      edge->counter[s][TRACE_EDGE_ABOVE].known &&
		      edge->counter[s][TRACE_EDGE_BELOW].known;
	char name[32];

	fprintf(out,
		"  cpu%-4d %-16s %12" PRIu64 " %12" PRIu64 " %6" PRId64 " %14.3f %14.3f %+9.4f",
		cpu, trace_state_name(trace_table_of(a->info, cpu), (unsigned int)s, name, 32),
		periods, usage, (int64_t)(periods - usage), (double)ns / 1e6, (double)us / 1e3,
		us ? ((double)ns / 1e3 / (double)us - 1) * 100 : 0.0);
	if (misses)
		fprintf(out, " %9" PRId64 " %9" PRId64,
			(int64_t)(above - edge_growth(edge, s, TRACE_EDGE_ABOVE)),
			(int64_t)(below - edge_growth(edge, s, TRACE_EDGE_BELOW)));
	fputc('\n', out);
	v->rows++;
	v->counts += periods != usage;
	v->explained += periods < usage && periods + a->cpu[i].between[s].reading >= usage;
	v->misses += misses && (above != edge_growth(edge, s, TRACE_EDGE_ABOVE) ||
				below != edge_growth(edge, s, TRACE_EDGE_BELOW));
	if (periods != usage)
		return;
	v->trace_ns += ns;
	v->counter_ns += us * 1000;
	v->periods += periods;
}

/* Rows with fewer periods say nothing of what is constant. */
static bool is_long(const struct trace_analysis *a, size_t i, int s)
{
	uint64_t periods = a->cpu[i].between[s].periods;

	return periods >= LONG && known(&a->edge[i], s) &&
	       periods == edge_growth(&a->edge[i], s, TRACE_EDGE_USAGE);
}

/* ns that the trace has more of each period than the counters. */
static double share_of(const struct trace_analysis *a, size_t i, int s)
{
	return ((double)a->cpu[i].between[s].ns -
		(double)edge_growth(&a->edge[i], s, TRACE_EDGE_TIME_US) * 1e3) /
	       (double)a->cpu[i].between[s].periods;
}

/* What a row's time still differs by, in percent, with the tracepoints' share taken off. */
static double residual(const struct trace_analysis *a, size_t i, int s, double share_ns)
{
	return fabs(share_of(a, i, s) - share_ns) * (double)a->cpu[i].between[s].periods /
	       (double)edge_growth(&a->edge[i], s, TRACE_EDGE_TIME_US) / 10;
}

/* Rows whose entries agree: one share for all of them, and what is left. */
static void print_times(const struct trace_analysis *a, const struct verdict *v, FILE *out)
{
	double share = ((double)v->trace_ns - (double)v->counter_ns) / (double)v->periods;
	double most = 0, least_ns = INFINITY, most_ns = -INFINITY;
	size_t rows = 0;

	for (size_t i = 0; i < a->info->cpus.n; i++)
		for (int s = 0; s < a->edge[i].states; s++) {
			if (!is_long(a, i, s) || !edge_growth(&a->edge[i], s, TRACE_EDGE_TIME_US))
				continue;
			rows++;
			most = fmax(most, residual(a, i, s, share));
			least_ns = fmin(least_ns, share_of(a, i, s));
			most_ns = fmax(most_ns, share_of(a, i, s));
		}
	fprintf(out,
		"  time of rows that agree: %+.4f %%, which is %+.0f ns a period, the tracepoints' share\n",
		((double)v->trace_ns / (double)v->counter_ns - 1) * 100, share);
	/* Of one row nothing is left by construction. */
	if (rows > 1)
		fprintf(out,
			"  of the %zu rows with at least %d periods it is %+.0f to %+.0f ns; without it none\n"
			"  differs by more than %.4f %%\n",
			rows, LONG, least_ns, most_ns, most);
}

static void print_named(const struct trace_analysis *a, FILE *out)
{
	char name[32];

	for (size_t n = 0; n < a->names; n++) {
		const struct trace_named *p = &a->named[n];
		int cpu = a->info->cpus.cpu[p->i];

		fprintf(out,
			"  in both or in the trace alone: cpu%d %s, %.3f us from %.6f s on, which ended while\n"
			"  the counters were being read\n",
			cpu,
			trace_state_name(trace_table_of(a->info, cpu), p->state, name,
					 sizeof(name)),
			(double)(p->exit_ns - p->entry_ns) / 1e3,
			((double)p->entry_ns - (double)a->info->t0_ns) / 1e9);
	}
	if (a->names == TRACE_NAMED_MAX)
		fputs("  and perhaps more of these\n", out);
}

static void print_verdict(const struct trace_analysis *a, const struct verdict *v, FILE *out)
{
	bool misses = a->info->kinds & TRACE_HAS_MISSES;

	fprintf(out, "  %zu of %zu rows differ in entries", v->counts, v->rows);
	if (misses)
		fprintf(out, ", %zu in misses", v->misses);
	if (v->explained)
		fprintf(out, "; %zu of them by the periods named here", v->explained);
	fputc('\n', out);
	print_named(a, out);
	if (v->counter_ns && v->periods)
		print_times(a, v, out);
}

void trace_print_counters(const struct trace_analysis *a, FILE *out)
{
	struct verdict v = { 0 };
	bool any = false;

	for (size_t i = 0; a->edge && i < a->info->cpus.n; i++)
		any = any || a->edge[i].states;
	if (!any)
		return;
	fputs("\nHeld to the counters of sysfs (read on each CPU at both ends; a period is in\n"
	      "both or in none; misses: trace less counters)\n"
	      "  cpu     state                  trace     counters   diff       trace ms    "
	      "counters ms    diff %     above     below\n",
	      out);
	for (size_t i = 0; i < a->info->cpus.n; i++)
		for (int s = 0; s < a->edge[i].states; s++)
			if (known(&a->edge[i], s))
				print_row(a, i, s, &v, out);
	print_verdict(a, &v, out);
}
