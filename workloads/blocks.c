/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Block means and their summary. */
#include "workloads/blocks.h"
#include <math.h>

#define SECOND_NS 1000000000u

uint64_t blocks_period_ns(uint64_t window_ns)
{
	uint64_t period = SECOND_NS;

	if (window_ns / 10 < period)
		period = window_ns / 10;
	if (window_ns / BLOCKS_MAX >= period)
		period = window_ns / BLOCKS_MAX + 1;
	return period ? period : 1;
}

void blocks_begin(struct blocks *blocks, uint64_t now_ns, uint64_t window_ns, uint64_t loops)
{
	blocks->period_ns = loops ? UINT64_MAX : blocks_period_ns(window_ns);
	blocks->period_loops = loops ? (loops + 999) / 1000 : UINT64_MAX;
	blocks->begin_ns = now_ns;
	blocks->due_ns = loops ? UINT64_MAX : now_ns + blocks->period_ns;
	blocks->loops = 0;
	blocks->n = 0;
}

void blocks_close(struct blocks *blocks, uint64_t now_ns)
{
	if (blocks->n < BLOCKS_MAX) {
		struct block *block = &blocks->block[blocks->n++];

		block->t_ns = now_ns;
		block->mean_us = (double)(now_ns - blocks->begin_ns) / 1e3 / (double)blocks->loops;
	}
	blocks->begin_ns = now_ns;
	blocks->loops = 0;
	/* Due times stay on their grid; a loop that spans several of them makes one long block. */
	if (blocks->period_ns != UINT64_MAX && now_ns >= blocks->due_ns)
		blocks->due_ns +=
			((now_ns - blocks->due_ns) / blocks->period_ns + 1) * blocks->period_ns;
}

void blocks_end(struct blocks *blocks, uint64_t now_ns)
{
	if (!blocks->loops)
		return;
	if (blocks->loops >= blocks->period_loops / 2 ||
	    now_ns - blocks->begin_ns >= blocks->period_ns / 2)
		blocks_close(blocks, now_ns);
}

void blocks_summarize(const struct blocks *blocks, struct blocks_summary *summary)
{
	for (size_t i = 0; i < blocks->n; i++) {
		double us = blocks->block[i].mean_us;

		if (!summary->n) {
			summary->shift = us;
			summary->min = us;
			summary->max = us;
		}
		summary->n++;
		summary->sum += us - summary->shift;
		summary->sum_squares += (us - summary->shift) * (us - summary->shift);
		summary->min = fmin(summary->min, us);
		summary->max = fmax(summary->max, us);
	}
}

double blocks_sd(const struct blocks_summary *summary)
{
	double n = (double)summary->n;
	double squares;

	if (summary->n < 2)
		return NAN;
	squares = summary->sum_squares - summary->sum * summary->sum / n;
	return squares > 0 ? sqrt(squares / (n - 1)) : 0;
}
