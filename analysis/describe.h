/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Words and numbers that the text summary, the page and the figures share, so that they say the
 * same. Texts live in the result's pool.
 */
#ifndef ANALYSIS_DESCRIBE_H
#define ANALYSIS_DESCRIBE_H

#include "analysis/section.h"

#define DESCRIBE_NUMBER_MAX 32

/* At most @digits significant digits, no exponent between 1e-4 and 1e15; "-" for NAN. Returns
 * @text. */
const char *describe_number(double value, int digits, char text[DESCRIBE_NUMBER_MAX]);
/* The shortest text of a given number (latencies, counts): "133", "0.5"; "-" for NAN. */
const char *describe_count(double value, char text[DESCRIBE_NUMBER_MAX]);
/* "+0.51", "-" for NAN. */
const char *describe_percent(double pct, char text[DESCRIBE_NUMBER_MAX]);
/* "+400 us": against a reference of 0, where there is no percent. */
const char *describe_shift(struct pool *pool, const struct measure *measure,
			   const struct difference *difference);
/* "+380..+420", in the measure's unit; "" without an interval. */
const char *describe_shift_range(struct pool *pool, const struct difference *difference);
/* "geometric mean over 23 of 24 points", "mean over 24 of 24 points, some values not above 0" */
const char *describe_overall(const struct table *table, const struct section *section,
			     const struct measure *measure);
/* "3.001..3.010", "-" when unknown. */
const char *describe_range(struct pool *pool, double lo, double hi, int digits);

/* "6.18.44", several joined by ", ". */
const char *describe_kernels(const struct table *table);
const char *describe_machine(const struct table *table); /* "" = not known */
const char *describe_date(const struct table *table);
/* "menu (reference), teo, teo-ng" */
const char *describe_columns(const struct table *table);
/* "vs menu@6.18": what a percent of this column is against, where there are several references;
 * else
 * "". */
const char *describe_versus(const struct table *table, size_t column);
/* "ping-sweep on Linux 6.18.44, i5-10600K, 2026-11-30" */
const char *describe_title(const struct table *table);
/* "repeats asked: 6; window 10s, order shuffled, seed 1, version 0.1" */
const char *describe_plan(const struct table *table);
/* The words of marks.def: "REHEARSAL", "REHEARSAL, MODELLED"; "" = measured */
const char *describe_flags(const struct table *table);
/* The same of one column's runs. */
const char *describe_column_flags(const struct table *table, size_t column);
/* The same with what it means. */
const char *describe_warning(const struct table *table);
/* "ladder: not measured: REASON" */
const char *describe_gap(const struct table *table, const struct gap *gap);
/* "5 of 72 cells of the plan are not done"; "" = all are */
const char *describe_undone(const struct table *table);
/* Why there is no state table. */
const char *describe_no_states(const struct table *table);
/* "ping-pong, not timer based, CPUs 0-1, pinned; work 0us..40us, 24 points" */
const char *describe_section(const struct table *table, const struct section *section);
/* "6 runs each", "2 to 6 runs each" */
const char *describe_runs(const struct table *table, const struct section *section);
/* What the bars in figures and the ranges in tables are: "95 % interval of the median" or "range of
 * 3 runs". */
const char *describe_bars(const struct table *table, const struct section *section);
/* "lower is better", "higher is better", "" */
const char *describe_better(enum better better);
/* "CPUs 0-3", with the kernel when there are several boots. */
const char *describe_table(const struct table *table, const struct state_table *of);
/* "C6", with the CPUs behind it when CPUs differ: "C6 (CPUs 0-3)" */
const char *describe_state(const struct table *table, size_t state);
/* The workload's CPUs, or all when the workload has none. */
enum cpu_set describe_set(const struct table *table, const struct section *section);
const char *describe_set_text(enum cpu_set set);
/* The section's A/A control, and the smallest differences behind each "~"; "" = nothing to say. */
const char *describe_control(const struct table *table, const struct section *section);
/*
 * "2.97845 us (sd 0.012, n 6)", "11.355 us (n 1)"; and what it is against the column's reference,
 * of which @cells are the columns: "reference", "+0.44 % (worse?) ~", "-5.95 % better". The percent
 * is of the averages; the word has a "?" where there is no verdict behind it.
 */
const char *describe_average(const struct table *table, const struct measure *measure,
			     const struct cell *cell);
const char *describe_against(const struct table *table, const struct measure *measure,
			     const struct cell *cells, size_t column);
/* Percent from the reference's average to the column's; NAN when there is none. */
double describe_average_pct(const struct table *table, const struct cell *cells, size_t column);
/* "lower", "higher", "none" */
const char *describe_direction(enum better better);
/* How to read describe_average() and describe_against(): a paragraph. */
const char *describe_averages(void);
/* How verdicts come about: a paragraph. */
const char *describe_method(const struct table *table);

struct kind {
	const char *text, *example; /* example: name of the first run */
	size_t n;
};

/* Doubts of the complete runs by kind. */
size_t describe_doubts(const struct table *table, struct kind **ret);
/* Failed, void, damaged and duplicate runs by reason. */
size_t describe_excluded(const struct table *table, struct kind **ret);
/* The reason without the path of the run's own folder: what damaged runs of a kind have in common.
 */
const char *describe_broken(const struct broken_run *broken);
/* Cells of the plan that are not done and not explained by a missing governor. */
size_t describe_pending(const struct table *table);
/* Nothing asked is missing. A spoilt run whose cell has a complete one as well does not count. */
bool describe_complete(const struct table *table);

#endif
