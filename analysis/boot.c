/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The boot directories: host.ini and states.tsv. CPUs are grouped by equal state tables, because a
 * state's number means different things on different cores (P-29) and the error counters depend on
 * the disable mask (P-24).
 */
#include "analysis/load.h"
#include "lib/error.h"
#include "lib/tsv.h"
#include "store/format.h"
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct columns {
	int cpu, state, name, desc, latency, residency, disabled, default_status, polling;
};

static int find_columns(const struct tsv *tsv, struct columns *ret)
{
	const struct {
		const char *name;
		int *at;
	} want[] = {
		{ "cpu", &ret->cpu },
		{ "state", &ret->state },
		{ "name", &ret->name },
		{ "desc", &ret->desc },
		{ "latency_us", &ret->latency },
		{ "residency_us", &ret->residency },
		{ "disabled", &ret->disabled },
		{ "default_status", &ret->default_status },
		{ "polling", &ret->polling },
	};
	size_t i;

	for (i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		*want[i].at = tsv_column(tsv, want[i].name);
		if (*want[i].at < 0)
			return *want[i].at;
	}
	return 0;
}

static double number_or_nan(const struct tsv *tsv, size_t row, int column)
{
	double value;

	return tsv_double(tsv, row, column, &value) == 1 ? value : NAN;
}

/* -1 when the cell is anything but a whole number that fits. */
static int index_or_none(const struct tsv *tsv, size_t row, int column)
{
	uint64_t value;

	return tsv_u64(tsv, row, column, &value) == 1 && value <= INT_MAX ? (int)value : -1;
}

static struct idle_state read_state(struct pool *pool, const struct tsv *tsv, size_t row,
				    const struct columns *c)
{
	double disabled = number_or_nan(tsv, row, c->disabled);
	const char *polling = tsv_text(tsv, row, c->polling);
	struct idle_state s = {
		.index = index_or_none(tsv, row, c->state),
		.name = pool_copy(pool, tsv_text(tsv, row, c->name)),
		.desc = pool_copy(pool, tsv_text(tsv, row, c->desc)),
		.default_status = pool_copy(pool, tsv_text(tsv, row, c->default_status)),
		.latency_us = number_or_nan(tsv, row, c->latency),
		.residency_us = number_or_nan(tsv, row, c->residency),
		.disabled = disabled > 0,
		.polling = !strcmp(polling, "1") || !strcmp(polling, "yes"),
	};

	return s;
}

static bool same_number(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

static bool same_table(const struct state_table *a, const struct state_table *b)
{
	size_t i;

	if (a->states != b->states)
		return false;
	for (i = 0; i < a->states; i++) {
		const struct idle_state *x = &a->state[i], *y = &b->state[i];

		if (x->index != y->index || strcmp(x->name, y->name) ||
		    x->disabled != y->disabled || !same_number(x->latency_us, y->latency_us) ||
		    !same_number(x->residency_us, y->residency_us))
			return false;
	}
	return true;
}

/* Adds @one to the result's tables, or finds its equal there; returns its index. */
static int intern_table(struct result *r, const struct state_table *one)
{
	size_t i;

	for (i = 0; i < r->tables; i++)
		if (same_table(&r->table[i], one))
			return (int)i;
	r->table = pool_room(&r->pool, r->table, r->tables, sizeof(*r->table));
	r->table[r->tables] = *one;
	r->table[r->tables].first = r->states;
	r->states += one->states;
	return (int)r->tables++;
}

static int place_cpu(struct result *r, int boot, int cpu, const struct state_table *one)
{
	struct boot *b = &r->boot[boot];
	int table = intern_table(r, one);

	if (cpu < 0 || cpu > CPULIST_MAX_CPU)
		return error_set(-EBADMSG, "%s: states of CPU %d?", b->name, cpu);
	if (cpu >= b->cpus) {
		int *larger = pool_alloc(&r->pool, 2 * (size_t)cpu + 8, sizeof(*larger));
		int i;

		for (i = 0; i < 2 * cpu + 8; i++)
			larger[i] = i < b->cpus ? b->table_of_cpu[i] : -1;
		b->table_of_cpu = larger;
		b->cpus = 2 * cpu + 8;
	}
	b->table_of_cpu[cpu] = table;
	return r->table[table].boot == boot ? cpulist_add(&r->table[table].cpus, cpu) : 0;
}

/* Rows of one CPU stand together. */
static int read_states(struct result *r, int boot, const struct tsv *tsv)
{
	struct columns c;
	size_t row = 0;
	int err;

	err = find_columns(tsv, &c);
	while (!err && row < tsv->rows) {
		struct state_table one = { .boot = boot };
		const char *cpu = tsv_text(tsv, row, c.cpu);
		int number = index_or_none(tsv, row, c.cpu);

		for (; row < tsv->rows && !strcmp(cpu, tsv_text(tsv, row, c.cpu)); row++) {
			one.state = pool_room(&r->pool, one.state, one.states, sizeof(*one.state));
			one.state[one.states++] = read_state(&r->pool, tsv, row, &c);
		}
		err = place_cpu(r, boot, number, &one);
	}
	return err;
}

static const char *machine_of(const struct boot *b)
{
	static const char *const keys[] = { "machine", "model", "cpu", "cpu_model", "model_name" };
	const char *text;
	size_t i;

	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		text = ini_get(&b->host, "host", keys[i]);
		if (text && *text)
			return text;
	}
	return "";
}

static int read_files(struct result *r, struct boot *b)
{
	const char *dir =
		pool_text(&r->pool, "%s/" STORE_BOOTS "/%s", r->source[b->source].dir, b->name);
	const char *path = pool_text(&r->pool, "%s/" STORE_HOST, dir);
	struct tsv tsv;
	int err;

	err = ini_load(path, &b->host);
	if (!err && !b->host.n)
		err = error_set(-EBADMSG, "%s: nothing in it", path);
	if (err)
		return err;
	b->machine = machine_of(b);
	/* On a machine without cpuidle it has no rows: times and power can still be compared. */
	path = pool_text(&r->pool, "%s/" STORE_STATES, dir);
	err = tsv_load(path, &tsv);
	if (err)
		return err;
	err = read_states(r, (int)(b - r->boot), &tsv);
	tsv_free(&tsv);
	return err;
}

static void read_boot(struct result *r, size_t source, const char *name)
{
	const char *plus = strrchr(name, '+');
	struct boot *b;

	r->boot = pool_room(&r->pool, r->boot, r->boots, sizeof(*r->boot));
	b = &r->boot[r->boots++];
	*b = (struct boot){ .source = source, .name = pool_copy(&r->pool, name), .machine = "" };
	b->release = plus ? pool_text(&r->pool, "%.*s", (int)(plus - name), name) : b->name;
	if (read_files(r, b))
		b->damage = pool_copy(&r->pool, error_text());
}

static int visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

int load_boots(struct result *result, size_t source)
{
	char path[PATH_MAX];
	struct dirent **entry;
	int n, i;

	snprintf(path, sizeof(path), "%s/" STORE_BOOTS, result->source[source].dir);
	n = scandir(path, &entry, visible, alphasort);
	if (n < 0)
		return errno == ENOENT ? 0 : error_set(-errno, "%s: %m", path);
	for (i = 0; i < n; i++) {
		read_boot(result, source, entry[i]->d_name);
		free(entry[i]);
	}
	free(entry);
	return 0;
}
