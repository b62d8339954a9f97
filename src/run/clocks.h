/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Did the machine sleep, or did somebody set its clock, during a run? A suspended machine does not
 * count CLOCK_MONOTONIC, so the window looks whole; CLOCK_BOOTTIME tells.
 */
#ifndef RUN_CLOCKS_H
#define RUN_CLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct clocks {
	int64_t monotonic_ns, boot_ns, wall_ns; /* read within some us of each other */
};

void clocks_read(struct clocks *ret);

/*
 * True with a sentence in @text when the machine was suspended for more than 10 ms between the two
 * reads, or the wall clock was stepped: moved against CLOCK_MONOTONIC by more than 100 ms beside
 * what NTP may slew (500 ppm, adjtimex(2)).
 */
bool clocks_jumped(const struct clocks *first, const struct clocks *last, char *text, size_t size);

#endif
