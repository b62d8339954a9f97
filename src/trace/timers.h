/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The timers that are pending on each CPU, from the events of all CPUs in the order of time: a
 * timer may be cancelled, or run, on another CPU than the one that started it.
 *
 * Timers that were started before the recording are not known. The tick is an hrtimer that is kept
 * apart.
 */
#ifndef TRACE_TIMERS_H
#define TRACE_TIMERS_H

#include "lib/cpulist.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TIMERS_MAX 32768 /* followed at once, of all CPUs; further ones are not known */
/*
 * An hrtimer that is overdue by so much is not there any more, its end was lost; of the wheel, by
 * three ticks. An emulated guest's interrupts come up to hundreds of ms late, and until then it
 * has nothing to sleep for.
 */
#define TIMERS_STALE_NS 1000000000

struct timers;

/* What is next on a CPU; each time is CLOCK_MONOTONIC ns, and 0 when there is none. */
struct timers_next {
	uint64_t tick_ns, hrtimer_ns, wheel_ns;
};

/* A wheel timer as timer:timer_start says it. */
struct timers_wheel {
	uint64_t timer, expires, jiffies; /* the last two in ticks */
	uint32_t flags; /* of the kernel: CPU, deferrable, ... */
};

/*
 * The tick in which the wheel runs a timer, where an event has the timer's own time only: that of
 * its bucket, which never comes early, and is the coarser the farther it was ahead. @index: of the
 * bucket, 64 a level, each of them 8 times as coarse as the one before; as the event's flags or
 * text have it.
 */
uint64_t timers_bucket(uint64_t expires, uint64_t jiffies, unsigned int index);

#define TIMERS_INDEX_SHIFT 22 /* of an event's flags */

/* @cpus: positions are those in this list. @tick_ns: 0 = not known, and so are wheel timers.
 * -ENOMEM
 */
int timers_make(const struct cpulist *cpus, uint64_t tick_ns, struct timers **ret);
void timers_free(struct timers *timers); /* NULL is fine */

/* An hrtimer on the CPU of position @i, or there again. */
void timers_start(struct timers *timers, size_t i, uint64_t timer, uint64_t expires_ns);
void timers_start_tick(struct timers *timers, size_t i, uint64_t timer, uint64_t expires_ns);
/* @t_ns: of the event. A deferrable timer wakes nobody and is not followed. */
void timers_start_wheel(struct timers *timers, uint64_t t_ns, const struct timers_wheel *start);

void timers_forget(struct timers *timers, uint64_t timer); /* cancelled, or it runs */
void timers_forget_all(struct timers *timers, size_t i); /* of a CPU */

/*
 * An hrtimer runs on that CPU at @t_ns, and with it all that are due: one that is overdue by more
 * than TIMERS_LATE_NS is not there any more, its end was not seen.
 */
#define TIMERS_LATE_NS 1000000
void timers_run(struct timers *timers, size_t i, uint64_t t_ns);

/* What is next at @t_ns. */
struct timers_next timers_next(struct timers *timers, size_t i, uint64_t t_ns);

#endif
