/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The figures of a report: a table of them (figures.def), their data as TSV, their gnuplot scripts.
 *
 * Every figure is three files that a reader can take away: data/NAME.tsv, plots/NAME.gp (variables,
 * then load of a common script beside it) and plots/NAME.svg. Nothing is drawn by strings printed
 * from C.
 */
#ifndef ANALYSIS_FIGURE_H
#define ANALYSIS_FIGURE_H

#include "analysis/section.h"
#include <stdio.h>

enum figure_shape {
	FIGURE_VALUES, /* one measure: median and interval */
	FIGURE_DIFFERENCE, /* one measure: percent against the reference */
	FIGURE_STATES, /* one panel an idle state */
	FIGURE_EFFECTS, /* differences of many measures in rows */
	FIGURE_DETAIL, /* cuts of a sweep: its short end, its transitions */
	FIGURE_SHARES, /* CPU time by idle state, stacked */
	FIGURE_PAIR, /* one measure over another */
	FIGURE_LATENCY, /* distribution of latency.tsv */
	FIGURE_TIME, /* course within the window */
	FIGURE_RAMP, /* against the load, up and down */
	FIGURE_SHAPES
};

/* What one figure is about. */
enum figure_scope {
	FIGURE_OF_FACET, /* the points that differ in the x axis only */
	FIGURE_OF_POINT,
	FIGURE_OF_SECTION,
	FIGURE_OF_REPORT, /* all sections */
};

/* What a figure shows; which of these matter depends on the shape. */
struct figure_source {
	const char *measure; /* "" = the headline metric */
	const char *over; /* FIGURE_PAIR: the measure of the x axis */
	enum idle_quantity quantity;
	bool all_cpus; /* else the workload's, if it has any */
};

struct figure_kind {
	const char *id, *heading, *title; /* heading: on the page, of those that follow as well */
	enum figure_shape shape;
	enum figure_scope scope;
	struct figure_source source;
};

/* All rows of figures.def; ends with a NULL id. */
extern const struct figure_kind figure_table[];

/* One figure of one report. */
struct figure {
	const struct figure_kind *kind;
	const struct section *section; /* NULL: of the report */
	const struct facet *facet; /* NULL: of the report; its points: all that are shown */
	const char *name; /* file name without suffix: "loop_us-two-cores" */
	const char *title; /* "two-cores: loop_us (us, lower is better), ping-pong" */
	const char *unfit; /* why it is not drawn; NULL */
	int width, height; /* px */
};

struct figure_list {
	struct figure *figure;
	size_t n;
};

/* How a shape is drawn: figure_NAME.c each. */
struct figure_drawing {
	/* Why not; NULL when it can be drawn. */
	const char *(*unfit)(const struct table *table, const struct figure *figure);
	/* What is shown, with unit and direction: the title behind the section's name. */
	const char *(*what)(const struct table *table, const struct figure *figure);
	/* What bars and bands are: "bars: 95 % interval of the median of 6 runs each". */
	const char *(*legend)(const struct table *table, const struct figure *figure);
	/* px, with a key of one row. */
	int (*height)(const struct table *table, const struct figure *figure);
	/* Returns how many of the values can be drawn: 0 = the picture would be empty. */
	size_t (*data)(const struct table *table, const struct figure *figure, FILE *out);
	/* gnuplot variables behind those that all figures have. */
	void (*variables)(const struct table *table, const struct figure *figure, FILE *out);
	/* The common script, without ".gp". */
	const char *(*script)(const struct figure *figure);
};

const struct figure_drawing *figure_drawing_of(const struct figure *figure);

extern const struct figure_drawing figure_values, figure_difference, figure_states_drawing,
	figure_effects, figure_detail, figure_shares, figure_pair, figure_latency, figure_time,
	figure_ramp;

#define FIGURE_WIDTH 900 /* px, of every figure */
#define FIGURE_LABEL_MAX 32 /* characters of a governor's or state's name in a figure */
#define FIGURE_AXIS_MAX 50 /* characters of an axis' label */
#define FIGURE_HEIGHT 560 /* px, of a figure without panels */
#define FIGURE_POINTS_MAX 8 /* points of a section up to which each may have figures of its own */

/*
 * Writes the TSV and .gp files of all figures into data and plots below @dir. -errno with
 * a text.
 */
int figure_write_all(const struct table *table, const char *dir, struct figure_list *ret);

/* Prints "id TAB title" lines. */
void figure_print_table(FILE *out);

/*
 * The measure of that name, "" = headline; of several workloads the first "WORKLOAD:NAME". NULL
 * when this section does not have it.
 */
const struct measure *figure_measure(const struct section *section, const char *name);
/* "loop_us (us, lower is better)" */
const char *figure_measure_text(const struct table *table, const struct measure *measure);
/* The CPUs that a states figure is about. */
enum cpu_set figure_set(const struct table *table, const struct figure *figure);
/* States with some value above 0 in this figure, as state numbers; returns how many. */
size_t figure_states(const struct table *table, const struct figure *figure, size_t **ret);
/* "3:C6": state names may repeat, state numbers of a report do not. */
const char *figure_state_key(const struct table *table, size_t state);
/* "C6  (latency 133, residency 600 us)": exit latency and target residency */
const char *figure_state_title(const struct table *table, size_t state);
/* True: curves over the x axis; false: governors side by side. */
bool figure_is_sweep(const struct figure *figure);
/* The columns that are drawn here; the reference is left out where it is the zero line. */
size_t figure_columns(const struct table *table, const struct figure *figure, size_t **ret);
/* Some point of the figure has a value. */
bool figure_has_values(const struct table *table, const struct figure *figure,
		       const struct measure *measure);
/* "PREFIX: 95 % interval of the median of 6 runs each"; PREFIX is "bars", of many points "band". */
const char *figure_bars(const struct table *table, const struct figure *figure);
/* True: so many points that bars would cover one another; bands are drawn instead. */
bool figure_is_dense(const struct figure *figure);

/* A sweep's or a governors' TSV of one measure; @difference: percent against the reference.
 * Returns how many values can be drawn, and so does figure_put_states(). */
size_t figure_put_values(const struct table *table, const struct figure *figure,
			 const struct measure *measure, bool difference, FILE *out);
/* The TSV of states, of the measures of @quantity. */
size_t figure_put_states(const struct table *table, const struct figure *figure,
			 enum idle_quantity quantity, bool not_idle, FILE *out);
/* Variables of the x axis of a sweep. */
void figure_put_x(const struct table *table, const struct figure *figure, FILE *out);
/* log_y: values above 0 that span more than a factor of 10. */
void figure_put_log_y(const struct table *table, const struct figure *figure,
		      const struct measure *measure, FILE *out);

/* The key below a figure: entries in so many columns, and what rows behind the first add. */
struct figure_key {
	int columns, more_px;
};

struct figure_key figure_key(const struct table *table, const struct figure *figure);
/* @text in at most @chars characters: the middle of a longer one is "...". */
const char *figure_fit(struct pool *pool, const char *text, size_t chars);

/* The whole script of a figure, part of figure_write_all(). */
void figure_write_script(const struct table *table, const struct figure *figure, FILE *out);

#endif
