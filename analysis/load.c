/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Walks boots/x/runs/x. A run directory that cannot be read is named with its reason and left out;
 * it never ends the report.
 */
#include "analysis/load.h"
#include "lib/error.h"
#include "store/format.h"
#include "store/record.h"
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* 1 = there, 0 = no such file, -errno otherwise. */
static int open_table(const char *dir, const char *name, struct tsv *ret)
{
	char path[PATH_MAX];
	int err;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	if (access(path, F_OK))
		return errno == ENOENT ? 0 : error_set(-errno, "%s: %m", path);
	err = tsv_load(path, ret);
	return err ? err : 1;
}

void load_note(struct result *result, struct loaded_run *run, const char *sentence)
{
	run->note = pool_text(&result->pool, "%s%s%s", run->note ? run->note : "",
			      run->note ? "; " : "", sentence);
}

/* A table that every complete run has. */
static int load_table(const char *dir, const char *name, struct tsv *ret)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return tsv_load(path, ret);
}

static bool known_better(const char *word)
{
	return !strcmp(word, "lower") || !strcmp(word, "higher") || !strcmp(word, "none");
}

static int load_metrics(struct result *r, const char *dir, struct loaded_run *run)
{
	char quoted[ERROR_QUOTE_SIZE];
	int name, unit, better, value, got;
	struct tsv tsv;
	size_t row;

	got = load_table(dir, STORE_METRICS, &tsv);
	if (got)
		return got;
	name = tsv_column(&tsv, "name");
	unit = tsv_column(&tsv, "unit");
	better = tsv_column(&tsv, "better");
	value = tsv_column(&tsv, "value");
	got = name < 0 || unit < 0 || better < 0 || value < 0 ? -EBADMSG : 0;
	if (!got && !tsv.rows)
		got = error_set(-EBADMSG, "%s: no metrics in it", tsv.path);
	run->metric = pool_alloc(&r->pool, tsv.rows + 1, sizeof(*run->metric));
	for (row = 0; !got && row < tsv.rows; row++) {
		struct metric_value *m = &run->metric[run->metrics++];
		int known = tsv_double(&tsv, row, value, &m->value);

		if (known < 0)
			got = -EBADMSG;
		else if (!known_better(tsv_text(&tsv, row, better)))
			got = error_set(-EBADMSG,
					"%s:%zu: better is '%s', not lower, higher or none",
					tsv.path, row + 2,
					error_quote(tsv_text(&tsv, row, better), quoted));
		if (known != 1 || !isfinite(m->value))
			m->value = NAN;
		m->name = pool_copy(&r->pool, tsv_text(&tsv, row, name));
		m->unit = pool_copy(&r->pool, tsv_text(&tsv, row, unit));
		m->better = pool_copy(&r->pool, tsv_text(&tsv, row, better));
	}
	tsv_free(&tsv);
	return got;
}

/* Of one event, over all CPUs, a second; NAN when a CPU could not count it. */
static double event_rate(const struct tsv *tsv, const char *name)
{
	int event = tsv_column(tsv, "event"), value = tsv_column(tsv, "value");
	int enabled = tsv_column(tsv, "enabled_ns"), running = tsv_column(tsv, "running_ns");
	double sum = 0, count, on, ran;

	for (size_t row = 0; row < tsv->rows; row++) {
		if (strcmp(tsv_text(tsv, row, event), name))
			continue;
		if (tsv_double(tsv, row, value, &count) != 1 ||
		    tsv_double(tsv, row, enabled, &on) != 1 ||
		    tsv_double(tsv, row, running, &ran) != 1 || !(on > 0) || !(ran > 0))
			return NAN;
		sum += count * (on / ran) / (on / 1e9);
	}
	return isfinite(sum) ? sum : NAN;
}

static bool has_metric(const struct loaded_run *run, const char *name)
{
	for (size_t i = 0; i < run->metrics; i++)
		if (!strcmp(run->metric[i].name, name))
			return true;
	return false;
}

/* Each perf event becomes a metric "event:NAME": a fact without a better direction. */
static int load_events(struct result *r, const char *dir, struct loaded_run *run)
{
	struct metric_value *metric;
	struct tsv tsv;
	int got = open_table(dir, STORE_EVENTS, &tsv), event;

	if (got <= 0)
		return got;
	event = tsv_column(&tsv, "event");
	metric = pool_alloc(&r->pool, run->metrics + tsv.rows + 1, sizeof(*metric));
	if (run->metrics)
		memcpy(metric, run->metric, run->metrics * sizeof(*metric));
	run->metric = metric;
	for (size_t row = 0; event >= 0 && row < tsv.rows; row++) {
		const char *raw = tsv_text(&tsv, row, event);
		const char *name = pool_text(&r->pool, "event:%s", raw);

		if (!has_metric(run, name))
			run->metric[run->metrics++] =
				(struct metric_value){ name, "1/s", "none", event_rate(&tsv, raw) };
	}
	tsv_free(&tsv);
	return event < 0 ? -EBADMSG : 0;
}

static int load_power(struct result *r, const char *dir, struct loaded_run *run)
{
	struct tsv tsv, samples;
	int got, sampled;

	run->power = (struct energy_power){ NAN, NAN, NAN, "no energy readings in this run", "" };
	got = open_table(dir, STORE_ENERGY, &tsv);
	if (got <= 0)
		return got;
	sampled = open_table(dir, STORE_SAMPLES, &samples);
	got = sampled < 0 ? sampled : energy_power(&tsv, sampled ? &samples : NULL, &run->power);
	if (sampled > 0)
		tsv_free(&samples);
	tsv_free(&tsv);
	if (!got && run->power.zone[0])
		run->power.package_reason =
			pool_text(&r->pool, "%s: %s", run->power.zone, run->power.package_reason);
	return got;
}

/* The boot directory's name is the third part from the end: boots/B/runs/R. */
static int boot_of(const struct result *r, const char *dir)
{
	size_t i;

	for (i = 0; i < r->boots; i++) {
		const char *at = strstr(dir, "/" STORE_BOOTS "/");
		size_t n = strlen(r->boot[i].name);

		for (; at; at = strstr(at + 1, "/" STORE_BOOTS "/")) {
			const char *name = at + strlen("/" STORE_BOOTS "/");

			if (!strncmp(name, r->boot[i].name, n) && name[n] == '/')
				return (int)i;
		}
	}
	return -1;
}

/* An error's text without the result's own path, which means nothing to a reader elsewhere. */
static const char *without_path(const struct result *r, const char *text)
{
	size_t n = strlen(r->dir);

	return !strncmp(text, r->dir, n) && text[n] == '/' ? text + n + 1 : text;
}

static int load_parts(struct result *r, const char *dir, struct loaded_run *run)
{
	int err;

	run->boot = boot_of(r, dir);
	if (run->boot < 0)
		return error_set(-EBADMSG, "%s: not in a boot directory", dir);
	/* The tables of a run that is not complete may end anywhere, and nobody uses them. */
	if (run->info.state != STORE_COMPLETE)
		return 0;
	if (r->boot[run->boot].damage)
		return error_set(-EBADMSG, "its boot's files are damaged: %s",
				 without_path(r, r->boot[run->boot].damage));
	err = load_metrics(r, dir, run);
	if (!err)
		err = load_events(r, dir, run);
	if (!err)
		err = load_power(r, dir, run);
	if (!err)
		err = load_idle(r, dir, run);
	return err;
}

void load_break(struct result *result, const char *name, const char *state, const char *reason)
{
	result->broken =
		pool_room(&result->pool, result->broken, result->brokens, sizeof(*result->broken));
	result->broken[result->brokens++] =
		(struct broken_run){ .name = pool_copy(&result->pool, name),
				     .reason = pool_copy(&result->pool, reason),
				     .state = state };
}

static void note_damaged(struct result *r, const char *dir)
{
	const char *text = without_path(r, error_text());

	load_break(r, last_part(dir), "damaged", *text ? text : "cannot be read");
}

static void load_run(struct result *r, const char *dir)
{
	struct loaded_run run = { .name = pool_copy(&r->pool, last_part(dir)) };

	error_clear();
	if (store_run_read(dir, &run.info)) {
		note_damaged(r, dir);
		return;
	}
	if (load_parts(r, dir, &run)) {
		note_damaged(r, dir);
		store_run_free(&run.info);
		return;
	}
	/* Without its boot's files nobody knows under which machine's heading it belongs. */
	if (r->boot[run.boot].damage) {
		load_break(r, run.name, store_state_name[run.info.state],
			   run.info.reason ? run.info.reason : "no reason given");
		store_run_free(&run.info);
		return;
	}
	r->run = pool_room(&r->pool, r->run, r->runs, sizeof(*r->run));
	r->run[r->runs++] = run;
	r->rehearsal |= run.info.rehearsal;
	r->modelled |= run.info.modelled;
}

static int load_runs(struct result *r)
{
	char **list = NULL;
	size_t n = 0, i;
	int err;

	err = store_run_list(r->dir, &list, &n);
	if (err)
		return err;
	for (i = 0; i < n; i++)
		load_run(r, list[i]);
	store_list_free(list, n);
	return 0;
}

static bool has_run_of(const struct result *r, const char *governor)
{
	size_t i;

	for (i = 0; i < r->runs; i++)
		if (!strcmp(r->run[i].info.governor, governor))
			return true;
	return false;
}

static const char *gap_reason(struct result *r, const char *governor)
{
	const char *reason = "no run of it yet";
	char *text = NULL;
	size_t i;

	for (i = 0; i < r->boots && !text; i++)
		text = record_get(&r->boot[i].host, "missing", governor);
	if (text)
		reason = pool_copy(&r->pool, text);
	free(text);
	return reason;
}

static void find_gaps(struct result *r)
{
	char *list = pool_copy(&r->pool, r->campaign.governors), *rest = list, *governor;
	size_t i;

	while ((governor = strsep(&rest, ", "))) {
		for (i = 0; i < r->gaps && strcmp(r->gap[i].governor, governor); i++)
			;
		if (!*governor || i < r->gaps || has_run_of(r, governor))
			continue;
		r->gap = pool_room(&r->pool, r->gap, r->gaps, sizeof(*r->gap));
		r->gap[r->gaps].governor = governor;
		r->gap[r->gaps++].reason = gap_reason(r, governor);
	}
}

int load_result(const char *dir, struct result *ret)
{
	struct result r = { 0 };
	char *path;
	int err;

	path = realpath(dir, NULL);
	if (!path)
		return error_set(-errno, "%s: %m", dir);
	r.dir = pool_copy(&r.pool, path);
	r.name = last_part(r.dir);
	free(path);
	err = store_campaign_read(r.dir, &r.campaign);
	if (err) {
		pool_free(&r.pool);
		return err;
	}
	err = load_boots(&r);
	if (!err)
		err = load_runs(&r);
	if (err) {
		load_free(&r);
		return err;
	}
	load_cells(&r);
	find_gaps(&r);
	*ret = r;
	return 0;
}

void load_free(struct result *result)
{
	size_t i;

	for (i = 0; i < result->runs; i++)
		store_run_free(&result->run[i].info);
	for (i = 0; i < result->boots; i++)
		ini_free(&result->boot[i].host);
	for (i = 0; i < result->tables; i++)
		cpulist_free(&result->table[i].cpus);
	store_campaign_free(&result->campaign);
	pool_free(&result->pool);
}

const struct state_table *load_table_of(const struct result *result, size_t state)
{
	size_t i;

	for (i = 0; i + 1 < result->tables && state >= result->table[i + 1].first; i++)
		;
	return &result->table[i];
}

const struct idle_state *load_state(const struct result *result, size_t state)
{
	const struct state_table *table = load_table_of(result, state);

	return &table->state[state - table->first];
}

const char *load_host(const struct result *result, const char *key)
{
	return result->boots ? ini_get(&result->boot[0].host, "host", key) : NULL;
}

const char *load_no_power(const struct result *result)
{
	const char *reason = NULL, *host;
	size_t i;

	for (i = 0; i < result->runs; i++) {
		const struct energy_power *power = &result->run[i].power;

		if (result->run[i].info.state != STORE_COMPLETE)
			continue;
		if (!isnan(power->package_w))
			return NULL;
		if (!reason)
			reason = power->package_reason;
	}
	host = load_host(result, "power");
	if (host && !strncmp(host, "none", 4))
		return host;
	return reason && strcmp(reason, "no energy readings in this run")
		       ? reason
		       : "no energy readings in this result";
}
