/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The common driver of all workload programs: it makes the tasks (processes or threads), binds
 * them, sets their timer slack, holds them until all are ready, lets them run from t0 to t1, checks
 * where they ran, and writes the files.
 *
 * What tasks and driver share lies in memory from driver_alloc(), so that it is the same for
 * processes and threads. The main process only sleeps between t0 and t1.
 */
#ifndef WORKLOADS_DRIVER_H
#define WORKLOADS_DRIVER_H

#include "lib/cpulist.h"
#include "lib/hist.h"
#include "workloads/workload.h"
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>

struct binder;
struct block;

#define DRIVER_TEXT_SIZE 256
#define DRIVER_PARTS_MAX 4096 /* histograms, and series, of one run */
#define DRIVER_ADDED_MAX 64 /* metrics beside those of the table */

/* The command line's common part. */
struct driver_options {
	struct cpulist cpus; /* of the stops, in order; empty = not given */
	uint64_t window_ns;
	uint64_t warmup_ns;
	uint64_t slack_ns; /* 1 ns to 1 s */
	const char *output; /* folder, NULL = table on stdout */
	int sync_fd; /* -1 = stand-alone */
	bool window_given, warmup_given, slack_given, cpus_given;
	bool unbound;
	bool help;
};

/* A moment in a task's life, taken by the task itself. */
struct driver_mark {
	uint64_t t_ns;
	uint64_t cpu_ns; /* CPU time of the task */
	uint64_t switches; /* voluntary context switches of the task */
	int cpu; /* where it runs */
};

/* One task; in shared memory, written by the task, read by the driver when all have ended. */
struct driver_task {
	_Alignas(64) int tid;
	int cpu_asked; /* -1: the scheduler's choice */
	char role[16]; /* "ring0" */
	char affinity[DRIVER_TEXT_SIZE]; /* read back; "" = NA */
	uint64_t slack_ns; /* read back */
	int64_t migrations; /* between ready and end, -1 = NA */
	struct driver_mark start, end;
	uint64_t done_ns; /* end of the last loop, where the task measures; else 0 */
	int error; /* -errno when it failed */
	bool usage;
	char text[DRIVER_TEXT_SIZE];
};

/* What holds and releases the tasks; in shared memory. */
struct driver_gate {
	_Atomic uint32_t phase; /* enum driver_phase */
	_Alignas(64) _Atomic uint32_t ready;
	_Atomic uint32_t ended;
	_Alignas(64) uint64_t t0_ns; /* set before phase DRIVER_RUN */
	uint64_t t1_ns; /* UINT64_MAX: until the loops are done */
};

enum driver_phase { DRIVER_HOLD, DRIVER_RUN, DRIVER_RELEASE };

struct driver {
	const struct workload *workload;
	struct param_value *values; /* in the order of workload->params; times of work resolved
				       before setup() */
	char **lines; /* likewise: the texts of values that were given again; else NULL */
	struct driver_options options;
	struct workload_needs needs; /* tasks is the real number */
	uint64_t loops; /* 0 = until t1 */

	/* For setup() to change. */
	bool threads; /* tasks are threads; default processes */
	uint64_t grace_ns; /* tasks end at the latest so long after t1; default 10 s */
	int end_signal; /* what ends a task process when the run fails; default SIGKILL */
	void *data; /* the workload's own */

	struct driver_gate *gate;
	struct driver_task *task; /* needs.tasks of them */
	uint64_t ready_ns; /* from the first task's creation until all were ready */
	double unit_start_ns, unit_end_ns; /* per work unit, on the first task's CPU; NAN = NA */
	uint64_t t0_ns, t1_ns; /* of the measured part; t1 is its real end */

	/* Inside of the driver. */
	struct binder *binder;
	void *handles; /* of the tasks: pid_t or pthread_t */
	int created; /* tasks that exist */
	int signal; /* that ended the run, 0 = none */
	int signal_fd, event_fd, timer_fd;
	bool expired; /* timer_fd went off */
	double *metric; /* NAN = NA */
	bool *metric_set;
	struct metric added[DRIVER_ADDED_MAX];
	double added_value[DRIVER_ADDED_MAX]; /* NAN = NA */
	size_t all_added;
	bool added_first; /* the headline is one of them; for finish() to set */
	struct driver_latency {
		char role[16];
		const struct hist *hist;
	} latency[DRIVER_PARTS_MAX];
	struct driver_series {
		char name[32];
		const struct block *block;
		size_t n;
	} series[DRIVER_PARTS_MAX];
	size_t latencies, all_series;
};

/*
 * Runs the workload from options and values (both checked, see workloads/options.h). 0, or -errno
 * with text; -EINTR with driver->signal set when a signal stopped it. No task process is left in
 * any case; after an error task threads may still run, the program must exit.
 */
int driver_run(struct driver *driver);

/* Shared memory, zeroed, with its pages present; it lives until the program ends. Only in setup().
 */
int driver_alloc(size_t size, void **ret);

/* Takes a mark of the calling task; about 1 us. */
void driver_mark(struct driver_mark *mark);

/* In finish(): a metric of the workload's table, once each. NAN = NA. */
void driver_metric(struct driver *driver, const char *name, double value);

/* In finish(): the metrics unit_start_ns, unit_end_ns and timer_slack_ns of the table. */
void driver_report_facts(struct driver *driver);

/* In finish(): the metrics start_ms and memory_kib, of workloads with very many threads. */
void driver_report_start(struct driver *driver);

/* In finish(): a metric that only this run has, behind those of the table or (added_first) before.
 * @name and @unit stay the workload's. */
int driver_add_metric(struct driver *driver, const char *name, const char *unit,
		      enum metric_better better, double value);

/* In finish(): what goes into latency.tsv and series.tsv; the memory stays the workload's. */
int driver_add_latency(struct driver *driver, const char *role, const struct hist *hist);
int driver_add_series(struct driver *driver, const char *name, const struct block *block, size_t n);

/* Largest timer slack that a task read back, in ns, and the sum of voluntary switches between the
 * marks of all tasks. */
uint64_t driver_slack_ns(const struct driver *driver);
uint64_t driver_switches(const struct driver *driver);

/* CPU time of all tasks over the time between their marks, in percent of one CPU per task. */
double driver_cpu_share_pct(const struct driver *driver);

#endif
