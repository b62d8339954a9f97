/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Halving where the loss is: a step between two points is narrowed down to one step of the scale
 * like a root by bisection, all steps of all curves at the same time. What nothing calls for goes
 * into the widest gaps, half of it a round: what shows there may still be followed.
 */
#include "analysis/refine.h"
#include "analysis/robust.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Variance of a departure in those of a point: two ends, and a median of six spans' slopes. */
#define DEPARTURE_VARIANCE 2.6
/* Points of a round, at least, while as many are left: in small rounds a large step is followed to
 * its end, its feet included, before what may be noise gets its turn. */
#define ROUND_MIN 4
#define ROUND_SHARE 8 /* and at least this part of what is left */
#define GAP_SHARE 2 /* the same of a round that fills gaps */

static void *room_for(struct pool *pool, size_t n, size_t size)
{
	return pool_alloc(pool, n + 1, size);
}

/* The place nearest to the middle; false when there is none in between. */
static bool halfway(const struct refine_sweep *s, size_t from, size_t to, size_t *ret)
{
	size_t middle = from + (to - from) / 2, best = from;

	for (size_t i = 0; i < s->places; i++) {
		size_t at = s->place[i];
		size_t off = at > middle ? at - middle : middle - at;

		if (at > from && at < to &&
		    (best == from || off < (best > middle ? best - middle : middle - best)))
			best = at;
	}
	*ret = best;
	return best != from;
}

/* The nearest point beyond @i, towards @step, that is at least @width away and has a value; the
 * farthest one there is where none is; @i = none at all. */
static size_t span_end(const struct refine_sweep *s, const struct refine_curve *c, size_t i,
		       int step, size_t width)
{
	size_t end = i;

	for (size_t k = i; step < 0 ? k > 0 : k + 1 < s->points;) {
		k = step < 0 ? k - 1 : k + 1;
		if (isnan(c->z[k]))
			continue;
		end = k;
		if ((step < 0 ? s->at[i] - s->at[k] : s->at[k] - s->at[i]) >= width)
			break;
	}
	return end;
}

static double slope(const struct refine_sweep *s, const struct refine_curve *c, size_t a, size_t b)
{
	return (c->z[b] - c->z[a]) / ((double)s->at[b] - (double)s->at[a]);
}

/* The slope of the curve around the points @a and @b, from spans as long as these are apart. */
static double slope_around(const struct refine_sweep *s, const struct refine_curve *c, size_t a,
			   size_t b)
{
	double slopes[2 * REFINE_SPANS];
	size_t width = s->at[b] - s->at[a], n = 0, i, end;

	for (int side = -1; side <= 1; side += 2) {
		i = side < 0 ? a : b;
		for (size_t k = 0; k < REFINE_SPANS; k++) {
			end = span_end(s, c, i, side, width);
			if (end == i)
				break;
			slopes[n++] = slope(s, c, i, end);
			i = end;
		}
	}
	return n ? robust_median(slopes, n) : 0;
}

/* What a departure between the points has to be above: within an interval that was halved because
 * of one it is looked for again, and noise has less to choose from. */
static double limit_of(const struct refine_sweep *s, const struct refine_curve *c, size_t a,
		       size_t b, double sd)
{
	const size_t end[] = { a, b };
	double parent = 0;
	size_t width = SIZE_MAX;

	for (size_t i = 0; i < 2; i++) {
		size_t from = s->from[end[i]], to = s->to[end[i]];

		if (from > s->at[a] || to < s->at[b] || to - from >= width)
			continue;
		width = to - from;
		parent = s->by[end[i]];
	}
	if (width == SIZE_MAX)
		return fmax(c->limit, REFINE_SIGMAS * sd);
	return fmax(fmax(c->limit, REFINE_SIGMAS_AGAIN * sd), REFINE_SHARE_AGAIN * fabs(parent));
}

/*
 * By how much the curve departs between the points @a and @b from where it leads; 0 when that is
 * noise, or too little to matter.
 */
static double departure(const struct refine_sweep *s, const struct refine_curve *c, size_t a,
			size_t b)
{
	double by = c->z[b] - c->z[a] - slope_around(s, c, a, b) * (double)(s->at[b] - s->at[a]);
	double sd = sqrt(DEPARTURE_VARIANCE / 2 * (c->sd[a] * c->sd[a] + c->sd[b] * c->sd[b]));

	return fabs(by) > limit_of(s, c, a, b, sd) ? by : 0;
}

/* The round's choice within one interval: the strongest reason stands. */
static void want(const struct refine_sweep *s, struct refine_choice *of, size_t interval,
		 struct refine_choice choice)
{
	struct refine_choice *have = &of[interval];
	size_t from = s->at[interval], to = s->at[interval + 1];

	if (!halfway(s, from, to, &choice.at))
		return;
	choice.loss = fabs(choice.by) * (choice.why == REFINE_FOOT_OF ? REFINE_FOOT_SHARE : 1);
	if (have->to && have->loss >= choice.loss)
		return;
	choice.from = from;
	choice.to = to;
	*have = choice;
}

/* The next points on both sides of a step lie near. */
static void want_feet(const struct refine_sweep *s, struct refine_choice *of, size_t interval,
		      struct refine_choice choice)
{
	choice.why = REFINE_FOOT_OF;
	for (size_t k = 1; k <= REFINE_FOOT_POINTS && k <= interval; k++) {
		if (s->at[interval - k + 1] - s->at[interval - k] <= REFINE_FOOT)
			continue;
		want(s, of, interval - k, choice);
		break;
	}
	for (size_t k = 1; k <= REFINE_FOOT_POINTS && interval + k + 1 < s->points; k++) {
		if (s->at[interval + k + 1] - s->at[interval + k] <= REFINE_FOOT)
			continue;
		want(s, of, interval + k, choice);
		break;
	}
}

static void follow(const struct refine_sweep *s, const struct refine_curve *c,
		   struct refine_choice *of)
{
	size_t last = s->points;

	for (size_t i = 0; i < s->points; i++) {
		struct refine_choice choice = { .curve = c->name };

		if (isnan(c->z[i]))
			continue;
		choice.by = last < i ? departure(s, c, last, i) : 0;
		choice.why = c->ratio ? REFINE_DIFFERENCE : REFINE_BEND;
		/* Points without a value in between: halve each part. */
		for (size_t k = last; choice.by != 0 && k < i; k++) {
			want(s, of, k, choice);
			if (s->at[k + 1] - s->at[k] <= REFINE_FOOT)
				want_feet(s, of, k, choice);
		}
		last = i;
	}
}

/* The two governors differ at one of the interval's ends. */
static bool differ_at(const struct refine_sweep *s, size_t interval)
{
	for (size_t c = 0; c < s->curves; c++) {
		const struct refine_curve *of = &s->curve[c];

		for (size_t i = interval; of->ratio && i <= interval + 1; i++)
			if (fabs(of->z[i]) > fmax(of->limit, REFINE_SIGMAS * of->sd[i]))
				return true;
	}
	return false;
}

static int by_loss(const void *left, const void *right)
{
	const struct refine_choice *a = left, *b = right;

	if (a->loss != b->loss)
		return a->loss > b->loss ? -1 : 1;
	return (a->at > b->at) - (a->at < b->at);
}

static int by_place(const void *left, const void *right)
{
	const struct refine_choice *a = left, *b = right;

	return (a->at > b->at) - (a->at < b->at);
}

struct interval {
	size_t from, to;
	bool differ;
};

static size_t weight(const struct refine_sweep *s, const struct interval *gap)
{
	size_t middle;

	return halfway(s, gap->from, gap->to, &middle)
		       ? (gap->to - gap->from) * (gap->differ ? 2 : 1)
		       : 0;
}

static size_t least_of(size_t a, size_t b)
{
	return a < b ? a : b;
}

static size_t round_of(const struct refine_sweep *s, size_t share)
{
	return least_of(s->left, s->left / share > ROUND_MIN ? s->left / share : ROUND_MIN);
}

/* Halves the widest gaps, one after the other. */
static size_t fill_gaps(const struct refine_sweep *s, struct refine_choice *ret, struct pool *pool)
{
	size_t gaps = s->points - 1, wanted = round_of(s, GAP_SHARE), n = 0;
	struct interval *gap = room_for(pool, gaps + s->left, sizeof(*gap));

	for (size_t i = 0; i < gaps; i++)
		gap[i] = (struct interval){ s->at[i], s->at[i + 1], differ_at(s, i) };
	for (; n < wanted; n++) {
		size_t widest = 0, middle;

		for (size_t i = 1; i < gaps; i++)
			if (weight(s, &gap[i]) > weight(s, &gap[widest]))
				widest = i;
		if (!halfway(s, gap[widest].from, gap[widest].to, &middle))
			break;
		ret[n] = (struct refine_choice){ .at = middle,
						 .from = gap[widest].from,
						 .to = gap[widest].to,
						 .why = REFINE_GAP,
						 .by = NAN };
		gap[gaps++] = (struct interval){ middle, gap[widest].to, gap[widest].differ };
		gap[widest].to = middle;
	}
	return n;
}

size_t refine_choose(const struct refine_sweep *sweep, struct refine_choice *ret)
{
	struct pool pool = { 0 };
	struct refine_choice *of = room_for(&pool, sweep->points, sizeof(*of));
	size_t n = 0;

	if (sweep->points < 2 || !sweep->left) {
		pool_free(&pool);
		return 0;
	}
	for (size_t c = 0; c < sweep->curves; c++)
		follow(sweep, &sweep->curve[c], of);
	for (size_t i = 0; i + 1 < sweep->points; i++)
		if (of[i].to)
			of[n++] = of[i];
	if (n) {
		qsort(of, n, sizeof(*of), by_loss);
		n = least_of(n, round_of(sweep, ROUND_SHARE));
		memcpy(ret, of, n * sizeof(*ret));
	} else {
		n = fill_gaps(sweep, ret, &pool);
	}
	qsort(ret, n, sizeof(*ret), by_place);
	pool_free(&pool);
	return n;
}
