/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long a work unit takes on this CPU now, in floating point: an integer count per microsecond
 * would be off by up to a third.
 */
#include "workloads/work.h"
#include "lib/clock.h"

#define TRIALS 10
#define TRIAL_NS 2500000u
#define FIRST_UNITS 10000u

static uint64_t time_units(uint64_t units)
{
	uint64_t begin = clock_now_ns();

	work_do(units);
	return clock_now_ns() - begin;
}

double work_calibrate_ns(void)
{
	uint64_t units = FIRST_UNITS;
	double best = 0;

	/* Grow until a trial is long enough; an interruption only makes it end too early, which the
	 * factor of 2 bounds. */
	while (time_units(units) < TRIAL_NS / 2)
		units *= 2;
	for (int i = 0; i < TRIALS; i++) {
		double ns = (double)time_units(units) / (double)units;

		if (!best || ns < best)
			best = ns;
		if (ns * (double)units < TRIAL_NS && units < UINT64_MAX / 2)
			units = (uint64_t)(TRIAL_NS / ns) + 1;
	}
	return best;
}

uint64_t work_units(double ns, double ns_per_unit)
{
	return (uint64_t)(ns / ns_per_unit + 0.5);
}
