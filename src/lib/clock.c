/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sleeping until a moment of CLOCK_MONOTONIC, and the wall clock as text for people. The sleep is
 * absolute, so that an interruption between reading the clock and sleeping cannot lengthen it.
 */
#include "lib/clock.h"

#include <stdio.h>
#include <stdlib.h>

int clock_sleep_until(uint64_t t_ns)
{
	struct timespec until = {
		.tv_sec = (time_t)(t_ns / 1000000000u),
		.tv_nsec = (long)(t_ns % 1000000000u),
	};

	return -clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}

void clock_wall_text(char *text, unsigned long size)
{
	time_t now = time(NULL);
	struct tm local;
	char date[32] = "";
	long minutes;

	localtime_r(&now, &local);
	strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%S", &local);
	minutes = labs(local.tm_gmtoff) / 60;
	snprintf(text, size, "%s%c%02ld:%02ld", date, local.tm_gmtoff < 0 ? '-' : '+', minutes / 60,
		 minutes % 60);
}
