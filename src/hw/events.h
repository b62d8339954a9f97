/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counting of perf events per CPU. Names are libpfm4's: "context-switches", "cpu-migrations",
 * "cycles", "cycles:u", and the events of this processor.
 *
 * A read of another CPU's counter interrupts that CPU: in a window, read only at its edges and from
 * a thread that runs on the CPU. An event that this machine cannot count is not known, never 0.
 */
#ifndef HW_EVENTS_H
#define HW_EVENTS_H

#include "lib/cpulist.h"
#include "lib/root.h"
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EVENT_NAME_MAX 96 /* bytes with the NUL; longer names are refused */

struct event_code {
	char name[EVENT_NAME_MAX]; /* as the user wrote it */
	struct perf_event_attr attr; /* counts user and kernel unless the name says otherwise */
};

/* A counter since events_open(). */
struct event_reading {
	uint64_t value; /* as counted, not scaled */
	uint64_t enabled_ns; /* time that it was asked to count */
	uint64_t running_ns; /* time that it did: less = it shared hardware with others */
	bool known;
	int err; /* why not: -errno; 0 when known */
};

/*
 * *@ret for a name that pfm knows; a usage error with the nearest names for another one.
 * -ENOSYS with a text when libpfm4 does not work here.
 */
int events_resolve(const char *name, struct event_code *ret);

/* What is known about an event, for "list events". */
struct event_info {
	const char *pmu; /* "perf", "skl" */
	const char *name;
	const char *same_as; /* the name that this one stands for; NULL = none */
	const char *about;
	bool software; /* the kernel counts it: works in any guest */
};

/*
 * Calls @each for every event of the PMUs that are present here. Goes on while it returns 0,
 * and returns its last value.
 */
int events_list(int (*each)(const struct event_info *info, void *data), void *data);

struct events;

/*
 * Opens every event on every CPU of the list, counting from now on whatever runs there. An event
 * that cannot be counted on a CPU is not known there. -EACCES with the two ways out when this user
 * may not count whole CPUs; -EMFILE when even the hard limit of descriptors is too low (the soft
 * one is raised, when it must be, for this process and its children). @codes are copied.
 */
int events_open(const struct root *root, const struct event_code *codes, size_t n,
		const struct cpulist *cpus, struct events **ret);

/*
 * Event @e on the @c-th CPU of the list. Never fails: what cannot be read is not known. A counter
 * that never ran is not known either (-EAGAIN): its 0 would be none. No allocation.
 */
void events_read(const struct events *events, size_t e, size_t c, struct event_reading *ret);

/*
 * Why event @e is not known on the @c-th CPU, as a sentence; "" when it can be counted. The texts
 * name event, CPU and reason.
 */
const char *events_reason(const struct events *events, size_t e, size_t c, char *text, size_t size);

void events_close(struct events *events);

/*
 * The counts between two readings: differences of all three figures. Not known when either is not,
 * or when the counter did not run in between.
 */
struct event_reading events_between(const struct event_reading *first,
				    const struct event_reading *last);

/*
 * A reading that shared hardware, brought up to the whole time: value x enabled / running. NAN when
 * it is not known.
 */
double events_scaled(const struct event_reading *reading);

#endif
