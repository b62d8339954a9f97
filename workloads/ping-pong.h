/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ping-pong's own structures, shared by its running part and its report. */
#ifndef WORKLOADS_PING_PONG_H
#define WORKLOADS_PING_PONG_H

#include "lib/hist.h"
#include "workloads/blocks.h"
#include "workloads/driver.h"
#include "workloads/transport.h"

/* Rows of the parameter table. */
enum {
	PING_PONG_CORES,
	PING_PONG_PAIRS,
	PING_PONG_WORK,
	PING_PONG_LOOPS,
	PING_PONG_TRANSPORT,
	PING_PONG_TASK,
	PING_PONG_AFFINITY,
	PING_PONG_DISTANCE,
	PING_PONG_PARAMS,
};
enum { PING_PONG_PROCESS, PING_PONG_THREAD }; /* choices of task */
enum { PING_PONG_PINNED, PING_PONG_FREE }; /* choices of affinity */

/* One ring; in shared memory, written by its head. */
struct ping_pong_ring {
	uint64_t begin_ns, end_ns; /* of the counted loops, which touch each other */
	uint64_t total; /* loops between mark and stop token: the counted and at most one more */
	double shift_ns, squares; /* sum of squares of loop times less shift */
	struct hist hist;
	struct blocks blocks;
};

/* One stop that is not a head. */
struct ping_pong_stop {
	_Alignas(64) uint64_t passed; /* tokens between mark and stop token */
};

struct ping_pong {
	const struct transport *transport;
	uint64_t units; /* of work per stop */
	int rings, stops; /* stops of each ring */
	struct channel *channel; /* [i] leads from task i to the next of its ring */
	struct ping_pong_ring *ring;
	struct ping_pong_stop *stop; /* by task */
};

extern const struct metric ping_pong_metrics[];

/* Checks that no token was lost or doubled, then reports. */
int ping_pong_finish(struct driver *driver);

#endif
