/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The order of a campaign's cells, their numbers and names: resuming rests on them.
 */
#include "tests/unit/run/suites.h"

#include "run/plan.h"
#include <stdio.h>
#include <stdlib.h>

#define TWO_AXES                                                                                   \
	HEAD "[run a]\nworkload = ping-pong\ncores = 2 3\nwork = 0..2us linear 3\n"                \
	     "[run quiet]\nworkload = idle\n"
#define POINTS 7

static struct plan plan_of(const struct suite *suite, const char *governors, int repeat,
			   const char *order, uint64_t seed)
{
	struct plan plan;

	if (plan_make(suite, &(struct plan_request){ governors, NULL, repeat, order, seed, 0 },
		      &plan))
		fail_msg("refused: %s", error_text());
	return plan;
}

static bool same_order(const struct plan *a, const struct plan *b)
{
	assert_int_equal(a->cells, b->cells);
	for (size_t i = 0; i < a->cells; i++) {
		char *one = plan_cell_name(a, &a->cell[i]), *two = plan_cell_name(b, &b->cell[i]);
		bool same = !strcmp(one, two);

		assert_int_equal(a->cell[i].number, (int)i + 1);
		free(one);
		free(two);
		if (!same)
			return false;
	}
	return true;
}

static void expect_name(const struct plan *plan, size_t i, const char *name)
{
	char *got = plan_cell_name(plan, &plan->cell[i]);

	assert_string_equal(got, name);
	free(got);
}

static void points_are_the_product_of_the_axes(void **state)
{
	struct suite suite = suite_of(TWO_AXES);
	struct plan plan = plan_of(&suite, "menu", 1, "blocked", 1);
	static const char *const text[POINTS] = {
		"cores=2,work=0us",
		"cores=2,work=1us",
		"cores=2,work=2us",
		"cores=3,work=0us",
		"cores=3,work=1us",
		"cores=3,work=2us",
		"",
	};

	(void)state;
	assert_int_equal(plan.points, POINTS);
	for (size_t i = 0; i < POINTS; i++)
		assert_string_equal(plan.point[i].text, text[i]);
	assert_true(plan_is_axis(&plan, 0, 0));
	assert_true(plan_is_axis(&plan, 0, 2));
	assert_false(plan_is_axis(&plan, 0, 1));
	expect_name(&plan, 0, "a.cores=2,work=0us.menu.r1");
	expect_name(&plan, 6, "quiet.menu.r1");
	plan_free(&plan);
	suite_free(&suite);
}

/* These names are directories of campaigns that exist: the generator may not change. */
static void the_order_of_a_seed_is_for_ever(void **state)
{
	struct suite suite = suite_of(HEAD RING "work = 0 5\n");
	struct plan plan = plan_of(&suite, "menu,teo,ladder", 2, "shuffled", 1);
	static const char *const name[] = {
		"a.work=0.menu.r1",   "a.work=0.teo.r1",  "a.work=0.ladder.r1",
		"a.work=5.ladder.r1", "a.work=5.teo.r1",  "a.work=5.menu.r1",
		"a.work=0.teo.r2",    "a.work=0.menu.r2", "a.work=0.ladder.r2",
		"a.work=5.ladder.r2", "a.work=5.menu.r2", "a.work=5.teo.r2",
	};

	(void)state;
	assert_int_equal(plan.cells, sizeof(name) / sizeof(name[0]));
	for (size_t i = 0; i < plan.cells; i++)
		expect_name(&plan, i, name[i]);
	plan_free(&plan);
	suite_free(&suite);
}

static void same_seed_same_order(void **state)
{
	struct suite suite = suite_of(TWO_AXES);
	struct plan one = plan_of(&suite, "menu,teo,ladder", 6, "shuffled", 42);
	struct plan two = plan_of(&suite, "menu,teo,ladder", 6, "shuffled", 42);
	struct plan other = plan_of(&suite, "menu,teo,ladder", 6, "shuffled", 43);

	(void)state;
	assert_true(same_order(&one, &two));
	assert_false(same_order(&one, &other));
	plan_free(&one);
	plan_free(&two);
	plan_free(&other);
	suite_free(&suite);
}

/* Every block of a point has each governor once, and the orders of the blocks differ. */
static void shuffled_blocks_are_whole(void **state)
{
	struct suite suite = suite_of(TWO_AXES);
	struct plan plan = plan_of(&suite, "menu,teo,ladder", 40, "shuffled", 7);
	int first[3] = { 0 };

	(void)state;
	assert_int_equal(plan.cells, POINTS * 3 * 40);
	for (size_t i = 0; i < plan.cells; i += 3) {
		unsigned int seen = 0;

		for (size_t k = i; k < i + 3; k++) {
			assert_int_equal(plan.cell[k].point, i / 3 % POINTS);
			assert_int_equal(plan.cell[k].repeat, (int)(i / 3 / POINTS) + 1);
			seen |= 1u << plan.cell[k].governor;
		}
		assert_int_equal(seen, 7);
		first[plan.cell[i].governor]++;
	}
	/* 280 blocks: 93 of each in the mean, standard deviation 8. */
	for (int g = 0; g < 3; g++)
		assert_in_range(first[g], 60, 130);
	plan_free(&plan);
	suite_free(&suite);
}

static void abba(void **state)
{
	struct suite suite = suite_of(HEAD RING "work = 0 5\n");
	struct plan plan = plan_of(&suite, "menu,teo", 2, "abba", 1);
	static const char *const name[] = {
		"a.work=0.menu.r1", "a.work=0.teo.r1",	"a.work=5.menu.r1", "a.work=5.teo.r1",
		"a.work=0.teo.r2",  "a.work=0.menu.r2", "a.work=5.teo.r2",  "a.work=5.menu.r2",
	};

	(void)state;
	assert_int_equal(plan.cells, 8);
	for (size_t i = 0; i < 8; i++)
		expect_name(&plan, i, name[i]);
	plan_free(&plan);
	suite_free(&suite);
}

static void blocked(void **state)
{
	struct suite suite = suite_of(HEAD RING "work = 0 5\n");
	struct plan plan = plan_of(&suite, "menu,teo", 2, "blocked", 1);
	static const char *const name[] = {
		"a.work=0.menu.r1", "a.work=5.menu.r1", "a.work=0.menu.r2", "a.work=5.menu.r2",
		"a.work=0.teo.r1",  "a.work=5.teo.r1",	"a.work=0.teo.r2",  "a.work=5.teo.r2",
	};

	(void)state;
	assert_int_equal(plan.cells, 8);
	for (size_t i = 0; i < 8; i++)
		expect_name(&plan, i, name[i]);
	plan_free(&plan);
	suite_free(&suite);
}

static void a_governor_twice_is_an_aa_control(void **state)
{
	struct suite suite = suite_of(HEAD RING);
	struct plan plan = plan_of(&suite, "menu,teo,menu,menu", 1, "blocked", 1);

	(void)state;
	assert_int_equal(plan.governors, 4);
	assert_string_equal(plan.governor[2].name, "menu");
	expect_name(&plan, 0, "a.menu.r1");
	expect_name(&plan, 1, "a.teo.r1");
	expect_name(&plan, 2, "a.menu:2.r1");
	expect_name(&plan, 3, "a.menu:3.r1");
	plan_free(&plan);
	suite_free(&suite);
}

static void names_are_unique(void **state)
{
	struct suite suite =
		suite_of(HEAD RING "work = 0..40us log 24\n"
				   "[run b]\nworkload = ping-pong\nwork = 0..2ms log 40\n");
	struct plan plan = plan_of(&suite, "menu,menu,teo", 3, "shuffled", 5);
	char **name = calloc(plan.cells, sizeof(*name));

	(void)state;
	assert_int_equal(plan.cells, (24 + 40) * 9);
	for (size_t i = 0; i < plan.cells; i++) {
		name[i] = plan_cell_name(&plan, &plan.cell[i]);
		assert_null(strchr(name[i], '/'));
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(name[i], name[k]);
	}
	for (size_t i = 0; i < plan.cells; i++)
		free(name[i]);
	free(name);
	plan_free(&plan);
	suite_free(&suite);
}

static void defaults_and_times(void **state)
{
	struct suite suite = suite_of(HEAD "window = 3s\nwarmup = 1s\n" RING
					   "[run b]\nworkload = ping-pong\nwindow = 5s\n"
					   "warmup = 0s\nloops = 100\n");
	struct plan plan = plan_of(&suite, "menu", 1, "blocked", 1);

	(void)state;
	assert_true(plan.point[0].value[0].set && !plan.point[0].value[0].given);
	assert_true(plan.point[0].value[0].number == 2);
	assert_false(plan.point[0].value[3].set);
	assert_true(plan.point[1].value[3].given);
	assert_true(plan_window_ns(&plan, 0, -1) == 3e9);
	assert_true(plan_window_ns(&plan, 1, -1) == 5e9);
	assert_true(plan_window_ns(&plan, 1, 7e9) == 7e9);
	assert_true(plan_warmup_ns(&plan, 0, -1) == 1e9);
	assert_true(plan_warmup_ns(&plan, 1, -1) == 0);
	assert_true(plan_warmup_ns(&plan, 0, 0) == 0);
	assert_false(plan_by_loops(&plan, 0));
	assert_true(plan_by_loops(&plan, 1));
	plan_free(&plan);
	suite_free(&suite);
}

/* Of several workloads every axis is one, and bears its workload's name. */
static void axes_of_several_workloads(void **state)
{
	struct suite suite = suite_of(HEAD "[run a]\nworkload = periodic ping-pong\n"
					   "cores = 2 3\nload = 3% 6%\n");
	struct plan plan = plan_of(&suite, "menu", 1, "blocked", 1);

	(void)state;
	assert_int_equal(plan.points, 4);
	assert_string_equal(plan.point[0].text, "periodic.load=3%,ping-pong.cores=2");
	assert_string_equal(plan.point[1].text, "periodic.load=3%,ping-pong.cores=3");
	expect_name(&plan, 3, "a.periodic.load=6%,ping-pong.cores=3.menu.r1");
	/* Each workload gets its own values, in the order of its own table. */
	assert_true(plan_values(&plan, 1,
				1)[param_find(suite.section[0].part[1].workload->params, "cores")]
			    .number == 3);
	plan_free(&plan);
	suite_free(&suite);
}

static void expect_states(const char *text, unsigned int states, const char *const *point,
			  const int *disabled, size_t n)
{
	struct suite suite = suite_of(text);
	struct plan plan;

	if (plan_make(&suite, &(struct plan_request){ "menu", NULL, 1, "blocked", 1, states },
		      &plan))
		fail_msg("refused: %s", error_text());
	assert_int_equal(plan.points, n);
	for (size_t i = 0; i < n; i++) {
		assert_string_equal(plan.point[i].text, point[i]);
		assert_int_equal(plan_disable(&plan, i), disabled[i]);
	}
	plan_free(&plan);
	suite_free(&suite);
}

/* P-24: governors are compared with the same states; which ones is an axis of the sweep. */
static void disabled_states_are_an_axis(void **state)
{
	static const char *const each[] = { "disable=none", "disable=state1", "disable=state3" };
	static const char *const twice[] = { "disable=state3", "disable=state1" };
	static const char *const one[] = { "" };

	(void)state;
	expect_states(HEAD RING "disable = none each\n", 1u << 1 | 1u << 3, each,
		      (int[]){ -1, 1, 3 }, 3);
	expect_states(HEAD RING "disable = state3 each\n", 1u << 1 | 1u << 3, twice,
		      (int[]){ 3, 1 }, 2);
	expect_states(HEAD RING "disable = state2\n", 0, one, (int[]){ 2 }, 1);
	expect_states(HEAD RING "disable = none\n", 0, one, (int[]){ -1 }, 1);
	expect_states(HEAD RING, 0, one, (int[]){ -1 }, 1);
}

static void expect_refusal(const char *text, const char *governors, int repeat, const char *says)
{
	struct suite suite = suite_of(text);
	struct plan plan;

	assert_true(plan_make(&suite,
			      &(struct plan_request){ governors, NULL, repeat, "shuffled", 1, 0 },
			      &plan) < 0);
	assert_true(error_is_usage());
	assert_says(says);
	suite_free(&suite);
}

static void refused(void **state)
{
	char many[3 * (PLAN_GOVERNORS_MAX + 1)] = "";

	(void)state;
	for (int i = 0; i <= PLAN_GOVERNORS_MAX; i++)
		strcat(many, i ? ",a" : "a");
	expect_refusal(HEAD RING, many, 1, "more than 64 governors");
	expect_refusal(HEAD RING, "", 1, "'' is not a governor's name");
	expect_refusal(HEAD RING, "menu,", 1, "'' is not a governor's name");
	expect_refusal(HEAD RING, "menu teo", 1, "'menu teo' is not a governor's name");
	expect_refusal(HEAD RING, "../x", 1, "'../x' is not a governor's name");
	expect_refusal(HEAD RING, "menu,current", 1, "'current' stands alone");
	expect_refusal(HEAD RING "work = 0..1s linear 1000\ncores = 2..12 linear 11\n", "menu", 1,
		       "[run a]: its axes make more than 10000 points");
	expect_refusal(HEAD RING "work = 0..1s linear 1000\n", "menu,teo", 1000,
		       "2000000 runs; a campaign has at most 1000000");
	expect_refusal(HEAD RING "disable = none each\n", "menu", 1,
		       "[run a]: disable = each: no idle state");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(points_are_the_product_of_the_axes),
		cmocka_unit_test(the_order_of_a_seed_is_for_ever),
		cmocka_unit_test(same_seed_same_order),
		cmocka_unit_test(shuffled_blocks_are_whole),
		cmocka_unit_test(abba),
		cmocka_unit_test(blocked),
		cmocka_unit_test(a_governor_twice_is_an_aa_control),
		cmocka_unit_test(names_are_unique),
		cmocka_unit_test(defaults_and_times),
		cmocka_unit_test(axes_of_several_workloads),
		cmocka_unit_test(disabled_states_are_an_axis),
		cmocka_unit_test(refused),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
