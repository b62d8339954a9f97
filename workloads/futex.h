/* SPDX-License-Identifier: GPL-2.0-or-later */
/* futex(2), for which glibc has no wrapper. Operations are shared between processes unless
 * FUTEX_PRIVATE_FLAG is added. */
#ifndef WORKLOADS_FUTEX_H
#define WORKLOADS_FUTEX_H

#include <limits.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Raw call: FUTEX_WAIT (sleeps while *word is @value) or FUTEX_WAKE (wakes up to @value waiters);
 * -1 with errno. */
static inline long futex_call(_Atomic uint32_t *word, int operation, uint32_t value)
{
	return syscall(SYS_futex, word, operation, value, NULL, NULL, 0);
}

/* Sleeps while *word is @value, at most until @t_ns of CLOCK_MONOTONIC. @flags: 0 or
 * FUTEX_PRIVATE_FLAG. */
static inline void futex_wait_until(_Atomic uint32_t *word, int flags, uint32_t value,
				    uint64_t t_ns)
{
	struct timespec until = {
		.tv_sec = (time_t)(t_ns / 1000000000u),
		.tv_nsec = (long)(t_ns % 1000000000u),
	};

	/* Of the two waits this is the one whose time-out is absolute. */
	syscall(SYS_futex, word, FUTEX_WAIT_BITSET | flags, value, &until, NULL,
		FUTEX_BITSET_MATCH_ANY);
}

/* Sleeps until *word is at least @level. */
static inline void futex_wait_level(_Atomic uint32_t *word, uint32_t level)
{
	uint32_t seen;

	while ((seen = atomic_load(word)) < level)
		futex_call(word, FUTEX_WAIT, seen);
}

/* Raises *word to @level and wakes all that wait. */
static inline void futex_set_level(_Atomic uint32_t *word, uint32_t level)
{
	atomic_store(word, level);
	futex_call(word, FUTEX_WAKE, INT_MAX);
}

#endif
