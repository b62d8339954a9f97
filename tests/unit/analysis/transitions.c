/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Steps of simulated sweeps whose place is known, and curves that have none. A sweep is as the
 * suites make it: 0, then equal factors up to 40 us; the time is (3 us + 2 x) with noise.
 */
#include "analysis/transitions.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define N_MAX 300
#define ROOM 16

struct sweep {
	double x[N_MAX], y[N_MAX];
	size_t n;
};

static double normal(void)
{
	return sqrt(-2 * log(1 - drand48())) * cos(6.283185307179586 * drand48());
}

/* Beyond @at the time is @factor as long. */
static struct sweep make(size_t n, double noise, double at, double factor)
{
	struct sweep s = { .n = n };

	for (size_t i = 0; i < n; i++) {
		s.x[i] = i ? 0.04 * pow(1000, (double)(i - 1) / (double)(n - 2)) : 0;
		s.y[i] = (3 + 2 * s.x[i]) * (s.x[i] > at ? factor : 1) * (1 + noise * normal());
	}
	return s;
}

static size_t find(const struct sweep *s, struct transition *ret)
{
	return transitions_find(s->x, NULL, s->y, s->n, ret, ROOM);
}

static void steps_where_they_are(void **state)
{
	static const size_t points[] = { 24, 64, 300 };
	static const double noise[] = { 0.001, 0.003, 0.01 };
	struct transition t[ROOM];

	(void)state;
	srand48(1);
	for (size_t k = 0; k < 9; k++) {
		for (size_t i = 0; i < 50; i++) {
			double factor = i % 2 ? 1.25 : 0.8;
			struct sweep s = make(points[k / 3], noise[k % 3], 4, factor);

			assert_int_equal(find(&s, t), 1);
			assert_true(s.x[t[0].before] <= 4 && s.x[t[0].after] > 4);
			assert_true(t[0].x > s.x[t[0].before] && t[0].x < s.x[t[0].after]);
			assert_true(fabs(t[0].step_pct - (factor - 1) * 100) < 6);
		}
	}
}

/* At most 2 of 100 curves without a step have one, odd points or not. */
static void smooth_curves_have_none(void **state)
{
	static const size_t points[] = { 24, 64, 300 };
	static const double noise[] = { 0.001, 0.003, 0.01, 0.03 };
	struct transition t[ROOM];

	(void)state;
	srand48(2);
	for (size_t k = 0; k < 12; k++) {
		size_t found = 0;

		for (size_t i = 0; i < 100; i++) {
			struct sweep s = make(points[k / 4], noise[k % 4], INFINITY, 1);

			if (i % 2 && noise[k % 4] < 0.03)
				for (size_t j = 11; j < s.n; j += 17)
					s.y[j] *= 1.3;
			found += find(&s, t) > 0;
		}
		assert_in_range(found, 0, 5);
	}
}

static void two_steps_in_order(void **state)
{
	struct transition t[ROOM];
	struct sweep s = make(64, 0.003, 1, 1.2);

	(void)state;
	for (size_t i = 0; i < s.n; i++)
		s.y[i] *= s.x[i] > 12 ? 1.5 : 1;
	assert_int_equal(find(&s, t), 2);
	assert_true(s.x[t[0].before] <= 1 && s.x[t[0].after] > 1);
	assert_true(s.x[t[1].before] <= 12 && s.x[t[1].after] > 12);
}

static void points_without_values(void **state)
{
	struct transition t[ROOM];
	struct sweep s = make(64, 0.003, 4, 1.25);

	(void)state;
	s.y[20] = s.y[63] = NAN;
	assert_int_equal(find(&s, t), 1);
	assert_true(s.x[t[0].before] <= 4 && s.x[t[0].after] > 4);
	/* A hole is no step, however much the curve rises and bends in it. */
	s = make(64, 0.003, INFINITY, 1);
	for (size_t i = 40; i < 52; i++)
		s.y[i] = NAN;
	assert_int_equal(find(&s, t), 0);
	for (size_t i = 0; i < s.n; i++)
		s.y[i] = NAN;
	assert_int_equal(find(&s, t), 0);
	s.n = 0;
	assert_int_equal(find(&s, t), 0);
	s = make(5, 0.001, 1, 2);
	assert_int_equal(find(&s, t), 0);
}

/* P-56: the same step 30 % further along x. */
static void shift_of_a_step(void **state)
{
	struct sweep a = make(300, 0.003, 4, 1.08), b = make(300, 0.003, 5.2, 1.08);
	struct transition s[ROOM], t[ROOM];
	struct transition_pair pair[ROOM];

	(void)state;
	assert_int_equal(find(&a, s), 1);
	assert_int_equal(find(&b, t), 1);
	assert_int_equal(transitions_pair(s, 1, t, 1, pair), 1);
	assert_true(fabs(pair[0].shift_pct - 30) < 4);
}

/* Nearest first; never up with down, never far apart, each once. */
static void pairs(void **state)
{
	const struct transition a[] = { { 1, 2, 1, 10 }, { 3, 4, 10, -20 }, { 5, 6, 100, 30 } };
	const struct transition b[] = {
		{ 1, 2, 1.5, 10 }, { 2, 3, 1.2, 10 }, { 3, 4, 10, 20 }, { 5, 6, 210, 30 }
	};
	struct transition_pair pair[3];

	(void)state;
	assert_int_equal(transitions_pair(a, 3, b, 4, pair), 1);
	assert_int_equal(pair[0].reference, 0);
	assert_int_equal(pair[0].other, 1);
	assert_true(fabs(pair[0].shift_pct - 20) < 1e-9);
	assert_int_equal(transitions_pair(a, 3, b, 0, pair), 0);
}

static void stretches(void **state)
{
	const bool in[] = { true, true, false, true, false, true, true, true };
	struct stretch s[4];

	(void)state;
	assert_int_equal(transitions_stretches(in, 8, 2, s, 4), 2);
	assert_int_equal(s[0].first, 0);
	assert_int_equal(s[0].last, 1);
	assert_int_equal(s[1].first, 5);
	assert_int_equal(s[1].last, 7);
	assert_int_equal(transitions_stretches(in, 8, 1, s, 1), 1);
	assert_int_equal(transitions_stretches(in, 0, 1, s, 4), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(steps_where_they_are),
		cmocka_unit_test(smooth_curves_have_none),
		cmocka_unit_test(two_steps_in_order),
		cmocka_unit_test(points_without_values),
		cmocka_unit_test(shift_of_a_step),
		cmocka_unit_test(pairs),
		cmocka_unit_test(stretches),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
