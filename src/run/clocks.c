/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Three clocks that keep step unless something happened.
 */
#include "run/clocks.h"
#include <math.h>
#include <stdio.h>
#include <time.h>

#define SUSPENDED_NS 10e6
#define STEPPED_NS 100e6
#define SLEW 500e-6
#define CLOSE_NS 1000000
#define TRIES 10

static int64_t read_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Kept from the CPU between two reads, it would look like a jump: then once more. */
void clocks_read(struct clocks *ret)
{
	for (int i = 0; i < TRIES; i++) {
		ret->monotonic_ns = read_ns(CLOCK_MONOTONIC);
		ret->boot_ns = read_ns(CLOCK_BOOTTIME);
		ret->wall_ns = read_ns(CLOCK_REALTIME);
		if (read_ns(CLOCK_MONOTONIC) - ret->monotonic_ns < CLOSE_NS)
			return;
	}
}

bool clocks_jumped(const struct clocks *first, const struct clocks *last, char *text, size_t size)
{
	double passed = (double)(last->monotonic_ns - first->monotonic_ns);
	double slept = (double)(last->boot_ns - first->boot_ns) - passed;
	double moved = (double)(last->wall_ns - first->wall_ns) - passed;

	if (slept > SUSPENDED_NS) {
		snprintf(text, size, "the machine was suspended for %.2f s during the run",
			 slept / 1e9);
		return true;
	}
	if (fabs(moved) > STEPPED_NS + SLEW * passed) {
		snprintf(text, size, "the wall clock was set %s by %.2f s during the run",
			 moved > 0 ? "forward" : "back", fabs(moved) / 1e9);
		return true;
	}
	return false;
}
