/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two dumps whose names differ in "before" and "after" only are one run. A row that is not in both,
 * or went backwards, is named and left out: a counter that is smaller afterwards was reset in
 * between (P-20), and nobody knows when.
 */
#include "analysis/import/result.h"
#include <inttypes.h>
#include <string.h>

#define SECTION_COUNTERS "idle-counters"

static bool is_dump(const struct import_source *s)
{
	return s->readings && !s->runs;
}

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static bool same_value(const struct import_reading *a, const struct import_reading *b,
		       enum import_file file)
{
	return a->have[file] == b->have[file] && a->value[file] == b->value[file];
}

/* Is it the same state with the same setting? */
static bool same_state(const struct import_reading *a, const struct import_reading *b)
{
	return a->cpu == b->cpu && a->state == b->state && same_text(a->name, b->name) &&
	       same_value(a, b, IMPORT_LATENCY) && same_value(a, b, IMPORT_RESIDENCY) &&
	       same_value(a, b, IMPORT_DISABLE);
}

/* Why there is no difference between the two; NULL when there is one. */
static const char *subtract(const struct import_reading *a, const struct import_reading *b,
			    struct import_idle *ret)
{
	static const char *const back[] = { "usage is smaller after than before",
					    "time is smaller after than before",
					    "above is smaller after than before",
					    "below is smaller after than before",
					    "rejected is smaller after than before" };
	struct import_idle d = { .cpu = b->cpu, .state = b->state };
	uint64_t delta[IMPORT_COUNTERS];

	if (!same_state(a, b))
		return "it was another state before";
	for (size_t i = 0; i < IMPORT_COUNTERS; i++) {
		size_t file = IMPORT_USAGE + i;

		d.first[i] = a->value[file];
		d.last[i] = b->value[file];
		d.have[i] = a->have[file] && b->have[file];
		delta[i] = d.last[i] - d.first[i];
		if (d.have[i] && d.last[i] < d.first[i])
			return back[i];
	}
	if (d.have[0] && d.have[2] && d.have[3] &&
	    (delta[2] > delta[0] || delta[3] > delta[0] - delta[2]))
		return "above + below grew by more than usage";
	*ret = d;
	return NULL;
}

static int compare_place(const struct import_reading *a, const struct import_reading *b)
{
	return a->cpu != b->cpu ? a->cpu - b->cpu : a->state - b->state;
}

static void one_side(struct import_source *s, const struct import_reading *r)
{
	import_fault(s, r->line, "cpu%d state%d is in one of the two dumps only: left out", r->cpu,
		     r->state);
}

static void add_pair(struct import_source *before, struct import_source *after)
{
	struct import_run *run;
	size_t i = 0, j = 0;

	if (before->release && after->release && strcmp(before->release, after->release)) {
		import_fault(after, 0, "not the kernel of %s: no pair", before->path);
		return;
	}
	if (before->governor && after->governor && strcmp(before->governor, after->governor))
		import_doubt(after, "governor changed: %s before, %s after", before->governor,
			     after->governor);
	if (!after->governor)
		after->governor = before->governor;
	run = import_run_add(after, 0);
	run->section = SECTION_COUNTERS;
	while (i < before->readings || j < after->readings) {
		const struct import_reading *a = &before->reading[i], *b = &after->reading[j];
		int order = i == before->readings  ? 1
			    : j == after->readings ? -1
						   : compare_place(a, b);
		struct import_idle d;
		const char *why;

		i += order <= 0;
		j += order >= 0;
		if (order) {
			one_side(order < 0 ? before : after, order < 0 ? a : b);
			continue;
		}
		if (a->bad || b->bad)
			continue; /* named already */
		why = subtract(a, b, &d);
		if (why)
			import_fault(after, b->line, "cpu%d state%d: %s: left out", b->cpu,
				     b->state, why);
		else
			import_idle_add(after->pool, run, &d);
	}
	import_idle_metrics(after->pool, run);
}

/* Counters of a dump alone: since they were 0. */
static struct import_run whole_dump(struct import_source *s)
{
	struct import_run run = { .label = s->label,
				  .governor = s->governor,
				  .section = SECTION_COUNTERS,
				  .repeat = s->repeat ? s->repeat : 1 };

	for (size_t i = 0; i < s->readings; i++) {
		const struct import_reading *r = &s->reading[i];
		struct import_idle idle = { .cpu = r->cpu, .state = r->state };

		if (r->bad)
			continue;
		memcpy(idle.last, &r->value[IMPORT_USAGE], sizeof(idle.last));
		memcpy(idle.have, &r->have[IMPORT_USAGE], sizeof(idle.have));
		import_idle_add(s->pool, &run, &idle);
	}
	return run;
}

static void add_counts(struct import_result *r, const struct import_source *source,
		       const struct import_run *run, bool cumulative)
{
	r->counts = pool_room(r->pool, r->counts, r->counted, sizeof(*r->counts));
	r->counts[r->counted++] =
		(struct import_counts){ source, run->label, run->idle, run->idles, cumulative };
}

/* The folder part of a path, so that a/before.txt is not the partner of b/after.txt. */
static size_t folder_length(const char *path)
{
	size_t n = strlen(path);

	while (n && path[n - 1] == '/')
		n--;
	while (n && path[n - 1] != '/')
		n--;
	return n;
}

static bool same_folder(const char *a, const char *b)
{
	return folder_length(a) == folder_length(b) && !strncmp(a, b, folder_length(a));
}

static struct import_source *partner_of(struct import_source *source, size_t n, size_t at,
					bool in_order)
{
	const struct import_source *s = &source[at];

	if (in_order)
		return at + 1 < n && is_dump(&source[at + 1]) ? &source[at + 1] : NULL;
	for (size_t i = 0; i < n && s->edge < 0; i++)
		if (source[i].edge > 0 && is_dump(&source[i]) &&
		    !strcmp(source[i].label, s->label) && source[i].repeat == s->repeat &&
		    same_folder(source[i].path, s->path))
			return &source[i];
	return NULL;
}

static void take_dumps(struct import_result *r, const struct import_options *options)
{
	bool *used = pool_alloc(r->pool, r->sources + 1, sizeof(*used));

	for (size_t i = 0; i < r->sources; i++) {
		struct import_source *s = &r->source[i], *after;

		if (!is_dump(s) || used[i] || (s->edge > 0 && !options->pair))
			continue;
		after = partner_of(r->source, r->sources, i, options->pair);
		if (!after)
			continue;
		used[i] = used[after - r->source] = true;
		after->label = s->label;
		after->repeat = s->repeat;
		add_pair(s, after);
		s->readings = 0; /* the pair's table is that of the second dump */
	}
	for (size_t i = 0; i < r->sources; i++) {
		struct import_run whole;

		if (used[i] || !is_dump(&r->source[i]))
			continue;
		if (options->pair)
			import_fault(&r->source[i], 0, "no dump after it: not paired");
		whole = whole_dump(&r->source[i]);
		add_counts(r, &r->source[i], &whole, true);
		if (!options->since_boot)
			continue;
		import_idle_metrics(r->pool, &whole);
		*import_run_add(&r->source[i], 0) = whole;
		import_doubt(&r->source[i],
			     "since boot: one dump alone, the counters were taken to begin at 0");
	}
}

/* Mean over the samples of a meter between two times; false when there is none. */
static bool mean_between(const struct import_source *meter, uint64_t t0, uint64_t t1, double *ret)
{
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < meter->samples; i++) {
		if (meter->sample[i].t_ns < t0 || meter->sample[i].t_ns > t1)
			continue;
		sum += meter->sample[i].w;
		n++;
	}
	if (n)
		*ret = sum / (double)n;
	return n;
}

/* A meter's log of the same name and time becomes a metric of turbostat's run. */
static void take_meters(struct import_result *r)
{
	for (size_t i = 0; i < r->sources; i++) {
		struct import_source *meter = &r->source[i];

		for (size_t j = 0; meter->samples && meter->runs && j < r->sources; j++) {
			struct import_source *log = &r->source[j];
			double w;

			if (log->samples || log->runs != 1 || !log->run->t1_ns ||
			    strcmp(log->label, meter->label) ||
			    !mean_between(meter, log->run->t0_ns, log->run->t1_ns, &w))
				continue;
			import_metric_add(r->pool, log->run, "wall_w", "W", "lower", w);
			import_doubt(log,
				     "wall_w: mean of %s from the log's first stamp to its last",
				     meter->path);
			meter->runs = 0;
		}
	}
}

static bool same_boot(const struct import_boot *boot, const struct import_source *s,
		      const char *release, const char *machine)
{
	if (strcmp(boot->release, release) || strcmp(boot->machine, machine) ||
	    boot->readings != s->readings)
		return false;
	for (size_t i = 0; i < s->readings; i++)
		if (!same_state(&boot->reading[i], &s->reading[i]))
			return false;
	return true;
}

static size_t boot_of(struct import_result *r, const struct import_source *s)
{
	const char *release = s->release ? s->release : "unknown";
	const char *machine = s->machine ? s->machine : "";
	size_t i;

	for (i = 0; i < r->boots; i++)
		if (same_boot(&r->boot[i], s, release, machine))
			return i;
	r->boot = pool_room(r->pool, r->boot, r->boots, sizeof(*r->boot));
	r->boot[r->boots++] = (struct import_boot){
		.name = pool_text(r->pool, "%s+imported-%zu", release, i + 1),
		.release = release,
		.machine = machine,
		.reading = s->reading,
		.readings = s->readings,
	};
	return i;
}

/* A second source of one name is a repeat, unless its name or a column says which. */
static void number_repeat(struct import_result *r, struct import_run *run)
{
	for (size_t i = 0; i < r->runs; i++) {
		const struct import_run *other = r->run[i].run;

		if (!strcmp(other->label, run->label) && !strcmp(other->section, run->section) &&
		    other->repeat >= run->repeat)
			run->repeat = other->repeat + 1;
	}
}

static void place_runs(struct import_result *r)
{
	for (size_t i = 0; i < r->sources; i++) {
		struct import_source *s = &r->source[i];
		size_t boot;

		if (!s->readings && !s->runs)
			continue;
		boot = boot_of(r, s);
		s->boot = boot + 1;
		for (size_t j = 0; j < s->runs && r->runs < IMPORT_RUNS_MAX; j++) {
			/*
			 * The report takes a boot with states for one whose runs have counters, and
			 * a run without metrics for a damaged one.
			 */
			if ((s->readings && !s->run[j].idles) || !s->run[j].metrics) {
				import_fault(s, 0, "no usable row of %s is left", s->run[j].label);
				continue;
			}
			if (s->runs == 1 && !s->repeat && !s->run[j].axes)
				number_repeat(r, &s->run[j]);
			r->run = pool_room(r->pool, r->run, r->runs, sizeof(*r->run));
			r->run[r->runs++] = (struct import_placed){ s, &s->run[j], boot };
			if (s->run[j].idles &&
			    !(r->counted && r->counts[r->counted - 1].source == s &&
			      r->counts[r->counted - 1].cumulative))
				add_counts(r, s, &s->run[j], false);
		}
	}
}

void import_assemble(struct pool *pool, struct import_source *source, size_t n,
		     const struct import_options *options, struct import_result *ret)
{
	struct import_result r = { .pool = pool, .source = source, .sources = n };

	take_dumps(&r, options);
	take_meters(&r);
	place_runs(&r);
	/* Machines that nobody named are not one machine: their columns are not compared. */
	for (size_t i = 0; r.boots > 1 && i < r.boots; i++)
		if (!*r.boot[i].machine)
			r.boot[i].machine = pool_text(pool, "unknown-%zu", i + 1);
	*ret = r;
}
