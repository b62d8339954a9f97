/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Means over stretches of a track: counters between their samples, blocks at their ends. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "analysis/figure_timeline.h"
#include "analysis/figure_put.h"
#include <math.h>
#include <stdlib.h>

static void assert_near(double got, double want)
{
	assert_true(fabs(got - want) < 1e-9);
}

/* 10 W for 2 s, then 20 W, sampled at 0.5 s, 2 s and 4 s. */
static void counters_are_straight_between_samples(void **state)
{
	double t[] = { 0.5, 2, 4 }, uj[] = { 0, 15e6, 55e6 };
	const struct track w = { .counter = true, .scale = 1e-6, .t_s = t, .value = uj, .n = 3 };

	(void)state;
	assert_near(figure_track_mean(&w, 1, 2), 10);
	assert_near(figure_track_mean(&w, 2, 3), 20);
	assert_near(figure_track_mean(&w, 1, 3), 15);
	/* Half a second before the first sample is not known, the other half is. */
	assert_near(figure_track_mean(&w, 0, 1), 10);
	assert_near(figure_track_mean(&w, 3, 5), 20);
	assert_true(isnan(figure_track_mean(&w, 0, 0.9)));
	assert_true(isnan(figure_track_mean(&w, 4, 5)));
}

static void one_sample_has_no_rate(void **state)
{
	double t[] = { 1 }, uj[] = { 7 };
	const struct track w = { .counter = true, .scale = 1, .t_s = t, .value = uj, .n = 1 };

	(void)state;
	assert_true(isnan(figure_track_mean(&w, 0, 2)));
}

static void blocks_belong_to_their_end(void **state)
{
	double t[] = { 1, 2, 3 }, us[] = { 10, 30, 80 };
	const struct track loop = { .t_s = t, .value = us, .n = 3 };

	(void)state;
	assert_near(figure_track_mean(&loop, 0, 1), 10);
	assert_near(figure_track_mean(&loop, 1, 2), 30);
	assert_near(figure_track_mean(&loop, 1, 3), 55);
	assert_true(isnan(figure_track_mean(&loop, 3, 4)));
}

static void median_without_what_is_not_known(void **state)
{
	double value[] = { NAN, 5, 1, NAN, 3 }, none[] = { NAN };
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	figure_put_median(out, value, 5);
	figure_put_median(out, none, 1);
	fclose(out);
	assert_string_equal(text, "\t3\t1\t5\t\t\t");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counters_are_straight_between_samples),
		cmocka_unit_test(one_sample_has_no_rate),
		cmocka_unit_test(blocks_belong_to_their_end),
		cmocka_unit_test(median_without_what_is_not_known),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
