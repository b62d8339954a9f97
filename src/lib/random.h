/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random numbers that a seed repeats: splitmix64 (Steele, Lea, Flood 2014). GSL's generators may
 * not be linked into these programs.
 */
#ifndef LIB_RANDOM_H
#define LIB_RANDOM_H

#include <stdint.h>

/* The next of all 64-bit numbers, equally likely; *state begins as the seed, any value. */
static inline uint64_t random_next(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

/* 0 to @n - 1, each exactly as likely; @n > 0. */
static inline uint64_t random_below(uint64_t *state, uint64_t n)
{
	uint64_t limit = UINT64_MAX - UINT64_MAX % n, value;

	do
		value = random_next(state);
	while (value >= limit);
	return value % n;
}

#endif
