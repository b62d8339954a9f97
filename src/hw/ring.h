/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tracepoints of whole CPUs through perf's ring buffers, one ring a CPU that all its events share,
 * so that they come in order.
 *
 * The kernel wakes the reader only when a ring is half full; nothing else of the recording wakes
 * a CPU. The clock is CLOCK_MONOTONIC. What does not fit is lost and counted. Needs root or
 * CAP_PERFMON.
 */
#ifndef HW_RING_H
#define HW_RING_H

#include "lib/cpulist.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rings;

struct ring_record {
	uint64_t t_ns; /* CLOCK_MONOTONIC */
	uint64_t lost; /* not 0: so many events before the next one are lost; the rest is 0 */
	const uint8_t *raw; /* the tracepoint's record; valid until the next ring_peek() there */
	size_t size;
};

/*
 * Opens the @n tracepoints @id on every CPU, not yet recording. @bytes: size of a ring, a power of
 * two of at least 8 pages. -EACCES with the way out, -EMFILE, -ENODEV for a CPU that is offline.
 */
int rings_open(const struct cpulist *cpus, const uint64_t *id, size_t n, size_t bytes,
	       struct rings **ret);

int rings_start(struct rings *rings);
void rings_stop(struct rings *rings);

/*
 * Waits until a ring is half full, one of the @n descriptors (-1 = none) is readable, or the time
 * is over (CLOCK_MONOTONIC ns, UINT64_MAX = none). 0, or -errno.
 */
#define RINGS_FDS_MAX 2
int rings_wait(struct rings *rings, const int *fd, size_t n, uint64_t until_ns);

/* Looks how far each ring is filled now; ring_peek() goes no further. */
void rings_look(struct rings *rings);

/* The next record of the @i-th CPU's ring: 1, or 0 when there is none. -EBADMSG: the ring holds
 * what the kernel never writes. */
int ring_peek(struct rings *rings, size_t i, struct ring_record *ret);
void ring_take(struct rings *rings, size_t i); /* what was peeked is done with */
void ring_release(struct rings *rings, size_t i); /* gives the room of what was taken back */

/* Events lost on the @i-th CPU since rings_start(), as the kernel counts them (Linux 6.0), or as
 * records told. */
uint64_t ring_lost(const struct rings *rings, size_t i);
uint64_t ring_told(const struct rings *rings, size_t i); /* as records told only */

void rings_close(struct rings *rings); /* NULL is fine */

#endif
