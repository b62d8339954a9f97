/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From woken to running: the tasks that have been woken and have not run yet. A fixed table by the
 * low bits of the thread's number; of two that share a place the older one is forgotten.
 *
 * A wake begins with sched_waking, on the CPU that wakes; sched_wakeup may come from the CPU that
 * is woken, when that has left its idle state already.
 */
#ifndef RUN_RECORD_WAKE_H
#define RUN_RECORD_WAKE_H

#include "trace/trace.h"

#define RECORD_WAKES 16384

struct record_wakes {
	struct {
		uint32_t pid; /* 0 = none: the idle task is never woken */
		int32_t waker; /* CPU; -1 = not known */
		uint64_t t_ns;
	} slot[RECORD_WAKES];
};

/* @waker: the CPU, of sched_waking; -1 of sched_wakeup, which says nothing new after the former. */
static inline void record_wakes_woken(struct record_wakes *wakes, uint32_t pid, uint64_t t_ns,
				      int32_t waker)
{
	if (waker < 0 && wakes->slot[pid % RECORD_WAKES].pid == pid)
		return;
	wakes->slot[pid % RECORD_WAKES].pid = pid;
	wakes->slot[pid % RECORD_WAKES].waker = waker;
	wakes->slot[pid % RECORD_WAKES].t_ns = t_ns;
}

/* The task has been running: its wake woke nobody, and when it runs again it has not been woken. */
static inline void record_wakes_forget(struct record_wakes *wakes, uint32_t pid)
{
	if (wakes->slot[pid % RECORD_WAKES].pid == pid)
		wakes->slot[pid % RECORD_WAKES].pid = 0;
}

/* True when @wake->pid, which runs from @t_ns on, was woken: then the wake's times and waker. */
static inline bool record_wakes_runs(struct record_wakes *wakes, struct trace_wake *wake,
				     uint64_t t_ns)
{
	size_t at = wake->pid % RECORD_WAKES;

	if (!wake->pid || wakes->slot[at].pid != wake->pid || wakes->slot[at].t_ns > t_ns)
		return false;
	wakes->slot[at].pid = 0;
	wake->t_ns = wakes->slot[at].t_ns;
	wake->latency_ns = t_ns - wake->t_ns;
	wake->waker = wakes->slot[at].waker;
	return true;
}

#endif
