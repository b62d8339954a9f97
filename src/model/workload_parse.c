/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Suite keys to model_workload. What a key may be is checked by the workloads themselves when a
 * suite is planned for a real machine; here only what the model makes of it is read, and a value
 * that it has nothing for is refused, so that no figure pretends to be of something else.
 */
#include "model/workload.h"
#include "lib/error.h"
#include "lib/suggest.h"
#include "lib/units.h"
#include <errno.h>
#include <math.h>

/* Far beyond what a workload does; sums of times stay in range. */
#define WORK_MAX 1e11
#define HZ_MIN 1e-3
#define HZ_MAX 1e6
#define BYTES_MAX (1ull << 40)

struct parser {
	const struct model_machine *machine;
	struct model_workload *w;
	double load_pct, machine_load_pct; /* NAN = not given */
	bool ramp;
};

/* A whole number from @min, or "all": cores, each @per_core times. */
static int parse_int(const struct parser *p, const char *text, int min, int per_core, int *ret)
{
	uint64_t count;
	int err;

	if (per_core && !strcmp(text, "all")) {
		*ret = p->machine->cores * per_core;
		return *ret < min ? error_usage("'all' is too few on this machine") : 0;
	}
	err = units_parse_count(text, &count);
	if (err)
		return err;
	if (count < (uint64_t)min || count > MODEL_TASKS_MAX)
		return error_usage("'%s' is not from %d to %d", text, min, MODEL_TASKS_MAX);
	*ret = (int)count;
	return 0;
}

/* One of the words, separated by '|'; their place. What stands behind "||" has no model. */
static int parse_word(const char *text, const char *words, int *ret)
{
	size_t length = strlen(text);
	int place = 0;

	for (const char *at = words; length; place++) {
		size_t n = strcspn(at, "|");

		if (n == length && !strncmp(at, text, n)) {
			*ret = place;
			return 0;
		}
		if (!at[n])
			break;
		at += n + 1;
	}
	return error_usage("'%s' has no model; there are %s", text, words);
}

static int parse_bool(const char *text, const char *words, bool *ret)
{
	int place = 0, err = parse_word(text, words, &place);

	if (!err)
		*ret = place;
	return err;
}

static int parse_work(struct parser *p, const char *text)
{
	double ns;
	uint64_t units;
	int err;

	if (text[strspn(text, "0123456789.e+")]) {
		err = units_parse_time(text, &ns);
		if (!err)
			p->w->work_units = round(ns / p->machine->unit_ns);
		return err;
	}
	err = units_parse_count(text, &units);
	if (!err)
		p->w->work_units = (double)units;
	return err;
}

static int parse_ns(const char *text, double min, int64_t *ret)
{
	double ns;
	int err = units_parse_time(text, &ns);

	if (err)
		return err;
	if (ns < min)
		return error_usage("'%s' is too short", text);
	*ret = llrint(ns);
	return 0;
}

static int set_ping_pong(struct parser *p, const char *key, const char *value)
{
	struct model_workload *w = p->w;
	int place = 0, err;

	if (!strcmp(key, "cores"))
		return parse_int(p, value, 2, 1, &w->ping_pong.stops);
	if (!strcmp(key, "pairs"))
		return parse_int(p, value, 1, 1, &w->ping_pong.rings);
	if (!strcmp(key, "transport"))
		return parse_word(value, "pipe|fifo|eventfd|futex|socket", &place);
	if (!strcmp(key, "task"))
		return parse_word(value, "process|thread", &place);
	if (!strcmp(key, "distance")) {
		err = parse_word(value, "any|same-cache|same-package|smt-sibling", &place);
		if (!err)
			w->ping_pong.smt = place == 3;
		return err;
	}
	return -ENOENT;
}

static int set_timed(struct parser *p, const char *key, const char *value)
{
	struct model_workload *w = p->w;
	bool periodic = w->kind == MODEL_PERIODIC;
	int place = 0;

	if (!strcmp(key, "threads"))
		return parse_int(p, value, 1, periodic,
				 periodic ? &w->periodic.threads : &w->waiters.threads);
	if (!strcmp(key, "frequency"))
		return units_parse_frequency(value, periodic ? &w->periodic.frequency_hz
							     : &w->waiters.frequency_hz);
	if (!strcmp(key, "load"))
		return units_parse_percent(value, &p->load_pct);
	if (!periodic)
		return strcmp(key, "machine_load")
			       ? -ENOENT
			       : units_parse_percent(value, &p->machine_load_pct);
	if (!strcmp(key, "catch-up"))
		return parse_bool(value, "burst|skip", &w->periodic.skip);
	if (!strcmp(key, "phase")) {
		int err = parse_word(value, "spread|together|random", &place);

		w->periodic.together = place == 1;
		w->periodic.random_phase = place == 2;
		return err;
	}
	if (!strcmp(key, "ramp"))
		return parse_bool(value, "no|yes", &p->ramp);
	if (!strcmp(key, "steps"))
		return parse_int(p, value, 1, 0, &w->periodic.steps);
	if (!strcmp(key, "step"))
		return parse_ns(value, 1e6, &w->periodic.step_ns);
	if (!strcmp(key, "steps") || !strcmp(key, "step"))
		return 0; /* of a ramp */
	if (!strcmp(key, "distance"))
		return parse_word(value, "any|same-cache|same-package", &place);
	return -ENOENT;
}

static int set_ebizzy(struct parser *p, const char *key, const char *value)
{
	struct model_workload *w = p->w;
	uint64_t bytes;
	int place, err;

	if (!strcmp(key, "threads"))
		return parse_int(p, value, 1, 0, &w->ebizzy.threads);
	if (!strcmp(key, "every"))
		return parse_int(p, value, 1, 0, &w->ebizzy.every);
	if (!strcmp(key, "interval"))
		return parse_ns(value, 0, &w->ebizzy.interval_ns);
	if (!strcmp(key, "size")) {
		err = units_parse_bytes(value, &bytes);
		if (err)
			return err;
		if (bytes > BYTES_MAX)
			return error_usage("'%s' is too much", value);
		w->ebizzy.bytes = (double)bytes;
		return 0;
	}
	if (!strcmp(key, "alloc"))
		return parse_word(value, "malloc|mmap", &place);
	return strcmp(key, "chunks") && strcmp(key, "seed") ? -ENOENT : 0;
}

static int set_other(struct parser *p, const char *key, const char *value)
{
	struct model_workload *w = p->w;
	int place = 0, err;

	if (w->kind == MODEL_CLIENT_SERVER) {
		if (!strcmp(key, "clients"))
			return parse_int(p, value, 1, 0, &w->client_server.clients);
		if (!strcmp(key, "transport"))
			return parse_word(value, "tcp|unix", &place);
		if (!strcmp(key, "distance"))
			return parse_word(value, "any|same-cache|same-package", &place);
	}
	if (w->kind == MODEL_FORK_CHAIN) {
		if (!strcmp(key, "start"))
			return parse_word(value, "fork|vfork", &place);
		if (!strcmp(key, "program")) {
			err = parse_word(value, "helper|none|true", &place);
			w->fork_chain.exec = place != 1;
			return err;
		}
		if (!strcmp(key, "affinity"))
			return parse_bool(value, "free|one", &w->fork_chain.one_cpu);
	}
	return -ENOENT;
}

static int set(struct parser *p, const char *key, const char *value)
{
	static int (*const own[MODEL_KINDS])(struct parser *, const char *, const char *) = {
		[MODEL_IDLE] = set_other,	[MODEL_PING_PONG] = set_ping_pong,
		[MODEL_PERIODIC] = set_timed,	[MODEL_WAITERS] = set_timed,
		[MODEL_EBIZZY] = set_ebizzy,	[MODEL_CLIENT_SERVER] = set_other,
		[MODEL_FORK_CHAIN] = set_other,
	};
	struct model_workload *w = p->w;
	int err = own[w->kind](p, key, value);
	bool has_work =
		w->kind != MODEL_IDLE && w->kind != MODEL_EBIZZY && w->kind != MODEL_CLIENT_SERVER;

	if (err != -ENOENT)
		return err;
	if (!strcmp(key, "affinity") && w->kind != MODEL_IDLE)
		return parse_bool(value, "free|pinned", &w->pinned);
	if (!strcmp(key, "work") && has_work)
		return parse_work(p, value);
	if (!strcmp(key, "loops") && w->kind != MODEL_IDLE && w->kind != MODEL_CLIENT_SERVER)
		return units_parse_count(value, &w->loops);
	if (!strcmp(key, "timer-slack") && w->kind != MODEL_IDLE)
		return parse_ns(value, 1, &w->timer_slack_ns);
	return error_usage("it has no such parameter");
}

static void defaults(struct model_workload *w)
{
	w->timer_slack_ns = 1;
	w->pinned = w->kind == MODEL_PING_PONG || w->kind == MODEL_PERIODIC;
	switch (w->kind) {
	case MODEL_PING_PONG:
		w->ping_pong.stops = 2;
		w->ping_pong.rings = 1;
		break;
	case MODEL_PERIODIC:
		w->periodic.threads = 1;
		w->periodic.frequency_hz = 347;
		w->periodic.steps = 34;
		w->periodic.step_ns = 3000000000;
		break;
	case MODEL_WAITERS:
		w->waiters.threads = 500;
		w->waiters.frequency_hz = 10;
		break;
	case MODEL_EBIZZY:
		w->ebizzy.threads = 128;
		w->ebizzy.interval_ns = 10000000;
		w->ebizzy.every = 1;
		w->ebizzy.bytes = 512 << 10;
		break;
	case MODEL_CLIENT_SERVER:
		w->client_server.clients = 1;
		break;
	case MODEL_FORK_CHAIN:
		w->fork_chain.exec = true;
		break;
	default:
		break;
	}
}

/* Loads become work, as the workloads themselves do it when work is not given. */
static void resolve_load(const struct parser *p, bool work_given)
{
	struct model_workload *w = p->w;
	int cpus = model_machine_cpus(p->machine);
	double load_pct = p->load_pct, hz;

	if (work_given || (w->kind != MODEL_PERIODIC && w->kind != MODEL_WAITERS))
		return;
	if (w->kind == MODEL_PERIODIC) {
		hz = w->periodic.frequency_hz;
		if (isnan(load_pct))
			load_pct = 3;
		if (p->ramp) /* goes through all of them */
			load_pct = 100;
	} else {
		hz = w->waiters.frequency_hz;
		if (isnan(load_pct))
			load_pct = (isnan(p->machine_load_pct) ? 68 : p->machine_load_pct) * cpus /
				   w->waiters.threads;
	}
	w->work_units = round(load_pct / 100 * 1e9 / hz / p->machine->unit_ns);
}

static int check(const struct model_workload *w, const struct model_machine *machine)
{
	const double *hz = w->kind == MODEL_PERIODIC  ? &w->periodic.frequency_hz
			   : w->kind == MODEL_WAITERS ? &w->waiters.frequency_hz
						      : NULL;
	int tasks = model_workload_tasks(w);

	if (tasks > MODEL_TASKS_MAX)
		return error_usage("%d tasks are more than %d", tasks, MODEL_TASKS_MAX);
	if (!(w->work_units <= WORK_MAX))
		return error_usage("%g units of work are more than %g", w->work_units, WORK_MAX);
	if (hz && (*hz < HZ_MIN || *hz > HZ_MAX))
		return error_usage("a frequency is from %gHz to %gHz", HZ_MIN, HZ_MAX);
	if (w->kind == MODEL_PING_PONG && w->ping_pong.smt && machine->threads < 2)
		return error_usage("distance: this machine's cores have one thread");
	return 0;
}

static int find_kind(const char *name, enum model_kind *ret)
{
	const char *known[MODEL_KINDS];
	char hint[128];

	for (int i = 0; i < MODEL_KINDS; i++) {
		known[i] = model_workload_name((enum model_kind)i);
		if (!strcmp(name, known[i])) {
			*ret = (enum model_kind)i;
			return 0;
		}
	}
	return error_usage(
		"workload %s has no model; there are idle, ping-pong, periodic, waiters, "
		"ebizzy, client-server, fork-chain%s",
		name, suggest_text(name, known, MODEL_KINDS, hint, sizeof(hint)));
}

int model_workload_parse(const char *name, const struct model_param *params, size_t n,
			 const struct model_machine *machine, struct model_workload *ret)
{
	struct model_workload w = { 0 };
	struct parser p = { .machine = machine, .w = &w, .load_pct = NAN, .machine_load_pct = NAN };
	bool work_given = false;
	int err = find_kind(name, &w.kind);

	if (err)
		return err;
	defaults(&w);
	for (size_t i = 0; i < n; i++) {
		err = set(&p, params[i].key, params[i].value);
		if (err)
			return error_prefix(err, "%s: %s = %s: ", name, params[i].key,
					    params[i].value);
		work_given |= !strcmp(params[i].key, "work");
	}
	if (w.kind == MODEL_FORK_CHAIN && w.fork_chain.one_cpu)
		w.pinned = true;
	resolve_load(&p, work_given);
	if (w.kind == MODEL_PERIODIC && !p.ramp)
		w.periodic.steps = 0;
	err = check(&w, machine);
	if (!err)
		*ret = w;
	return err ? error_prefix(err, "%s: ", name) : 0;
}
