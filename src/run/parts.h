/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The workloads of one run: one, or several that share a window. Each is a program of its own; what
 * befalls one befalls the run. With several each writes into a folder of its own below the run's,
 * and their tables become one when the run is published.
 */
#ifndef RUN_PARTS_H
#define RUN_PARTS_H

#include "run/cell.h"

/* Folders and command lines. */
int parts_make(struct cell *cell);

/*
 * Starts them one after the other, each bound, until it is ready: what a program calibrates is not
 * disturbed by the next one. 0 also when one failed (in run.state); -EINTR for a signal.
 */
int parts_start(struct cell *cell);

/* Gives all the same go; -EPIPE when one is gone. */
int parts_go(struct cell *cell);

/*
 * Waits until @until_ns; *ret_over: before that one of them said something or ended. -EINTR for a
 * signal. For a load that nobody measures.
 */
int parts_let_run(struct cell *cell, uint64_t until_ns, bool *ret_over);

/*
 * Until all have said "done", or one has ended before. *ret_whole: all saw the window to its end.
 * A workload that ends by its loops sets t1_ns; it fails at its deadline where it has one.
 */
int parts_await_done(struct cell *cell, bool *ret_whole);

/* Until all have ended. */
int parts_await_end(struct cell *cell);

/* Ends all that still run. Idempotent. */
void parts_finish(struct cell *cell);

/* CPU time of all that have ended, with their reaped children, in s. */
double parts_cpu_s(const struct cell *cell);

/* One table each of what several workloads have written. Nothing to do for one workload. */
int parts_merge(struct cell *cell);

void parts_free(struct cell *cell);

#endif
