/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The CPU was awake when its counters were read, so every period lies on one side of the reading.
 * Times differ by what the tracepoints themselves take: the kernel's own clock readings lie between
 * them.
 */
#include "analysis/trace_print.h"
#include <inttypes.h>
#include <math.h>

enum { USAGE, TIME_US, ABOVE, BELOW }; /* of struct trace_edge */

struct verdict {
	size_t rows, counts, misses; /* rows, and those that differ */
	uint64_t trace_ns, counter_ns, periods; /* of those whose entries agree */
};

static uint64_t growth(const struct trace_edge *edge, int s, int c)
{
	return edge->counter[s][c].value[1] - edge->counter[s][c].value[0];
}

static bool known(const struct trace_edge *edge, int s)
{
	return edge->counter[s][USAGE].known && edge->counter[s][TIME_US].known;
}

static void print_row(const struct trace_analysis *a, size_t i, int s, struct verdict *v, FILE *out)
{
	const struct trace_edge *edge = &a->edge[i];
	int cpu = a->info->cpus.cpu[i];
	uint64_t usage = growth(edge, s, USAGE), us = growth(edge, s, TIME_US),
		 periods = a->cpu[i].between[s].periods, ns = a->cpu[i].between[s].ns,
		 above = a->cpu[i].between[s].above, below = a->cpu[i].between[s].below;
	bool misses = a->info->kinds & TRACE_HAS_MISSES && edge->counter[s][ABOVE].known &&
		      edge->counter[s][BELOW].known;
	char name[32];

	fprintf(out,
		"  cpu%-4d %-16s %12" PRIu64 " %12" PRIu64 " %6" PRId64 " %14.3f %14.3f %+9.4f",
		cpu, trace_state_name(trace_table_of(a->info, cpu), (unsigned int)s, name, 32),
		periods, usage, (int64_t)(periods - usage), (double)ns / 1e6, (double)us / 1e3,
		us ? ((double)ns / 1e3 / (double)us - 1) * 100 : 0.0);
	if (misses)
		fprintf(out, " %9" PRId64 " %9" PRId64, (int64_t)(above - growth(edge, s, ABOVE)),
			(int64_t)(below - growth(edge, s, BELOW)));
	fputc('\n', out);
	v->rows++;
	v->counts += periods != usage;
	v->misses += misses && (above != growth(edge, s, ABOVE) || below != growth(edge, s, BELOW));
	if (periods != usage)
		return;
	v->trace_ns += ns;
	v->counter_ns += us * 1000;
	v->periods += periods;
}

/* What a row's time still differs by, in percent, with the tracepoints' share taken off. */
static double residual(const struct trace_analysis *a, size_t i, int s, double share_ns)
{
	double us = (double)growth(&a->edge[i], s, TIME_US),
	       periods = (double)a->cpu[i].between[s].periods;

	if (!known(&a->edge[i], s) || a->cpu[i].between[s].periods != growth(&a->edge[i], s, USAGE))
		return 0;
	return us >= 1000 ? fabs((double)a->cpu[i].between[s].ns - share_ns * periods - us * 1e3) /
				    us / 10
			  : 0;
}

/* Rows whose entries agree: one share for all of them, and what is left. */
static void print_times(const struct trace_analysis *a, const struct verdict *v, FILE *out)
{
	size_t rows = 0;
	double share = ((double)v->trace_ns - (double)v->counter_ns) / (double)v->periods, most = 0;

	for (size_t i = 0; i < a->info->cpus.n; i++)
		for (int s = 0; s < a->edge[i].states; s++) {
			rows += residual(a, i, s, share) > 0;
			most = fmax(most, residual(a, i, s, share));
		}
	fprintf(out,
		"  time of rows that agree: %+.4f %%, which is %+.0f ns a period, the tracepoints' share\n",
		((double)v->trace_ns / (double)v->counter_ns - 1) * 100, share);
	/* Of one row nothing is left by construction. */
	if (rows > 1)
		fprintf(out, "  without it no row differs by more than %.4f %%\n", most);
}

static void print_verdict(const struct trace_analysis *a, const struct verdict *v, FILE *out)
{
	bool misses = a->info->kinds & TRACE_HAS_MISSES;

	fprintf(out, "  %zu of %zu rows differ in entries", v->counts, v->rows);
	if (misses)
		fprintf(out, ", %zu in misses", v->misses);
	fputc('\n', out);
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
