/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One pass over the blocks. What is summed by CPU set and state table is allocated when the first
 * period comes.
 */
#include "analysis/trace.h"
#include "analysis/trace_tasks.h"
#include "analysis/trace_together.h"
#include "lib/error.h"
#include "trace/edge.h"
#include <errno.h>
#include <stdlib.h>

const uint64_t trace_bin_ns[TRACE_BINS] = { 5000,   10000,   25000,   50000,   100000,	  250000,
					    500000, 1000000, 2000000, 4000000, UINT64_MAX };

enum trace_set trace_set_of(const struct trace_info *info, int cpu)
{
	return !info->workload.n || cpulist_has(&info->workload, cpu) ? TRACE_WORKLOAD
								      : TRACE_OTHERS;
}

static int add_duration(struct trace_durations **d, uint64_t ns)
{
	unsigned int bin = 0;

	if (!*d)
		*d = calloc(1, sizeof(**d));
	if (!*d)
		return -ENOMEM;
	while (ns >= trace_bin_ns[bin] && bin < TRACE_BINS - 1)
		bin++;
	(*d)->bin[bin]++;
	hist_add(&(*d)->hist, ns);
	return 0;
}

/* What may be on either side is named. */
static bool is_between(struct trace_analysis *a, size_t i, const struct trace_period *p)
{
	enum edge_side side = edge_side(&a->edge[i], p->exit_ns);

	if (side != EDGE_READING)
		return side == EDGE_BETWEEN;
	a->cpu[i].between[p->state].reading++;
	if (a->names < TRACE_NAMED_MAX)
		a->named[a->names++] = (struct trace_named){ i, p->state, p->entry_ns, p->exit_ns };
	return false;
}

static void add_between(struct trace_analysis *a, size_t i, const struct trace_period *p)
{
	struct trace_cpu_sum *cpu = &a->cpu[i];
	uint64_t ns = p->exit_ns - p->entry_ns;

	cpu->periods++;
	cpu->ns += ns;
	cpu->cause[p->cause]++;
	cpu->losses += p->after_loss;
	if (a->edge && a->edge[i].states && !is_between(a, i, p))
		return;
	cpu->between[p->state].periods++;
	cpu->between[p->state].ns += ns;
	cpu->between[p->state].above += p->miss == TRACE_ABOVE;
	cpu->between[p->state].below += p->miss == TRACE_BELOW;
}

static int add_period(struct trace_analysis *a, size_t i, const struct trace_table *table,
		      struct trace_sum *sum, const struct trace_period *p)
{
	struct trace_state_sum *state = &sum->state[p->state];
	uint64_t ns = p->exit_ns - p->entry_ns;
	enum trace_miss miss;
	int ideal;

	add_between(a, i, p);
	state->periods++;
	state->ns += ns;
	state->above += p->miss == TRACE_ABOVE;
	state->below += p->miss == TRACE_BELOW;
	state->cause[p->cause]++;
	miss = trace_judge(table, p->state, ns, &ideal);
	state->too_deep += miss == TRACE_ABOVE;
	state->too_shallow += miss == TRACE_BELOW;
	if (ideal >= 0)
		state->ideal[ideal]++;
	return add_duration(&sum->by_state[p->state], ns);
}

static int add_periods(struct trace_analysis *a, const struct trace_item *item)
{
	int cpu = a->info->cpus.cpu[item->i], err = 0;
	enum trace_set set = trace_set_of(a->info, cpu);
	struct trace_sum *sum = &a->sum[set * (a->info->tables + 1) + a->table_of[item->i]];
	const struct trace_table *table = trace_table_of(a->info, cpu);

	for (size_t p = 0; p < item->n && !err; p++) {
		err = add_period(a, item->i, table, sum, &item->period[p]);
		if (!err)
			err = add_duration(&a->by_cause[set][item->period[p].cause],
					   item->period[p].exit_ns - item->period[p].entry_ns);
	}
	for (int c = 0; c < TRACE_COUNTS; c++)
		a->cpu[item->i].count[c] += item->count[c];
	if (item->n && item->period[item->n - 1].exit_ns > a->t_last_ns)
		a->t_last_ns = item->period[item->n - 1].exit_ns;
	return err ? err : trace_together_periods(a->together, item);
}

static int add_item(struct trace_analysis *a, const struct trace_item *item)
{
	int err = 0;

	switch (item->type) {
	case TRACE_PERIODS:
		return add_periods(a, item);
	case TRACE_WAKES:
		for (size_t w = 0; w < item->n && !err; w++)
			err = trace_tasks_add(a->tasks, &item->wake[w]);
		break;
	case TRACE_ROUND:
		trace_together_round(a->together, item->t_ns);
		if (item->t_ns > a->t_last_ns)
			a->t_last_ns = item->t_ns;
		break;
	case TRACE_DAMAGE:
		if (!a->damages++)
			a->first_damage = item->offset;
		a->damaged_bytes += item->bytes;
		break;
	default:
		break;
	}
	return err;
}

static int make(struct trace_analysis *a)
{
	size_t cpus = a->info->cpus.n, tables = a->info->tables;
	int err = trace_edges(a->reader, &a->edge);

	if (err)
		return err;
	a->table_of = calloc(cpus + 1, sizeof(*a->table_of));
	a->sum = calloc(TRACE_SETS * (tables + 1), sizeof(*a->sum));
	a->cpu = calloc(cpus + 1, sizeof(*a->cpu));
	a->tasks = calloc(1, sizeof(*a->tasks));
	if (!a->table_of || !a->sum || !a->cpu || !a->tasks ||
	    trace_together_make(a->info, &a->together))
		return error_no_memory();
	for (size_t i = 0; i < cpus; i++) {
		const struct trace_table *table = trace_table_of(a->info, a->info->cpus.cpu[i]);

		a->table_of[i] = table ? (size_t)(table - a->info->table) : tables;
	}
	a->t_last_ns = a->info->t0_ns;
	return 0;
}

int trace_analyse(const char *path, struct trace_analysis *ret)
{
	struct trace_analysis a = { 0 };
	struct trace_item item = { .type = TRACE_ROUND };
	int err = trace_open(path, &a.reader);

	if (err)
		return err;
	a.info = trace_info(a.reader);
	err = make(&a);
	while (!err && item.type != TRACE_END) {
		err = trace_next(a.reader, &item);
		if (!err && add_item(&a, &item))
			err = error_no_memory();
	}
	if (err) {
		trace_analysis_free(&a);
		return err;
	}
	trace_together_round(a.together, a.t_last_ns);
	trace_tasks_sort(a.tasks);
	for (size_t i = 0; i < a.info->cpus.n; i++)
		a.cpu[i].deaf = edge_is_deaf(a.edge ? &a.edge[i] : NULL,
					     edge_is_heard(a.cpu[i].periods, a.cpu[i].count));
	a.whole = trace_is_whole(a.reader);
	*ret = a;
	return 0;
}

size_t trace_deaf(const struct trace_analysis *a)
{
	size_t n = 0;

	for (size_t i = 0; i < a->info->cpus.n; i++)
		n += a->cpu[i].deaf;
	return n;
}

uint64_t trace_total(const struct trace_analysis *a, enum trace_count what)
{
	uint64_t total = 0;

	for (size_t i = 0; i < a->info->cpus.n; i++)
		total += a->cpu[i].count[what];
	return total;
}

void trace_analysis_free(struct trace_analysis *a)
{
	for (size_t s = 0; a->sum && s < TRACE_SETS * (a->info->tables + 1); s++)
		for (int state = 0; state < TRACE_STATES; state++)
			free(a->sum[s].by_state[state]);
	for (int set = 0; set < TRACE_SETS; set++)
		for (int c = 0; c < TRACE_CAUSES; c++)
			free(a->by_cause[set][c]);
	trace_together_free(a->together);
	trace_tasks_free(a->tasks);
	free(a->table_of);
	free(a->sum);
	free(a->cpu);
	free(a->edge);
	trace_close(a->reader);
}
