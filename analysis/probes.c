/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the runner reads beside the figures: stops of the tick (a metric) and the spin probe (a
 * doubt). Rates, not counts: the ticks are read over an interval of their own, around the window.
 */
#include "analysis/idle.h"
#include "analysis/load.h"
#include "lib/error.h"
#include "lib/tsv.h"
#include "store/format.h"
#include "store/record.h"
#include <limits.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define METRIC "tick_stops_per_entry"
/* Times and parts of the median that are a doubt; the median of fewer runs says nothing. */
#define SPIN_FACTOR 2
#define SPIN_RUNS_MIN 3

static bool counts(const struct loaded_run *run, int cpu)
{
	return !run->info.cpus.n || cpulist_has(&run->info.cpus, cpu);
}

/* Entries a second into all states, over the CPUs that count. */
static double entries_per_s(const struct result *r, const struct loaded_run *run)
{
	int set = run->info.cpus.n ? SET_WORKLOAD : SET_ALL;
	double sum = 0;

	if (!run->idle)
		return NAN;
	for (size_t s = 0; s < r->states; s++) {
		const struct idle_sum *idle = &run->idle[(size_t)set * r->states + s];

		if (idle->readings)
			sum += idle->per_s;
	}
	return sum;
}

/* 1 = summed, 0 = a CPU's counts are not available. */
static int stops_per_s(const struct tsv *tsv, const struct loaded_run *run, double *ret)
{
	int cpu = tsv_column(tsv, "cpu"), t0 = tsv_column(tsv, "t0_ns");
	int t1 = tsv_column(tsv, "t1_ns"), first = tsv_column(tsv, "idle_sleeps0");
	int last = tsv_column(tsv, "idle_sleeps1");
	double sum = 0;

	if (cpu < 0 || t0 < 0 || t1 < 0 || first < 0 || last < 0)
		return -EBADMSG;
	for (size_t row = 0; row < tsv->rows; row++) {
		uint64_t number, begin, end, sleeps0, sleeps1;
		int got = tsv_u64(tsv, row, cpu, &number);

		if (got != 1 || number > INT_MAX)
			return got < 0 ? got : error_set(-EBADMSG, "%s: no CPU", tsv->path);
		if (!counts(run, (int)number))
			continue;
		got = tsv_u64(tsv, row, t0, &begin);
		got = got == 1 ? tsv_u64(tsv, row, t1, &end) : got;
		got = got == 1 ? tsv_u64(tsv, row, first, &sleeps0) : got;
		got = got == 1 ? tsv_u64(tsv, row, last, &sleeps1) : got;
		if (got != 1)
			return got;
		if (end <= begin || sleeps1 < sleeps0)
			return 0;
		sum += (double)(sleeps1 - sleeps0) / ((double)(end - begin) / 1e9);
	}
	*ret = sum;
	return 1;
}

static void add_metric(struct result *r, struct loaded_run *run, double value)
{
	struct metric_value *metric = pool_alloc(&r->pool, run->metrics + 1, sizeof(*metric));

	if (run->metrics)
		memcpy(metric, run->metric, run->metrics * sizeof(*metric));
	run->metric = metric;
	run->metric[run->metrics++] = (struct metric_value){ METRIC, "", "none", value };
}

/* A runner that could not read them has said so: NA. An older one knew nothing of them. */
static bool is_missing(const struct result *r, const struct loaded_run *run)
{
	const char *text = ini_get(&r->boot[run->boot].host, "host", "tick_stops");

	return text && !strncmp(text, "none", 4);
}

int load_ticks(struct result *r, const char *dir, struct loaded_run *run)
{
	char path[PATH_MAX];
	double stops = NAN, entries;
	struct tsv tsv;
	int got;

	snprintf(path, sizeof(path), "%s/" STORE_TICKS, dir);
	if (access(path, F_OK)) {
		if (is_missing(r, run))
			add_metric(r, run, NAN);
		return 0;
	}
	got = tsv_load(path, &tsv);
	if (got)
		return got;
	got = stops_per_s(&tsv, run, &stops);
	tsv_free(&tsv);
	if (got < 0)
		return got;
	entries = entries_per_s(r, run);
	add_metric(r, run, got && entries > 0 ? stops / entries : NAN);
	return 0;
}

/* Its probe, when it is one that can be compared: NAN else. */
static double spin_of(const struct loaded_run *run)
{
	char *end;
	double us;

	if (run->info.state != STORE_COMPLETE || !run->info.spin_us || run->info.cpus.n < 2)
		return NAN;
	us = strtod(run->info.spin_us, &end);
	return *end || !(us > 0) ? NAN : us;
}

struct probe {
	struct loaded_run *run;
	double us;
};

/* The same two CPUs of one boot: other pairs are other distances. */
static int compare_pairs(const struct loaded_run *a, const struct loaded_run *b)
{
	const int *x = a->info.cpus.cpu, *y = b->info.cpus.cpu;

	if (a->boot != b->boot)
		return a->boot < b->boot ? -1 : 1;
	if (x[0] != y[0])
		return x[0] < y[0] ? -1 : 1;
	return (x[1] > y[1]) - (x[1] < y[1]);
}

static int compare_probes(const void *left, const void *right)
{
	const struct probe *a = left, *b = right;
	int by = compare_pairs(a->run, b->run);

	return by ? by : (a->us > b->us) - (a->us < b->us);
}

/* @n probes of one pair, in order of their us. */
static void judge_pair(struct result *r, const struct probe *probe, size_t n)
{
	double median = (probe[(n - 1) / 2].us + probe[n / 2].us) / 2;
	size_t i;

	if (n < SPIN_RUNS_MIN)
		return;
	for (i = 0; i < n; i++)
		if (probe[i].us > SPIN_FACTOR * median || probe[i].us < median / SPIN_FACTOR)
			load_note(r, probe[i].run,
				  "the spin probe before it differs more than 2 times from the "
				  "median of its CPUs: a hypervisor may have moved them");
}

void load_spin(struct result *r)
{
	struct pool scratch = { 0 };
	struct probe *probe = pool_alloc(&scratch, r->runs + 1, sizeof(*probe));
	size_t n = 0, i, first = 0;

	for (i = 0; i < r->runs; i++) {
		double us = spin_of(&r->run[i]);

		if (!isnan(us))
			probe[n++] = (struct probe){ &r->run[i], us };
	}
	qsort(probe, n, sizeof(*probe), compare_probes);
	for (i = 1; i <= n; i++) {
		if (i < n && !compare_pairs(probe[first].run, probe[i].run))
			continue;
		judge_pair(r, probe + first, i - first);
		first = i;
	}
	pool_free(&scratch);
}
