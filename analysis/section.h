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
	size_t source; /* the first result it is of; another only where a label pools them */
	/* The column it is compared with: of its own kernel and machine (P-36), or its namesake in
	 * the first result; NO_COLUMN */
	size_t reference;
	bool is_reference;
	size_t colour; /* 0 = reference; the same in every figure */
};

struct timeline; /* analysis/figure_timeline.h */
struct spending; /* analysis/spending.h */

enum verdict {
	VERDICT_NONE, /* nothing to compare, or a measure without a better direction */
	VERDICT_SMALL, /* fewer than 6 runs on a side that can be compared */
	VERDICT_SAME, /* "~" */
	VERDICT_BETTER,
	VERDICT_WORSE,
	VERDICT_EQUIVALENT, /* shown smaller than the threshold; in sequential campaigns only */
};

struct difference {
	bool tested; /* false: there is nothing to compare, all else is meaningless */
	bool known; /* pct is; false: all percents are NAN or 0 */
	bool reference_is_0; /* why it is not known: nothing is a percentage of a median of 0 */
	double pct; /* Hodges-Lehmann estimate of the ratio to the reference, less 1, in percent */
	bool interval;
	double lo_pct, hi_pct; /* 95 % */
	/* Instead of them where reference_is_0: Hodges-Lehmann shift, in the measure's unit */
	double shift, shift_lo, shift_hi;
	double p, p_holm; /* p_holm: over the points of the sweep */
	/* Of a campaign that was looked at again and again (analysis/spending.h), where p and
	 * intervals are repeated ones: p that it is no smaller than the threshold; else NAN */
	double p_equal, p_equal_holm;
	bool blocked; /* p compares within blocks; false: all runs as one block (Mann-Whitney) */
	size_t runs; /* that were compared, of the side that has fewer */
	/* The smallest difference in percent, threshold included, that would have got a verdict
	 * with 80 % probability; NAN = none can */
	double detectable_pct;
	enum verdict verdict;
	/* Of the test, for detectable_pct; see stratified.h. scale: what error is relative to; 0 =
	 * it is one of logarithms */
	double p_min, level, error, scale;
	size_t freedom;
	const struct spending *spending; /* NULL: one look at the end */
	size_t look; /* blocks at this one */
	/* Median divided by the reference's, over the blocks that hold both, with its bootstrap
	 * interval: what a reader divides by hand. Of whole sections and scored measures only, else
	 * NAN or 0 */
	double median_ratio, median_ratio_lo, median_ratio_hi;
};

struct shape;

struct cell {
	double *value; /* one a run */
	int *repeat; /* of that run */
	int *block; /* likewise: a number for each boot and repeat, from 1 */
	size_t *run; /* likewise: number of the run in the result; NULL in overall cells */
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
	 * mean over the points that every column has in every full repeat (P-57): the geometric
	 * one, or the arithmetic where some value is not above 0, so that it leaves no point out.
	 * Points at unequal steps of their scale have the section's weights.
	 */
	struct cell *overall; /* [column] */
	size_t overall_points; /* points behind it */
	bool overall_arithmetic;
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
	/* [point] place on the sweep's scale, and the length of it that the point stands for; both
	 * NULL: equal steps, see scale.h */
	const double *place, *weight;
	bool *column_present; /* some run of it exists here */
	struct measure *measure; /* metrics as published (0 = headline), power, idle */
	size_t measures, metrics;
	struct idle_sum *pooled; /* [column * SETS * states + set * states + state]; points that all
				    columns have */
	size_t pooled_points;
	size_t complete_min, complete_max; /* complete runs a cell has */
	bool *bistable; /* [point]: not part of the whole curve; see shape.h */
	struct shape *shape; /* likewise */
};

struct table {
	const struct result *result;
	struct pool *pool;
	const char *reference; /* what columns are compared with, for people: "menu", "6.17" */
	const struct spending **spending; /* by source; see analysis/sequential.h */
	struct column *column;
	size_t columns;
	struct section *section;
	size_t sections;
	size_t runs_complete, runs_failed, runs_void;
	int repeats; /* the largest repeat of any run */
	/* [run]: what its samples say over time, read when a figure first asks; NULL before. */
	struct timeline **timeline;
};

/* Builds everything, statistics included. 0, -ENOMEM or a usage error of section_columns(). @result
 * must outlive it; freed with its pool. */
int section_build(struct result *result, struct table *ret);

/* Columns of all runs, in the order of the governors asked; usage error for a reference that there
 * is not, and for two columns that would be called the same. Part of section_build(). */
int section_columns(struct table *table);
/* Names of the columns, as short as tells them apart. Part of section_columns(). */
int section_name_columns(struct table *table);
/* "i5-8250U" of "Intel(R) Core(TM) i5-8250U CPU @ 1.60GHz". */
const char *section_short_machine(struct pool *pool, const char *machine);
/* Who is compared with whom. Part of section_columns(). */
int section_references(struct table *table);
/* Column of a run. */
size_t section_column_of(const struct table *table, const struct loaded_run *run);
/* Axes, points and facets of a section whose runs are known; part of section_build(). */
void section_points(struct table *table, struct section *section);
/* Estimates, differences, verdicts of a section; part of section_build(). */
int section_compare(struct table *table, struct section *section);
/* The practical threshold of a metric, percent. */
double section_threshold_pct(const char *metric);

/* Measure number @measure is the headline metric or package power: what is judged first. */
bool section_is_scored(const struct section *section, size_t measure);

/* NULL when there is none. */
const struct measure *section_measure(const struct section *section, const char *name);
const struct measure *section_idle_measure(const struct section *section, enum cpu_set set,
					   enum idle_quantity quantity, size_t state);
const struct cell *section_cell(const struct table *table, const struct measure *measure,
				size_t point, size_t column);
/* Some cell has a value. */
bool section_has_values(const struct table *table, const struct section *section,
			const struct measure *measure);

/* "better", "worse", "equivalent", "~", "n too small", "". */
const char *section_verdict_text(enum verdict verdict);

#endif
