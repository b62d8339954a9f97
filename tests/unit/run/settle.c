/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When a machine has settled (P-54), on made-up packages: an exponential approach with noise, a
 * drift that never ends, sensors of whole degrees, and none at all.
 */
#include "tests/unit/run/suites.h"

#include "lib/random.h"
#include "run/settle.h"
#include <math.h>
#include <stdlib.h>

#define SPAN 60.0
#define LIMIT 1.0 /* % a minute */

static struct settle_track track;
static uint64_t seed;

/* -1 to 1 */
static double noise(void)
{
	return (double)random_below(&seed, 2001) / 1000 - 1;
}

static void look(double t, double watts, double celsius)
{
	struct settle_sample sample = { t, watts, celsius };

	settle_add(&track, &sample, SPAN);
}

static void reset(void)
{
	track = (struct settle_track){ 0 };
	seed = 1;
}

static void slopes_are_exact_on_straight_lines(void **state)
{
	struct settle_slope slope;

	(void)state;
	reset();
	for (int t = 0; t <= 60; t++)
		look(t, 10 + 0.01 * t, 50 - 0.05 * t);
	slope = settle_slope(&track);
	assert_true(fabs(slope.watts_pct - 0.6 / 10.3 * 100) < 1e-9);
	assert_true(fabs(slope.celsius + 3) < 1e-9);
}

static void nothing_is_said_before_a_whole_span(void **state)
{
	(void)state;
	reset();
	for (int t = 0; t < 58; t++) {
		look(t, 10, 50);
		assert_false(settle_done(&track, SPAN, LIMIT));
	}
	for (int t = 58; t <= 60; t++)
		look(t, 10, 50);
	assert_true(settle_done(&track, SPAN, LIMIT));
}

/* 15 W on the way to 18 W with a time constant of 5 min, 0.5 % of noise: its slope falls below 1 %
 * a minute when 3/5 exp(-t/5) / 18 = 1 %, at t = 6.0 min; the span looks back over half a minute.
 */
static void an_approach_has_settled_when_its_slope_says_so(void **state)
{
	double t = 0;

	(void)state;
	reset();
	for (; t < 1800 && !settle_done(&track, SPAN, LIMIT); t++)
		look(t, (18 - 3 * exp(-t / 300)) * (1 + 0.005 * noise()), NAN);
	assert_true(t > 300 && t < 480);
}

static void a_drift_never_settles(void **state)
{
	(void)state;
	reset();
	for (int t = 0; t < 1800; t++) {
		look(t, 15 * (1 + 0.02 * t / 60) * (1 + 0.005 * noise()), 50);
		if (t < 900) /* 2 % of the start is less of what came later */
			assert_false(settle_done(&track, SPAN, LIMIT));
	}
}

static void temperature_alone_keeps_it_from_settling(void **state)
{
	(void)state;
	reset();
	for (int t = 0; t <= 120; t++)
		look(t, 15, 50 + floor(2.0 * t / 60)); /* 2 degrees a minute, whole degrees */
	assert_false(settle_done(&track, SPAN, LIMIT));
	for (int t = 121; t <= 200; t++)
		look(t, 15, 54);
	assert_true(settle_done(&track, SPAN, LIMIT));
}

static void each_sensor_may_be_missing_but_not_both(void **state)
{
	(void)state;
	reset();
	for (int t = 0; t <= 60; t++)
		look(t, NAN, 50);
	assert_true(settle_done(&track, SPAN, LIMIT));
	reset();
	for (int t = 0; t <= 60; t++)
		look(t, 15, NAN);
	assert_true(settle_done(&track, SPAN, LIMIT));
	reset();
	for (int t = 0; t <= 60; t++)
		look(t, NAN, NAN);
	assert_false(settle_done(&track, SPAN, LIMIT));
	assert_true(isnan(settle_slope(&track).watts_pct));
}

/* A reading that fails now and then is a gap, not a 0. */
static void gaps_do_not_matter(void **state)
{
	(void)state;
	reset();
	for (int t = 0; t <= 60; t++)
		look(t, t % 7 ? 15 : NAN, NAN);
	assert_true(settle_done(&track, SPAN, LIMIT));
	assert_true(fabs(settle_slope(&track).watts_pct) < 1e-9);
}

static void a_track_has_room_for_any_span(void **state)
{
	(void)state;
	reset();
	for (int t = 0; t < 10 * SETTLE_SAMPLES_MAX; t++)
		look(t * 0.1, 15, 50);
	assert_true(track.n <= SETTLE_SAMPLES_MAX);
	assert_true(track.sample[track.n - 1].t_s > track.sample[0].t_s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slopes_are_exact_on_straight_lines),
		cmocka_unit_test(nothing_is_said_before_a_whole_span),
		cmocka_unit_test(an_approach_has_settled_when_its_slope_says_so),
		cmocka_unit_test(a_drift_never_settles),
		cmocka_unit_test(temperature_alone_keeps_it_from_settling),
		cmocka_unit_test(each_sensor_may_be_missing_but_not_both),
		cmocka_unit_test(gaps_do_not_matter),
		cmocka_unit_test(a_track_has_room_for_any_span),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
