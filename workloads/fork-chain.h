/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fork-chain's own structures, shared by its running part, the start of a child and the report. */
#ifndef WORKLOADS_FORK_CHAIN_H
#define WORKLOADS_FORK_CHAIN_H

#include "lib/hist.h"
#include "workloads/blocks.h"
#include "workloads/driver.h"

/* Rows of the parameter table. */
enum {
	FORK_CHAIN_PROGRAM,
	FORK_CHAIN_START,
	FORK_CHAIN_WORK,
	FORK_CHAIN_LOOPS,
	FORK_CHAIN_AFFINITY,
	FORK_CHAIN_PARAMS,
};
enum { FORK_CHAIN_HELPER, FORK_CHAIN_NONE, FORK_CHAIN_TRUE, FORK_CHAIN_SH }; /* of program */
enum { FORK_CHAIN_FORK, FORK_CHAIN_VFORK }; /* of start */
enum { FORK_CHAIN_FREE, FORK_CHAIN_ONE }; /* of affinity */

/* How a child is started. */
struct fork_chain_kind {
	const char *const *argv; /* of its program; NULL: none, the child itself does the work */
	uint64_t units; /* of work, without a program */
	bool vfork;
};

/* What a child leaves behind, beside its exit status; in shared memory. */
struct fork_chain_trace {
	int cpu; /* where it took its first step, before its program began; -1 = it took none */
	int error; /* errno of the program's start */
};

/* What the chain counts; in shared memory, written by the task. */
struct fork_chain {
	struct fork_chain_kind kind;
	char number[24]; /* of units, for the helper's command line */
	const char *argv[4];
	struct fork_chain_trace *trace;
	double one_cpu_us; /* per child of the reference, NAN = not taken */
	struct fork_chain_count *count;
};

struct fork_chain_count {
	uint64_t begin_ns, end_ns; /* of the counted children, which touch each other */
	uint64_t others; /* of those: took their first step on another CPU than their parent */
	uint64_t started; /* between the marks: the counted and at most one more */
	uint64_t children_cpu_ns; /* CPU time of these */
	struct hist hist; /* from start to reap */
	struct blocks blocks;
};

extern const struct metric fork_chain_metrics[];

/*
 * Starts a child and waits for its end. The child is killed when the caller's thread ends. 0;
 * -ECHILD with text when the child could not be started or ended with anything but status 0.
 */
int fork_chain_child(const struct fork_chain_kind *kind, struct fork_chain_trace *trace);

int fork_chain_finish(struct driver *driver);

#endif
