/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts in how many ways each sum can be reached: in a block by adding one run after the other to
 * what may be picked, then over the blocks by convolution. Scores are first made small: less the
 * least of their block, divided by what divides all. Where counting would take long the normal
 * distribution with the exact variance of the sum serves.
 */
#include "analysis/stratified_null.h"
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WORK_MAX 5e6 /* additions that one distribution may take */

struct sums {
	double *p; /* p[s]: probability of the sum s */
	size_t n;
};

static size_t least_of(const size_t *score, const struct stratified_block *b)
{
	size_t least = score[b->first], i;

	for (i = b->first; i < b->first + b->n; i++)
		least = score[i] < least ? score[i] : least;
	return least;
}

static size_t divisor(size_t a, size_t b)
{
	while (b) {
		size_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* The scores made small; all 0 when every exchange gives the same sum. */
static size_t *reduce(const size_t *score, const struct stratified_block *block, size_t blocks)
{
	size_t n = blocks ? block[blocks - 1].first + block[blocks - 1].n : 0, common = 0, i, j;
	size_t *small = calloc(n + 1, sizeof(*small));

	for (i = 0; small && i < blocks; i++) {
		const struct stratified_block *b = &block[i];

		for (j = b->first; j < b->first + b->n; j++) {
			small[j] = score[j] - least_of(score, b);
			common = divisor(small[j], common);
		}
	}
	for (i = 0; small && common && i < n; i++)
		small[i] /= common;
	return small;
}

/* No sum of the block's is larger than this. */
static size_t bound(const size_t *score, const struct stratified_block *b)
{
	size_t sum = 0, largest = 0, i;

	for (i = b->first; i < b->first + b->n; i++) {
		sum += score[i];
		largest = score[i] > largest ? score[i] : largest;
	}
	return largest * b->test < sum ? largest * b->test : sum;
}

static double work(const size_t *score, const struct stratified_block *block, size_t blocks)
{
	double total = 0, sum = 0;
	size_t i;

	for (i = 0; i < blocks; i++) {
		double here = (double)bound(score, &block[i]) + 1;

		total += (double)block[i].n * (double)block[i].test * here;
		sum += here;
		total += fmin(here, pow(2, (double)block[i].n)) * sum;
	}
	return total;
}

/* Sums of all choices of the block's test runs, equally likely. */
static int count_block(const size_t *score, const struct stratified_block *b, struct sums *ret)
{
	size_t size = bound(score, b) + 1, i, k, s;
	double *way = calloc((b->test + 1) * size, sizeof(*way)), all = 0;

	if (!way)
		return -1;
	way[0] = 1;
	for (i = 0; i < b->n; i++) {
		size_t value = score[b->first + i];

		for (k = (i < b->test ? i + 1 : b->test); k; k--)
			for (s = size; s-- > value;)
				way[k * size + s] += way[(k - 1) * size + s - value];
	}
	memmove(way, way + b->test * size, size * sizeof(*way));
	for (s = 0; s < size; s++)
		all += way[s];
	for (s = 0; s < size; s++)
		way[s] /= all;
	*ret = (struct sums){ way, size };
	return 0;
}

static int convolve(struct sums *total, const struct sums *block)
{
	size_t size = total->n + block->n - 1, i, j;
	double *p = calloc(size, sizeof(*p));

	if (!p)
		return -1;
	for (j = 0; j < block->n; j++)
		for (i = 0; block->p[j] > 0 && i < total->n; i++)
			p[i + j] += total->p[i] * block->p[j];
	free(total->p);
	*total = (struct sums){ p, size };
	return 0;
}

static double tails(const struct sums *all, size_t observed)
{
	double low = 0, high = 0;
	size_t s;

	for (s = 0; s < all->n; s++) {
		low += s <= observed ? all->p[s] : 0;
		high += s >= observed ? all->p[s] : 0;
	}
	return fmin(1, 2 * fmin(low, high));
}

static double exact(const size_t *score, const struct stratified_block *block, size_t blocks,
		    size_t observed)
{
	struct sums all = { calloc(1, sizeof(double)), 1 }, one;
	double p = NAN;
	size_t i;

	if (!all.p)
		return NAN;
	all.p[0] = 1;
	for (i = 0; i < blocks; i++) {
		int err;

		if (count_block(score, &block[i], &one))
			break;
		err = convolve(&all, &one);
		free(one.p);
		if (err)
			break;
	}
	if (i == blocks)
		p = tails(&all, observed);
	free(all.p);
	return p;
}

/* Mean and variance of the sum of t scores drawn from n without putting back. */
static double normal(const size_t *score, const struct stratified_block *block, size_t blocks,
		     size_t observed)
{
	double expected = 0, variance = 0, distance;
	size_t i, j;

	for (i = 0; i < blocks; i++) {
		const struct stratified_block *b = &block[i];
		double n = (double)b->n, t = (double)b->test, mean = 0, squares = 0;

		for (j = b->first; j < b->first + b->n; j++)
			mean += (double)score[j] / n;
		for (j = b->first; j < b->first + b->n; j++)
			squares += ((double)score[j] - mean) * ((double)score[j] - mean);
		expected += t * mean;
		variance += t * (n - t) / (n * (n - 1)) * squares;
	}
	distance = fabs((double)observed - expected) - 0.5;
	if (variance <= 0 || distance <= 0)
		return 1;
	return fmin(1, 2 * gsl_cdf_ugaussian_Q(distance / sqrt(variance)));
}

double stratified_null_p(const size_t *score, const struct stratified_block *block, size_t blocks)
{
	size_t *small = reduce(score, block, blocks), observed = 0, i, j;
	double p;

	if (!small)
		return NAN;
	for (i = 0; i < blocks; i++)
		for (j = 0; j < block[i].test; j++)
			observed += small[block[i].first + j];
	p = work(small, block, blocks) <= WORK_MAX ? exact(small, block, blocks, observed)
						   : normal(small, block, blocks, observed);
	free(small);
	return p;
}
