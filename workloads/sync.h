/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines that runner and workload exchange; see docs/workload-interface.md. */
#ifndef WORKLOADS_SYNC_H
#define WORKLOADS_SYNC_H

#include <stdint.h>

/* Sends one line (with its newline). -EPIPE when the runner is gone. */
int sync_send(int fd, const char *line);

/* Receives "go T0 T1\n". *ret_t1 = 0: until the loops are done. */
int sync_receive_go(int fd, uint64_t *ret_t0, uint64_t *ret_t1);

/* Called when @fd is readable although nothing is due: the error to report. */
int sync_unexpected(int fd);

#endif
