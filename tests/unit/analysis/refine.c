/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One round of an adaptive sweep: which intervals are halved. Whole campaigns: adaptive.c.
 */
#include "analysis/refine.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#define PLACES 300

/* A sweep without curves: @at are its points of @places. */
static size_t choose(const size_t *at, size_t points, size_t places, size_t left,
		     struct refine_choice *ret)
{
	static const size_t zero[PLACES];
	static const double none[PLACES];
	size_t place[PLACES];
	struct refine_sweep s = { .at = at,
				  .from = zero,
				  .to = zero,
				  .by = none,
				  .points = points,
				  .place = place,
				  .places = places,
				  .left = left };

	for (size_t i = 0; i < places; i++)
		place[i] = i;
	return refine_choose(&s, ret);
}

static void gaps_are_filled(void **state)
{
	static const size_t ends[] = { 0, 10, 20, 50 }, all[] = { 0, 1, 2, 3 };
	struct refine_choice choice[PLACES];

	(void)state;
	assert_int_equal(choose(ends, 4, 51, 0, choice), 0);
	assert_int_equal(choose(ends, 4, 51, 1, choice), 1);
	assert_int_equal(choice[0].at, 35);
	assert_int_equal(choice[0].why, REFINE_GAP);
	assert_int_equal(choice[0].from, 20);
	assert_int_equal(choice[0].to, 50);
	/* Half of what is left, widest first; in the order of the scale. */
	assert_int_equal(choose(ends, 4, 51, 10, choice), 5);
	for (size_t i = 1; i < 5; i++)
		assert_true(choice[i].at > choice[i - 1].at);
	/* Every place is taken. */
	assert_int_equal(choose(all, 4, 4, 5, choice), 0);
	/* More are wanted than there is room for. */
	assert_int_equal(choose(all, 2, 2, 5, choice), 0);
}

/* A step of 20 % between 20 and 30, in menu alone; @sd: of a point. */
static size_t choose_at_step(double sd, struct refine_choice *ret)
{
	static const size_t at[] = { 0, 10, 20, 30, 40, 50 };
	static const size_t zero[6];
	static const double none[6];
	double z[] = { 1, 1, 1, 1.2, 1.2, 1.2 }, sds[] = { sd, sd, sd, sd, sd, sd };
	size_t place[51];
	struct refine_curve curve = {
		.name = "menu loop_us", .limit = log(1.03), .z = z, .sd = sds
	};
	struct refine_sweep s = { .at = at,
				  .from = zero,
				  .to = zero,
				  .by = none,
				  .points = 6,
				  .place = place,
				  .places = 51,
				  .curve = &curve,
				  .curves = 1,
				  .left = 10 };

	for (size_t i = 0; i < 51; i++)
		place[i] = i;
	return refine_choose(&s, ret);
}

static void steps_are_halved(void **state)
{
	struct refine_choice choice[10];

	(void)state;
	assert_int_equal(choose_at_step(0.01, choice), 1);
	assert_int_equal(choice[0].at, 25);
	assert_int_equal(choice[0].why, REFINE_BEND);
	assert_string_equal(choice[0].curve, "menu loop_us");
	assert_true(fabs(choice[0].by - 0.2) < 1e-9);
	/* What may be noise is not followed. */
	assert_int_equal(choose_at_step(0.1, choice), 5);
	assert_int_equal(choice[0].why, REFINE_GAP);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gaps_are_filled),
		cmocka_unit_test(steps_are_halved),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
