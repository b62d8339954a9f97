/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Periodic schedules. Division rounds down for negative numbers too, which C's does not.
 */
#include "workloads/schedule.h"
#include "lib/error.h"
#include <math.h>

#define MHZ_PER_HZ 1000 /* millihertz */
#define MHZ_MAX 1000000000 /* 1 MHz */

static const int64_t second_ns = 1000000000;

static __int128 divide_down(__int128 a, __int128 b)
{
	return a / b - (a % b < 0);
}

int schedule_set_rate(struct schedule *schedule, double hz)
{
	double mhz = hz * MHZ_PER_HZ;

	if (!(mhz >= 0.5 && mhz <= MHZ_MAX) || fabs(mhz - round(mhz)) > 1e-6 * fmax(1, mhz * 1e-6))
		return error_usage("%.10gHz is not a multiple of 0.001Hz from 0.001Hz to 1MHz", hz);
	schedule->num = (uint32_t)round(mhz);
	schedule->den = MHZ_PER_HZ;
	return 0;
}

uint64_t schedule_due_ns(const struct schedule *schedule, int64_t k)
{
	__int128 offset = divide_down((__int128)k * second_ns * schedule->den, schedule->num);

	return schedule->t0_ns + (uint64_t)offset;
}

int64_t schedule_last(const struct schedule *schedule, uint64_t t_ns)
{
	/* floor(k * period) <= x means k * period < x + 1 */
	__int128 beyond = (__int128)t_ns - schedule->t0_ns + 1;

	return (int64_t)divide_down(beyond * schedule->num - 1,
				    (__int128)second_ns * schedule->den);
}

int64_t schedule_first(const struct schedule *schedule, uint64_t t_ns)
{
	return schedule_last(schedule, t_ns - 1) + 1;
}
