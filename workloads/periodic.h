/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * periodic's own structures, shared by its table, its running part and its report.
 *
 * Packet k is released at event k of a thread's schedule, and its deadline is event k + 1. The time
 * functions are handed in, so that a test can play every overrun to the nanosecond.
 */
#ifndef WORKLOADS_PERIODIC_H
#define WORKLOADS_PERIODIC_H

#include "lib/hist.h"
#include "workloads/driver.h"
#include "workloads/schedule.h"

/* Rows of the parameter table. */
enum {
	PERIODIC_THREADS,
	PERIODIC_FREQUENCY,
	PERIODIC_LOAD,
	PERIODIC_WORK,
	PERIODIC_LOOPS,
	PERIODIC_CATCH_UP,
	PERIODIC_PHASE,
	PERIODIC_RAMP,
	PERIODIC_STEPS,
	PERIODIC_STEP,
	PERIODIC_DISTANCE,
	PERIODIC_PARAMS,
};
enum { PERIODIC_BURST, PERIODIC_SKIP }; /* choices of catch-up */
enum { PERIODIC_SPREAD, PERIODIC_TOGETHER }; /* choices of phase */
enum { PERIODIC_STEADY, PERIODIC_UP_DOWN }; /* choices of ramp */

#define PERIODIC_SPANS_MAX 2048

/* What a thread is to do. */
struct periodic_plan {
	struct schedule schedule;
	uint64_t planned; /* packets; 0 when the window is too short for one */
	uint64_t t1_ns; /* a packet that only waits for others does not begin from here on */
	uint64_t units; /* of work in each packet; with a ramp, in those of its highest step */
	uint64_t steps; /* of the ramp, on one side; 0 = no ramp */
	uint64_t span_periods; /* the last span takes the rest as well */
	uint64_t spans;
	bool skip;
};

/* What happened to the packets of about a second, or of a step of the ramp. */
struct periodic_span {
	uint64_t done, overruns;
	uint64_t wakes, late_ns; /* only packets that were waited for */
	uint64_t packet_ns; /* CPU time of the packets */
	uint64_t cpu_ns; /* CPU time of the thread */
};

struct periodic_thread {
	struct periodic_plan plan;
	uint64_t first_ns, last_ns; /* begin of the first and of the last packet */
	uint64_t max_overrun_ns;
	struct hist lateness; /* of the wakes */
	struct hist packet; /* CPU time of the packets */
	struct periodic_span span[PERIODIC_SPANS_MAX];
	struct block *series; /* made by the report, until the files are written */
};

/* Where time comes from and goes to. */
struct periodic_time {
	uint64_t (*now_ns)(void); /* CLOCK_MONOTONIC */
	uint64_t (*cpu_ns)(void); /* of the calling thread */
	int (*sleep_until)(uint64_t t_ns); /* 0 or -errno */
	void (*work)(uint64_t units);
};

extern const struct metric periodic_metrics[];
extern const struct periodic_time periodic_real_time;

/* Length of a ramp whose steps last @step_ns: up to 100 % and down again. */
double periodic_ramp_ns(double steps, double step_ns);

/* Plans thread @index of the driver's between t0 and t1, or for its loops. */
int periodic_plan(const struct driver *driver, int index, uint64_t t0_ns, uint64_t t1_ns,
		  struct periodic_plan *ret);

/* Where the ramp is in @span: 0 to 1; 1 without a ramp. */
double periodic_level(const struct periodic_plan *plan, uint64_t span);

/* Units of work in a packet of @span. */
uint64_t periodic_units(const struct periodic_plan *plan, uint64_t span);

/* Warms up until the first release, then does the planned packets; takes the marks of @task. The
 * rest of @thread is zero before. -errno with text. */
int periodic_run(struct periodic_thread *thread, const struct periodic_time *time,
		 struct driver_task *task);

/* driver->data is an array of struct periodic_thread. */
int periodic_finish(struct driver *driver);

#endif
