/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CLOCK_MONOTONIC in nanoseconds, the only clock that a measurement uses. */
#ifndef LIB_CLOCK_H
#define LIB_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t clock_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Sleeps until the absolute time; returns 0, or -EINTR when a signal came first. A time in the past
 * returns 0. */
int clock_sleep_until(uint64_t t_ns);

/* "2026-11-30T21:40:05+00:00" of the wall clock, for people only; never for an interval. @size
 * >= 26. */
void clock_wall_text(char *text, unsigned long size);

#endif
