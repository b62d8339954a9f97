/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A machine as text that machine_load() reads back to the same one: each constant, those that its
 * file does not name included. */
#include "analysis/simulate.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct text {
	FILE *out;
	const char *before; /* "C1." in the flat form, else "" */
};

static void put(void *arg, const char *key, const char *value)
{
	const struct text *t = arg;

	fprintf(t->out, "%s%s = %s\n", t->before, key, value);
}

static void put_time(const struct text *t, const char *key, int64_t ns)
{
	fprintf(t->out, "%s%s = %" PRId64 "ns\n", t->before, key, ns);
}

static void put_number(const struct text *t, const char *key, double value)
{
	fprintf(t->out, "%s%s = %.12g\n", t->before, key, value);
}

static void put_machine(const struct text *t, const struct machine *m)
{
	put_number(t, "hz", (double)((1000000000 + m->table.tick_ns / 2) / m->table.tick_ns));
	put_number(t, "capacity", m->table.capacity);
	if (m->limit_ns != GOVERNOR_NO_LIMIT_NS)
		put_time(t, "latency_limit", m->limit_ns);
	model_machine_each(&m->model, put, (void *)t);
}

static void put_state(const struct text *t, const struct machine *m, int i)
{
	const struct governor_table *table = &m->table;

	put_time(t, "latency", table->latency_ns[i]);
	put_time(t, "residency", table->residency_ns[i]);
	if (table->polling >> i & 1)
		fprintf(t->out, "%spolling = yes\n", t->before);
	if (m->disabled >> i & 1)
		fprintf(t->out, "%sdisabled = yes\n", t->before);
	put_time(t, "exit", m->model.exit_ns[i]);
	put_time(t, "entry", m->model.entry_ns[i]);
	if (m->model.deep >> i & 1)
		fprintf(t->out, "%sdeep = yes\n", t->before);
	if (!m->has_energy)
		return;
	put_number(t, "power_w", table->power_w[i]);
	put_number(t, "transition_uj", table->transition_uj[i]);
}

char *simulate_constants(const struct machine *machine, const char *prefix)
{
	char *text = NULL, before[MACHINE_NAME_MAX + 1];
	size_t size;
	struct text t = { .out = open_memstream(&text, &size), .before = "" };

	if (!t.out)
		return NULL;
	fprintf(t.out, "%s[%s]\n%s = %s\n", prefix ? "\n" : "", prefix ? prefix : "machine",
		prefix ? "machine" : "about", machine->name);
	put_machine(&t, machine);
	for (int i = 0; i < machine->table.states; i++) {
		if (prefix)
			snprintf(before, sizeof(before), "%s.", machine->state[i]);
		else
			fprintf(t.out, "\n[state %s]\n", machine->state[i]);
		t.before = prefix ? before : "";
		put_state(&t, machine, i);
	}
	return fclose(t.out) ? NULL : text;
}
