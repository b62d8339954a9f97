/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How the threads of timer based workloads sleep: until an absolute time, however often a signal
 * comes between. */
#ifndef WORKLOADS_TIMED_SLEEP_H
#define WORKLOADS_TIMED_SLEEP_H

#include "lib/clock.h"

#define TIMED_SLEEP_BEYOND_NS 1000000000u

/* Sleeps until @due_ns and returns how many ns later the thread ran. */
static inline uint64_t timed_sleep(uint64_t due_ns)
{
	uint64_t now;

	while (clock_sleep_until(due_ns))
		;
	now = clock_now_ns();
	return now > due_ns ? now - due_ns : 0;
}

/*
 * The end of a thread in a window that ends at @t1_ns: it sleeps until @next_ns, when it would be
 * due once more, at most 1 s beyond the window. So what its end costs stays out of the window, and
 * hundreds of threads do not all wake at its edge, where the runner reads its counters.
 */
static inline void timed_sleep_beyond(uint64_t t1_ns, uint64_t next_ns)
{
	uint64_t latest_ns = t1_ns + TIMED_SLEEP_BEYOND_NS;

	timed_sleep(next_ns < latest_ns ? next_ns : latest_ns);
}

#endif
