/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From woken to running: the tasks that have been woken and have not run yet. A fixed table by the
 * low bits of the thread's number; of two that share a place the older one is forgotten.
 */
#ifndef RUN_RECORD_WAKE_H
#define RUN_RECORD_WAKE_H

#include <stdbool.h>
#include <stdint.h>

#define RECORD_WAKES 16384

struct record_wakes {
	struct {
		uint32_t pid; /* 0 = none: the idle task is never woken */
		uint64_t t_ns;
	} slot[RECORD_WAKES];
};

static inline void record_wakes_woken(struct record_wakes *wakes, uint32_t pid, uint64_t t_ns)
{
	wakes->slot[pid % RECORD_WAKES].pid = pid;
	wakes->slot[pid % RECORD_WAKES].t_ns = t_ns;
}

/* True when @pid was woken: at *@ret_ns. */
static inline bool record_wakes_runs(struct record_wakes *wakes, uint32_t pid, uint64_t t_ns,
				     uint64_t *ret_ns)
{
	if (!pid || wakes->slot[pid % RECORD_WAKES].pid != pid ||
	    wakes->slot[pid % RECORD_WAKES].t_ns > t_ns)
		return false;
	*ret_ns = wakes->slot[pid % RECORD_WAKES].t_ns;
	wakes->slot[pid % RECORD_WAKES].pid = 0;
	return true;
}

#endif
