/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long what is left takes, in the plan and behind it: points that an adaptive sweep will choose
 * have no cells yet, but their number and their time are known.
 */
#include "run/cells.h"
#include <stdint.h>

/* Governors and cpufreq governors that this kernel runs. */
static size_t columns_here(const struct session *s)
{
	size_t n = 0;

	for (size_t g = 0; g < s->plan.governors; g++)
		n += session_offers(s, &(struct plan_cell){ .governor = g });
	return n * s->plan.cpufreqs;
}

size_t cells_to_come(const struct session *s, size_t section)
{
	size_t blocks = 0;

	for (size_t i = 0; i < s->suite.sections; i++)
		if (section == SIZE_MAX || section == i)
			blocks += s->plan.blocks_to_come[i];
	return blocks * columns_here(s);
}

/* Length of a block to come: as the mean of those that are known. */
static double block_to_come_ns(const struct session *s, const struct cells *cells, size_t section)
{
	double sum = 0;
	size_t n = 0;

	for (size_t p = 0; p < s->plan.points; p++) {
		if (s->plan.point[p].section != section)
			continue;
		sum += cells->length_ns[p];
		n++;
	}
	return n ? sum / (double)n * (double)columns_here(s) : 0;
}

double cells_left_ns(const struct session *s, const struct cells *cells)
{
	double sum = 0;

	for (size_t i = 0; i < s->plan.cells; i++)
		sum += cells->todo[i] ? cells->length_ns[s->plan.cell[i].point] : 0;
	for (size_t i = 0; i < s->suite.sections; i++)
		if (s->plan.blocks_to_come[i])
			sum += (double)s->plan.blocks_to_come[i] * block_to_come_ns(s, cells, i);
	return sum;
}

double cells_block_ns(const struct session *s, const struct cells *cells, size_t first,
		      size_t *ret_end)
{
	const struct plan_cell *cell = s->plan.cell;
	size_t i = first;
	double sum = 0;

	for (; i < s->plan.cells && cell[i].point == cell[first].point &&
	       cell[i].repeat == cell[first].repeat;
	     i++)
		sum += cells->todo[i] ? cells->length_ns[cell[i].point] : 0;
	*ret_end = i;
	return sum;
}

size_t cells_blocks(const struct session *s, const struct cells *cells, double budget_ns,
		    size_t *ret_fit)
{
	double sum = 0;
	size_t n = 0, end;

	*ret_fit = 0;
	for (size_t i = 0; i < s->plan.cells; i = end) {
		double block = cells_block_ns(s, cells, i, &end);

		sum += block;
		n += block > 0;
		*ret_fit += block > 0 && sum <= budget_ns;
	}
	for (size_t i = 0; i < s->suite.sections; i++) {
		for (size_t k = 0; k < s->plan.blocks_to_come[i]; k++, n++) {
			sum += block_to_come_ns(s, cells, i);
			*ret_fit += sum <= budget_ns;
		}
	}
	return n;
}
