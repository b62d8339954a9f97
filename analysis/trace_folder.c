/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The figures of a trace, and the data of each. */
#include "analysis/plot_folder.h"
#include "analysis/trace_print.h"
#include "analysis/trace_stack.h"
#include "analysis/trace_tasks.h"
#include "lib/tsv.h"
#include <inttypes.h>

/* A figure: its data, and what its script is told. */
struct drawing {
	const char *name, *script, *title, *y;
	unsigned int kinds; /* without one of these there is nothing to draw; 0 = always */
	void (*data)(const struct trace_analysis *a, FILE *out);
};

static const char *set_text(const struct trace_analysis *a, int set)
{
	return a->info->workload.n ? trace_set_name[set] : "all";
}

/* Eight rows an octave are enough for a curve. */
static void put_hist(const char *set, const char *key, const struct hist *h, FILE *out)
{
	uint64_t sum = 0, all = 0;

	for (unsigned int i = 0; i < HIST_BUCKETS; i++) {
		all += h->bucket[i];
		sum += h->bucket[i];
		if ((i + 1) % 8 || !sum)
			continue;
		tsv_put(out, set);
		fputc('\t', out);
		tsv_put(out, key);
		fprintf(out, "\t%.4g\t%" PRIu64 "\t%.5f\n", (double)hist_hi_ns(i) / 1e3, sum,
			100.0 * (double)all / (double)h->count);
		sum = 0;
	}
}

static void put_by_state(const struct trace_analysis *a, FILE *out)
{
	char name[32], key[80];

	fputs("panel\tgovernor\tus\tperiods\tpct\n", out);
	for (size_t t = 0; t <= a->info->tables; t++) {
		for (int set = 0; set < TRACE_SETS; set++) {
			const struct trace_sum *sum =
				&a->sum[(size_t)set * (a->info->tables + 1) + t];

			for (unsigned int s = 0; s < TRACE_STATES; s++) {
				if (!sum->by_state[s])
					continue;
				trace_state_name(trace_table_at(a->info, t), s, name, sizeof(name));
				snprintf(key, sizeof(key), t ? "%u:%s (table %zu)" : "%u:%s", s,
					 name, t);
				put_hist(set_text(a, set), key, &sum->by_state[s]->hist, out);
			}
		}
	}
}

static void put_by_cause(const struct trace_analysis *a, FILE *out)
{
	fputs("panel\tgovernor\tus\tperiods\tpct\n", out);
	for (int set = 0; set < TRACE_SETS; set++)
		for (int c = 0; c < TRACE_CAUSES; c++)
			if (a->by_cause[set][c])
				put_hist(set_text(a, set), trace_cause_name[c],
					 &a->by_cause[set][c]->hist, out);
}

static void put_tasks(const struct trace_analysis *a, FILE *out)
{
	fputs("panel\tgovernor\tus\tperiods\tpct\n", out);
	for (size_t i = 0; i < a->tasks->n && i < 8; i++)
		put_hist("woken to running", a->tasks->task[i]->name, &a->tasks->task[i]->latency,
			 out);
}

static void put_ideal(const struct trace_analysis *a, FILE *out)
{
	char name[32];

	fputs("set\tstate\tperiods\ttime_ns\tabove\tbelow\ttoo_deep\ttoo_shallow\tideal\n", out);
	for (size_t r = 0; r < TRACE_SETS * (a->info->tables + 1); r++) {
		for (unsigned int s = 0; s < TRACE_STATES; s++) {
			const struct trace_state_sum *state = &a->sum[r].state[s];

			if (!state->periods)
				continue;
			trace_state_name(trace_table_at(a->info, r % (a->info->tables + 1)), s,
					 name, sizeof(name));
			tsv_put(out, set_text(a, (int)(r / (a->info->tables + 1))));
			fprintf(out, "\t%u:", s);
			tsv_put(out, name);
			fprintf(out, "\t%" PRIu64 "\t%" PRIu64, state->periods, state->ns);
			if (a->info->kinds & TRACE_HAS_MISSES)
				fprintf(out, "\t%" PRIu64 "\t%" PRIu64, state->above, state->below);
			else
				fputs("\t\t", out);
			fprintf(out, "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n", state->too_deep,
				state->too_shallow,
				state->periods - state->too_deep - state->too_shallow);
		}
	}
}

static const struct drawing table[] = {
	{ "idle-durations", "trace-stack", "idle periods by duration", "% of the periods", 0,
	  trace_stack_bins },
	{ "idle-by-state", "trace-curves", "idle periods by state", "% of the periods in the state",
	  0, put_by_state },
	{ "idle-by-cause", "trace-curves", "idle periods by what ended them",
	  "% of the periods with the cause", TRACE_HAS_IRQS | TRACE_HAS_TIMERS, put_by_cause },
	{ "ideal-state", "trace-ideal", "too deep, right and too shallow, by duration",
	  "% of the periods in the state", 0, put_ideal },
	{ "ideal-chosen", "trace-stack", "the ideal state of the periods in each state",
	  "% of the periods in the state", 0, trace_stack_ideal },
	{ "ticks", "trace-stack", "tick and timers", "a CPU and second", TRACE_HAS_TIMERS,
	  trace_stack_ticks },
	{ "all-at-once", "trace-stack", "all CPUs at once", "% of the time", 0,
	  trace_stack_together },
	{ "task-latency", "trace-curves", "from woken to running, the tasks that wake most",
	  "% of the wakes of the task", TRACE_HAS_SCHED, put_tasks },
};
#define DRAWINGS (sizeof(table) / sizeof(table[0]))

/* What a drawing's data are made of. */
struct drawn {
	const struct trace_analysis *analysis;
	const struct drawing *drawing;
};

static void put_data(const void *context, FILE *out)
{
	const struct drawn *drawn = context;

	drawn->drawing->data(drawn->analysis, out);
}

static int add(const struct trace_analysis *a, const struct drawing *d, const char *dir)
{
	const struct drawn drawn = { a, d };
	char subtitle[256];
	const struct plot plot = { .name = d->name,
				   .script = d->script,
				   .title = d->title,
				   .subtitle = subtitle,
				   .y = d->y,
				   .watermark = "" };

	snprintf(subtitle, sizeof(subtitle), "kernel %s, governor %s",
		 a->info->kernel ? a->info->kernel : "not known",
		 a->info->governor ? a->info->governor : "not known");
	return plot_folder_add(dir, &plot, put_data, &drawn);
}

int trace_write_folder(const struct trace_analysis *a, const char *dir)
{
	const char *name[DRAWINGS];
	bool any = false;
	size_t n = 0;
	int err = plot_folder_make(dir);

	for (size_t i = 0; i < a->info->cpus.n; i++)
		any = any || a->cpu[i].periods;
	for (size_t i = 0; i < DRAWINGS && !err; i++) {
		if (table[i].kinds && !(table[i].kinds & a->info->kinds))
			continue;
		if (table[i].kinds == TRACE_HAS_SCHED ? !a->tasks->n : !any)
			continue;
		err = add(a, &table[i], dir);
		name[n++] = table[i].name;
	}
	return err ? err : plot_folder_draw(dir, name, n);
}
