/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An ordinary result directory (docs/result-format.md) with "imported" written on it. Made under
 * another name first, so that nobody sees half of one.
 */
#include "analysis/import/result.h"
#include "analysis/output.h"
#include "lib/error.h"
#include "lib/file.h"
#include "lib/tsv.h"
#include "store/campaign.h"
#include "store/format.h"
#include "store/record.h"
#include "store/run.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <sys/stat.h>
#include <unistd.h>

/* struct store_* owns its texts; it is only read here. */
static char *text(const char *constant)
{
	return (char *)(uintptr_t)constant;
}

static void put_value(FILE *out, bool have, uint64_t value)
{
	fputc('\t', out);
	if (have)
		fprintf(out, "%" PRIu64, value);
}

static int write_states(const struct import_boot *b, const char *path)
{
	struct output out;

	output_open(&out);
	fputs(STORE_STATES_COLUMNS, out.stream);
	for (size_t i = 0; i < b->readings; i++) {
		const struct import_reading *r = &b->reading[i];
		bool polling = r->name && (!strcmp(r->name, "POLL") || !strcmp(r->name, "snooze"));

		fprintf(out.stream, "%d\t%d\t", r->cpu, r->state);
		tsv_put(out.stream, r->name);
		fputc('\t', out.stream);
		tsv_put(out.stream, r->desc);
		put_value(out.stream, r->have[IMPORT_LATENCY], r->value[IMPORT_LATENCY]);
		put_value(out.stream, r->have[IMPORT_RESIDENCY], r->value[IMPORT_RESIDENCY]);
		put_value(out.stream, r->have[IMPORT_DISABLE], r->value[IMPORT_DISABLE]);
		fputc('\t', out.stream);
		tsv_put(out.stream, r->default_status);
		put_value(out.stream, r->name, polling);
		fputc('\n', out.stream);
	}
	return output_write(&out, path);
}

static const char *sources_of(const struct import_result *r, size_t boot)
{
	const char *all = "";

	for (size_t i = 0; i < r->sources && strlen(all) < 4096; i++)
		if (r->source[i].boot == boot + 1)
			all = pool_text(r->pool, "%s%s%s (%s)", all, *all ? ", " : "",
					r->source[i].path, r->source[i].style->name);
	return all;
}

static int write_host(const struct import_result *r, size_t boot, const char *path)
{
	const struct import_boot *b = &r->boot[boot];
	struct output out;

	output_open(&out);
	fputs("[host]\n", out.stream);
	record_put(out.stream, "imported", sources_of(r, boot));
	record_put(out.stream, "kernel", b->release);
	if (*b->machine)
		record_put(out.stream, "machine", b->machine);
	record_put(out.stream, "power", "none: imported; the sources have no energy counters");
	return output_write(&out, path);
}

static void put_idle(FILE *out, const struct import_idle *d)
{
	bool times = d->t0_ns || d->t1_ns;

	fprintf(out, "%d\t%d", d->cpu, d->state);
	put_value(out, times, d->t0_ns);
	put_value(out, times, d->t1_ns);
	for (size_t i = 0; i < IMPORT_COUNTERS; i++) {
		put_value(out, d->have[i], d->first[i]);
		put_value(out, d->have[i], d->last[i]);
	}
	fputc('\n', out);
}

static int write_idle(const struct import_run *run, const char *path)
{
	struct output out;

	output_open(&out);
	fputs(STORE_IDLE_COLUMNS, out.stream);
	for (size_t i = 0; i < run->idles; i++)
		put_idle(out.stream, &run->idle[i]);
	return output_write(&out, path);
}

static int write_metrics(const struct import_run *run, const char *path)
{
	struct output out;

	output_open(&out);
	fputs("name\tunit\tbetter\tvalue\n", out.stream);
	for (size_t i = 0; i < run->metrics; i++) {
		const struct import_metric *m = &run->metric[i];

		tsv_put(out.stream, m->name);
		fprintf(out.stream, "\t%s\t%s\t", m->unit, m->better);
		if (isfinite(m->value))
			fprintf(out.stream, "%.12g", m->value);
		fputc('\n', out.stream);
	}
	return output_write(&out, path);
}

/* "work=1,cores=2"; a word of the source holds neither ',' nor '='. */
static const char *point_of(struct pool *pool, const struct import_run *run)
{
	const char *point = "";

	for (size_t i = 0; i < run->axes; i++)
		point = pool_text(pool, "%s%s%s=%s", point, i ? "," : "", run->axis[i].key,
				  run->axis[i].value);
	return point;
}

static char **doubts_of(struct pool *pool, const struct import_source *s, size_t *ret_n)
{
	char **doubt = pool_alloc(pool, s->doubts + 2, sizeof(*doubt));
	size_t n = 0;

	doubt[n++] = pool_text(pool, "imported: %s (%s)", s->path, s->style->name);
	for (size_t i = 0; i < s->doubts; i++)
		doubt[n++] = text(s->doubt[i]);
	if (s->faults)
		doubt[n++] = pool_text(
			pool, "left out of the source: %zu lines or values (import/left-out.tsv)",
			s->faults);
	*ret_n = n;
	return doubt;
}

static int write_run_ini(struct pool *pool, const struct import_placed *p, int number,
			 const char *dir)
{
	const struct import_run *run = p->run;
	struct store_pair axis[sizeof(run->axis) / sizeof(run->axis[0])];
	struct store_pair param[] = { { text("imported"), text(p->source->path) },
				      { text("style"), text(p->source->style->name) },
				      { text("governor"), text(run->governor) } };
	struct store_run s = {
		.number = number,
		.section = text(run->section),
		.point = text(point_of(pool, run)),
		.governor = text(run->label), /* two variants under one governor are not A/A */
		.label = text(run->label),
		.repeat = run->repeat,
		.workload = text("imported"),
		.t0_ns = run->t0_ns,
		.t1_ns = run->t1_ns,
		.axis = axis,
		.axes = run->axes,
		.param = param,
		.params = run->governor ? 3 : 2,
		.state = STORE_COMPLETE,
	};

	for (size_t i = 0; i < run->axes; i++)
		axis[i] = (struct store_pair){ text(run->axis[i].key), text(run->axis[i].value) };
	s.doubt = doubts_of(pool, p->source, &s.doubts);
	return store_run_write(dir, &s);
}

static int write_run(const struct import_result *r, size_t at, const char *dir)
{
	const struct import_placed *p = &r->run[at];
	const char *point = point_of(r->pool, p->run);
	const char *path;
	int err;

	path = pool_text(r->pool, "%s/" STORE_BOOTS "/%s/" STORE_RUNS "/%04zu.%s%s%.80s.%s.r%d",
			 dir, r->boot[p->boot].name, at + 1, p->run->section, *point ? "." : "",
			 point, p->run->label, p->run->repeat);
	err = file_make_dirs(path);
	if (!err)
		err = write_run_ini(r->pool, p, (int)at + 1, path);
	if (!err)
		err = write_idle(p->run, pool_text(r->pool, "%s/" STORE_IDLE, path));
	return err ? err : write_metrics(p->run, pool_text(r->pool, "%s/" STORE_METRICS, path));
}

static int write_boot(const struct import_result *r, size_t at, const char *dir)
{
	const char *path = pool_text(r->pool, "%s/" STORE_BOOTS "/%s", dir, r->boot[at].name);
	int err = file_make_dirs(path);

	if (!err)
		err = write_host(r, at, pool_text(r->pool, "%s/" STORE_HOST, path));
	return err ? err : write_states(&r->boot[at], pool_text(r->pool, "%s/" STORE_STATES, path));
}

/* Every label once, in the order of the runs. */
static const char *governors_of(const struct import_result *r)
{
	const char *all = "";

	for (size_t i = 0; i < r->runs; i++) {
		const char *governor = r->run[i].run->label, *at;
		size_t n;

		n = strlen(governor);
		for (at = strstr(all, governor); at; at = strstr(at + 1, governor))
			if ((at == all || at[-1] == ',') && (!at[n] || at[n] == ','))
				break;
		if (!at && strlen(all) < 4096)
			all = pool_text(r->pool, "%s%s%s", all, *all ? "," : "", governor);
	}
	return all;
}

static const char *suite_text(const struct import_result *r)
{
	const char *all = "# Imported, there was no suite:\n";

	for (size_t i = 0; i < r->sources && strlen(all) < 65536; i++)
		all = pool_text(r->pool, "%s# %s (%s)\n", all, r->source[i].path,
				r->source[i].style->name);
	return all;
}

static int write_campaign(const struct import_result *r, const char *dir)
{
	struct store_campaign c = {
		.suite = text("imported"),
		.governors_asked = text("as imported"),
		.governors = text(governors_of(r)),
		.reference = text(r->runs ? r->run[0].run->label : ""),
		.cpus = text(""),
		.set = text(""),
		.cpufreq_governors = text(""),
		.events = text(""),
		.order = text("as imported"),
		.warmup_ns = -1,
		.cells = (int)r->runs,
		.version = text(VERSION),
		.suite_text = text(suite_text(r)),
	};
	int first = INT_MAX, last = 0;
	char stamp[32];
	time_t now = time(NULL);
	struct tm tm;

	for (size_t i = 0; i < r->runs; i++) {
		first = r->run[i].run->repeat < first ? r->run[i].run->repeat : first;
		last = r->run[i].run->repeat > last ? r->run[i].run->repeat : last;
	}
	c.repeat = r->runs ? last - first + 1 : 0; /* others count from 0 */
	strftime(stamp, sizeof(stamp), "%Y-%m-%d %H:%M:%S", localtime_r(&now, &tm));
	c.created = stamp;
	return store_campaign_create(dir, &c);
}

static int write_all(const struct import_result *r, const char *dir)
{
	int err = write_campaign(r, dir);

	for (size_t i = 0; !err && i < r->boots; i++)
		err = write_boot(r, i, dir);
	for (size_t i = 0; !err && i < r->runs; i++)
		err = write_run(r, i, dir);
	return err ? err : import_write_extras(r, dir);
}

/* A new folder beside @dir, whose parents are made as needed. */
static int make_temporary(struct pool *pool, const char *dir, char **ret)
{
	char *temporary = pool_text(pool, "%s.tmp-XXXXXX", dir), *slash = strrchr(temporary, '/');
	int err = 0;

	if (slash && slash > temporary)
		err = file_make_dirs(pool_text(pool, "%.*s", (int)(slash - temporary), temporary));
	if (!err && !mkdtemp(temporary))
		err = error_set(-errno, "%s: %m", temporary);
	*ret = temporary;
	return err;
}

/* No fsync: what is lost in a power cut is imported again. */
static int rename_new(const char *from, const char *to)
{
	int err = renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) ? -errno : 0;

	/* A file system without that. */
	if (err == -EINVAL || err == -ENOSYS)
		err = rename(from, to) ? -errno : 0;
	return err ? error_set(err, "%s: %s", to, strerror(-err)) : 0;
}

int import_write(const struct import_result *result, const char *dir)
{
	char *final = pool_copy(result->pool, dir), *temporary;
	const char *why;
	mode_t mask;
	int err;

	for (size_t n = strlen(final); n > 1 && final[n - 1] == '/'; n--)
		final[n - 1] = '\0';
	if (!access(final, F_OK))
		return error_set(-EEXIST, "%s is there already", final);
	err = make_temporary(result->pool, final, &temporary);
	if (err)
		return err;
	umask(mask = umask(0));
	err = write_all(result, temporary);
	if (!err && chmod(temporary, 0775 & ~mask))
		err = error_set(-errno, "%s: %m", temporary);
	if (!err)
		err = rename_new(temporary, final);
	if (!err)
		return 0;
	why = pool_copy(result->pool, error_text());
	file_remove_tree(temporary);
	return error_set(err, "%s", why);
}
