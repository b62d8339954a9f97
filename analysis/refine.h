/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which points an adaptive sweep measures next. All decisions are here; who measures only asks.
 *
 * The rule is that of the package "adaptive" (Nijholt and others, doi:10.5281/zenodo.1182437):
 * every interval between two measured points has a loss, and the intervals with the largest are
 * halved. The loss is by how much a curve departs, within the interval, from where the curve around
 * it leads; it counts above the noise only. docs/statistics.md has the rule and its trial.
 */
#ifndef ANALYSIS_REFINE_H
#define ANALYSIS_REFINE_H

#include "analysis/section.h"
#include "store/points.h"

#define REFINE_SIGMAS 3 /* what noise alone does to a departure once in 370 */
/* One half of an interval that has departed does so, too, and holds most of it. */
#define REFINE_SIGMAS_AGAIN 1.5
#define REFINE_SHARE_AGAIN 0.5
#define REFINE_BEND_PCT 3 /* of a governor's own curve; as TRANSITIONS_MIN_PCT */
#define REFINE_SPANS 3 /* of the curve on each side of an interval, each as long as that */
#define REFINE_FOOT 2 /* steps of the scale: so near lie the points at both feet of a step */
#define REFINE_FOOT_POINTS 2 /* on each side, beside the two between which it steps */
#define REFINE_FOOT_SHARE 0.5 /* what such a point is worth, of the step */

enum refine_why {
	REFINE_GAP, /* nothing calls: the widest gap, where the governors differ counted twice */
	REFINE_FOOT_OF, /* beside a step, so that its height can be told from a slope */
	REFINE_BEND, /* a governor's own curve steps or bends in the interval */
	REFINE_DIFFERENCE, /* the distance between two governors does */
};

/* One of the curves along a sweep. */
struct refine_curve {
	const char *name;
	bool ratio; /* of a governor to its reference: what it does is a difference */
	double limit; /* departures below matter to nobody; of logarithms */
	double *z; /* [point of the facet] logarithm; NAN = not there */
	double *sd; /* of that z */
};

/* What is known of a sweep. */
struct refine_sweep {
	const size_t *at; /* places of its points on the scale, ascending */
	/* [point] what it was chosen to halve, for a bend or a difference, and how large that was;
	 * else 0 */
	const size_t *from, *to;
	const double *by;
	size_t points;
	const size_t *place; /* every place that the scale has, ascending */
	size_t places;
	struct refine_curve *curve;
	size_t curves;
	size_t left; /* points that it may still have */
};

struct refine_choice {
	size_t at; /* the place nearest to halfway between: */
	size_t from, to;
	enum refine_why why;
	const char *curve; /* NULL for a gap */
	double by; /* the departure, of logarithms; NAN for a gap */
	double loss; /* what the choice is worth: the largest come first */
};

/*
 * The next round: at most @sweep->left choices into @ret, in the order of the scale, each place
 * once and none that there is already. Returns how many; 0 only when none is left or every place is
 * taken. The same sweep gives the same choices.
 */
size_t refine_choose(const struct refine_sweep *sweep, struct refine_choice *ret);

/*
 * Chooses for every sweep of @points that has fewer points than it wants, from the runs in @table,
 * and marks them as chosen in the round after the last. Returns how many.
 */
size_t refine_points(const struct table *table, struct store_points *points);

/* "refine DIR": prints DIR's points.tsv with another round in it. */
int refine_main(int argc, char **argv);

#endif
