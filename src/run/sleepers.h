/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A load of timed sleeps, one thread a CPU, that gives every idle state something to do. */
#ifndef RUN_SLEEPERS_H
#define RUN_SLEEPERS_H

#include "hw/cpuidle.h"
#include "hw/topology.h"

/*
 * Each thread, bound to a CPU of @idle, sleeps for times that suit each of its states in turn: a
 * moment to settle, then for about 0.3 s (longer where a state's target residency is long) between
 * two readings of its CPU's counters, taken on that CPU. @entries[i][s]: usage that was added at
 * the CPU and state of these positions. -errno of a thread, a reading or the binding.
 */
int sleepers_run(struct cpuidle *idle, const struct topology *topology,
		 uint64_t (*entries)[CPUIDLE_STATES_MAX]);

#endif
