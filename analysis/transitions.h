/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a curve steps, and how far that place is from another governor's (P-56): a large difference
 * at one point may be nothing but the same step a little earlier.
 */
#ifndef ANALYSIS_TRANSITIONS_H
#define ANALYSIS_TRANSITIONS_H

#include <stdbool.h>
#include <stddef.h>

#define TRANSITIONS_SIDE 4 /* points of the line on each side of a step */
#define TRANSITIONS_SIDE_MIN 3
#define TRANSITIONS_MIN_PCT 3 /* a step below this is none */
#define TRANSITIONS_SIGMAS 8
#define TRANSITIONS_REACH 24 /* steps of the scale that a line's points are at most away */
#define TRANSITIONS_FAR 2 /* times: steps further apart along x are not the same one */

struct transition {
	size_t before, after; /* points of the curve between which it steps */
	double x; /* geometric mean of their x; arithmetic where one is not above 0 */
	double step_pct; /* up or down, what the lines of both sides differ by at the step */
};

/*
 * Steps of a curve @y over @x, both in the order of x; points without a value above 0 (NAN) are not
 * there. @at: places of the points on the sweep's scale, ascending; NULL: at equal steps. On
 * logarithms of y, single odd points taken out, over numbered points: robust lines through the up
 * to TRANSITIONS_SIDE points on each side of a gap are drawn to its middle. A step is where they
 * differ by more than TRANSITIONS_MIN_PCT and TRANSITIONS_SIGMAS times the noise of a point (a
 * robust figure from second differences), and one gap's own rise is at least 0.4 of that. The
 * larger of two steps less than TRANSITIONS_SIDE points apart is it. Writes at most @room of them
 * in the order of x and returns how many; curves of fewer than 2 x TRANSITIONS_SIDE_MIN points have
 * none. A hole of more than two points ends a curve: what is behind it is another one. Nor is there
 * a step in a gap of more than three steps of the scale.
 */
size_t transitions_find(const double *x, const double *at, const double *y, size_t n,
			struct transition *ret, size_t room);

struct transition_pair {
	size_t reference, other; /* indices into the two lists */
	double shift_pct; /* of x, from the reference's to the other's; NAN at x = 0 */
};

/* Pairs steps of the same direction, nearest (by the ratio of x) first, at most TRANSITIONS_FAR
 * apart. @ret has room for the shorter list. Returns how many. */
size_t transitions_pair(const struct transition *reference, size_t references,
			const struct transition *other, size_t others, struct transition_pair *ret);

/* A stretch of a curve, in points. */
struct stretch {
	size_t first, last;
};

/* Stretches of at least @least neighbours with @in set, as many as there is @room for. */
size_t transitions_stretches(const bool *in, size_t n, size_t least, struct stretch *ret,
			     size_t room);

#endif
