/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The cells in the order in which they run. The number of a cell never changes: what is not known
 * yet comes behind all that is.
 */
#include "lib/error.h"
#include "lib/random.h"
#include "run/plan.h"
#include <stdlib.h>
#include <string.h>

/* A block's columns: every governor under the first cpufreq governor, then under the second, ... */
static size_t columns(const struct plan *plan)
{
	return plan->governors * plan->cpufreqs;
}

size_t plan_all_cells(const struct plan *plan)
{
	size_t cells = plan->cells;

	for (size_t s = 0; s < plan->suite->sections; s++)
		cells += plan->blocks_to_come[s] * columns(plan);
	return cells;
}

static void add_cell(struct plan *plan, size_t point, size_t column, int repeat)
{
	struct plan_cell *cell = &plan->cell[plan->cells++];

	*cell = (struct plan_cell){ .number = (int)plan->cells,
				    .point = point,
				    .governor = column % plan->governors,
				    .cpufreq = column / plan->governors,
				    .repeat = repeat };
}

static void order_blocked(struct plan *plan, int repeat)
{
	for (size_t c = 0; c < columns(plan); c++)
		for (int r = 1; r <= repeat; r++)
			for (size_t p = 0; p < plan->points; p++)
				add_cell(plan, p, c, r);
}

static void shuffle(size_t *turn, size_t n, uint64_t *seed)
{
	for (size_t c = n; c > 1; c--) {
		size_t other = random_below(seed, c), swap = turn[c - 1];

		turn[c - 1] = turn[other];
		turn[other] = swap;
	}
}

#define ALL_ROUNDS (-1)

/* A way through the plan: the shuffle goes on where it was. */
struct way {
	struct plan *plan;
	size_t turn[PLAN_GOVERNORS_MAX * PLAN_CPUFREQS_MAX];
	bool there_and_back; /* abba; else shuffled */
	uint64_t seed;
};

/* Blocks of the repeats @first to @last, of the points of one round or of all. */
static void add_blocks(struct way *w, int first, int last, int round)
{
	size_t n = columns(w->plan);

	for (int r = first; r <= last; r++) {
		for (size_t p = 0; p < w->plan->points; p++) {
			bool back = w->there_and_back && r % 2 == 0;

			if (round != ALL_ROUNDS && w->plan->point[p].round != round)
				continue;
			if (!w->there_and_back)
				shuffle(w->turn, n, &w->seed);
			for (size_t c = 0; c < n; c++)
				add_cell(w->plan, p, w->turn[back ? n - 1 - c : c], r);
		}
	}
}

bool plan_is_adaptive(const struct plan *plan)
{
	for (size_t i = 0; i < plan->scale.n; i++)
		if (plan->scale.point[i].wanted)
			return true;
	return false;
}

static void add_rounds(struct way *w, int repeat)
{
	int choice = repeat < PLAN_CHOICE_REPEATS ? repeat : PLAN_CHOICE_REPEATS, rounds = 0;

	for (size_t p = 0; p < w->plan->points; p++)
		if (w->plan->point[p].round > rounds)
			rounds = w->plan->point[p].round;
	for (int round = 0; round <= rounds; round++)
		add_blocks(w, 1, choice, round);
	if (!w->plan->open)
		add_blocks(w, choice + 1, repeat, ALL_ROUNDS);
}

/* Blocks of the points that are not chosen, and the later ones of those that are. */
static void count_to_come(struct plan *plan, int repeat)
{
	for (size_t s = 0; plan->open && s < plan->suite->sections; s++)
		plan->blocks_to_come[s] = plan_all_points(plan, s) * (size_t)repeat;
}

int plan_order(struct plan *plan, const struct plan_request *request)
{
	struct way way = { .plan = plan,
			   .there_and_back = !strcmp(request->order, "abba"),
			   .seed = request->seed };
	bool blocked = !strcmp(request->order, "blocked"), adaptive = plan_is_adaptive(plan);
	size_t n;

	plan->blocks_to_come = calloc(plan->suite->sections + 1, sizeof(*plan->blocks_to_come));
	if (!plan->blocks_to_come)
		return error_no_memory();
	if (blocked && adaptive)
		return error_usage(
			"an adaptive sweep has no order 'blocked': its points are chosen "
			"from runs of all governors");
	for (size_t c = 0; c < columns(plan); c++)
		way.turn[c] = c;
	count_to_come(plan, request->repeat);
	n = plan_all_cells(plan) + plan->points * columns(plan) * (size_t)request->repeat;
	if (n > PLAN_CELLS_MAX)
		return error_usage("%zu runs; a campaign has at most %d", n, PLAN_CELLS_MAX);
	plan->cell = calloc(plan->points * columns(plan) * (size_t)request->repeat + 1,
			    sizeof(*plan->cell));
	if (!plan->cell)
		return error_no_memory();
	if (blocked)
		order_blocked(plan, request->repeat);
	else if (adaptive)
		add_rounds(&way, request->repeat);
	else
		add_blocks(&way, 1, request->repeat, ALL_ROUNDS);
	for (size_t i = 0; plan->open && i < plan->cells; i += columns(plan))
		plan->blocks_to_come[plan->point[plan->cell[i].point].section]--;
	return 0;
}
