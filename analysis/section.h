/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A result ordered for comparison: columns (governors), sections, points, measures, cells.
 *
 * A cell has one value per complete run. Failed and void runs have a place in the grid but no value
 * (P-63). Every figure and table is made from this; none looks at runs again.
 */
#ifndef ANALYSIS_SECTION_H
#define ANALYSIS_SECTION_H

#include "analysis/idle.h"
#include "analysis/load.h"
#include "analysis/stats.h"
#include "lib/units.h"

#define NO_COLUMN SIZE_MAX

/* What tables print across: a governor, by cpufreq governor and kernel where those vary. */
struct column {
	const char *name; /* "teo", "menu:2", "teo/schedutil", "teo@6.19-rc1"; no blanks in it */
	const char *label, *governor, *cpufreq, *kernel, *machine; /* cpufreq "" = not an axis */
	size_t reference; /* the column it is compared with (P-36: of its own kernel); NO_COLUMN */
	bool is_reference;
	size_t colour; /* 0 = reference; the same in every figure */
};

enum verdict {
	VERDICT_NONE, /* nothing to compare, or a measure without a better direction */
	VERDICT_SMALL, /* fewer than 6 runs on a side */
	VERDICT_SAME, /* "~" */
	VERDICT_BETTER,
	VERDICT_WORSE,
};

struct difference {
	bool known; /* false: all else is NAN */
	bool reference_is_0; /* why it is not known: nothing is a percentage of 0 */
	double pct; /* Hodges-Lehmann shift in percent of the reference's median */
	bool interval;
	double lo_pct, hi_pct;
	double p, p_holm; /* p_holm: over the points of the sweep */
	enum verdict verdict;
};

struct cell {
	double *value; /* one a run */
	int *repeat; /* of that run */
	size_t n;
	struct estimate estimate;
	struct difference difference;
};

enum measure_kind { MEASURE_METRIC, MEASURE_POWER, MEASURE_IDLE, MEASURE_NOT_IDLE };
enum better { BETTER_IS_NONE, BETTER_IS_LOWER, BETTER_IS_HIGHER };

struct measure {
	enum measure_kind kind;
	const char *name, *unit;
	enum better better;
	double threshold_pct; /* smallest difference that matters */
	size_t power; /* MEASURE_POWER: 0 package, 1 dram, 2 psys */
	enum cpu_set set; /* MEASURE_IDLE, MEASURE_NOT_IDLE */
	enum idle_quantity quantity;
	size_t state; /* MEASURE_NOT_IDLE: index of the table */
	struct cell *cell; /* [point * columns + column] */
	/*
	 * The whole section as one number a run: with one point that point's value, else the
	 * geometric mean over the points that every column has in every full repeat (P-57).
	 */
	struct cell *overall; /* [column] */
	size_t overall_points; /* points behind it */
	const char *overall_reason; /* why there are none; a constant, NULL when there are */
};

struct axis {
	const char *key;
	const char *unit; /* of at[]: "us", "Hz", "%", "" */
	bool numeric; /* false: at[] is the position in the order of the words */
};

struct point {
	const char *name; /* as stored: "work=12.5us" */
	const char **text; /* per axis */
	double *at; /* per axis, in axis.unit */
};

/* One curve family: the points that differ in the x axis only. */
struct facet {
	const char *name; /* of the other axes, "cores=2"; "" */
	size_t *point;
	size_t points;
};

struct section {
	const char *name, *workload;
	bool timer_based, pinned, oversubscribed;
	const char *cpus; /* of the workload, of the first run */
	struct axis *axis;
	size_t axes, x; /* x: the axis along which curves are drawn, when axes > 0 */
	struct point *point;
	size_t points;
	struct facet *facet;
	size_t facets;
	bool *column_present; /* some run of it exists here */
	struct measure *measure; /* metrics as published (0 = headline), power, idle */
	size_t measures, metrics;
	struct idle_sum *pooled; /* [column * SETS * states + set * states + state]; points that all
				    columns have */
	size_t pooled_points;
	size_t complete_min, complete_max; /* complete runs a cell has */
};

struct table {
	const struct result *result;
	struct pool *pool;
	struct column *column;
	size_t columns;
	struct section *section;
	size_t sections;
	size_t runs_complete, runs_failed, runs_void;
};

/* Builds everything, statistics included. 0 or -ENOMEM. @result must outlive it; freed with its
 * pool. */
int section_build(struct result *result, struct table *ret);

/* Columns of all runs, in the order of the governors asked; part of section_build(). */
int section_columns(struct table *table);
/* Column of a run. */
size_t section_column_of(const struct table *table, const struct loaded_run *run);
/* Axes, points and facets of a section whose runs are known; part of section_build(). */
void section_points(struct table *table, struct section *section);
/* Estimates, differences, verdicts of a section; part of section_build(). */
int section_compare(struct table *table, struct section *section);
/* The practical threshold of a metric, percent. */
double section_threshold_pct(const char *metric);

/* NULL when there is none. */
const struct measure *section_measure(const struct section *section, const char *name);
const struct measure *section_idle_measure(const struct section *section, enum cpu_set set,
					   enum idle_quantity quantity, size_t state);
const struct cell *section_cell(const struct table *table, const struct measure *measure,
				size_t point, size_t column);
/* Some cell has a value. */
bool section_has_values(const struct table *table, const struct section *section,
			const struct measure *measure);

/* "better", "worse", "~", "n too small", "". */
const char *section_verdict_text(enum verdict verdict);

#endif
