/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Suite x governors x repeats as ordered cells. A pure function of its inputs and the seed: the
 * same campaign gives the same numbers and names on every start, which is what resuming rests on.
 */
#ifndef RUN_PLAN_H
#define RUN_PLAN_H

#include "run/suite.h"
#include "store/points.h"

struct plan_governor {
	char *name; /* as the kernel names it */
	char *label; /* the same, or "menu:2" when it is asked a second time */
};

/* One point of a section: a value for each axis. */
struct plan_point {
	size_t section;
	struct param_value *value; /* by row of the section's params, defaults included */
	char *text; /* "work=12.5us"; several axes joined by ','; "" without an axis */
	int round; /* of an adaptive sweep: 0 = from the start, 1, 2, ...: chosen then; else 0 */
};

struct plan_cell {
	int number; /* 1-based, of this order */
	size_t point, governor;
	size_t cpufreq; /* index into plan.cpufreq; 0 where that is no axis */
	int repeat; /* 1-based; the block */
};

struct plan {
	const struct suite *suite;
	struct sweep *disable; /* of each section, "each" resolved */
	struct plan_governor *governor;
	size_t governors;
	char **cpufreq; /* cpufreq governors, the second axis of a block; NULL = no axis */
	size_t cpufreqs; /* at least 1 */
	struct plan_point *point;
	size_t points;
	struct plan_cell *cell;
	size_t cells;
	/* Every point that a section at unequal steps of its scale may have; empty: there is none.
	 * What points.tsv holds. */
	struct store_points scale;
	/* Adaptive sweeps want points that are not chosen yet: until they are, the plan ends with
	 * the blocks that the choice is made from. */
	bool open;
	size_t *blocks_to_come; /* [section] then: all governors at a point in one repeat */
};

/* Repeats of a point from which the next ones are chosen; the others come when all are known. */
#define PLAN_CHOICE_REPEATS 2

#define PLAN_CELLS_MAX 1000000
#define PLAN_GOVERNORS_MAX 64
#define PLAN_CPUFREQS_MAX 8

/*
 * Usage error unless @list is "available", "current", or names joined by commas (which the kernel
 * may or may not have).
 */
int plan_check_governors(const char *list);

struct plan_request {
	const char *governors; /* names joined by commas ("available" is not known here) */
	const char *cpufreq; /* cpufreq governors, likewise; NULL or "" = not an axis */
	int repeat;
	const char *order; /* of suite_orders */
	uint64_t seed;
	unsigned int states; /* bit N: stateN can be disabled here; for "disable = each" */
};

/*
 * Default order: for each repeat, for each point in the suite's order, all governors (under all
 * cpufreq governors) shuffled. With an adaptive sweep the first PLAN_CHOICE_REPEATS of what is
 * there from the start come first, then those of each round, then the other repeats of all.
 */
int plan_make(const struct suite *suite, const struct plan_request *request, struct plan *ret);

/* The same of a campaign whose points.tsv holds @points; NULL or none: nothing is chosen yet.
 * -EBADMSG when they are of other sweeps. */
int plan_continue(const struct suite *suite, const struct plan_request *request,
		  const struct store_points *points, struct plan *ret);

/* Takes the points out that an adaptive sweep has not chosen (yet). Part of plan_continue(). */
int plan_scale(struct plan *plan, const struct store_points *chosen);

/* Makes the cells; usage error for too many, and for an order that an adaptive sweep cannot have.
 * Part of plan_continue(). */
int plan_order(struct plan *plan, const struct plan_request *request);

/* True when some section has an adaptive sweep. */
bool plan_is_adaptive(const struct plan *plan);

/* Points that the section has when all are chosen. */
size_t plan_all_points(const struct plan *plan, size_t section);

/* Cells of the whole campaign, those that are still to come included. */
size_t plan_all_cells(const struct plan *plan);

/* Values of parameter @p of the section. */
const struct sweep *plan_sweep(const struct plan *plan, size_t section, size_t p);

/* "two-cores.work=0us.menu.r1", "...menu+schedutil.r1": the cell's identity, and its directory's
 * name behind the number. malloc'ed. */
char *plan_cell_name(const struct plan *plan, const struct plan_cell *cell);

/* True when parameter @p of the point's section is swept. */
bool plan_is_axis(const struct plan *plan, size_t section, size_t p);

/* The point's axes as "a=1,b=2", one of them left out (SIZE_MAX: none). malloc'ed; NULL = -ENOMEM.
 */
char *plan_point_text(const struct plan *plan, const struct plan_point *point, size_t without);

/* Window and warm-up of a point, ns: command line (>= 0) before section before suite. Window 0: it
 * ends itself, and nobody gave it one; there is no warm-up then, with a window or without. */
double plan_window_ns(const struct plan *plan, size_t point, double option_ns);
double plan_warmup_ns(const struct plan *plan, size_t point, double option_ns);

/* True for what runs once from start to end (a command): it has no warm-up. */
bool plan_ends_itself(const struct plan *plan, size_t point);

/* Values of one of the section's workloads at a point, in the order of its table. */
const struct param_value *plan_values(const struct plan *plan, size_t point, size_t part);

/* N of the stateN that is disabled on all CPUs at this point; -1 = none. */
int plan_disable(const struct plan *plan, size_t point);

/* True when some section has idle states disabled. */
bool plan_disables(const struct plan *plan);

/*
 * True when the point ends by its loops and not by the window.
 */
bool plan_by_loops(const struct plan *plan, size_t point);

void plan_free(struct plan *plan);

#endif
