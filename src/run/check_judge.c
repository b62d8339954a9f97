/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The verdict on one disabled state. A pure function of counters.
 */
#include "run/check_states.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

const char *const check_states_result_name[CHECK_RESULTS] = { "PASS", "FAIL", "unused", "NA" };

/* A state with a smaller share of all entries is taken as not in use. */
#define USED_MIN 0.01
/* What of the entries may turn up elsewhere than at a neighbour: other work runs beside the test,
 * and a governor may judge all sleeps anew. The bug that this looks for moved half of them. */
#define STRAY_NOISE 0.10
#define STRAY_OF_MOVED 0.25

static uint64_t total(const uint64_t *entries, int states)
{
	uint64_t sum = 0;

	for (int s = 0; s < states; s++)
		sum += entries[s];
	return sum;
}

static double share(const uint64_t *entries, int states, int state)
{
	uint64_t sum = total(entries, states);

	return sum ? (double)entries[state] / (double)sum : 0;
}

/*
 * What @state gained of all entries: the smaller of its gains by share and by number, 0 when it
 * gained none. Where the disabled state's entries were short ones, fewer are left in all, and every
 * other state's share grows: what did not come in number did not move there.
 */
static double gained(const struct check_states_case *c, int state)
{
	double by_share = share(c->after, c->states, state) - share(c->before, c->states, state);
	uint64_t before = total(c->before, c->states), after = total(c->after, c->states);
	double by_number = ((double)c->after[state] - (double)c->before[state]) /
			   (double)(before < after ? before : after);

	return fmax(0, fmin(by_share, by_number));
}

static bool is_neighbour(const struct check_states_case *c, int state)
{
	int step = state < c->disabled ? 1 : -1;

	if (!c->enabled[state])
		return false;
	for (int s = state + step; s != c->disabled; s += step)
		if (c->enabled[s])
			return false;
	return true;
}

enum check_states_result check_states_judge(const struct check_states_case *c, int *ret_to,
					    char *why, size_t size)
{
	double stray = 0, most = 0, used = share(c->before, c->states, c->disabled);
	uint64_t left = c->after[c->disabled];
	int stray_to = -1;

	*ret_to = -1;
	why[0] = '\0';
	if (total(c->before, c->states) < CHECK_STATES_ENTRIES_MIN ||
	    total(c->after, c->states) < CHECK_STATES_ENTRIES_MIN) {
		snprintf(why, size, "too few entries: other work keeps these CPUs awake");
		return CHECK_UNTOLD;
	}
	for (int s = 0; s < c->states; s++) {
		double gain = gained(c, s);

		if (s == c->disabled || gain <= 0)
			continue;
		if (gain > most) {
			most = gain;
			*ret_to = s;
		}
		if (!is_neighbour(c, s)) {
			stray += gain;
			stray_to = s;
		}
	}
	/* One entry may have been under way when the bit was set. */
	if (left > 1 + c->before[c->disabled] / 100) {
		*ret_to = -1;
		snprintf(why, size, "entered %" PRIu64 " times although disabled", left);
		return CHECK_FAIL;
	}
	if (stray > STRAY_NOISE + STRAY_OF_MOVED * used) {
		snprintf(why, size, "%.0f %% of all entries moved past a neighbour, to state %d",
			 stray * 100, stray_to);
		return CHECK_FAIL;
	}
	if (used < USED_MIN) {
		*ret_to = -1;
		snprintf(why, size, "hardly entered under this governor");
		return CHECK_UNUSED;
	}
	return CHECK_PASS;
}
