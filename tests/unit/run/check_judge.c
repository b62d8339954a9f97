/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * P-58: the verdict on one disabled state, from counters made by hand and from the bug that the
 * test was invented for.
 */
#include "tests/unit/run/suites.h"

#include "run/check_states.h"
#include <stdio.h>
#include <string.h>

struct given {
	const char *name;
	int states, disabled;
	unsigned int off; /* bits of states that were disabled before */
	uint64_t before[CPUIDLE_STATES_MAX], after[CPUIDLE_STATES_MAX];
	enum check_states_result result;
	int to;
	const char *why;
};

static const struct given given[] = {
	{ "all to the deeper neighbour",
	  4,
	  1,
	  0,
	  { 0, 500, 300, 200 },
	  { 0, 0, 800, 200 },
	  CHECK_PASS,
	  2,
	  "" },
	{ "all to the shallower one",
	  4,
	  1,
	  0,
	  { 10, 500, 300, 200 },
	  { 510, 0, 300, 200 },
	  CHECK_PASS,
	  0,
	  "" },
	{ "some to each", 4, 1, 0, { 10, 500, 300, 200 }, { 210, 0, 600, 200 }, CHECK_PASS, 2, "" },
	{ "twice as many entries in all",
	  3,
	  2,
	  0,
	  { 0, 100, 900 },
	  { 0, 2000, 0 },
	  CHECK_PASS,
	  1,
	  "" },
	{ "the deeper ones cut off as well, as ladder does",
	  4,
	  2,
	  0,
	  { 0, 100, 300, 600 },
	  { 0, 1000, 0, 0 },
	  CHECK_PASS,
	  1,
	  "" },
	{ "fewer entries in all, since POLL's were short: the deepest state's share grows, not its number",
	  4,
	  0,
	  0,
	  { 600, 100, 100, 300 },
	  { 0, 150, 90, 310 },
	  CHECK_PASS,
	  1,
	  "" },
	{ "fewer entries in all, and half of what there is has moved past the neighbour",
	  4,
	  3,
	  0,
	  { 10, 300, 100, 500 },
	  { 260, 120, 60, 0 },
	  CHECK_FAIL,
	  0,
	  "moved past a neighbour" },
	{ "a neighbour that is off is none: the next one",
	  4,
	  1,
	  1u << 2,
	  { 0, 900, 0, 100 },
	  { 0, 0, 0, 1000 },
	  CHECK_PASS,
	  3,
	  "" },
	/* 2021: with state 0 disabled, 65.1 of 131 million entries went to state 3. */
	{ "half of them to the deepest",
	  4,
	  0,
	  0,
	  { 131000000, 100000, 1000, 10 },
	  { 0, 65900000, 1000, 65100000 },
	  CHECK_FAIL,
	  1,
	  "moved past a neighbour, to state 3" },
	{ "an unused state, and yet half move away",
	  4,
	  0,
	  0,
	  { 0, 1000, 10, 10 },
	  { 0, 500, 10, 510 },
	  CHECK_FAIL,
	  3,
	  "moved past a neighbour, to state 3" },
	{ "the state is entered all the same",
	  2,
	  1,
	  0,
	  { 0, 1000 },
	  { 0, 1000 },
	  CHECK_FAIL,
	  -1,
	  "entered 1000 times although disabled" },
	{ "a hundredth may be left", 2, 1, 0, { 0, 1000 }, { 1000, 11 }, CHECK_PASS, 0, "" },
	{ "and not more", 2, 1, 0, { 0, 1000 }, { 1000, 12 }, CHECK_FAIL, -1, "entered 12 times" },
	{ "an unused state that is entered once disabled",
	  2,
	  0,
	  0,
	  { 0, 1000 },
	  { 500, 500 },
	  CHECK_FAIL,
	  -1,
	  "entered 500 times" },
	{ "an unused state that stays so",
	  2,
	  0,
	  0,
	  { 3, 1000 },
	  { 0, 1000 },
	  CHECK_UNUSED,
	  -1,
	  "hardly entered" },
	{ "a little noise beyond the neighbour",
	  4,
	  0,
	  0,
	  { 500, 500, 0, 0 },
	  { 0, 850, 0, 150 },
	  CHECK_PASS,
	  1,
	  "" },
	{ "nothing was entered before",
	  2,
	  1,
	  0,
	  { 0, 99 },
	  { 1000, 0 },
	  CHECK_UNTOLD,
	  -1,
	  "too few" },
	{ "nothing was entered after",
	  2,
	  1,
	  0,
	  { 0, 1000 },
	  { 99, 0 },
	  CHECK_UNTOLD,
	  -1,
	  "too few" },
};

static void p58_judged(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(given) / sizeof(given[0]); i++) {
		const struct given *g = &given[i];
		struct check_states_case c = { .states = g->states, .disabled = g->disabled };
		enum check_states_result result;
		char why[128];
		int to;

		for (int s = 0; s < g->states; s++)
			c.enabled[s] = !(g->off & 1u << s);
		memcpy(c.before, g->before, sizeof(c.before));
		memcpy(c.after, g->after, sizeof(c.after));
		result = check_states_judge(&c, &to, why, sizeof(why));
		if (result != g->result || to != g->to || !strstr(why, g->why) || !*why != !*g->why)
			fail_msg("%s: %s to %d: '%s'", g->name, check_states_result_name[result],
				 to, why);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(p58_judged),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
