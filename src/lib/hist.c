/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading and merging log-linear histograms; adding a sample is inline in the header. Bucket 64*k+j
 * with k >= 1 begins at (64+j) << (k-1); the first 64 buckets hold one nanosecond each.
 */
#include "lib/hist.h"

#include <math.h>
#include <string.h>

#define SUB (1u << HIST_SUB_BITS)

void hist_clear(struct hist *h)
{
	memset(h, 0, sizeof(*h));
}

uint64_t hist_lo_ns(unsigned int i)
{
	if (i < SUB)
		return i;
	return (uint64_t)(SUB + i % SUB) << (i / SUB - 1);
}

uint64_t hist_hi_ns(unsigned int i)
{
	return hist_lo_ns(i + 1);
}

void hist_merge(struct hist *to, const struct hist *from)
{
	unsigned int i;

	if (!from->count)
		return;
	if (!to->count || from->min_ns < to->min_ns)
		to->min_ns = from->min_ns;
	if (from->max_ns > to->max_ns)
		to->max_ns = from->max_ns;
	to->count += from->count;
	to->sum_ns += from->sum_ns;
	for (i = 0; i < HIST_BUCKETS; i++)
		to->bucket[i] += from->bucket[i];
}

/* The bucket that holds the sample of 1-based @rank. */
static unsigned int bucket_of_rank(const struct hist *h, uint64_t rank)
{
	uint64_t below = 0;
	unsigned int i;

	for (i = 0; i < HIST_BUCKETS - 1; i++) {
		below += h->bucket[i];
		if (below >= rank)
			break;
	}
	return i;
}

double hist_quantile_ns(const struct hist *h, double q)
{
	uint64_t rank;
	unsigned int i;
	double middle;

	if (!h->count)
		return NAN;
	/* 0.07 * 100 is a hair above 7: without the factor the rank would be 8. */
	rank = (uint64_t)ceil(q * (double)h->count * (1 - 1e-12));
	if (rank <= 1)
		return (double)h->min_ns;
	if (rank >= h->count)
		return (double)h->max_ns;
	i = bucket_of_rank(h, rank);
	/* The last bucket is open upwards: only the maximum is known of what it holds. */
	if (i == HIST_BUCKETS - 1 && h->max_ns >> HIST_MAX_BITS)
		return (double)h->max_ns;
	middle = (double)(hist_lo_ns(i) + hist_hi_ns(i) - 1) / 2;
	return fmin(fmax(middle, (double)h->min_ns), (double)h->max_ns);
}

double hist_mean_ns(const struct hist *h)
{
	return h->count ? (double)h->sum_ns / (double)h->count : NAN;
}
