/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Block means: how the time per loop went over the window. Plain preallocated memory, written by
 * one task.
 *
 * Blocks touch: one begins where the one before it ended, at the end of the first loop that ended
 * after the block's time was over. A rest of less than half a block at the end is left out.
 */
#ifndef WORKLOADS_BLOCKS_H
#define WORKLOADS_BLOCKS_H

#include <stddef.h>
#include <stdint.h>

#define BLOCKS_MAX 8192

struct block {
	uint64_t t_ns; /* its end */
	double mean_us; /* per loop */
};

struct blocks {
	uint64_t period_ns; /* UINT64_MAX when blocks are counted in loops */
	uint64_t period_loops; /* UINT64_MAX when blocks are measured in time */
	uint64_t begin_ns, due_ns;
	uint64_t loops; /* in the block that is open */
	size_t n;
	struct block block[BLOCKS_MAX];
};

/* Length of a block in a window: 1 s, a tenth of a shorter window, window / BLOCKS_MAX of a longer.
 */
uint64_t blocks_period_ns(uint64_t window_ns);

/*
 * @loops > 0: blocks of a thousandth of the loops, at least one loop. Else of
 * blocks_period_ns().
 */
void blocks_begin(struct blocks *blocks, uint64_t now_ns, uint64_t window_ns, uint64_t loops);

void blocks_close(struct blocks *blocks, uint64_t now_ns);

/* A loop ended at @now_ns. */
static inline void blocks_add(struct blocks *blocks, uint64_t now_ns)
{
	blocks->loops++;
	if (now_ns >= blocks->due_ns || blocks->loops >= blocks->period_loops)
		blocks_close(blocks, now_ns);
}

/* The last loop ended at @now_ns. */
void blocks_end(struct blocks *blocks, uint64_t now_ns);

struct blocks_summary {
	size_t n;
	double sum, sum_squares; /* of means in us, less @shift */
	double shift;
	double min, max;
};

/* Adds the blocks to the summary; a zeroed one is empty. */
void blocks_summarize(const struct blocks *blocks, struct blocks_summary *summary);

/* Standard deviation in us, NAN with fewer than two blocks. */
double blocks_sd(const struct blocks_summary *summary);

#endif
