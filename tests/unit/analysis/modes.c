/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bi-stability (P-55): simulated runs of one and of two modes, with seeds, and curves that jump.
 * The rates asserted are those that modes.h promises, with room for chance.
 */
#include "analysis/modes.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define N_MAX 60
#define TRIALS 4000

static double uniform(void)
{
	return drand48();
}

static double normal(void)
{
	return sqrt(-2 * log(1 - uniform())) * cos(6.283185307179586 * uniform());
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static struct modes modes_of(double *value, size_t n)
{
	struct modes modes;

	qsort(value, n, sizeof(*value), by_value);
	modes_find(value, n, &modes);
	return modes;
}

static double exponential(void)
{
	return -log(1 - uniform());
}

static double log_normal(void)
{
	return exp(normal());
}

static double wide_normal(void)
{
	return 100 + 20 * normal();
}

/* How many of TRIALS samples of @n look as if they had two modes. */
static size_t found_in(double draw(void), size_t n)
{
	double value[N_MAX];
	size_t found = 0;

	srand48((long)n);
	for (size_t t = 0; t < TRIALS; t++) {
		for (size_t i = 0; i < n; i++)
			value[i] = draw();
		found += modes_of(value, n).low_n > 0;
	}
	return found;
}

static void one_mode_is_one_mode(void **state)
{
	static const size_t n[] = { 6, 8, 12, 20, 60 };

	(void)state;
	for (size_t i = 0; i < sizeof(n) / sizeof(n[0]); i++) {
		assert_in_range(found_in(wide_normal, n[i]), 0, TRIALS / 400);
		assert_in_range(found_in(log_normal, n[i]), 0, TRIALS / 400);
		assert_in_range(found_in(exponential, n[i]), 0, TRIALS / 400);
	}
}

/* Three runs each: as many as a point has by default. */
static void two_modes_of_six(void **state)
{
	double value[] = { 20, 20.2, 20.1, 40.3, 40, 40.8 };
	struct modes modes = modes_of(value, 6);

	(void)state;
	assert_int_equal(modes.low_n, 3);
	assert_true(fabs(modes.low - 20.1) < 1e-9);
}

/* What is next to an odd run does not make a mode together with it. */
static void odd_runs_are_no_mode(void **state)
{
	double one[] = { 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 500 };
	double two[] = { 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 400, 900 };

	(void)state;
	assert_int_equal(modes_of(one, 12).low_n, 0);
	assert_int_equal(modes_of(two, 13).low_n, 0);
}

static void two_equal_modes(void **state)
{
	double value[N_MAX];
	size_t found = 0;

	(void)state;
	srand48(1);
	for (size_t t = 0; t < 500; t++) {
		struct modes modes;

		for (size_t i = 0; i < 20; i++)
			value[i] = (i < 12 ? 100 : 140) + 3 * normal();
		modes = modes_of(value, 20);
		found += modes.low_n == 12 && fabs(modes.low - 100) < 4 &&
			 fabs(modes.high - 140) < 4;
	}
	assert_in_range(found, 490, 500);
}

/* A narrow mode and a wide one without a gap that is three times as wide as the latter. */
static void a_narrow_mode_beside_a_wide_one(void **state)
{
	double value[] = { 2.69, 2.72, 2.76, 2.79, 2.80, 2.81, 2.82, 4.3, 6.2, 9.2, 11.3, 13.8 };
	struct modes modes = modes_of(value, 12);

	(void)state;
	assert_int_equal(modes.low_n, 7);
	assert_true(fabs(modes.low - 2.77) < 0.01 && fabs(modes.high - 8.96) < 0.01);
}

/* 3 % apart is no matter of modes, however narrow they are; five runs are too few. */
static void too_near_or_too_few(void **state)
{
	double near[] = { 100, 100.01, 100.02, 103, 103.01, 103.02, 103.03, 103.04 };
	double few[] = { 1, 1.001, 1.002, 9, 9.001 };
	double equal[] = { 7, 7, 7, 7, 7, 7, 7, 7 };

	(void)state;
	assert_int_equal(modes_of(near, 8).low_n, 0);
	assert_int_equal(modes_of(few, 5).low_n, 0);
	assert_int_equal(modes_of(equal, 8).low_n, 0);
}

/* A smooth curve with 1 % of noise; points 30 to 41 may be on either of two branches. */
static size_t jumps_in(const double *factor, double *ret_y, bool *mark)
{
	memset(mark, 0, N_MAX * sizeof(*mark));
	for (size_t i = 0; i < N_MAX; i++) {
		ret_y[i] = (3 + (double)i * (double)i / 100) * (1 + 0.01 * normal());
		if (factor && i >= 30 && i < 42)
			ret_y[i] *= factor[i - 30];
	}
	return modes_jumps(NULL, ret_y, N_MAX, mark);
}

static void curves_that_jump(void **state)
{
	static const double branches[12] = { 1.4, 1, 1.4, 1.4, 1, 1, 1.4, 1, 1, 1.4, 1, 1.4 };
	static const double step[12] = {
		1.4, 1.4, 1.4, 1.4, 1.4, 1.4, 1.4, 1.4, 1.4, 1.4, 1.4, 1.4
	};
	static const double odd[12] = { 1, 1, 1.4, 1, 1, 1, 1, 1, 1, 1, 1, 1 };
	double y[N_MAX];
	bool mark[N_MAX];

	(void)state;
	srand48(3);
	assert_int_equal(jumps_in(branches, y, mark), 1);
	for (size_t i = 0; i < N_MAX; i++)
		assert_int_equal(mark[i], i >= 30 && i < 42);
	assert_int_equal(jumps_in(NULL, y, mark), 0);
	assert_int_equal(jumps_in(step, y, mark), 0);
	assert_int_equal(jumps_in(odd, y, mark), 0);
	for (size_t i = 0; i < N_MAX; i++)
		assert_false(mark[i]);
}

/* A point without a value is no end of the curve, and is not marked for itself. */
static void a_missing_point(void **state)
{
	static const double branches[12] = { 1.4, 1, 1.4, 1.4, 1, 1, 1.4, 1, 1, 1.4, 1, 1.4 };
	double y[N_MAX];
	bool mark[N_MAX];

	(void)state;
	srand48(4);
	jumps_in(branches, y, mark);
	memset(mark, 0, sizeof(mark));
	y[10] = NAN;
	assert_int_equal(modes_jumps(NULL, y, N_MAX, mark), 1);
	assert_false(mark[10]);
	assert_true(mark[31]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_mode_is_one_mode),
		cmocka_unit_test(two_modes_of_six),
		cmocka_unit_test(odd_runs_are_no_mode),
		cmocka_unit_test(two_equal_modes),
		cmocka_unit_test(a_narrow_mode_beside_a_wide_one),
		cmocka_unit_test(too_near_or_too_few),
		cmocka_unit_test(curves_that_jump),
		cmocka_unit_test(a_missing_point),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
