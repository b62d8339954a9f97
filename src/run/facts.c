/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The list of facts, and what several of them rest on. The facts are in facts_*.c.
 */
#include "run/facts.h"
#include "hw/host.h"
#include "lib/error.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ONLINE "sys/devices/system/cpu/online"

const char *const facts_verdict_name[FACTS_VERDICTS] = { "ok", "missing", "doubt", "unfit" };

int facts_add(struct facts *f, const char *key, const char *title, enum facts_verdict verdict,
	      const char *action, const char *format, ...)
{
	struct fact *grown = reallocarray(f->fact, f->n + 1, sizeof(*grown)), *fact;
	va_list list;
	int n;

	if (!grown)
		return error_no_memory();
	f->fact = grown;
	fact = &grown[f->n];
	*fact = (struct fact){ .title = title, .verdict = verdict };
	va_start(list, format);
	n = vasprintf(&fact->value, format, list);
	va_end(list);
	if (n < 0)
		return error_no_memory();
	fact->key = strdup(key);
	if (action && *action)
		fact->action = strdup(action);
	if (!fact->key || (action && *action && !fact->action)) {
		free(fact->value);
		free(fact->key);
		free(fact->action);
		return error_no_memory();
	}
	f->n++;
	return 0;
}

static int read_host(struct facts *f)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	int err;

	if (!out)
		return error_no_memory();
	err = host_write(f->root, out);
	if (fclose(out) && !err)
		err = error_no_memory();
	if (!err)
		err = ini_load_text("host.ini", text, size, &f->host);
	free(text);
	return err;
}

/* A dump without topology folders still has its list of CPUs. */
static int read_cpus(struct facts *f)
{
	char text[4096];

	if (topology_load(f->root, &f->topology))
		f->topology = NULL;
	else if (!topology_cpus(f->topology, &f->cpus))
		return 0;
	if (root_read(f->root, ONLINE, text, sizeof(text)) < 0 || cpulist_parse(text, &f->cpus))
		f->cpus = (struct cpulist){ 0 };
	return 0;
}

static int read_idle(struct facts *f)
{
	int err = f->cpus.n ? cpuidle_open(f->root, &f->cpus, &f->idle)
			    : error_set(-ENODEV, "the list of online CPUs cannot be read");

	if (!err)
		return cpuidle_groups(f->idle, &f->group, &f->groups);
	f->idle = NULL;
	f->no_idle = strdup(error_text());
	return err == -ENOMEM || !f->no_idle ? error_no_memory() : 0;
}

int facts_open(const struct root *root, struct facts *ret)
{
	int err;

	*ret = (struct facts){ .root = root };
	err = read_host(ret);
	if (!err)
		err = read_cpus(ret);
	if (!err)
		err = read_idle(ret);
	if (err)
		facts_close(ret);
	else
		error_clear(); /* of what is missing */
	return err;
}

void facts_close(struct facts *f)
{
	for (size_t i = 0; i < f->n; i++) {
		free(f->fact[i].key);
		free(f->fact[i].value);
		free(f->fact[i].action);
	}
	free(f->fact);
	ini_free(&f->host);
	cpuidle_groups_free(f->group, f->groups);
	if (f->idle)
		cpuidle_close(f->idle);
	if (f->topology)
		topology_free(f->topology);
	cpulist_free(&f->cpus);
	free(f->no_idle);
	*f = (struct facts){ 0 };
}

int facts_all(struct facts *f)
{
#define FACT(name) facts_##name,
	static int (*const row[])(struct facts *) = {
#include "run/facts.def"
	};
#undef FACT
	int err = 0;

	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]) && !err; i++)
		err = row[i](f);
	if (!err)
		error_clear();
	return err;
}

enum facts_verdict facts_worst(const struct facts *f)
{
	enum facts_verdict worst = FACTS_OK;

	for (size_t i = 0; i < f->n; i++)
		if (f->fact[i].verdict > FACTS_MISSING && f->fact[i].verdict > worst)
			worst = f->fact[i].verdict;
	return worst;
}
