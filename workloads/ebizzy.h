/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ebizzy's own structures, shared by its running part and its report. */
#ifndef WORKLOADS_EBIZZY_H
#define WORKLOADS_EBIZZY_H

#include "lib/hist.h"
#include "workloads/blocks.h"
#include "workloads/driver.h"

/* Rows of the parameter table. */
enum {
	EBIZZY_THREADS,
	EBIZZY_CHUNKS,
	EBIZZY_SIZE,
	EBIZZY_INTERVAL,
	EBIZZY_EVERY,
	EBIZZY_LOOPS,
	EBIZZY_ALLOC,
	EBIZZY_SEED,
	EBIZZY_AFFINITY,
	EBIZZY_PARAMS,
};
enum { EBIZZY_MALLOC, EBIZZY_MMAP }; /* choices of alloc */
enum { EBIZZY_PINNED, EBIZZY_FREE }; /* choices of affinity */

/* What one thread counts; nobody else writes it. */
struct ebizzy_thread {
	_Alignas(64) uint64_t records;
	uint64_t end_ns; /* of the last counted record, 0 = none */
	struct hist record; /* time of a record: allocate, copy, search, free */
	struct hist overshoot; /* wake less the moment it was asked for */
	uint32_t batch[BLOCKS_MAX]; /* records that ended in each batch */
};

struct ebizzy {
	uint64_t **chunk; /* each of @words ascending numbers: 0, 2, 4, ... */
	uint64_t chunks, words;
	uint64_t interval_ns, every;
	uint64_t seed;
	bool mapped; /* records are mmap'ed */
	struct ebizzy_thread *thread; /* by task */
	struct blocks *batches; /* of all threads; mean_us holds records per second */
};

extern const struct metric ebizzy_metrics[];

/* Length of a batch: 1 s when only the loops end the run. @t1_ns may be UINT64_MAX. */
uint64_t ebizzy_period_ns(uint64_t t0_ns, uint64_t t1_ns, uint64_t loops);

/* Sums up what the threads counted and reports it. */
int ebizzy_finish(struct driver *driver);

#endif
