/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A table with a row a run. What a column is follows from its name: who (governor, kernel,
 * variant), which repeat (run, iter), which point (device, wakeup, ...), or a measure with a unit.
 * With columns "metric" and "value" a row is one measure of a run, and the rows of a run are put
 * together.
 * Counts and percentages of idle misses must agree with one another.
 */
#include "analysis/import/table.h"
#include "lib/error.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

#define METRICS_MAX 64 /* of a run whose rows are put together */

enum role { UNKNOWN, LABEL, GOVERNOR, REPEAT, AXIS, MEASURE, METRIC, METRIC_PART };

/* A measure whose better direction its name does not say has none. */
static const struct role_row {
	const char *column;
	enum role role;
	const char *unit, *better;
} roles[] = {
	{ "governor", GOVERNOR, NULL, NULL },
	{ "kernel", LABEL, NULL, NULL },
	{ "variant", LABEL, NULL, NULL },
	{ "config", LABEL, NULL, NULL },
	{ "label", LABEL, NULL, NULL },
	{ "run", REPEAT, NULL, NULL },
	{ "iter", REPEAT, NULL, NULL },
	{ "iteration", REPEAT, NULL, NULL },
	{ "repeat", REPEAT, NULL, NULL },
	{ "device", AXIS, NULL, NULL },
	{ "test", AXIS, NULL, NULL },
	{ "benchmark", AXIS, NULL, NULL },
	{ "query", AXIS, NULL, NULL },
	{ "wakeup", AXIS, NULL, NULL },
	{ "idx", AXIS, NULL, NULL },
	{ "point", AXIS, NULL, NULL },
	{ "value", METRIC, NULL, NULL },
	{ "metric", METRIC_PART, NULL, NULL }, /* read with the value */
	{ "unit", METRIC_PART, NULL, NULL },
	{ "sleep_us", MEASURE, "us", "none" },
	{ "iops", MEASURE, "1/s", "higher" },
	{ "us_per_loop", MEASURE, "us", "lower" },
	{ "elapsed_s", MEASURE, "s", "lower" },
	{ "package_w", MEASURE, "W", "lower" },
	{ "wall_w", MEASURE, "W", "lower" },
	{ "idles", MEASURE, "", "none" },
	{ "idle_misses", MEASURE, "", "none" },
	{ "idle_miss_ratio", MEASURE, "", "none" },
	{ "ratio", MEASURE, "", "none" },
	{ "belows", MEASURE, "", "none" },
	{ "aboves", MEASURE, "", "none" },
	{ "usage", MEASURE, "", "none" },
	{ "above", MEASURE, "", "none" },
	{ "below", MEASURE, "", "none" },
};

static struct role_row role_of(const char *column)
{
	for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++)
		if (!strcmp(column, roles[i].column))
			return roles[i];
	if (*table_unit(column))
		return (struct role_row){ column, MEASURE, table_unit(column), "none" };
	return (struct role_row){ column, UNKNOWN, NULL, NULL };
}

static bool is_who(enum role role)
{
	return role == LABEL || role == GOVERNOR;
}

bool import_runs_detect(const struct import_head *head)
{
	char line[4096], *name[LINES_CELLS_MAX + 1];
	bool who = false, measure = false;
	size_t n;

	if (head->folder)
		return false;
	n = table_header(head->text, line, name);
	for (size_t i = 0; i < n; i++) {
		who |= is_who(role_of(name[i]).role);
		measure |= role_of(name[i]).role == MEASURE;
	}
	measure |= lines_find(name, n, "metric") >= 0 && lines_find(name, n, "value") >= 0;
	return who && measure && n <= LINES_CELLS_MAX;
}

/* The counts of misses in a row: how its columns are called. */
static const struct counts {
	const char *idles, *aboves, *belows, *misses;
	struct {
		const char *column, *part; /* PART in relation to idles is printed in COLUMN */
		double times;
	} share[3];
} counts[] = {
	{ "idles",
	  "aboves",
	  "belows",
	  "idle_misses",
	  { { "ratio", "idle_misses", 1 }, { "idle_miss_ratio", "idle_misses", 100 } } },
	{ "usage",
	  "above",
	  "below",
	  "misses",
	  { { "above_pct", "above", 100 }, { "below_pct", "below", 100 } } },
};

/* Whole numbers; nothing is said of what is not there. */
static bool get_counts(struct table_file *t, const struct counts *c, double *idles, double *aboves,
		       double *belows)
{
	return table_number(t, c->idles, idles) && table_number(t, c->aboves, aboves) &&
	       table_number(t, c->belows, belows);
}

static const char *check_shares(struct table_file *t, const struct counts *c, double idles)
{
	double part;

	for (size_t i = 0; i < 3 && c->share[i].column; i++) {
		const char *printed = table_text(t, c->share[i].column);

		if (!*printed || !(idles > 0) || !table_number(t, c->share[i].part, &part))
			continue;
		if (!table_agrees(printed, part / idles * c->share[i].times, 0))
			return c->share[i].column;
	}
	return NULL;
}

/* False when the row contradicts itself. */
static bool check_row(struct table_file *t)
{
	double idles, aboves, belows, misses;
	const char *wrong;

	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		const struct counts *c = &counts[i];

		if (!get_counts(t, c, &idles, &aboves, &belows))
			continue;
		if (table_number(t, c->misses, &misses) && misses != aboves + belows) {
			import_fault(t->source, t->lines.number,
				     "%s %.0f are not above + below, %.0f: left out", c->misses,
				     misses, aboves + belows);
			return false;
		}
		if (aboves + belows > idles) {
			import_fault(t->source, t->lines.number,
				     "above %.0f + below %.0f are more than %s %.0f: left out",
				     aboves, belows, c->idles, idles);
			return false;
		}
		wrong = check_shares(t, c, idles);
		if (wrong) {
			import_fault(t->source, t->lines.number,
				     "%s %s is not what the counts give: left out", wrong,
				     table_text(t, wrong));
			return false;
		}
	}
	return true;
}

/* A named value; what is known of a measure of that name holds here as well. */
static bool add_metric(struct table_file *t, struct import_run *run, const char *text)
{
	const char *name = import_word(t->source->pool, table_text(t, "metric"));
	const struct role_row role = role_of(name);
	bool known = role.role == MEASURE;
	const char *unit = table_text(t, "unit");
	double value = NAN;

	if (*text && !table_number(t, "value", &value))
		value = NAN;
	if (!*unit && known)
		unit = role.unit;
	if (table_is_time(unit) && value < 0)
		return false;
	import_metric_add(t->source->pool, run, name, import_word(t->source->pool, unit),
			  known ? role.better : "none", value);
	return *name;
}

static bool add_cell(struct table_file *t, struct import_run *run, size_t column)
{
	struct import_source *s = t->source;
	const struct role_row role = role_of(t->name[column]);
	const char *text = t->cell[column];
	uint64_t repeat;
	double value;

	switch (role.role) {
	case GOVERNOR:
		run->governor = import_word(s->pool, text);
		run->label = run->governor;
		return *text;
	case LABEL:
		run->label = import_word(s->pool, text);
		return *text;
	case REPEAT:
		if (!lines_u64(text, &repeat) || repeat > 1000000)
			return false;
		run->repeat = (int)repeat;
		return true;
	case AXIS:
		if (run->axes == sizeof(run->axis) / sizeof(run->axis[0]))
			return false;
		run->axis[run->axes++] = (struct import_axis){ pool_copy(s->pool, role.column),
							       import_word(s->pool, text) };
		return *text;
	case MEASURE:
		value = NAN;
		if (*text && !table_number(t, role.column, &value))
			value = NAN;
		import_metric_add(s->pool, run, pool_copy(s->pool, role.column), role.unit,
				  role.better, value);
		return true;
	case METRIC:
		return add_metric(t, run, text);
	case METRIC_PART:
	case UNKNOWN:
		break;
	}
	return true;
}

static bool same_run(const struct import_run *a, const struct import_run *b)
{
	if (strcmp(a->label, b->label) || a->repeat != b->repeat || a->axes != b->axes)
		return false;
	for (size_t i = 0; i < a->axes; i++)
		if (strcmp(a->axis[i].value, b->axis[i].value))
			return false;
	return true;
}

/* The last run gets into an earlier one of its cell, which lacks this metric. */
static void join_runs(struct import_source *s)
{
	struct import_run *last = &s->run[s->runs - 1];

	/* Tables are sorted in one way or another: a run's rows are not far apart. */
	for (struct import_run *run = last; run-- > s->run && last - run < 1000;) {
		bool there = !same_run(run, last) || run->metrics == METRICS_MAX;

		for (size_t i = 0; !there && i < run->metrics; i++)
			there = !strcmp(run->metric[i].name, last->metric[0].name);
		if (there)
			continue;
		import_metric_add(s->pool, run, last->metric[0].name, last->metric[0].unit,
				  last->metric[0].better, last->metric[0].value);
		s->runs--;
		return;
	}
}

static bool add_run(struct table_file *t)
{
	struct import_run *run;

	if (!check_row(t))
		return true;
	run = import_run_add(t->source, t->lines.number);
	if (!run)
		return false;
	run->section = t->source->label;
	for (size_t i = 0; i < t->columns; i++) {
		if (add_cell(t, run, i))
			continue;
		import_fault(t->source, t->lines.number, "nothing usable in column %s: left out",
			     t->name[i]);
		t->source->runs--;
		return true;
	}
	if (run->metrics == 1 && lines_find(t->name, t->columns, "metric") >= 0)
		join_runs(t->source);
	return true;
}

int import_runs_parse(struct import_source *source)
{
	struct table_file *t;
	char quoted[ERROR_QUOTE_SIZE];
	int err = table_open(source, &t);

	if (err)
		return err;
	for (size_t i = 0; i < t->columns; i++)
		if (role_of(t->name[i]).role == UNKNOWN)
			import_fault(source, 1, "unknown column '%s' left out",
				     error_quote(t->name[i], quoted));
	while (table_next(t))
		if (!add_run(t))
			break;
	table_close(t);
	return 0;
}
