/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The null distribution over looks is that of sums of normal blocks, each of variance 1: the
 * density of those that have gone on so far is carried from look to look on a grid of the sum
 * (Armitage, McPherson, Rowe, J. R. Statist. Soc. A 132 (1969) 235), and the next bound cuts off
 * what may be spent. Rank tests behave so from few blocks on, and being exact they err below their
 * nominal level; docs/statistics.md has what simulations say.
 *
 * Everything is done once for some levels; between them logarithms are interpolated.
 */
#include "analysis/spending.h"
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>

#define STEP 0.125 /* of the grid, in standard deviations of a block */
#define REACH 48 /* steps beyond which a block does not carry: 6 deviations */
#define LEVELS 49
#define LEVEL_MIDDLE 40 /* of the levels this one is 0.05, each next sqrt(2) times as much */

struct spending {
	size_t first, last;
	double alpha[LEVELS]; /* ascending */
	double *level; /* [look * LEVELS + i]: what alpha[i] leaves for the look */
};

/* Sums below 0 mirror those above. */
struct walk {
	double kernel[REACH + 1];
	double *density; /* [i]: at i * STEP, of the sums that went on */
	double *next;
	size_t n; /* entries of both */
};

static double spent(double alpha, double share)
{
	return alpha * log1p((M_E - 1) * fmin(share, 1));
}

/* What lies beyond +-bound and ends there. */
static void cut(struct walk *w, double bound)
{
	size_t whole = (size_t)(bound / STEP), i;
	double rest = bound - (double)whole * STEP;

	/* Weights of the trapezoid rule; the cell that the bound cuts gets its share. */
	if (whole < w->n) {
		w->density[whole] *= 0.5 + (rest - rest * rest / (2 * STEP)) / STEP;
		if (whole + 1 < w->n)
			w->density[whole + 1] *= rest * rest / (2 * STEP) / STEP;
	}
	for (i = whole + 2; i < w->n; i++)
		w->density[i] = 0;
}

/* One more block. */
static void go_on(struct walk *w)
{
	double *was = w->density;
	size_t i, j;

	for (i = 0; i < w->n; i++) {
		size_t low = i > REACH ? i - REACH : 0;
		double sum = 0;

		for (j = low; j < w->n && j <= i + REACH; j++)
			sum += was[j] * w->kernel[j > i ? j - i : i - j];
		for (j = 1; i + j <= REACH && j < w->n; j++)
			sum += was[j] * w->kernel[i + j];
		w->next[i] = sum * STEP;
	}
	w->density = w->next;
	w->next = was;
}

/* How fast the density falls between two neighbours of the grid: by exp(-rate) a deviation. */
static double rate_at(const struct walk *w, size_t upper)
{
	return log(w->density[upper - 1] / w->density[upper]) / STEP;
}

#define FLAT 1e-9 /* a rate below is none */

static double expm1_by(double rate, double by)
{
	return fabs(rate) < FLAT ? by : expm1(rate * by) / rate;
}

static double log1p_by(double rate, double by)
{
	return fabs(rate) < FLAT ? by : log1p(rate * by) / rate;
}

/* The bound beyond which, on both sides together, the probability is @tail. */
static double find_bound(const struct walk *w, double tail)
{
	double sum = 0;
	size_t i = w->n - 1;

	for (; i > 0; i--) {
		double here = w->density[i], rate, cell;

		if (!(here > 0)) /* six deviations away from all that went on */
			continue;
		rate = rate_at(w, i);
		cell = 2 * here * expm1_by(rate, STEP);
		if (sum + cell >= tail)
			return (double)i * STEP - log1p_by(rate, (tail - sum) / (2 * here));
		sum += cell;
	}
	return 0;
}

static void fill_levels(struct spending *s, struct walk *w, size_t index)
{
	double alpha = s->alpha[index], before = spent(alpha, (double)s->first / (double)s->last);
	double deviation = sqrt((double)s->first), level = before, now;
	size_t n, i;

	for (i = 0; i < w->n; i++)
		w->density[i] = gsl_ran_gaussian_pdf((double)i * STEP, deviation);
	for (n = s->first;; n++) {
		s->level[(n - s->first) * LEVELS + index] = level;
		if (n == s->last)
			break;
		cut(w, gsl_cdf_ugaussian_Qinv(level / 2) * sqrt((double)n));
		go_on(w);
		now = spent(alpha, (double)(n + 1) / (double)s->last);
		level = 2 *
			gsl_cdf_ugaussian_Q(find_bound(w, now - before) / sqrt((double)(n + 1)));
		before = now;
	}
}

const struct spending *spending_make(struct pool *pool, size_t first, size_t last)
{
	struct spending *s = pool_alloc(pool, 1, sizeof(*s));
	struct pool scratch = { 0 };
	struct walk w = { .n = (size_t)(6.5 * sqrt((double)last) / STEP) };
	size_t i;

	*s = (struct spending){ .first = first, .last = last };
	s->level = pool_alloc(pool, (last - first + 1) * LEVELS, sizeof(*s->level));
	w.density = pool_alloc(&scratch, w.n, sizeof(*w.density));
	w.next = pool_alloc(&scratch, w.n, sizeof(*w.next));
	for (i = 0; i <= REACH; i++)
		w.kernel[i] = gsl_ran_ugaussian_pdf((double)i * STEP);
	for (i = 0; i < LEVELS; i++) {
		s->alpha[i] = 0.05 * pow(2, ((double)i - LEVEL_MIDDLE) / 2);
		fill_levels(s, &w, i);
	}
	pool_free(&scratch);
	return s;
}

size_t spending_last(const struct spending *spending)
{
	return spending ? spending->last : 0;
}

/* @at in the ascending @from, whose values are @to: by logarithms, the ends standing for what is
 * outside. */
static double interpolate(const double *from, const double *to, double at)
{
	double share;
	size_t i;

	for (i = 1; i + 1 < LEVELS && from[i] < at; i++)
		;
	share = log(at / from[i - 1]) / log(from[i] / from[i - 1]);
	return exp(log(to[i - 1]) + fmin(fmax(share, 0), 1) * log(to[i] / to[i - 1]));
}

static const double *levels_of(const struct spending *s, size_t blocks)
{
	return s->level + ((blocks < s->last ? blocks : s->last) - s->first) * LEVELS;
}

double spending_level(const struct spending *spending, size_t blocks, double alpha)
{
	if (!spending)
		return alpha;
	if (blocks < spending->first)
		return spent(alpha, (double)blocks / (double)spending->last);
	return interpolate(spending->alpha, levels_of(spending, blocks), alpha);
}

double spending_p(const struct spending *spending, size_t blocks, double p)
{
	const double *level;

	if (!spending || isnan(p))
		return p;
	if (blocks < spending->first)
		return fmin(1, p / spent(1, (double)blocks / (double)spending->last));
	level = levels_of(spending, blocks);
	return p > level[LEVELS - 1] ? 1 : interpolate(level, spending->alpha, p);
}
