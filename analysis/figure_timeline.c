/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the tables between a run's two readings into tracks. */
#include "analysis/figure_timeline.h"
#include "analysis/describe.h"
#include "lib/error.h"
#include "lib/wrap.h"
#include "lib/zone.h"
#include "store/format.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ENERGY "energy:"
#define SHARE_PCT 1e-4 /* percent of one CPU for 1 us a second */

/* A reader in progress: one run. */
struct reader {
	const struct table *table;
	const struct loaded_run *run;
	struct timeline line;
};

bool figure_open_table(const struct table *table, const struct loaded_run *run, const char *name,
		       struct tsv *ret)
{
	bool there = !tsv_load(pool_text(table->pool, "%s/%s", run->info.dir, name), ret);

	error_clear();
	return there;
}

static double seconds(const struct reader *r, uint64_t t_ns)
{
	return ((double)t_ns - (double)r->run->info.t0_ns) / 1e9;
}

static struct track *add_track(struct reader *r, struct track track, size_t room)
{
	struct timeline *line = &r->line;

	track.t_s = pool_alloc(r->table->pool, room + 1, sizeof(*track.t_s));
	track.value = pool_alloc(r->table->pool, room + 1, sizeof(*track.value));
	line->track = pool_room(r->table->pool, line->track, line->n, sizeof(*line->track));
	line->track[line->n] = track;
	return &line->track[line->n++];
}

static void add_value(struct track *track, double t_s, double value)
{
	track->t_s[track->n] = t_s;
	track->value[track->n++] = value;
}

/* "loop_us" of "ring0.loop_us", "periodic:lateness_us" of "periodic:thread0.lateness_us". */
static const char *series_kind(struct pool *pool, const char *name)
{
	const char *colon = strchr(name, ':'), *dot = strrchr(name, '.');

	if (!dot)
		return name;
	return pool_text(pool, "%.*s%s", colon ? (int)(colon + 1 - name) : 0, name, dot + 1);
}

static const char *unit_of(const char *name)
{
	static const struct {
		const char *ending, *unit;
	} known[] = { { "_us", "us" }, { "_ns", "ns" }, { "_pct", "%" }, { "_per_s", "1/s" } };
	size_t i, n = strlen(name);

	for (i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (n > strlen(known[i].ending) &&
		    !strcmp(name + n - strlen(known[i].ending), known[i].ending))
			return known[i].unit;
	return "";
}

/* Number of the track that a series belongs to. */
static size_t series_track(struct reader *r, const char *name, size_t room)
{
	const char *kind = series_kind(r->table->pool, name);
	size_t i;

	for (i = 0; i < r->line.n && strcmp(r->line.track[i].name, kind); i++)
		;
	if (i == r->line.n)
		add_track(r,
			  (struct track){ .name = pool_copy(r->table->pool, kind),
					  .unit = unit_of(kind),
					  .scale = 1 },
			  room);
	return i;
}

static void read_series(struct reader *r)
{
	const char *last = "";
	struct tsv tsv;
	int at, name, value;
	size_t row, i = 0;

	if (!figure_open_table(r->table, r->run, STORE_SERIES, &tsv))
		return;
	at = tsv_column(&tsv, "t_ns");
	name = tsv_column(&tsv, "name");
	value = tsv_column(&tsv, "value");
	for (row = 0; row < tsv.rows; row++) {
		const char *text = tsv_text(&tsv, row, name);
		uint64_t t_ns;
		double v;

		if (tsv_u64(&tsv, row, at, &t_ns) != 1 || tsv_double(&tsv, row, value, &v) != 1)
			continue;
		if (strcmp(text, last)) {
			i = series_track(r, text, tsv.rows);
			last = text;
		}
		add_value(&r->line.track[i], seconds(r, t_ns), v);
	}
	error_clear();
	tsv_free(&tsv);
}

static uint64_t range_of(const struct tsv *energy, const char *label)
{
	uint64_t range;
	size_t row;

	for (row = 0; row < energy->rows; row++)
		if (!strcmp(tsv_text(energy, row, tsv_column(energy, "label")), label) &&
		    tsv_u64(energy, row, tsv_column(energy, "range_uj"), &range) == 1)
			return range;
	return 0;
}

/* Adds one zone's energy since the first sample to @sum; NAN where it is not known. */
static void add_zone(const struct tsv *tsv, int column, uint64_t range, double *sum)
{
	uint64_t last = 0, next, step;
	double total = 0;
	bool begun = false;
	size_t row;

	for (row = 0; row < tsv->rows; row++) {
		if (tsv_u64(tsv, row, column, &next) != 1) {
			sum[row] = NAN;
			continue;
		}
		if (begun && wrap_delta(last, next, range, &step))
			total = NAN;
		else if (begun)
			total += (double)step;
		begun = true;
		last = next;
		sum[row] += total;
	}
}

/* Labels of the energy columns, each once: a zone's mmio twin has its label. */
static size_t energy_labels(struct pool *pool, const struct tsv *tsv, const char ***ret)
{
	const char **label = pool_alloc(pool, tsv->columns + 1, sizeof(*label));
	size_t n = 0, c, i;

	for (c = 0; c < tsv->columns; c++) {
		const char *name = tsv->cell[c];

		if (strncmp(name, ENERGY, strlen(ENERGY)))
			continue;
		for (i = 0; i < n && strcmp(label[i], name + strlen(ENERGY)); i++)
			;
		if (i == n)
			label[n++] = name + strlen(ENERGY);
	}
	*ret = label;
	return n;
}

static void read_energy(struct reader *r, const struct tsv *tsv, int at)
{
	const char **label;
	size_t n = energy_labels(r->table->pool, tsv, &label), i, row, zones = 0;
	double *sum = pool_alloc(r->table->pool, tsv->rows + 1, sizeof(*sum));
	struct tsv energy = { 0 };
	struct track *track;
	uint64_t t_ns;

	if (isnan(r->run->power.package_w) ||
	    !figure_open_table(r->table, r->run, STORE_ENERGY, &energy))
		return;
	for (i = 0; i < n; i++) {
		if (!zone_in_package_sum(label, n, i))
			continue;
		zones++;
		add_zone(tsv, tsv_column(tsv, pool_text(r->table->pool, ENERGY "%s", label[i])),
			 range_of(&energy, label[i]), sum);
	}
	tsv_free(&energy);
	if (!zones)
		return;
	track = add_track(
		r,
		(struct track){ .name = "package_w", .unit = "W", .counter = true, .scale = 1e-6 },
		tsv->rows);
	for (row = 0; row < tsv->rows; row++)
		if (tsv_u64(tsv, row, at, &t_ns) == 1 && !isnan(sum[row]))
			add_value(track, seconds(r, t_ns), sum[row]);
}

/* CPUs of the set that have a state of that name. */
static size_t cpus_with(const struct reader *r, enum cpu_set set, const char *state)
{
	const struct result *result = r->table->result;
	const struct boot *boot = &result->boot[r->run->boot];
	size_t n = 0, i;
	int cpu;

	for (cpu = 0; cpu < boot->cpus; cpu++) {
		const struct state_table *table;

		if (boot->table_of_cpu[cpu] < 0 ||
		    (set == SET_WORKLOAD && !cpulist_has(&r->run->info.cpus, cpu)))
			continue;
		table = &result->table[boot->table_of_cpu[cpu]];
		for (i = 0; i < table->states && strcmp(table->state[i].name, state); i++)
			;
		n += i < table->states;
	}
	return n;
}

static void read_states(struct reader *r, const struct tsv *tsv, int at, enum cpu_set set)
{
	const char *prefix = set == SET_WORKLOAD ? "workload:" : "all:";
	size_t c, row, n = strlen(prefix), length;

	for (c = 0; c < tsv->columns; c++) {
		const char *name = tsv->cell[c];
		struct track *track;
		size_t cpus;

		length = strlen(name);
		if (strncmp(name, prefix, n) || length < n + strlen(":time_us") ||
		    strcmp(name + length - strlen(":time_us"), ":time_us"))
			continue;
		name = pool_text(r->table->pool, "%.*s", (int)(length - n - strlen(":time_us")),
				 name + n);
		cpus = cpus_with(r, set, name);
		if (!cpus)
			continue;
		track = add_track(r,
				  (struct track){ .name = name,
						  .unit = "%",
						  .is_state = true,
						  .counter = true,
						  .scale = SHARE_PCT / (double)cpus },
				  tsv->rows);
		for (row = 0; row < tsv->rows; row++) {
			uint64_t t_ns;
			double us;

			if (tsv_u64(tsv, row, at, &t_ns) == 1 &&
			    tsv_double(tsv, row, (int)c, &us) == 1)
				add_value(track, seconds(r, t_ns), us);
		}
	}
}

void figure_timeline(const struct table *table, const struct loaded_run *run, enum cpu_set set,
		     struct timeline *ret)
{
	struct reader r = { .table = table, .run = run };
	struct tsv tsv;

	r.line.length_s = seconds(&r, run->info.t1_ns);
	read_series(&r);
	if (figure_open_table(table, run, STORE_SAMPLES, &tsv)) {
		int at = tsv_column(&tsv, "t_ns");

		read_energy(&r, &tsv, at);
		read_states(&r, &tsv, at, set);
		error_clear();
		tsv_free(&tsv);
	}
	*ret = r.line;
}

const struct track *figure_track(const struct timeline *timeline, const char *name)
{
	size_t i;

	for (i = 0; i < timeline->n; i++)
		if (!strcmp(timeline->track[i].name, name))
			return &timeline->track[i];
	return NULL;
}

/* A counter at @t, between its samples. */
static double counter_at(const struct track *track, double t)
{
	size_t i = 1;
	double share;

	while (i + 1 < track->n && track->t_s[i] < t)
		i++;
	share = (t - track->t_s[i - 1]) / (track->t_s[i] - track->t_s[i - 1]);
	return track->value[i - 1] + share * (track->value[i] - track->value[i - 1]);
}

double figure_track_mean(const struct track *track, double from, double to)
{
	double sum = 0, a, b;
	size_t i, n = 0;

	if (!track->counter) {
		for (i = 0; i < track->n; i++) {
			if (track->t_s[i] > from && track->t_s[i] <= to) {
				sum += track->value[i];
				n++;
			}
		}
		return n ? sum / (double)n : NAN;
	}
	if (track->n < 2)
		return NAN;
	/* The samples begin a little after t0 and end before t1. */
	a = fmax(from, track->t_s[0]);
	b = fmin(to, track->t_s[track->n - 1]);
	if (b - a < (to - from) / 2)
		return NAN;
	return track->scale * (counter_at(track, b) - counter_at(track, a)) / (b - a);
}

bool figure_track_known(const struct track *track, double length_s)
{
	size_t i;

	for (i = track->counter ? 1 : 0; i < track->n; i++)
		if (track->t_s[i] > 0 && track->t_s[i] <= length_s && isfinite(track->value[i]))
			return true;
	return false;
}

size_t figure_timelines(const struct table *table, const struct section *section, size_t point,
			size_t column, struct timeline **ret)
{
	const struct result *r = table->result;
	struct timeline *line = NULL;
	size_t n = 0, i;

	for (i = 0; i < r->runs; i++) {
		const struct store_run *run = &r->run[i].info;

		if (run->state != STORE_COMPLETE || strcmp(run->section, section->name) ||
		    strcmp(run->point, section->point[point].name) ||
		    section_column_of(table, &r->run[i]) != column)
			continue;
		if (!table->timeline[i]) {
			table->timeline[i] = pool_alloc(table->pool, 1, sizeof(struct timeline));
			figure_timeline(table, &r->run[i], describe_set(table, section),
					table->timeline[i]);
		}
		line = pool_room(table->pool, line, n, sizeof(*line));
		line[n++] = *table->timeline[i];
	}
	*ret = line;
	return n;
}

bool figure_state_used(const struct table *table, const struct figure *figure, const char *state)
{
	size_t i, c;

	for (i = 0; i < table->result->states; i++) {
		const struct measure *m = section_idle_measure(
			figure->section, describe_set(table, figure->section), IDLE_RESIDENCY, i);

		for (c = 0; m && c < table->columns; c++)
			if (!strcmp(load_state(table->result, i)->name, state) &&
			    section_cell(table, m, figure->facet->point[0], c)->estimate.max > 0)
				return true;
	}
	return false;
}
