/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A periodic schedule in integer arithmetic: event k is due at t0 + k * 10^9 * den / num ns for a
 * rate of num/den Hz, rounded down.
 *
 * Each time is computed from k, never from the one before, so there is no drift: the error stays
 * below 1 ns however long it runs. k may be negative (a warm-up before t0). Products have 128 bits:
 * nothing overflows for any k whose time fits into 64 bits.
 */
#ifndef WORKLOADS_SCHEDULE_H
#define WORKLOADS_SCHEDULE_H

#include <stdint.h>

struct schedule {
	uint64_t t0_ns; /* when event 0 is due; CLOCK_MONOTONIC */
	uint32_t num, den; /* the rate in Hz is num/den; neither is 0 */
};

/* Sets num and den from @hz, which has to be a multiple of 1 mHz from 1 mHz to 1 MHz: else a usage
 * error. t0_ns is left alone. */
int schedule_set_rate(struct schedule *schedule, double hz);

/* When event @k is due. */
uint64_t schedule_due_ns(const struct schedule *schedule, int64_t k);

/* The last event that is due at or before @t_ns. */
int64_t schedule_last(const struct schedule *schedule, uint64_t t_ns);

/* The first event that is due at or after @t_ns. */
int64_t schedule_first(const struct schedule *schedule, uint64_t t_ns);

#endif
