/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Walks boots/x/runs/x. A run directory that cannot be read is named with its reason and left out;
 * it never ends the report.
 */
#include "analysis/load.h"
#include "analysis/derived.h"
#include "analysis/steady.h"
#include "analysis/scale.h"
#include "lib/error.h"
#include "store/format.h"
#include "store/record.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

void load_note(struct result *result, struct loaded_run *run, const char *sentence)
{
	run->note = pool_text(&result->pool, "%s%s%s", run->note ? run->note : "",
			      run->note ? "; " : "", sentence);
}

/* The boot directory's name stands behind the source's path: boots/B/runs/R. */
static int boot_of(const struct result *r, size_t source, const char *dir)
{
	const char *name = dir + strlen(r->source[source].dir) + strlen("/" STORE_BOOTS "/");
	size_t i;

	for (i = 0; i < r->boots; i++) {
		size_t n = strlen(r->boot[i].name);

		if (r->boot[i].source == source && !strncmp(name, r->boot[i].name, n) &&
		    name[n] == '/')
			return (int)i;
	}
	return -1;
}

const char *load_without_path(const struct result *result, size_t source, const char *text)
{
	const char *dir = result->source[source].dir;
	size_t n = strlen(dir);

	return !strncmp(text, dir, n) && text[n] == '/' ? text + n + 1 : text;
}

static int load_parts(struct result *r, const char *dir, struct loaded_run *run)
{
	int err;

	run->boot = boot_of(r, run->source, dir);
	if (run->boot < 0)
		return error_set(-EBADMSG, "%s: not in a boot directory", dir);
	/* The tables of a run that is not complete may end anywhere, and nobody uses them. */
	if (run->info.state != STORE_COMPLETE)
		return 0;
	if (r->boot[run->boot].damage)
		return error_set(-EBADMSG, "its boot's files are damaged: %s",
				 load_without_path(r, run->source, r->boot[run->boot].damage));
	err = load_metrics(r, dir, run);
	if (!err)
		err = load_events(r, dir, run);
	if (!err)
		err = load_power(r, dir, run);
	if (!err)
		err = load_idle(r, dir, run);
	if (!err)
		err = load_ticks(r, dir, run);
	if (!err)
		err = steady_load(r, dir, run);
	if (!err)
		load_trace(r, dir, run);
	if (!err)
		derived_load(r, run);
	return err;
}

void load_break(struct result *result, size_t source, const char *name, const char *state,
		const char *reason)
{
	result->broken =
		pool_room(&result->pool, result->broken, result->brokens, sizeof(*result->broken));
	result->broken[result->brokens++] =
		(struct broken_run){ .source = source,
				     .name = pool_copy(&result->pool, name),
				     .reason = pool_copy(&result->pool, reason),
				     .state = state };
}

static void note_damaged(struct result *r, size_t source, const char *dir)
{
	const char *text = load_without_path(r, source, error_text());

	load_break(r, source, last_part(dir), "damaged", *text ? text : "cannot be read");
}

static void load_run(struct result *r, size_t source, const char *dir)
{
	struct loaded_run run = { .name = pool_copy(&r->pool, last_part(dir)), .source = source };

	error_clear();
	if (store_run_read(dir, &run.info)) {
		note_damaged(r, source, dir);
		return;
	}
	if (load_parts(r, dir, &run)) {
		note_damaged(r, source, dir);
		store_run_free(&run.info);
		return;
	}
	/* Without its boot's files nobody knows under which machine's heading it belongs. */
	if (r->boot[run.boot].damage) {
		load_break(r, source, run.name, store_state_name[run.info.state],
			   run.info.reason ? run.info.reason : "no reason given");
		store_run_free(&run.info);
		return;
	}
	r->run = pool_room(&r->pool, r->run, r->runs, sizeof(*r->run));
	r->run[r->runs++] = run;
#define MARK(flag, words, warning) r->flag |= run.info.flag;
#include "analysis/marks.def"
#undef MARK
}

static int load_runs(struct result *r, size_t source)
{
	char **list = NULL;
	size_t n = 0, i;
	int err;

	err = store_run_list(r->source[source].dir, &list, &n);
	if (err)
		return err;
	for (i = 0; i < n; i++)
		load_run(r, source, list[i]);
	store_list_free(list, n);
	return 0;
}

static bool has_run_of(const struct result *r, size_t source, const char *governor)
{
	size_t i;

	for (i = 0; i < r->runs; i++)
		if (r->run[i].source == source && !strcmp(r->run[i].info.governor, governor))
			return true;
	return false;
}

static const char *gap_reason(struct result *r, size_t source, const char *governor)
{
	const char *reason = "no run of it yet";
	char *text = NULL;
	size_t i;

	for (i = 0; i < r->boots && !text; i++)
		if (r->boot[i].source == source)
			text = record_get(&r->boot[i].host, "missing", governor);
	if (text)
		reason = pool_copy(&r->pool, text);
	free(text);
	return reason;
}

static void find_gaps(struct result *r, size_t source)
{
	char *list = pool_copy(&r->pool, r->source[source].campaign.governors), *governor;
	size_t first = r->gaps, i;

	while ((governor = strsep(&list, ", "))) {
		for (i = first; i < r->gaps && strcmp(r->gap[i].governor, governor); i++)
			;
		if (!*governor || i < r->gaps || has_run_of(r, source, governor))
			continue;
		r->gap = pool_room(&r->pool, r->gap, r->gaps, sizeof(*r->gap));
		r->gap[r->gaps++] = (struct gap){ .source = source,
						  .governor = governor,
						  .reason = gap_reason(r, source, governor) };
	}
}

static int load_all(struct result *r)
{
	size_t i;
	int err = 0;

	for (i = 0; !err && i < r->sources; i++)
		err = load_campaign(r, i);
	for (i = 0; !err && i < r->sources; i++)
		err = scale_load(r, i);
	/* A run's idle figures have a place for each state of all boots. */
	for (i = 0; !err && i < r->sources; i++)
		err = load_boots(r, i);
	for (i = 0; !err && i < r->sources; i++)
		err = load_runs(r, i);
	if (err)
		return err;
	for (i = 0; i < r->sources; i++)
		load_campaign_check(r, i);
	load_cells(r);
	load_spin(r);
	load_power_doubts(r);
	for (i = 0; i < r->sources; i++)
		find_gaps(r, i);
	load_pending(r);
	return load_merge(r);
}

int load_results(const struct load_request *request, struct result *ret)
{
	struct result r = { .reference = request->reference };
	int err;

	err = load_sources(&r, request);
	if (!err)
		err = load_all(&r);
	if (err) {
		load_free(&r);
		return err;
	}
	load_common(&r);
	*ret = r;
	return 0;
}

int load_result(const char *dir, struct result *ret)
{
	return load_results(&(struct load_request){ .dir = &dir, .dirs = 1 }, ret);
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
	for (i = 0; i < result->sources; i++) {
		store_campaign_free(&result->source[i].campaign);
		store_points_free(&result->source[i].points);
	}
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

void load_power_doubts(struct result *result)
{
	size_t i;

	if (load_no_power(result))
		return; /* said once, for all */
	for (i = 0; i < result->runs; i++) {
		struct loaded_run *run = &result->run[i];

		if (run->info.state == STORE_COMPLETE && isnan(run->power.package_w) &&
		    run->power.package_reason)
			run->power_doubt = pool_text(&result->pool, "no package power: %s",
						     run->power.package_reason);
	}
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
