/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * States by group of CPUs with one state table: entries, too deep, too shallow, and the share of
 * the time that was spent idle. There are two honest means of that share and they differ: of all
 * CPUs' time together (pooled), and of each CPU's percentage. Both are printed under their name.
 */
#include "analysis/import/result.h"
#include "lib/cpulist.h"
#include "lib/tsv.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct share {
	const struct import_reading *reading; /* whose name and table it has; NULL = none */
	const char *name;
	double count[IMPORT_COUNTERS]; /* sums; NAN = not available */
	double mean_sum; /* of the CPUs' percentages */
	size_t means, rows;
};

/* CPUs with equal tables; or all CPUs, states by number. */
struct group {
	struct cpulist cpus;
	struct share share[IMPORT_STATES_MAX];
	const struct import_reading *table; /* of the first CPU; NULL for all CPUs */
	size_t states;
};

static size_t states_of(const struct import_source *s, size_t at)
{
	size_t n = 1;

	while (at + n < s->readings && s->reading[at + n].cpu == s->reading[at].cpu)
		n++;
	return n;
}

static bool same(const struct import_reading *a, const struct import_reading *b)
{
	bool names = a->name && b->name ? !strcmp(a->name, b->name) : a->name == b->name;

	for (size_t i = IMPORT_LATENCY; i <= IMPORT_DISABLE; i++)
		names &= a->have[i] == b->have[i] && a->value[i] == b->value[i];
	return names && a->state == b->state;
}

static struct group *group_of(struct pool *pool, struct group **group, size_t *n,
			      const struct import_reading *table, size_t states)
{
	struct group *g;

	for (size_t i = 0; i < *n; i++) {
		size_t j = 0;

		g = &(*group)[i];
		while (j < states && g->states == states && same(&g->table[j], &table[j]))
			j++;
		if (j == states)
			return g;
	}
	*group = pool_room(pool, *group, *n, sizeof(**group));
	g = &(*group)[(*n)++];
	*g = (struct group){ .table = table, .states = states };
	return g;
}

/* @name joined to what the states of that number are called on other CPUs. */
static const char *join(struct pool *pool, const char *have, const char *name)
{
	if (!have || !name)
		return name ? name : have;
	for (const char *at = strstr(have, name); at; at = strstr(at + 1, name))
		if ((at == have || at[-1] == '/') && strchr("/", at[strlen(name)]))
			return have;
	return strlen(have) > 100 ? have : pool_text(pool, "%s/%s", have, name);
}

static double delta(const struct import_idle *idle, size_t i)
{
	return idle->have[i] ? (double)(idle->last[i] - idle->first[i]) : NAN;
}

/* One CPU's rows, @n of them, into the group; @table has its @states. */
static void add_cpu(struct pool *pool, struct group *g, const struct import_reading *table,
		    size_t states, const struct import_idle *idle, size_t n)
{
	double total = 0;

	if (cpulist_add(&g->cpus, table->cpu))
		abort();
	for (size_t i = 0; i < n; i++)
		total += delta(&idle[i], IMPORT_TIME - IMPORT_USAGE);
	for (size_t i = 0, at = 0; i < states; i++) {
		struct share *s = &g->share[i];

		s->reading = g->table ? &g->table[i] : NULL;
		s->name = join(pool, s->name, table[i].name);
		if (at == n || idle[at].state != table[i].state)
			continue; /* left out */
		for (size_t j = 0; j < IMPORT_COUNTERS; j++)
			s->count[j] += delta(&idle[at], j);
		s->rows++;
		if (total > 0) {
			s->mean_sum += delta(&idle[at], IMPORT_TIME - IMPORT_USAGE) / total * 100;
			s->means++;
		}
		at++;
	}
	if (g->states < states)
		g->states = states;
}

/* All CPUs as well when there are several tables. */
static size_t make_groups(struct pool *pool, const struct import_counts *c, struct group **ret)
{
	const struct import_source *s = c->source;
	struct group *group = NULL, *all;
	size_t n = 0, at = 0, row = 0;
	struct group every = { 0 };

	while (at < s->readings) {
		const struct import_reading *table = &s->reading[at];
		size_t states = states_of(s, at), rows = 0;

		while (row < c->idles && c->idle[row].cpu < table->cpu)
			row++;
		while (row + rows < c->idles && c->idle[row + rows].cpu == table->cpu)
			rows++;
		if (rows) {
			add_cpu(pool, group_of(pool, &group, &n, table, states), table, states,
				&c->idle[row], rows);
			add_cpu(pool, &every, table, states, &c->idle[row], rows);
		}
		row += rows;
		at += states;
	}
	if (n > 1) {
		group = pool_room(pool, group, n, sizeof(*group));
		all = &group[n++];
		*all = every;
	} else {
		cpulist_free(&every.cpus);
	}
	*ret = group;
	return n;
}

static double percent(const struct share *s, size_t counter)
{
	return s->count[0] > 0 ? s->count[counter] / s->count[0] * 100 : NAN;
}

static double pooled(const struct group *g, const struct share *s)
{
	double total = 0;

	for (size_t i = 0; i < g->states; i++)
		total += g->share[i].count[IMPORT_TIME - IMPORT_USAGE];
	return total > 0 ? s->count[IMPORT_TIME - IMPORT_USAGE] / total * 100 : NAN;
}

static double mean(const struct share *s)
{
	return s->means ? s->mean_sum / (double)s->means : NAN;
}

static void put_number(FILE *out, double value, int decimals, int width, const char *none)
{
	if (isnan(value))
		fprintf(out, " %*s", width, none);
	else
		fprintf(out, " %*.*f", width, decimals, value);
}

static void put_table(FILE *out, const struct import_reading *r)
{
	for (size_t i = IMPORT_LATENCY; i <= IMPORT_RESIDENCY; i++)
		if (r && r->have[i])
			fprintf(out, " %8llu", (unsigned long long)r->value[i]);
		else
			fprintf(out, " %8s", "-");
}

static void print_group(const struct group *g, FILE *out)
{
	for (size_t i = 0; i < g->states; i++) {
		const struct share *s = &g->share[i];

		fprintf(out, "  %-12.12s", s->name ? s->name : "-");
		put_table(out, s->reading);
		put_number(out, s->rows ? s->count[0] : NAN, 0, 13, "-");
		put_number(out, percent(s, IMPORT_ABOVE - IMPORT_USAGE), 2, 7, "-");
		put_number(out, percent(s, IMPORT_BELOW - IMPORT_USAGE), 2, 7, "-");
		put_number(out, pooled(g, s), 2, 7, "-");
		put_number(out, mean(s), 2, 7, "-");
		fputc('\n', out);
	}
}

void import_shares_print(const struct import_result *result, FILE *out)
{
	for (size_t i = 0; i < result->counted; i++) {
		const struct import_counts *c = &result->counts[i];
		struct group *group;
		size_t n = make_groups(result->pool, c, &group);

		for (size_t j = 0; j < n; j++) {
			char *cpus = cpulist_format(&group[j].cpus);

			fprintf(out, "\n%s, CPUs %s%s%s\n", c->label, cpus ? cpus : "?",
				group[j].table ? "" : ", states by number",
				c->cumulative ? ", counters since boot" : "");
			fprintf(out, "  %-12s %8s %8s %13s %7s %7s %15s\n", "", "latency", "target",
				"", "too", "too", "% of idle time");
			fprintf(out, "  %-12s %8s %8s %13s %7s %7s %7s %7s\n", "state", "us", "us",
				"entries", "deep %", "shal. %", "pooled", "mean");
			print_group(&group[j], out);
			free(cpus);
			cpulist_free(&group[j].cpus);
		}
	}
}

static void write_group(const struct import_counts *c, const struct group *g, FILE *out)
{
	char *cpus = cpulist_format(&g->cpus);

	for (size_t i = 0; i < g->states; i++) {
		const struct share *s = &g->share[i];
		const double number[] = { s->count[0],	 s->count[2],	s->count[3],  s->count[4],
					  percent(s, 2), percent(s, 3), pooled(g, s), mean(s) };

		tsv_put(out, c->label);
		fprintf(out, "\t%s\t%s\t%zu\t%zu\t", c->cumulative ? "since boot" : "difference",
			cpus ? cpus : "", g->cpus.n, i);
		tsv_put(out, s->name);
		for (size_t j = 0; j < sizeof(number) / sizeof(number[0]); j++) {
			fputc('\t', out);
			if (s->rows && !isnan(number[j]))
				fprintf(out, "%.*f", j < 4 ? 0 : 4, number[j]);
		}
		fputc('\n', out);
	}
	free(cpus);
}

void import_shares_write(const struct import_result *result, FILE *out)
{
	fputs("label\tcounters\tcpus\tcpu_count\tposition\tname\tentries\tabove\tbelow\trejected\t"
	      "too_deep_pct\ttoo_shallow_pct\tidle_share_pooled_pct\tidle_share_mean_pct\n",
	      out);
	for (size_t i = 0; i < result->counted; i++) {
		struct group *group;
		size_t n = make_groups(result->pool, &result->counts[i], &group);

		for (size_t j = 0; j < n; j++) {
			write_group(&result->counts[i], &group[j], out);
			cpulist_free(&group[j].cpus);
		}
	}
}
