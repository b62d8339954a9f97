/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a replay says on stdout: one row a governor, for people, as CSV and as JSON. */
#ifndef ANALYSIS_REPLAY_PRINT_H
#define ANALYSIS_REPLAY_PRINT_H

#include "analysis/fidelity.h"
#include "analysis/governor_load.h"
#include "analysis/replay_run.h"

/* All that a replay has found. */
struct replay_result {
	const struct scene *scene;
	const struct governor_set *set;
	bool closed;
	struct replay_sums sums[GOVERNOR_LOAD_MAX]; /* one a governor of the set */
	struct replay_sums oracle, least; /* the label oracle, the energy oracle */
	const struct fidelity *fidelity; /* NULL = not a trace */
};

/* Energy of the energy oracle in a group, uJ; NAN where its machine has no powers. */
double replay_least_uj(const struct replay_result *result, size_t group);

/* Mean over the gaps, us: from the wakes' causes to the ends of the exits. */
double replay_latency_us(const struct walk_sums *sums);

void replay_print_text(const struct replay_result *result, FILE *out);
void replay_print_csv(const struct replay_result *result, FILE *out);
void replay_print_json(const struct replay_result *result, FILE *out);

/* The governors that there are, each with a line about it. */
void replay_print_governors(FILE *out);

#endif
