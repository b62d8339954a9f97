/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SIGINT, SIGTERM, SIGHUP and SIGQUIT as a descriptor to poll: the runner finishes nothing,
 * restores the machine and then dies of the same signal, so that a shell sees the truth.
 */
#ifndef RUN_INTERRUPT_H
#define RUN_INTERRUPT_H

#include <stdint.h>

/* Blocks the signals in this and all later threads. 0 or -errno. */
int interrupt_start(void);

/* Readable once a signal came. */
int interrupt_fd(void);

/* The signal's number, 0 when none came. */
int interrupt_pending(void);

/* Sleeps until the time, CLOCK_MONOTONIC ns; -EINTR with a text when a signal came first. */
int interrupt_sleep(uint64_t until_ns);

/* In a child between fork and exec: the default signal state again. */
void interrupt_child(void);

/* Dies of @signal with its default action. */
void interrupt_die(int signal) __attribute__((noreturn));

#endif
