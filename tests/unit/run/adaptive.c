/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The plan of an adaptive sweep: what is in it from the start, what comes with each round, and that
 * no cell ever gets another number.
 */
#include "tests/unit/run/suites.h"

#include "run/plan.h"
#include <stdlib.h>

static const char suite_text[] =
	HEAD "[run ring]\nworkload = ping-pong\nwork = 0..2ms adaptive 20\n"
	     "[run quiet]\nworkload = idle\n";

static int plan_of(const struct suite *suite, const char *order, int repeat,
		   const struct store_points *points, struct plan *ret)
{
	return plan_continue(suite, &(struct plan_request){ "menu,teo", NULL, repeat, order, 7, 0 },
			     points, ret);
}

static void copy_points(const struct store_points *from, struct store_points *to)
{
	for (size_t i = 0; i < from->n; i++)
		assert_int_equal(store_points_add(to, &from->point[i]), 0);
}

/* The next @n places, from the low end, are chosen in @round. */
static void choose(struct store_points *points, size_t n, int round)
{
	for (size_t i = 0; i < points->n && n; i++) {
		if (points->point[i].round >= 0)
			continue;
		points->point[i].round = round;
		n--;
	}
}

static void from_the_start(void **state)
{
	struct suite suite = suite_of(suite_text);
	struct plan plan;

	(void)state;
	assert_int_equal(plan_of(&suite, "shuffled", 6, NULL, &plan), 0);
	assert_true(plan.open);
	assert_true(plan_is_adaptive(&plan));
	assert_int_equal(plan.scale.n, 100);
	assert_int_equal(plan.points, 8 + 1);
	assert_int_equal(plan_all_points(&plan, 0), 20);
	assert_int_equal(plan_all_points(&plan, 1), 1);
	/* Two repeats of nine points; the rest is to come. */
	assert_int_equal(plan.cells, 2 * 9 * 2);
	assert_int_equal(plan.blocks_to_come[0], 20 * 6 - 2 * 8);
	assert_int_equal(plan.blocks_to_come[1], 6 - 2);
	assert_int_equal(plan_all_cells(&plan), 21 * 6 * 2);
	for (size_t i = 0; i < plan.cells; i++)
		assert_in_range(plan.cell[i].repeat, 1, PLAN_CHOICE_REPEATS);
	plan_free(&plan);
	/* With one repeat it is chosen from one. */
	assert_int_equal(plan_of(&suite, "abba", 1, NULL, &plan), 0);
	assert_int_equal(plan.cells, 9 * 2);
	assert_int_equal(plan_all_cells(&plan), 21 * 2);
	plan_free(&plan);
	suite_free(&suite);
}

/* All cells of @old are in @larger, with their numbers and names. */
static void expect_begins_with(const struct plan *old, const struct plan *larger)
{
	assert_true(larger->cells >= old->cells);
	for (size_t i = 0; i < old->cells; i++) {
		char *a = plan_cell_name(old, &old->cell[i]);
		char *b = plan_cell_name(larger, &larger->cell[i]);

		assert_string_equal(a, b);
		assert_int_equal(old->cell[i].number, i + 1);
		assert_int_equal(larger->cell[i].number, i + 1);
		free(a);
		free(b);
	}
}

/* Every point once in every repeat under every governor. */
static void expect_whole(const struct plan *plan, int repeat)
{
	assert_int_equal(plan->cells, plan->points * 2 * (size_t)repeat);
	for (size_t p = 0; p < plan->points; p++)
		for (int r = 1; r <= repeat; r++) {
			size_t n = 0;

			for (size_t i = 0; i < plan->cells; i++)
				n += plan->cell[i].point == p && plan->cell[i].repeat == r;
			assert_int_equal(n, 2);
		}
}

static void grows_behind(void **state)
{
	static const char *const orders[] = { "shuffled", "abba" };
	struct suite suite = suite_of(suite_text);

	(void)state;
	for (size_t k = 0; k < 2; k++) {
		struct store_points points = { 0 };
		struct plan plan, larger;

		assert_int_equal(plan_of(&suite, orders[k], 6, NULL, &plan), 0);
		copy_points(&plan.scale, &points);
		for (int round = 1; plan.open; round++) {
			size_t missing = plan_all_points(&plan, 0) + 1 - plan.points;

			choose(&points, missing < 5 ? missing : 5, round);
			assert_int_equal(plan_of(&suite, orders[k], 6, &points, &larger), 0);
			expect_begins_with(&plan, &larger);
			assert_int_equal(plan_all_cells(&larger), 21 * 6 * 2);
			plan_free(&plan);
			plan = larger;
		}
		assert_int_equal(plan.points, 21);
		assert_int_equal(plan.blocks_to_come[0] + plan.blocks_to_come[1], 0);
		expect_whole(&plan, 6);
		plan_free(&plan);
		store_points_free(&points);
	}
	suite_free(&suite);
}

/* Each combination of the other axes has a choice of its own. */
static void other_axes(void **state)
{
	struct suite suite = suite_of(HEAD "[run ring]\nworkload = ping-pong\n"
					   "work = 0..1000 adaptive 20\ntransport = pipe futex\n");
	struct plan plan;

	(void)state;
	assert_int_equal(plan_of(&suite, "shuffled", 2, NULL, &plan), 0);
	assert_int_equal(plan.points, 16);
	assert_int_equal(plan_all_points(&plan, 0), 40);
	for (size_t i = 1; i < plan.scale.n; i++) {
		const struct store_point *p = &plan.scale.point[i];

		if (!strcmp(p[0].sweep, p[-1].sweep))
			assert_true(p[0].at > p[-1].at);
	}
	assert_string_equal(plan.scale.point[0].sweep, "transport=futex");
	assert_string_equal(plan.scale.point[plan.scale.n - 1].sweep, "transport=pipe");
	plan_free(&plan);
	suite_free(&suite);
}

/* A fixed range that rounding has made uneven has places, and nothing to choose. */
static void folded_range(void **state)
{
	struct suite suite = suite_of(HEAD "[run ring]\nworkload = ping-pong\n"
					   "work = 1..1000 log 61\n");
	struct plan plan;

	(void)state;
	assert_int_equal(plan_of(&suite, "blocked", 2, NULL, &plan), 0);
	assert_false(plan.open);
	assert_false(plan_is_adaptive(&plan));
	assert_true(plan.scale.n > 0 && plan.scale.n == plan.points);
	assert_int_equal(plan_all_cells(&plan), plan.cells);
	expect_whole(&plan, 2);
	plan_free(&plan);
	suite_free(&suite);
	/* Equal steps need no file. */
	suite = suite_of(HEAD "[run ring]\nworkload = ping-pong\nwork = 0..40us log 24\n");
	assert_int_equal(plan_of(&suite, "blocked", 2, NULL, &plan), 0);
	assert_int_equal(plan.scale.n, 0);
	plan_free(&plan);
	suite_free(&suite);
}

static void refused(void **state)
{
	struct suite suite = suite_of(suite_text);
	struct store_points points = { 0 };
	struct plan plan;

	(void)state;
	assert_true(plan_of(&suite, "blocked", 6, NULL, &plan) < 0);
	assert_true(error_is_usage());
	assert_says("no order 'blocked'");
	assert_int_equal(plan_of(&suite, "shuffled", 6, NULL, &plan), 0);
	copy_points(&plan.scale, &points);
	plan_free(&plan);
	points.point[3].at++;
	assert_int_equal(plan_of(&suite, "shuffled", 6, &points, &plan), -EBADMSG);
	assert_says("not of this campaign");
	points.point[3].at--;
	points.n--;
	assert_int_equal(plan_of(&suite, "shuffled", 6, &points, &plan), -EBADMSG);
	points.n++;
	store_points_free(&points);
	suite_free(&suite);

	suite = suite_of(HEAD "[run a]\nworkload = ping-pong\nwork = 0..100us adaptive 8\n"
			      "loops = 10..1000 adaptive 8\n");
	assert_true(plan_of(&suite, "shuffled", 6, NULL, &plan) < 0);
	assert_true(error_is_usage());
	assert_says("both adaptive");
	suite_free(&suite);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(from_the_start), cmocka_unit_test(grows_behind),
		cmocka_unit_test(other_axes),	  cmocka_unit_test(folded_range),
		cmocka_unit_test(refused),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
