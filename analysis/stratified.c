/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Everything is read off one list: for each pair of a test and a reference run the shift at which
 * the two change places. Taken from all test runs, a shift d leaves the pairs whose own shift is
 * above d in favour of the test, and the statistic is the weight of those pairs (2 within a block,
 * else 1). Its middle is the estimate, its ends, cut by the null distribution, are the interval.
 */
#include "analysis/stratified.h"
#include "analysis/stats.h"
#include "analysis/stratified_null.h"
#include <errno.h>
#include <float.h>
#include <gsl/gsl_sf_gamma.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

#define EQUAL (64 * DBL_EPSILON) /* of the largest value: what rounding may set apart */

struct place {
	double shift;
	size_t weight;
};

/* Runs of the blocks that count, those of a block together, the test's first. */
struct design {
	const struct stratified_run *run;
	size_t n;
	struct stratified_block *block;
	size_t blocks;
	double *aligned; /* per run */
	size_t *index, *score; /* likewise */
	double near; /* values this close are equal */
	struct place *place;
	size_t places;
	size_t weight; /* of all places */
	double alpha;
};

static int by_block(const void *left, const void *right)
{
	const struct stratified_run *a = left, *b = right;

	if (a->block != b->block)
		return a->block < b->block ? -1 : 1;
	if (a->test != b->test)
		return a->test ? -1 : 1;
	return (a->value > b->value) - (a->value < b->value);
}

static int by_shift(const void *left, const void *right)
{
	const struct place *a = left, *b = right;

	return (a->shift > b->shift) - (a->shift < b->shift);
}

/* Moves the blocks that hold both sides to the front and lists them. */
static void find_blocks(struct stratified_run *run, size_t n, struct design *d)
{
	size_t i, end, k, test;

	qsort(run, n, sizeof(*run), by_block);
	for (i = 0; i < n; i = end) {
		for (end = i, test = 0; end < n && run[end].block == run[i].block; end++)
			test += run[end].test;
		if (!test || test == end - i)
			continue;
		d->block[d->blocks++] = (struct stratified_block){ d->n, end - i, test };
		for (k = i; k < end; k++)
			run[d->n++] = run[k];
	}
	d->run = run;
	for (i = 0; i < d->n; i++)
		d->near = fmax(d->near, fabs(run[i].value) * EQUAL);
}

/* Each value less its block's mean, @shift having been taken from the test's. */
static void align(const struct design *d, double shift)
{
	size_t b, i;

	for (b = 0; b < d->blocks; b++) {
		const struct stratified_block *k = &d->block[b];
		double mean = 0;

		for (i = k->first; i < k->first + k->n; i++) {
			d->aligned[i] = d->run[i].value - (d->run[i].test ? shift : 0);
			mean += d->aligned[i] / (double)k->n;
		}
		for (i = k->first; i < k->first + k->n; i++)
			d->aligned[i] -= mean;
	}
}

/* Adds twice the rank among @n values from @first on. */
static void add_ranks(const struct design *d, size_t first, size_t n)
{
	const double *value = d->aligned + first;
	size_t i, end, k;

	gsl_sort_index(d->index, value, 1, n);
	for (i = 0; i < n; i = end) {
		for (end = i + 1;
		     end < n && value[d->index[end]] - value[d->index[end - 1]] <= d->near; end++)
			;
		for (k = i; k < end; k++)
			d->score[first + d->index[k]] += i + 1 + end;
	}
}

static double p_at(const struct design *d, double shift)
{
	size_t i;

	align(d, shift);
	for (i = 0; i < d->n; i++)
		d->score[i] = 0;
	add_ranks(d, 0, d->n);
	for (i = 0; i < d->blocks; i++)
		add_ranks(d, d->block[i].first, d->block[i].n);
	return stratified_null_p(d->score, d->block, d->blocks);
}

/* Sorts, and makes one of those at the same shift. */
static void merge_places(struct design *d)
{
	size_t i, n = 0;

	qsort(d->place, d->places, sizeof(*d->place), by_shift);
	for (i = 0; i < d->places; i++) {
		d->weight += d->place[i].weight;
		if (n && d->place[i].shift - d->place[n - 1].shift <= d->near)
			d->place[n - 1].weight += d->place[i].weight;
		else
			d->place[n++] = d->place[i];
	}
	d->places = n;
}

/* A shift of 1 moves a test run by 1 less its block's share of test runs, and a reference run by
 * minus that share. */
static int find_places(struct design *d, size_t pairs)
{
	size_t a, b, i, j;

	d->place = calloc(pairs, sizeof(*d->place));
	if (!d->place)
		return -ENOMEM;
	align(d, 0);
	for (a = 0; a < d->blocks; a++) {
		const struct stratified_block *t = &d->block[a];

		for (b = 0; b < d->blocks; b++) {
			const struct stratified_block *r = &d->block[b];
			double rate =
				1 - (double)t->test / (double)t->n + (double)r->test / (double)r->n;

			for (i = t->first; i < t->first + t->test; i++)
				for (j = r->first + r->test; j < r->first + r->n; j++)
					d->place[d->places++] =
						(struct place){ (d->aligned[i] - d->aligned[j]) /
									rate,
								a == b ? 2 : 1 };
		}
	}
	merge_places(d);
	return 0;
}

/* The place at which the weight from below reaches @weight. */
static size_t place_of(const struct design *d, size_t weight)
{
	size_t i, sum = 0;

	for (i = 0; i + 1 < d->places; i++) {
		sum += d->place[i].weight;
		if (sum >= weight)
			break;
	}
	return i;
}

/* Both are the same one, or the two around the middle. */
static double middle(const struct design *d)
{
	size_t lower = place_of(d, (d->weight + 1) / 2), upper = place_of(d, d->weight / 2 + 1);

	return (d->place[lower].shift + d->place[upper].shift) / 2;
}

static bool all_pairs(const struct design *d)
{
	size_t i;

	for (i = 0; i < d->blocks; i++)
		if (d->block[i].n != 2)
			return false;
	return true;
}

/*
 * Any design: the outermost gaps between places at which the shift is not refused. Where blocks
 * hold the sides in unequal shares p may change within a gap; its middle speaks for it.
 */
static bool search_interval(const struct design *d, struct stratified *s)
{
	size_t centre = place_of(d, (d->weight + 1) / 2), end = d->places - 1;
	size_t low = 0, high = centre;

	if (!(p_at(d, d->place[0].shift - 1 - d->near) <= d->alpha))
		return false;
	while (low < high) {
		size_t at = low + (high - low) / 2;

		if (p_at(d, (d->place[at].shift + d->place[at + 1].shift) / 2) > d->alpha)
			high = at;
		else
			low = at + 1;
	}
	s->lo = d->place[low].shift;
	low = centre;
	high = end;
	if (!(p_at(d, d->place[end].shift + 1 + d->near) <= d->alpha))
		return false;
	while (low < high) {
		size_t at = low + (high - low + 1) / 2;

		if (p_at(d, (d->place[at - 1].shift + d->place[at].shift) / 2) > d->alpha)
			low = at;
		else
			high = at - 1;
	}
	s->hi = d->place[low].shift;
	return true;
}

/* Pairs and single blocks have one null distribution whatever the shift; its tables give the ends.
 */
static void find_interval(const struct design *d, struct stratified *s)
{
	bool pairs = all_pairs(d) && d->blocks > 1;
	size_t rank;

	if (!pairs && d->blocks > 1) {
		s->interval = search_interval(d, s);
		s->level = s->p_min <= d->alpha ? d->alpha : NAN;
		return;
	}
	rank = pairs ? stats_signed_rank_rank(d->blocks, d->alpha, &s->level)
		     : stats_u_rank(s->reference, s->test, d->alpha, &s->level);
	s->interval = rank > 0;
	if (!rank)
		return;
	s->lo = d->place[place_of(d, 2 * rank)].shift;
	s->hi = d->place[place_of(d, d->weight - 2 * rank + 1)].shift;
}

/* Least squares: value = block + shift if test. */
static void find_error(const struct design *d, struct stratified *s)
{
	double *difference = d->aligned, weights = 0, shift = 0, squares = 0;
	size_t b, i;

	align(d, 0);
	for (b = 0; b < d->blocks; b++) {
		const struct stratified_block *k = &d->block[b];
		double n = (double)k->n, t = (double)k->test, sum = 0;

		for (i = k->first; i < k->first + k->test; i++)
			sum += d->aligned[i];
		shift += sum; /* t * (n - t) / n times the difference of the block's means */
		weights += t * (n - t) / n;
	}
	shift /= weights;
	for (b = 0; b < d->blocks; b++) {
		const struct stratified_block *k = &d->block[b];

		for (i = k->first; i < k->first + k->n; i++) {
			double fit =
				shift * ((d->run[i].test ? 1 : 0) - (double)k->test / (double)k->n);

			squares += (difference[i] - fit) * (difference[i] - fit);
		}
	}
	s->freedom = d->n > d->blocks + 1 ? d->n - d->blocks - 1 : 0;
	if (s->freedom)
		s->error = sqrt(squares / (double)s->freedom / weights);
}

static void describe_design(const struct design *d, struct stratified *s)
{
	double log_ways = 0;
	size_t b;

	for (b = 0; b < d->blocks; b++) {
		const struct stratified_block *k = &d->block[b];

		s->test += k->test;
		s->reference += k->n - k->test;
		log_ways += gsl_sf_lnchoose((unsigned int)k->n, (unsigned int)k->test);
	}
	s->blocks = d->blocks;
	s->p_min = fmin(1, 2 * exp(-log_ways));
}

static int compare(struct design *d, struct stratified *s)
{
	int err;

	describe_design(d, s);
	if (!d->blocks)
		return 0;
	err = find_places(d, s->reference * s->test);
	if (err)
		return err;
	s->shift = middle(d);
	s->p = p_at(d, 0);
	find_interval(d, s);
	find_error(d, s);
	return 0;
}

int stratified_compare(struct stratified_run *run, size_t n, double alpha, struct stratified *ret)
{
	struct stratified s = {
		.shift = NAN, .lo = NAN, .hi = NAN, .p = NAN, .p_min = 1, .level = NAN, .error = NAN
	};
	struct design d = { .alpha = alpha,
			    .block = calloc(n + 1, sizeof(*d.block)),
			    .aligned = calloc(n + 1, sizeof(*d.aligned)),
			    .index = calloc(n + 1, sizeof(*d.index)),
			    .score = calloc(n + 1, sizeof(*d.score)) };
	int err = -ENOMEM;

	if (d.block && d.aligned && d.index && d.score) {
		find_blocks(run, n, &d);
		err = compare(&d, &s);
	}
	free(d.block);
	free(d.aligned);
	free(d.index);
	free(d.score);
	free(d.place);
	if (!err)
		*ret = s;
	return err;
}
