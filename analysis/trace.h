/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Analysis of an idle trace: what the periods say of the states that the governor chose, of what
 * woke the CPUs, and of tasks. The file is read once, block by block; memory depends on CPUs,
 * states and task names, not on its length.
 */
#ifndef ANALYSIS_TRACE_H
#define ANALYSIS_TRACE_H

#include "lib/hist.h"
#include "trace/read.h"
#include <stdio.h>

#define TRACE_BINS 11 /* of the list that readers know: below 5 us, ..., 4 ms and above */
extern const uint64_t trace_bin_ns[TRACE_BINS]; /* upper ends; the last has none */

#define TRACE_STATES 16 /* state numbers, TRACE_STATE_OTHER among them */

/* Periods of one state or of one cause. */
struct trace_durations {
	struct hist hist;
	uint64_t bin[TRACE_BINS];
};

/* Periods of one state on CPUs of one set and table. */
struct trace_state_sum {
	uint64_t periods, ns, above, below; /* as the kernel said */
	uint64_t too_deep, too_shallow; /* by its rule, from the duration */
	uint64_t ideal[TRACE_STATES]; /* which state would have been right */
	uint64_t cause[TRACE_CAUSES];
};

enum trace_set { TRACE_WORKLOAD, TRACE_OTHERS, TRACE_SETS };

struct trace_sum {
	struct trace_state_sum state[TRACE_STATES];
	struct trace_durations *by_state[TRACE_STATES]; /* NULL = no period */
};

/* Of a CPU: what its counters must agree with. */
struct trace_cpu_sum {
	uint64_t periods, ns;
	uint64_t count[TRACE_COUNTS];
	uint64_t cause[TRACE_CAUSES];
	struct {
		uint64_t periods, ns, above, below;
		uint64_t reading; /* and so many that ended while the counters were read */
	} between[TRACE_STATES]; /* the edges; of all periods where there are none */
	uint64_t losses; /* gaps */
	bool deaf; /* trace/edge.h: nothing is known of its periods */
};

/* A period that ended while the counters of its CPU were read: in the trace, and in them or not. */
struct trace_named {
	size_t i;
	unsigned int state;
	uint64_t entry_ns, exit_ns;
};

#define TRACE_NAMED_MAX 32 /* further ones are counted only */

struct trace_together;
struct trace_tasks;

struct trace_analysis {
	struct trace_reader *reader;
	const struct trace_info *info;
	struct trace_edge *edge; /* one a CPU; NULL = the trace has none */
	size_t *table_of; /* by CPU position; tables = no table */
	struct trace_sum *sum; /* [set * (tables + 1) + table] */
	struct trace_durations *by_cause[TRACE_SETS][TRACE_CAUSES];
	struct trace_cpu_sum *cpu;
	struct trace_named named[TRACE_NAMED_MAX];
	size_t names;
	struct trace_together *together;
	struct trace_tasks *tasks;
	uint64_t t_last_ns; /* the latest time that is known of */
	uint64_t damages, damaged_bytes, first_damage;
	bool whole;
};

/* Reads all of it. -errno of a file that is no trace, or cannot be read. */
int trace_analyse(const char *path, struct trace_analysis *ret);
void trace_analysis_free(struct trace_analysis *analysis);

/* The set of a CPU: all are the workload's where the trace does not tell. */
enum trace_set trace_set_of(const struct trace_info *info, int cpu);

/* CPUs that were idle and gave no idle event. */
size_t trace_deaf(const struct trace_analysis *analysis);

/* Sum of a count over all CPUs. */
uint64_t trace_total(const struct trace_analysis *analysis, enum trace_count what);

/*
 * The kernel's rule (cpuidle_enter_state(); since Linux 5.1) with the duration of a period: too
 * deep, when it is below the state's target residency and a shallower state is enabled; too
 * shallow, when what is left of it behind the exit latency would do for the next enabled deeper
 * one. *@ret_ideal: the deepest state that fits, -1 = not known. The table's numbers may be
 * missing; then it is TRACE_FIT.
 */
enum trace_miss trace_judge(const struct trace_table *table, unsigned int state, uint64_t ns,
			    int *ret_ideal);

/* Tables, among them the trace held to the counters. */
void trace_print_tables(const struct trace_analysis *analysis, FILE *out);

/* data/ and plots/ in the new folder @dir, with figures. -errno with a text. */
int trace_write_folder(const struct trace_analysis *analysis, const char *dir);

/* The verb: "trace FILE [-o DIR]". */
int trace_main(int argc, char **argv);

#endif
