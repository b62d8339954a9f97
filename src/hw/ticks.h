/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How often idle CPUs stopped their tick, from /proc/timer_list (root only). Governors differ in
 * that where they do not in the states they choose.
 *
 * Reading the file makes the kernel walk every CPU's timers, each with the lock of its CPU held for
 * a moment, and the longer the more timers there are: never inside a window.
 */
#ifndef HW_TICKS_H
#define HW_TICKS_H

#include "lib/cpulist.h"
#include "lib/root.h"
#include <stdbool.h>
#include <stdint.h>

struct ticks_count {
	bool known;
	uint64_t calls; /* times that the tick was up to be stopped */
	uint64_t sleeps; /* times that it was stopped */
};

struct ticks_reading {
	uint64_t t_before_ns, t_after_ns; /* CLOCK_MONOTONIC; 0 = not read */
};

struct ticks;

/* Opens the file for the CPUs of @cpus, which must outlive it. -errno with the reason why not. */
int ticks_open(const struct root *root, const struct cpulist *cpus, struct ticks **ret);

/* @count: one a CPU, in the order of cpus. Does not allocate. -errno without a text. */
int ticks_read(struct ticks *ticks, struct ticks_count *count, struct ticks_reading *ret);

void ticks_close(struct ticks *ticks); /* NULL is fine */

#endif
