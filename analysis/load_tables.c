/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tables of a complete run that become values of that run: metrics, perf events, energy. A
 * damaged one makes the run a damaged one, whatever stands in the others.
 */
#include "analysis/load.h"
#include "analysis/derived.h"
#include "analysis/steady.h"
#include "lib/error.h"
#include "store/format.h"
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

int load_open_table(const char *dir, const char *name, struct tsv *ret)
{
	char path[PATH_MAX];
	int err;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	if (access(path, F_OK))
		return errno == ENOENT ? 0 : error_set(-errno, "%s: %m", path);
	err = tsv_load(path, ret);
	return err ? err : 1;
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

int load_metrics(struct result *r, const char *dir, struct loaded_run *run)
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
int load_events(struct result *r, const char *dir, struct loaded_run *run)
{
	struct metric_value *metric;
	struct tsv tsv;
	int got = load_open_table(dir, STORE_EVENTS, &tsv), event;

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

/* An imported log has W instead of readings, as metrics of the sums' own names. */
static void take_watts(struct loaded_run *run)
{
	size_t n = 0;

	for (size_t i = 0; i < run->metrics; i++) {
		struct metric_value *m = &run->metric[i];

		if (!strcmp(m->name, "package_w"))
			run->power.package_w = m->value;
		else if (!strcmp(m->name, "dram_w"))
			run->power.dram_w = m->value;
		else
			run->metric[n++] = *m;
	}
	run->metrics = n;
}

int load_power(struct result *r, const char *dir, struct loaded_run *run)
{
	struct tsv tsv, samples;
	int got, sampled;

	run->power = (struct energy_power){ NAN, NAN, NAN, "no energy readings in this run", "" };
	got = load_open_table(dir, STORE_ENERGY, &tsv);
	if (!got)
		take_watts(run);
	if (got <= 0)
		return got;
	sampled = load_open_table(dir, STORE_SAMPLES, &samples);
	got = sampled < 0 ? sampled : energy_power(&tsv, sampled ? &samples : NULL, &run->power);
	if (sampled > 0)
		tsv_free(&samples);
	tsv_free(&tsv);
	if (!got && run->power.zone[0])
		run->power.package_reason =
			pool_text(&r->pool, "%s: %s", run->power.zone, run->power.package_reason);
	return got;
}
