/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The time series of a window: a table that grows by a row a sample. Plain reads of sysfs from the
 * housekeeping CPU; a cell that could not be read is NA. Its columns: t_ns, then energy:LABEL (uJ,
 * raw), then SET:STATE:usage and SET:STATE:time_us, sums over the CPUs of the set ("workload",
 * "all") of the states of that name.
 */
#ifndef RUN_SAMPLES_H
#define RUN_SAMPLES_H

#include "hw/cpuidle.h"
#include "hw/energy.h"
#include "lib/cpulist.h"
#include <stdio.h>

struct samples_source {
	struct cpuidle *idle;
	const struct energy *energy; /* NULL = none */
	const struct cpulist *workload; /* CPUs of the set "workload" */
};

struct samples;

/* Lays out the columns; allocates room for @rows. */
int samples_open(const struct samples_source *source, size_t rows, struct samples **ret);

/*
 * Appends a row. -ENODEV when the idle counters went away (a switch; the window's edges will say
 * so), -ENOMEM. Not for two threads at once.
 */
int samples_take(struct samples *samples);

/* The table with its header. Column names hold blanks where state names do. */
void samples_write(const struct samples *samples, FILE *out);

void samples_free(struct samples *samples);

#endif
