/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines from both sides meet in the middle of a gap when the curve is smooth: a parabola lies off
 * either line by the same amount, so only a real step, or a third derivative as large, is left. The
 * latter is told apart because no gap of it stands out from those around it.
 */
#include "analysis/transitions.h"
#include "analysis/robust.h"
#include <math.h>
#include <stdlib.h>

#define STAND_OUT 0.4 /* part of a step that one gap has at least */
#define HOLE_MAX 3 /* from point to point; lines across a wider hole say nothing */
#define ODD_SIGMAS 5 /* off a smooth curve at least */

struct curve {
	double *at, *log_y; /* place of the point on the scale, its logarithm */
	size_t *point; /* its number with those that have no value */
	size_t n;
};

static void *room_for(size_t n, size_t size)
{
	void *room = calloc(n + 1, size);

	if (!room)
		abort(); /* as all of a report, see analysis/pool.h */
	return room;
}

static struct curve curve_of(const double *at, const double *y, size_t n)
{
	struct curve c = { room_for(n, sizeof(double)), room_for(n, sizeof(double)),
			   room_for(n, sizeof(size_t)), 0 };

	for (size_t i = 0; i < n; i++) {
		if (!(y[i] > 0))
			continue;
		c.at[c.n] = at ? at[i] : (double)i;
		c.log_y[c.n] = log(y[i]);
		c.point[c.n++] = i;
	}
	return c;
}

static void free_curve(struct curve *c)
{
	free(c->at);
	free(c->log_y);
	free(c->point);
}

/* Standard deviation of one point about a smooth curve. */
static double noise(const struct curve *c)
{
	double *bend = room_for(c->n, sizeof(*bend)), sigma;
	size_t n = 0;

	for (size_t i = 1; i + 1 < c->n; i++) {
		double part = (c->at[i] - c->at[i - 1]) / (c->at[i + 1] - c->at[i - 1]);
		double off = c->log_y[i] - (1 - part) * c->log_y[i - 1] - part * c->log_y[i + 1];

		if (c->point[i + 1] - c->point[i - 1] == 2)
			bend[n++] = off / sqrt(1 + part * part + (1 - part) * (1 - part));
	}
	sigma = robust_sigma(bend, n);
	free(bend);
	return n ? sigma : 0;
}

/* By how much, in the direction of @sign, the point is off the nearer of its two neighbours, less
 * what the slopes beyond these make of it. The foot of a step is off one of them only. */
static double off_both(const double *x, const double *y, double sign)
{
	double slope = ((y[-1] - y[-2]) / (x[-1] - x[-2]) + (y[2] - y[1]) / (x[2] - x[1])) / 2;

	return fmin(sign * (y[0] - y[-1] - slope * (x[0] - x[-1])),
		    sign * (y[0] - y[1] - slope * (x[0] - x[1])));
}

/*
 * Takes single odd points out: where the two neighbours on each side lie on a line and the point
 * does not, it is put there.
 */
static void smooth(struct curve *c, double sigma)
{
	for (size_t i = 2; i + 2 < c->n; i++) {
		const double *x = c->at + i, *y = c->log_y + i;
		const double at[] = { x[-2] - x[0], x[-1] - x[0], x[1] - x[0], x[2] - x[0] };
		const double around[] = { y[-2], y[-1], y[1], y[2] };
		struct robust_line line = robust_line(at, around, 4, 0);
		double off = fabs(y[0] - line.height), rest = 0;

		for (size_t k = 0; k < 4; k++)
			rest = fmax(rest, fabs(around[k] - line.height - line.slope * at[k]));
		if (off > ODD_SIGMAS * sigma && rest < off / 4 &&
		    off_both(x, y, y[0] > line.height ? 1 : -1) > off / 2)
			c->log_y[i] = line.height;
	}
}

static bool is_hole(const struct curve *c, size_t gap)
{
	return c->point[gap + 1] - c->point[gap] > HOLE_MAX;
}

/* Nothing was measured near enough, to say where in the gap the curve steps, or whether. */
static bool is_wide(const struct curve *c, size_t gap)
{
	return is_hole(c, gap) || c->at[gap + 1] - c->at[gap] > HOLE_MAX;
}

static bool in_reach(const struct curve *c, size_t a, size_t b)
{
	return fabs(c->at[b] - c->at[a]) <= TRANSITIONS_REACH;
}

/* How much the right line is above the left one in the gap behind point @i; 0 near a hole or end.
 */
static double step_at(const struct curve *c, size_t i)
{
	double middle = (c->at[i] + c->at[i + 1]) / 2;
	size_t left = 1, right = 1;

	while (left < TRANSITIONS_SIDE && left <= i && !is_hole(c, i - left) &&
	       in_reach(c, i - left, i))
		left++;
	while (right < TRANSITIONS_SIDE && i + right + 1 < c->n && !is_hole(c, i + right) &&
	       in_reach(c, i + 1, i + right + 1))
		right++;
	if (is_wide(c, i) || left < TRANSITIONS_SIDE_MIN || right < TRANSITIONS_SIDE_MIN)
		return 0;
	return robust_line(c->at + i + 1, c->log_y + i + 1, right, middle).height -
	       robust_line(c->at + i + 1 - left, c->log_y + i + 1 - left, left, middle).height;
}

static double place_of(double a, double b)
{
	return a > 0 && b > 0 ? sqrt(a * b) : (a + b) / 2;
}

/* What the curve rises by in a gap beyond what @slope a point makes of it. */
static double rise(const struct curve *c, size_t gap, double slope)
{
	return c->log_y[gap + 1] - c->log_y[gap] - slope * (c->at[gap + 1] - c->at[gap]);
}

/* Slope of the curve on both sides of a gap; its neighbours may share the step with it. */
static double slope_around(const struct curve *c, size_t gap)
{
	double around[4];
	size_t n = 0;

	for (size_t by = 2; by <= 3; by++) {
		if (gap >= by)
			around[n++] =
				rise(c, gap - by, 0) / (c->at[gap - by + 1] - c->at[gap - by]);
		if (gap + by + 1 < c->n)
			around[n++] =
				rise(c, gap + by, 0) / (c->at[gap + by + 1] - c->at[gap + by]);
	}
	return n ? robust_median(around, n) : 0;
}

/* The gap about @gap where the curve itself rises or falls most. */
static size_t steepest(const struct curve *c, size_t gap, double sign)
{
	size_t from = gap > 2 ? gap - 2 : 0, best = gap;
	double slope = slope_around(c, gap);

	for (size_t i = from; i <= gap + 2 && i + 1 < c->n; i++)
		if (!is_wide(c, i) && sign * rise(c, i, slope) > sign * rise(c, best, slope))
			best = i;
	return best;
}

/* The gap's own rise is a good part of the step. */
static bool stands_out(const struct curve *c, size_t gap, double step)
{
	return (step > 0 ? 1 : -1) * rise(c, gap, slope_around(c, gap)) > fabs(step) * STAND_OUT;
}

static void add_transition(const struct curve *c, const double *x, size_t gap, double step,
			   struct transition *list, size_t n)
{
	size_t a = c->point[gap], b = c->point[gap + 1];
	struct transition t = { a, b, place_of(x[a], x[b]), expm1(step) * 100 };

	for (; n && list[n - 1].before > a; n--)
		list[n] = list[n - 1];
	list[n] = t;
}

/* The largest one left, or the number of gaps. What is as near as a line is long goes with it. */
static size_t take_largest(double *step, size_t n, double limit, double *ret_step)
{
	size_t best = n;

	for (size_t i = 0; i < n; i++)
		if (fabs(step[i]) > limit && (best == n || fabs(step[i]) > fabs(step[best])))
			best = i;
	if (best == n)
		return n;
	*ret_step = step[best];
	for (size_t i = best > TRANSITIONS_SIDE ? best - TRANSITIONS_SIDE : 0;
	     i < n && i <= best + TRANSITIONS_SIDE; i++)
		step[i] = 0;
	return best;
}

size_t transitions_find(const double *x, const double *at, const double *y, size_t n,
			struct transition *ret, size_t room)
{
	struct curve c = curve_of(at, y, n);
	double *step = room_for(c.n, sizeof(*step)), sigma, limit, of;
	size_t found = 0, i;

	sigma = noise(&c);
	limit = fmax(log1p(TRANSITIONS_MIN_PCT / 100.0), TRANSITIONS_SIGMAS * sigma);
	smooth(&c, sigma);
	for (i = 0; i + 1 < c.n; i++)
		step[i] = step_at(&c, i);
	while (found < room && (i = take_largest(step, c.n, limit, &of)) < c.n) {
		size_t gap = steepest(&c, i, of > 0 ? 1 : -1);

		if (stands_out(&c, gap, of))
			add_transition(&c, x, gap, of, ret, found++);
	}
	free(step);
	free_curve(&c);
	return found;
}

/* Distance of two steps as a logarithm; infinite when they cannot be the same one. */
static double distance(const struct transition *a, const struct transition *b)
{
	double by;

	if ((a->step_pct > 0) != (b->step_pct > 0))
		return INFINITY;
	if (!(a->x > 0) || !(b->x > 0))
		return a->x == b->x ? 0 : INFINITY;
	by = fabs(log(b->x / a->x));
	return by > log(TRANSITIONS_FAR) ? INFINITY : by;
}

size_t transitions_pair(const struct transition *reference, size_t references,
			const struct transition *other, size_t others, struct transition_pair *ret)
{
	bool *used = room_for(references, sizeof(*used)), *taken = room_for(others, sizeof(*taken));
	size_t n = 0;

	for (;;) {
		struct transition_pair best = { 0, 0, NAN };
		double least = INFINITY, by;

		for (size_t i = 0; i < references; i++) {
			for (size_t j = 0; j < others; j++) {
				by = used[i] || taken[j] ? INFINITY
							 : distance(&reference[i], &other[j]);
				if (by < least) {
					least = by;
					best = (struct transition_pair){ i, j, NAN };
				}
			}
		}
		if (!isfinite(least))
			break;
		used[best.reference] = taken[best.other] = true;
		if (reference[best.reference].x > 0)
			best.shift_pct =
				(other[best.other].x / reference[best.reference].x - 1) * 100;
		ret[n++] = best;
	}
	free(used);
	free(taken);
	return n;
}

size_t transitions_stretches(const bool *in, size_t n, size_t least, struct stretch *ret,
			     size_t room)
{
	size_t found = 0, i = 0, last;

	while (i < n && found < room) {
		if (!in[i]) {
			i++;
			continue;
		}
		for (last = i; last + 1 < n && in[last + 1]; last++)
			;
		if (last - i + 1 >= least)
			ret[found++] = (struct stretch){ i, last };
		i = last + 1;
	}
	return found;
}
