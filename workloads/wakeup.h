/* SPDX-License-Identifier: GPL-2.0-or-later */
/* wakeup's own structures, shared by its parts. */
#ifndef WORKLOADS_WAKEUP_H
#define WORKLOADS_WAKEUP_H

#include "workloads/cpu-hist.h"
#include "workloads/driver.h"
#include "workloads/schedule.h"
#include "workloads/transport.h"
#include "workloads/wakeup-order.h"

/* Rows of the parameter table. */
enum {
	WAKEUP_THREADS,
	WAKEUP_INTERVAL,
	WAKEUP_BY,
	WAKEUP_WAKER,
	WAKEUP_ORDER,
	WAKEUP_SEED,
	WAKEUP_LOOPS,
	WAKEUP_AFFINITY,
	WAKEUP_DISTANCE,
	WAKEUP_PARAMS,
};
enum { WAKEUP_PIPE, WAKEUP_EVENTFD, WAKEUP_FUTEX, WAKEUP_SOCKET, WAKEUP_TIMER }; /* of by */
enum { WAKEUP_SPIN, WAKEUP_SLEEP }; /* choices of waker */
enum { WAKEUP_SEQUENTIAL, WAKEUP_RANDOM }; /* choices of order */
enum { WAKEUP_PINNED, WAKEUP_FREE }; /* choices of affinity */

#define WAKEUP_MAX 8192

/* How long the CPU had been free of sleepers when the wake came, by powers of ten. */
enum wakeup_gap {
	WAKEUP_GAP_BUSY, /* another sleeper still ran there */
	WAKEUP_GAP_0US, /* below 1 us */
	WAKEUP_GAP_1US, /* 1 us to below 10 us, and so on */
	WAKEUP_GAP_10US,
	WAKEUP_GAP_100US,
	WAKEUP_GAP_1MS,
	WAKEUP_GAP_10MS,
	WAKEUP_GAP_100MS,
	WAKEUP_GAP_1S, /* 1 s and more */
	WAKEUP_GAPS,
};

/* A sleeper and the waker's word to it, on a cache line of their own; in shared memory. */
struct wakeup_sleeper {
	_Alignas(64) _Atomic uint32_t asleep; /* set by the sleeper, taken by the waker */
	bool counted; /* this wake is of the measured part */
	uint64_t sent_ns; /* just before the waking write */
	uint64_t woken; /* wakes counted */
	uint64_t not_asleep; /* by timer: it was still awake when due */
};

/* When a CPU was last left by a sleeper; CLOCK_MONOTONIC. */
struct wakeup_left {
	_Alignas(64) _Atomic uint64_t ns;
};

struct wakeup {
	const struct transport *transport; /* NULL: by timer */
	int sleepers;
	bool spins; /* the waker, until the next wake is due */
	struct schedule schedule; /* of all wakes */
	struct wakeup_order order;
	struct channel *channel; /* to each sleeper */
	struct wakeup_sleeper *sleeper;
	struct wakeup_left *left; /* by place of the CPU in .latency */
	struct cpu_hist latency; /* sets: enum wakeup_gap, then the gaps themselves */

	/* The waker's. */
	uint64_t not_asleep; /* its sleeper had not gone to sleep: not sent */
	uint64_t not_sent; /* t1 was over before their turn came */
	struct hist late; /* when the wakes were sent, less when they were due */
};

extern const struct metric wakeup_metrics[];

/* A gap's class; @left_ns: when the CPU was left, @sent_ns: when the wake was sent or due. */
enum wakeup_gap wakeup_gap_of(uint64_t left_ns, uint64_t sent_ns);

/* The wakes of the measured part: all that are due in the window, or the loops asked. */
int64_t wakeup_planned(const struct driver *driver);

/* What the tasks do; see workloads/workload.h. */
int wakeup_run_waker(struct driver *driver, struct driver_task *task);
int wakeup_run_sleeper(struct driver *driver, int sleeper, struct driver_task *task);
int wakeup_run_timed(struct driver *driver, int sleeper, struct driver_task *task);

/* Checks that no wake is lost, then reports. */
int wakeup_finish(struct driver *driver);

#endif
