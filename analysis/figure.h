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
};

/* What a figure shows; which of these matter depends on the shape. */
struct figure_source {
	const char *measure; /* "" = the headline metric */
	enum idle_quantity quantity;
	bool all_cpus; /* else the workload's, if it has any */
	bool short_end; /* only the lowest part of the x axis, linear */
};

struct figure_kind {
	const char *id, *title;
	enum figure_shape shape;
	struct figure_source source;
};

/* All rows of figures.def; ends with a NULL id. */
extern const struct figure_kind figure_table[];

/* One figure of one report. */
struct figure {
	const struct figure_kind *kind;
	const struct section *section;
	const struct facet *facet;
	const char *name; /* file name without suffix: "loop-time-two-cores" */
	const char *title; /* "ping-sweep, two-cores: Time per loop" */
	const char *unfit; /* why it is not drawn; NULL */
	int width, height; /* px */
};

struct figure_list {
	struct figure *figure;
	size_t n;
};

/*
 * Writes the TSV and .gp files of all figures into data and plots below @dir. -errno with
 * a text.
 */
int figure_write_all(const struct table *table, const char *dir, struct figure_list *ret);

/* Prints "id TAB title" lines. */
void figure_print_table(FILE *out);

/* The measure of a values or difference figure; NULL when this section does not have it. */
const struct measure *figure_measure(const struct section *section, const struct figure_kind *kind);
/* The CPUs that a states figure is about. */
enum cpu_set figure_set(const struct table *table, const struct figure *figure);
/* States with some value in this figure, as state numbers; returns how many. */
size_t figure_states(const struct table *table, const struct figure *figure, size_t **ret);
/* The points that the figure shows. */
size_t figure_points(const struct figure *figure);
/* True: curves over the x axis; false: governors side by side. */
bool figure_is_sweep(const struct figure *figure);

/* The data of a figure, part of figure_write_all(). */
void figure_write_data(const struct table *table, const struct figure *figure, FILE *out);
/* Its gnuplot variables, likewise. */
void figure_write_script(const struct table *table, const struct figure *figure, FILE *out);

#endif
