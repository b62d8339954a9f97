/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Thresholds were chosen by simulation: tests/unit/analysis/modes.c repeats it in small, with
 * seeds.
 */
#include "analysis/modes.h"
#include "analysis/robust.h"
#include <math.h>
#include <stdlib.h>

#define GAP_FACTOR(n) ((n) < 10 ? 13 - (double)(n) : 3)
#define SPLIT_SIGMAS 3
#define APART_SHARE 0.05
#define SPLIT_N_MIN 8
#define SPLIT_SIDE_MIN 3
#define SPLIT_LIMIT(n) (14 + 0.6 * (double)(n))
/* Equal readings would make a group infinitely likely: its width is at least this part of all's. */
#define WIDTH_MIN 0.01

#define JUMP_MIN 0.0953 /* log(1.1) */
#define JUMP_SIGMAS 6
#define JUMP_TURNS 3
#define JUMP_WINDOW 9 /* steps of the running median */

static double mean_of(const double *value, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += value[i];
	return n ? sum / (double)n : NAN;
}

static double width_of(const double *value, size_t n)
{
	double mean = mean_of(value, n), squares = 0;

	for (size_t i = 0; i < n; i++)
		squares += (value[i] - mean) * (value[i] - mean);
	return sqrt(squares / (double)n);
}

/* Runs in the lower group by the gap rule, 0 = none. */
static size_t cut_at_gap(const double *value, size_t n)
{
	size_t at = 0; /* the last of the lower group */
	double low_span, high_span;

	for (size_t i = 1; i + 1 < n; i++)
		if (value[i + 1] - value[i] > value[at + 1] - value[at])
			at = i;
	if (at < 1 || at + 2 >= n)
		return 0;
	low_span = value[at] - value[0];
	high_span = value[n - 1] - value[at + 1];
	return value[at + 1] - value[at] > GAP_FACTOR(n) * fmax(low_span, high_span) ? at + 1 : 0;
}

/* An odd run or two must not make a mode of what is next to them. */
static bool is_apart(const double *value, size_t n, size_t cut)
{
	double narrow = fmin(width_of(value, cut), width_of(value + cut, n - cut));

	return value[cut] - value[cut - 1] > SPLIT_SIGMAS * narrow;
}

/* Runs in the lower group by the split rule, 0 = none. */
static size_t cut_by_likelihood(const double *value, size_t n)
{
	size_t side = n / 5 < SPLIT_SIDE_MIN ? SPLIT_SIDE_MIN : n / 5, best = 0, k;
	double width = width_of(value, n), least = WIDTH_MIN * width, gain, most = SPLIT_LIMIT(n);

	if (n < SPLIT_N_MIN || !(width > 0))
		return 0;
	for (k = side; k + side <= n; k++) {
		gain = (double)n * log(width) - (double)k * log(fmax(width_of(value, k), least)) -
		       (double)(n - k) * log(fmax(width_of(value + k, n - k), least));
		if (gain > most && is_apart(value, n, k)) {
			most = gain;
			best = k;
		}
	}
	return best;
}

void modes_find(const double *sorted, size_t n, struct modes *ret)
{
	struct modes m = { 0, NAN, NAN };
	double *value, low, high;
	size_t cut;

	*ret = m;
	if (n < MODES_N_MIN)
		return;
	value = calloc(n, sizeof(*value));
	if (!value)
		abort(); /* as all of a report, see analysis/pool.h */
	for (size_t i = 0; i < n; i++)
		value[i] = sorted[0] > 0 ? log(sorted[i]) : sorted[i];
	cut = cut_at_gap(value, n);
	cut = cut ? cut : cut_by_likelihood(value, n);
	free(value);
	low = mean_of(sorted, cut);
	high = mean_of(sorted + cut, n - cut);
	if (!cut || high - low <= APART_SHARE * fabs(mean_of(sorted, n)))
		return;
	*ret = (struct modes){ cut, low, high };
}

/* -1, 0 or 1 for each step of the curve: down, none, up. */
static void find_jumps(const double *step, const double *width, size_t n, int *ret)
{
	double *rest = calloc(n + 1, sizeof(*rest)), *slope = calloc(n + 1, sizeof(*slope)), limit;
	size_t i;

	if (!rest || !slope)
		abort();
	for (i = 0; i < n; i++)
		slope[i] = step[i] / width[i];
	for (i = 0; i < n; i++) {
		size_t from = i > JUMP_WINDOW / 2 ? i - JUMP_WINDOW / 2 : 0;
		size_t to = i + JUMP_WINDOW / 2 < n ? i + JUMP_WINDOW / 2 + 1 : n;

		rest[i] = step[i] -
			  width[i] * robust_weighted_median(slope + from, width + from, to - from);
	}
	limit = fmax(JUMP_MIN, JUMP_SIGMAS * robust_sigma(rest, n));
	for (i = 0; i < n; i++)
		ret[i] = rest[i] > limit ? 1 : rest[i] < -limit ? -1 : 0;
	free(slope);
	free(rest);
}

/* Points between the first and the last jump: those outside lie on the curve. */
static void set_marks(const size_t *place, size_t from, size_t to, bool *mark)
{
	for (size_t i = place[from + 1]; i <= place[to]; i++)
		mark[i] = true;
}

static size_t mark_regions(const int *jump, size_t n, const size_t *place, bool *mark)
{
	size_t regions = 0, i = 0;

	while (i < n) {
		size_t last = i, j;
		int turns = 0;

		if (!jump[i]) {
			i++;
			continue;
		}
		for (j = i + 1; j < n && j <= last + MODES_NEAR; j++) {
			if (!jump[j])
				continue;
			turns += jump[j] != jump[last];
			last = j;
		}
		if (turns >= JUMP_TURNS) {
			set_marks(place, i, last, mark);
			regions++;
		}
		i = last + 1;
	}
	return regions;
}

size_t modes_jumps(const double *at, const double *y, size_t n, bool *mark)
{
	double *step = calloc(n + 1, sizeof(*step)), last = NAN;
	double *width = calloc(n + 1, sizeof(*width));
	size_t *place = calloc(n + 1, sizeof(*place)), there = 0, regions;
	int *jump = calloc(n + 1, sizeof(*jump));

	if (!step || !width || !place || !jump)
		abort();
	for (size_t i = 0; i < n; i++) {
		if (!(y[i] > 0))
			continue;
		if (there) {
			step[there - 1] = log(y[i]) - last;
			width[there - 1] = at ? at[i] - at[place[there - 1]] : 1;
		}
		last = log(y[i]);
		place[there++] = i;
	}
	regions = 0;
	if (there > JUMP_WINDOW) {
		find_jumps(step, width, there - 1, jump);
		regions = mark_regions(jump, there - 1, place, mark);
	}
	free(step);
	free(width);
	free(place);
	free(jump);
	return regions;
}
