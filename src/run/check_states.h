/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The test of P-58: with an idle state disabled, are its entries gone, and do they go to a
 * neighbour? Package power does not show a governor that gets this wrong; the counters do.
 */
#ifndef RUN_CHECK_STATES_H
#define RUN_CHECK_STATES_H

#include "hw/cpuidle.h"
#include <stdbool.h>
#include <stddef.h>

struct root;

enum check_states_result {
	CHECK_PASS,
	CHECK_FAIL,
	CHECK_UNUSED, /* not entered before either: it can only be told that it stays so */
	CHECK_UNTOLD, /* too few entries of any state: other work kept the CPUs awake */
	CHECK_RESULTS
};
extern const char
	*const check_states_result_name[CHECK_RESULTS]; /* "PASS", "FAIL", "unused", "NA" */

/* Fewer entries in all than this tell nothing. */
#define CHECK_STATES_ENTRIES_MIN 100

/* One state of CPUs with one table, under one governor. Entries are sums over those CPUs. */
struct check_states_case {
	int states, disabled; /* position of the state that was disabled */
	bool enabled[CPUIDLE_STATES_MAX]; /* before that */
	uint64_t before[CPUIDLE_STATES_MAX], after[CPUIDLE_STATES_MAX];
};

/*
 * PASS: at most 1 % of the state's entries are left, and they went to the nearest enabled states
 * on either side. Entries are compared as shares of all. A governor that gives up deeper states as
 * well (ladder does) passes: those entries too come to the shallower neighbour. *ret_to: the state
 * that gained most, -1 = none did. @why says what is wrong, "" for PASS.
 */
enum check_states_result check_states_judge(const struct check_states_case *c, int *ret_to,
					    char *why, size_t size);

/*
 * Tries each state of each group of CPUs under each governor, about 0.4 s each; prints the table or
 * JSON. Needs root; takes the lock; all that it changes is in the undo journal, and put back.
 * Exit status 0, or 3 when one failed or could not be told; -errno.
 */
int check_states(const struct root *root, bool json);

#endif
