/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * After the window: was it what it claims to be? A void run is kept but not counted; a doubt is
 * stored with the run.
 */
#ifndef RUN_VERIFY_H
#define RUN_VERIFY_H

#include "run/cell.h"

/* Remembers what must not change and the foreign load's start. */
int verify_begin(struct cell *cell);

/*
 * Sets run.state and run.reason (somebody switched the governor, a CPU came or went, a state table
 * changed, the machine slept or its clock was set, counters cannot be read, another process kept a
 * CPU busy: void; the workload's exit status: failed), and collects the doubts.
 */
int verify_end(struct cell *cell);

/* Stores a doubt; a text is stored once. */
int verify_doubt(struct store_run *run, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
