/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the two halves of the turbostat style share: turbostat.c tells lines apart, turbostat_sum.c
 * adds up whole blocks.
 */
#ifndef ANALYSIS_IMPORT_TURBOSTAT_H
#define ANALYSIS_IMPORT_TURBOSTAT_H

#include "analysis/import/lines.h"

#define TURBOSTAT_STATES 16 /* of a CPU; the kernel has at most 10 */
#define TURBOSTAT_CPUS 8192 /* the largest NR_CPUS */

enum { TURBOSTAT_USAGE, TURBOSTAT_ABOVE, TURBOSTAT_BELOW, TURBOSTAT_COUNTS };

/* Columns of an idle state; -1 = not in the log. */
struct turbostat_state {
	int usage, share, above, below;
};

/* A CPU's row of the block that is being read. */
struct turbostat_row {
	int cpu;
	uint64_t t_ns;
	uint64_t count[TURBOSTAT_STATES][TURBOSTAT_COUNTS];
	double share[TURBOSTAT_STATES]; /* percent of the interval */
};

/* A CPU over all blocks. */
struct turbostat_sum {
	bool known; /* in some block that was used */
	bool seen; /* in the block before: t_ns is where the next interval begins */
	uint64_t t0_ns, t_ns, window_ns;
	uint64_t count[TURBOSTAT_STATES][TURBOSTAT_COUNTS];
	double time_us[TURBOSTAT_STATES];
};

struct turbostat {
	struct import_source *source;
	char line[LINES_MAX + 1];
	char header[LINES_MAX + 1], other[LINES_MAX + 1]; /* in use; the last that differed */
	char cells[LINES_MAX + 1], *name[LINES_CELLS_MAX + 1]; /* the header in use, cut */
	size_t columns;
	int time, cpu; /* columns; -1 = not in the log */
	struct turbostat_state state[TURBOSTAT_STATES];
	size_t states;

	bool open, broken, lost; /* the present block: begun; not to be used; without a header */
	size_t begin; /* line of its system row */
	uint64_t t_ns; /* of its system row */
	double system[LINES_CELLS_MAX];
	struct turbostat_row *row;
	size_t rows, rooms;

	size_t blocks, cpus; /* used so far; rows of each */
	uint64_t t0_ns, t1_ns;
	double total[LINES_CELLS_MAX];
	struct turbostat_sum *sum; /* by CPU number */
	size_t sums;
};

/* Forgets every block. */
void turbostat_reset(struct turbostat *t);
void turbostat_add(struct turbostat *t, const struct turbostat_row *row);
/* Says why, once a block. */
void turbostat_break(struct turbostat *t, size_t line, const char *why);
void turbostat_end_block(struct turbostat *t);
/* Makes the source's run and readings. */
void turbostat_finish(struct turbostat *t);

#endif
