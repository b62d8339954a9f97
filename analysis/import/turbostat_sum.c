/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sums over blocks. An interval is as long as the CPU's own stamps are apart, so the first block,
 * whose begin is not in the log, counts for the means of the system row only.
 */
#include "analysis/import/turbostat.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void forget_stamps(struct turbostat *t)
{
	for (size_t i = 0; i < t->sums; i++)
		t->sum[i].seen = false;
}

void turbostat_reset(struct turbostat *t)
{
	t->blocks = t->cpus = t->rows = 0;
	t->open = t->broken = false;
	t->t0_ns = t->t1_ns = 0;
	memset(t->total, 0, sizeof(t->total));
	if (t->sums)
		memset(t->sum, 0, t->sums * sizeof(*t->sum));
}

void turbostat_add(struct turbostat *t, const struct turbostat_row *row)
{
	if (t->rows == t->rooms) {
		t->rooms = t->rooms ? 2 * t->rooms : 16;
		t->row = reallocarray(t->row, t->rooms, sizeof(*t->row));
		if (!t->row)
			abort();
	}
	/* A log of that many rows without a system row between them is none. */
	if (t->rows >= TURBOSTAT_CPUS)
		turbostat_break(t, t->begin, "a block of too many rows");
	else
		t->row[t->rows++] = *row;
}

void turbostat_break(struct turbostat *t, size_t line, const char *why)
{
	if (!t->broken)
		import_fault(t->source, line, "%s: this block is left out", why);
	t->broken = true;
	t->open = true;
}

static struct turbostat_sum *sum_of(struct turbostat *t, int cpu)
{
	size_t n = t->sums;

	if ((size_t)cpu >= n) {
		t->sums = 2 * (size_t)cpu + 16;
		t->sum = reallocarray(t->sum, t->sums, sizeof(*t->sum));
		if (!t->sum)
			abort();
		memset(t->sum + n, 0, (t->sums - n) * sizeof(*t->sum));
	}
	return &t->sum[cpu];
}

/* Rows of one CPU twice, another number of CPUs, time that went back: why the block is unfit. */
static const char *why_not(struct turbostat *t)
{
	if (t->time >= 0 && t->blocks && t->t_ns <= t->t1_ns)
		return "time went back";
	for (size_t i = 0; i < t->rows; i++) {
		const struct turbostat_sum *sum = sum_of(t, t->row[i].cpu);

		if (t->time >= 0 && sum->seen && t->row[i].t_ns <= sum->t_ns)
			return "a CPU's time went back, or it comes twice";
	}
	if (t->blocks && t->rows < t->cpus)
		return "fewer CPUs than before";
	return NULL;
}

static void add_row(struct turbostat *t, const struct turbostat_row *row)
{
	struct turbostat_sum *sum = sum_of(t, row->cpu);
	uint64_t length = sum->seen && t->time >= 0 ? row->t_ns - sum->t_ns : 0;

	/* Without times every interval counts, but shares cannot become times. */
	if (length || t->time < 0) {
		for (size_t i = 0; i < t->states; i++) {
			for (size_t j = 0; j < TURBOSTAT_COUNTS; j++)
				sum->count[i][j] += row->count[i][j];
			sum->time_us[i] += row->share[i] / 100 * (double)length / 1000;
		}
	}
	if (!sum->known)
		sum->t0_ns = row->t_ns;
	sum->known = true;
	sum->window_ns += length;
	sum->t_ns = row->t_ns;
	sum->seen = true;
}

static void use_block(struct turbostat *t)
{
	if (t->blocks && t->rows > t->cpus) {
		import_fault(t->source, t->begin,
			     "more CPUs than before: the %zu blocks before are left out",
			     t->blocks);
		turbostat_reset(t);
	}
	t->cpus = t->rows;
	for (size_t i = 0; i < t->rows; i++)
		add_row(t, &t->row[i]);
	for (size_t i = 0; i < t->columns; i++)
		t->total[i] += t->system[i];
	if (!t->blocks++)
		t->t0_ns = t->t_ns;
	t->t1_ns = t->t_ns;
}

void turbostat_end_block(struct turbostat *t)
{
	const char *why = t->open && !t->broken ? why_not(t) : NULL;

	if (why)
		turbostat_break(t, t->begin, why);
	if (t->open && t->broken)
		forget_stamps(t);
	else if (t->open)
		use_block(t);
	t->open = t->broken = false;
	t->rows = 0;
}

static const char *unit_of(const char *name)
{
	if (strchr(name, '%'))
		return "%";
	if (strstr(name, "MHz"))
		return "MHz";
	if (strstr(name, "Watt"))
		return "W";
	return strstr(name, "Tmp") ? "C" : "";
}

/* Part of a table of its own, or no measure at all. */
static bool is_told_elsewhere(const struct turbostat *t, size_t column)
{
	static const char *const places[] = { "Package", "Die",	   "Node", "Core",   "CPU",
					      "APIC",	 "X2APIC", "usec", "TSC_MHz" };
	int c = (int)column;

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		if (!strcmp(t->name[column], places[i]))
			return true;
	for (size_t i = 0; t->cpu >= 0 && i < t->states; i++)
		if (c == t->state[i].usage || c == t->state[i].share || c == t->state[i].above ||
		    c == t->state[i].below)
			return true;
	return c == t->time;
}

/* Package and memory power have the names that the report knows; 0 W is a counter that is dead. */
static void add_metrics(struct turbostat *t, struct import_run *run)
{
	struct pool *pool = t->source->pool;

	for (size_t i = 0; i < t->columns; i++) {
		double mean = t->total[i] / (double)t->blocks;
		const char *name = t->name[i], *unit = unit_of(name);
		bool package = !strcmp(name, "PkgWatt");

		if (is_told_elsewhere(t, i) || (*unit == 'W' && !(mean > 0)))
			continue;
		name = package ? "package_w" : !strcmp(name, "RAMWatt") ? "dram_w" : name;
		import_metric_add(pool, run, name, unit, *unit == 'W' ? "lower" : "none", mean);
	}
}

static void add_idle(struct turbostat *t, struct import_run *run, int cpu)
{
	const struct turbostat_sum *sum = &t->sum[cpu];

	for (size_t i = 0; i < t->states; i++) {
		const struct turbostat_state *s = &t->state[i];
		const uint64_t *count = sum->count[i];

		import_put(t->source, 0, cpu, (int)i, "name", t->name[s->usage]);
		import_idle_add(
			t->source->pool, run,
			&(struct import_idle){
				.cpu = cpu,
				.state = (int)i,
				.t0_ns = sum->window_ns ? sum->t0_ns : 0,
				.t1_ns = sum->window_ns ? sum->t0_ns + sum->window_ns : 0,
				.last = { count[TURBOSTAT_USAGE],
					  (uint64_t)llround(sum->time_us[i]),
					  count[TURBOSTAT_ABOVE], count[TURBOSTAT_BELOW] },
				.have = { true, sum->window_ns > 0, s->above >= 0, s->below >= 0 },
			});
	}
}

void turbostat_finish(struct turbostat *t)
{
	struct import_run *run;

	if (!t->blocks)
		return;
	run = import_run_add(t->source, 0);
	run->section = "turbostat";
	run->t0_ns = t->t0_ns;
	run->t1_ns = t->t1_ns;
	add_metrics(t, run);
	/* With times, one block alone has no interval of known length. */
	if (t->states && t->cpus && (t->time < 0 || t->blocks > 1)) {
		for (size_t i = 0; i < t->sums; i++)
			if (t->sum[i].known)
				add_idle(t, run, (int)i);
		import_doubt(t->source,
			     "residency: from percentages that turbostat rounds to 0.01; the "
			     "idle counters are without the first interval, whose length the log "
			     "does not tell");
	}
	if (!run->metrics)
		import_idle_metrics(t->source->pool, run);
	import_check(t->source);
}
