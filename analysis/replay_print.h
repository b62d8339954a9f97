/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a replay says on stdout: one row a governor. */
#ifndef ANALYSIS_REPLAY_PRINT_H
#define ANALYSIS_REPLAY_PRINT_H

#include "analysis/governor_load.h"
#include "analysis/replay_run.h"

/* What was replayed, on what. */
void replay_print_head(const char *path, const struct machine *machine, const struct gaps *gaps,
		       FILE *out);

/* @sums: one a governor of @set. @least_uj: the energy oracle's energy, NAN = not known. */
void replay_print_table(const struct machine *machine, const struct gaps *gaps,
			const struct governor_set *set, const struct replay_sums *sums,
			double least_uj, FILE *out);

/* The governors that there are, each with a line about it. */
void replay_print_governors(FILE *out);

#endif
