/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A log-linear histogram of times in ns: 64 linear buckets an octave, so a bucket is at most 1/64
 * (1.6 %) wide.
 *
 * One writer, no lock, no allocation: it is plain memory (about 18 KiB) and may lie in shared
 * memory. Count, sum, minimum and maximum are exact. Zero-length samples count like any other.
 * Values of 2^42 ns (73 min) and above land in the last bucket; the exact maximum is kept beside
 * it.
 */
#ifndef LIB_HIST_H
#define LIB_HIST_H

#include <stdint.h>

#define HIST_SUB_BITS 6
#define HIST_MAX_BITS 42
#define HIST_BUCKETS ((HIST_MAX_BITS - HIST_SUB_BITS + 1) << HIST_SUB_BITS)

struct hist {
	uint64_t count;
	uint64_t sum_ns;
	uint64_t min_ns; /* meaningless while count is 0 */
	uint64_t max_ns;
	uint64_t bucket[HIST_BUCKETS];
};

/* All zero is an empty histogram as well (min_ns is set by the first sample). */
void hist_clear(struct hist *h);

static inline unsigned int hist_index(uint64_t ns)
{
	unsigned int top, shift;

	if (ns >> HIST_MAX_BITS)
		return HIST_BUCKETS - 1;
	if (!(ns >> HIST_SUB_BITS))
		return (unsigned int)ns;
	top = 63u - (unsigned int)__builtin_clzll(ns);
	shift = top - HIST_SUB_BITS;
	return ((shift + 1) << HIST_SUB_BITS) +
	       (unsigned int)((ns >> shift) & ((1u << HIST_SUB_BITS) - 1));
}

static inline void hist_add(struct hist *h, uint64_t ns)
{
	if (!h->count || ns < h->min_ns)
		h->min_ns = ns;
	if (ns > h->max_ns)
		h->max_ns = ns;
	h->count++;
	h->sum_ns += ns;
	h->bucket[hist_index(ns)]++;
}

/* Bucket @i holds lo <= ns < hi; the last one also everything from its hi (2^42) on. */
uint64_t hist_lo_ns(unsigned int i);
uint64_t hist_hi_ns(unsigned int i);

/* Adds @from to @to. */
void hist_merge(struct hist *to, const struct hist *from);

/*
 * The @q quantile, 0 < q <= 1, nearest rank (the smallest value with at least q*count samples at or
 * below it), to a bucket's width, never outside [min, max]. NAN when empty.
 */
double hist_quantile_ns(const struct hist *h, double q);

/* Mean in ns, NAN when empty. */
double hist_mean_ns(const struct hist *h);

#endif
