/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is not known is an empty cell.
 */
#include "trace/text.h"
#include "lib/error.h"
#include "trace/edge.h"
#include "trace/info.h"
#include "trace/read.h"
#include <inttypes.h>
#include <stdlib.h>

static const char *const count_name[TRACE_COUNTS] = {
	"events lost",		"tick stops",
	"tick stops refused",	"hrtimers started",
	"timers started",	"exits without entry",
	"entries without exit", "periods that end too early",
};

static void print_head(const struct trace_info *info, FILE *out)
{
	char *text = NULL, *line;
	size_t size;
	FILE *memory = open_memstream(&text, &size);

	if (!memory)
		return;
	info_write(info, info->format, memory);
	if (!fclose(memory))
		for (line = text; *line;) {
			int n = 0;

			while (line[n] && line[n] != '\n')
				n++;
			fprintf(out, "# %.*s\n", n, line);
			line += line[n] ? n + 1 : n;
		}
	free(text);
	fputs("cpu\tentry_ns\texit_ns\tstate\tname\tcause\tnext_ns\tnext_is_tick\ttick_stopped\t"
	      "miss\ttimer_ns\ttimer_is_wheel\twas_stopped\tran\n",
	      out);
}

static void print_period(const struct trace_info *info, int cpu, const struct trace_table *table,
			 const struct trace_period *p, FILE *out)
{
	bool timers = info->kinds & TRACE_HAS_TIMERS;

	if (p->after_loss)
		fprintf(out, "# cpu%d: events are lost here\n", cpu);
	fprintf(out, "%d\t%" PRIu64 "\t%" PRIu64 "\t", cpu, p->entry_ns, p->exit_ns);
	if (p->state < TRACE_STATES_MAX)
		fprintf(out, "%u\t%s\t", p->state,
			table && p->state < table->states ? table->state[p->state].name : "");
	else
		fputs("\t\t", out);
	fprintf(out, "%s\t", p->cause == TRACE_UNKNOWN ? "" : trace_cause_name[p->cause]);
	if (p->next_known)
		fprintf(out, "%" PRIu64 "\t%s\t", p->next_ns, p->next_is_tick ? "yes" : "no");
	else
		fputs("\t\t", out);
	fprintf(out, "%s\t", !timers ? "" : p->tick_stopped ? "yes" : "no");
	fprintf(out, "%s\t",
		!(info->kinds & TRACE_HAS_MISSES) ? ""
		: p->miss == TRACE_FIT		  ? "no"
						  : trace_miss_name[p->miss]);
	if (p->timer_known)
		fprintf(out, "%" PRIu64 "\t%s\t", p->timer_ns, p->timer_is_wheel ? "yes" : "no");
	else
		fputs("\t\t", out);
	/* Format 1 does not have these. */
	fprintf(out, "%s\t", !timers || info->format == 1 ? "" : p->was_stopped ? "yes" : "no");
	fprintf(out, "%s\n",
		!(info->kinds & TRACE_HAS_SCHED) || info->format == 1 ? ""
		: p->ran					      ? "yes"
								      : "no");
}

static void print_periods(const struct trace_info *info, const struct trace_item *item, FILE *out)
{
	int cpu = info->cpus.cpu[item->i];
	const struct trace_table *table = trace_table_of(info, cpu);

	for (size_t p = 0; p < item->n; p++)
		print_period(info, cpu, table, &item->period[p], out);
	for (int c = 0; c < TRACE_COUNTS; c++)
		if (item->count[c])
			fprintf(out, "# cpu%d: %" PRIu64 " %s\n", cpu, item->count[c],
				count_name[c]);
}

static void print_wake(const struct trace_wake *wake, FILE *out)
{
	fprintf(out, "# %" PRIu64 ": %" PRIu32 " %s woken", wake->t_ns, wake->pid, wake->name);
	if (wake->waker >= 0)
		fprintf(out, " by cpu%d", wake->waker);
	fprintf(out, ", ran on cpu%u after %" PRIu64 " ns\n", wake->cpu, wake->latency_ns);
}

static void print_edge(const struct trace_info *info, const struct trace_item *item, bool heard,
		       FILE *out)
{
	if (edge_is_deaf(&item->edge, heard))
		fprintf(out,
			"# cpu%d: no idle events came of it, and its counters grew by %" PRIu64
			" entries\n",
			info->cpus.cpu[item->i], edge_entries(&item->edge));
}

static void print_item(const struct trace_info *info, const struct trace_item *item, bool *heard,
		       FILE *out)
{
	switch (item->type) {
	case TRACE_PERIODS:
		print_periods(info, item, out);
		heard[item->i] = heard[item->i] || edge_is_heard(item->n, item->count);
		break;
	case TRACE_EDGE:
		print_edge(info, item, heard[item->i], out);
		break;
	case TRACE_WAKES:
		for (size_t w = 0; w < item->n; w++)
			print_wake(&item->wake[w], out);
		break;
	case TRACE_DAMAGE:
		fprintf(out,
			"# damaged: %" PRIu64 " bytes from offset %" PRIu64 " on are no block\n",
			item->bytes, item->offset);
		break;
	default:
		break;
	}
}

int trace_print(const char *path, FILE *out, size_t *ret_damaged)
{
	struct trace_reader *reader;
	struct trace_item item;
	size_t damaged = 0;
	bool *heard;
	int err = trace_open(path, &reader);

	if (err)
		return err;
	heard = calloc(trace_info(reader)->cpus.n + 1, sizeof(*heard));
	if (!heard) {
		trace_close(reader);
		return error_no_memory();
	}
	print_head(trace_info(reader), out);
	do {
		err = trace_next(reader, &item);
		if (!err)
			print_item(trace_info(reader), &item, heard, out);
		damaged += !err && item.type == TRACE_DAMAGE;
	} while (!err && item.type != TRACE_END && !ferror(out));
	if (!err && !trace_is_whole(reader))
		fputs("# the trace has no end: its writer was stopped\n", out);
	if (!err)
		*ret_damaged = damaged;
	free(heard);
	trace_close(reader);
	return err;
}
