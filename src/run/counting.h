/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The perf events that --event asks for, counted on every measured CPU. */
#ifndef RUN_COUNTING_H
#define RUN_COUNTING_H

struct session;

/* Names to codes: usage error for an unknown one. Opens nothing. */
int counting_resolve(struct session *session);

/*
 * Opens them on session->cpus. An event that cannot be counted here is warned about, once, and
 * stays NA; not being allowed to count at all is an error.
 */
int counting_open(struct session *session);

void counting_close(struct session *session);

#endif
