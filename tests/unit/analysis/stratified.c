/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shifts between runs in blocks: published and hand-made cases, every design against the
 * enumeration of all exchanges (done here, by counting bits), and what must hold of any data.
 */
#include "analysis/stratified.h"
#include "analysis/stats.h"
#include "lib/random.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#define close_to(a, b, by) assert_true(fabs((a) - (b)) <= (by))
#define MAX 200

static struct stratified compare(const struct stratified_run *run, size_t n)
{
	struct stratified_run copy[MAX];
	struct stratified s;

	assert_true(n <= MAX);
	memcpy(copy, run, n * sizeof(*run));
	assert_int_equal(stratified_compare(copy, n, STATS_ALPHA, &s), 0);
	return s;
}

/* All runs as one block. */
static struct stratified two(const double *a, size_t na, const double *b, size_t nb)
{
	struct stratified_run run[MAX];
	size_t i;

	for (i = 0; i < na + nb; i++)
		run[i] = (struct stratified_run){ i < na ? a[i] : b[i - na], 7, i >= na };
	return compare(run, na + nb);
}

static struct stratified pairs(const double *a, const double *b, size_t n)
{
	struct stratified_run run[MAX];
	size_t i;

	for (i = 0; i < n; i++) {
		run[i] = (struct stratified_run){ a[i], (int)i, false };
		run[n + i] = (struct stratified_run){ b[i], (int)i, true };
	}
	return compare(run, 2 * n);
}

/* Differences of {1,2,3} to {4,6,8}: 1 2 3 3 4 5 5 6 7, median 4. */
static void two_samples_by_hand(void **state)
{
	const double a[] = { 3, 1, 2 }, b[] = { 8, 4, 6 };
	struct stratified s = two(a, 3, b, 3);

	(void)state;
	assert_true(s.shift == 4);
	assert_false(s.interval); /* 3+3 cannot give 95 % */
	close_to(s.p, 0.1, 1e-12);
	close_to(s.p_min, 0.1, 1e-12);
	assert_true(two(b, 3, a, 3).shift == -4);
}

/*
 * Differences 1 2 3 4 5 -6: Walsh averages -6 -2.5 -2 -1.5 -1 -0.5 1 1.5 2 2 2.5 2.5 3 3 3 3.5 3.5
 * 4 4 4.5 5, the 11th of 21 is 2.5; W+ = 15, P(W >= 15) = 14/64.
 */
static void pairs_by_hand(void **state)
{
	const double a[] = { 10, 20, 30, 40, 50, 60 }, b[] = { 11, 22, 33, 44, 55, 54 };
	struct stratified s = pairs(a, b, 6);

	(void)state;
	assert_int_equal(s.blocks, 6);
	assert_true(s.shift == 2.5);
	close_to(s.p, 28.0 / 64, 1e-12);
	assert_true(s.interval && s.lo == -6 && s.hi == 5);
	close_to(s.level, 2.0 / 64, 1e-12);
}

/* Hollander and Wolfe, table 4.1: permeability, 10 and 5 values; HL 0.305, 96 % interval
 * -0.15..0.76 (ranks 9 and 42), W = 30, two-sided p 0.2544. */
static void published_two_samples(void **state)
{
	const double x[] = { 0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46 };
	const double y[] = { 1.15, 0.88, 0.90, 0.74, 1.21 };
	struct stratified s = two(y, 5, x, 10);

	(void)state;
	close_to(s.shift, 0.305, 1e-9);
	close_to(s.p, 0.2544, 5e-5);
	close_to(s.lo, -0.15, 1e-9);
	close_to(s.hi, 0.76, 1e-9);
}

/* Hollander and Wolfe, table 3.1: Hamilton depression scale of 9 patients before and after;
 * T+ = 5, one-sided p 0.020, HL -0.46, 96.1 % interval -0.786..-0.010. */
static void published_pairs(void **state)
{
	const double x[] = { 1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30 };
	const double y[] = { 0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29 };
	struct stratified s = pairs(x, y, 9);

	(void)state;
	close_to(s.p, 2 * 10.0 / 512, 1e-12);
	close_to(s.shift, -0.46, 1e-9);
	close_to(s.lo, -0.786, 1e-9);
	close_to(s.hi, -0.010, 1e-9);
}

/* P-57: equal values must not give noise; a block without a difference moves nothing. */
static void ties_do_not_become_significance(void **state)
{
	const double same[] = { 5, 5, 5, 5, 5, 5 }, mixed[] = { 1, 2, 2, 3, 3, 4 };
	const double more[] = { 5, 5, 6, 6, 6, 6 };

	(void)state;
	assert_true(two(same, 6, same, 6).p == 1 && two(same, 6, same, 6).shift == 0);
	assert_true(two(mixed, 6, mixed, 6).p > 0.9);
	assert_true(pairs(same, same, 6).p == 1 && pairs(same, same, 6).shift == 0);
	close_to(pairs(same, more, 6).p, 2.0 / 16, 1e-12);
}

/* 1.1 - 1.0 and 2.1 - 2.0 differ in the last bit, and are ties all the same. */
static void rounding_makes_no_rank(void **state)
{
	const double a[] = { 1.0, 2.0, 3.0, 4.0 }, b[] = { 1.1, 2.1, 3.1, 3.9 };

	(void)state;
	/* W+ is 7.5 of four ranks 2.5; of 16 signs 1 has 10 and 4 have 7.5 */
	close_to(pairs(a, b, 4).p, 2 * 5.0 / 16, 1e-12);
}

/* Score sum of the test's runs, ranks counted pair by pair. */
static double score(const struct stratified_run *run, size_t n, unsigned long tests)
{
	double aligned[16], sum = 0;
	size_t i, j;

	for (i = 0; i < n; i++) {
		double mean = 0, in = 0;

		for (j = 0; j < n; j++) {
			mean += run[j].block == run[i].block ? run[j].value : 0;
			in += run[j].block == run[i].block;
		}
		aligned[i] = run[i].value - mean / in;
	}
	for (i = 0; i < n; i++) {
		for (j = 0; tests >> i & 1 && j < n; j++) {
			double difference = aligned[i] - aligned[j];
			double won = fabs(difference) < 1e-9 ? 0.5 : difference > 0;

			sum += won * (run[i].block == run[j].block ? 2 : 1);
		}
	}
	return sum;
}

static bool same_counts(const struct stratified_run *run, size_t n, unsigned long tests)
{
	size_t i, j;

	for (i = 0; i < n; i++) {
		int balance = 0;

		for (j = 0; j < n; j++)
			if (run[j].block == run[i].block)
				balance += (int)(tests >> j & 1) - run[j].test;
		if (balance)
			return false;
	}
	return true;
}

#define RUNS_MAX 16 /* of a design that is enumerated */

/* p by trying every way to deal the blocks' runs out to the two sides. */
static double enumerated_p(const struct stratified_run *run, size_t n)
{
	unsigned long own = 0, tests;
	double low = 0, high = 0, all = 0, observed;
	size_t i;

	assert_in_range(n, 1, RUNS_MAX);
	for (i = 0; i < n && i < RUNS_MAX; i++)
		own |= (unsigned long)run[i].test << i;
	observed = score(run, n, own);
	for (tests = 0; tests < 1ul << n; tests++) {
		double s;

		if (!same_counts(run, n, tests))
			continue;
		s = score(run, n, tests);
		all++;
		low += s <= observed + 1e-9;
		high += s >= observed - 1e-9;
	}
	return fmin(1, 2 * fmin(low, high) / all);
}

static double uniform(uint64_t *seed)
{
	return (double)random_below(seed, 1000000) / 1e6;
}

/* Designs as "reference runs, test runs" a block; @steps: values are multiples of 1 / steps. */
static void every_design_is_exact(void **state)
{
	static const struct {
		size_t blocks, size[6][2];
	} design[] = {
		{ 1, { { 5, 5 } } },
		{ 6, { { 1, 1 }, { 1, 1 }, { 1, 1 }, { 1, 1 }, { 1, 1 }, { 1, 1 } } },
		{ 3, { { 2, 2 }, { 2, 2 }, { 2, 1 } } },
		{ 3, { { 1, 3 }, { 2, 1 }, { 1, 1 } } },
		{ 2, { { 4, 2 }, { 1, 4 } } },
	};
	uint64_t seed = 3;

	(void)state;
	for (size_t d = 0; d < sizeof(design) / sizeof(design[0]); d++) {
		for (int steps = 3; steps < 1000000; steps *= 100) {
			struct stratified_run run[RUNS_MAX];
			size_t n = 0;

			for (size_t b = 0; b < design[d].blocks; b++)
				for (size_t k = 0; k < design[d].size[b][0] + design[d].size[b][1];
				     k++)
					run[n++] = (struct stratified_run){
						floor(uniform(&seed) * steps) / steps + (double)b,
						(int)b, k >= design[d].size[b][0]
					};
			close_to(compare(run, n).p, enumerated_p(run, n), 1e-9);
		}
	}
}

/*
 * The interval holds exactly the shifts that the test does not refuse: just inside p > 0.05, just
 * outside p <= 0.05. Blocks of two and two have no table to read the ends from.
 */
static void interval_is_the_test_turned_round(void **state)
{
	uint64_t seed = 11;
	struct stratified_run run[RUNS_MAX];
	struct stratified s, inside, outside;
	size_t n = 0, i;

	(void)state;
	for (int b = 0; b < 4; b++)
		for (int k = 0; k < 4; k++)
			run[n++] = (struct stratified_run){ uniform(&seed) + 4 * b, b, k > 1 };
	s = compare(run, n);
	assert_true(s.interval && s.lo < s.shift && s.shift < s.hi);
	for (int end = 0; end < 2; end++) {
		struct stratified_run a[16], b[16];
		double at = end ? s.hi : s.lo, in = end ? -1e-6 : 1e-6;

		memcpy(a, run, sizeof(run));
		memcpy(b, run, sizeof(run));
		for (i = 0; i < n; i++) {
			a[i].value -= a[i].test ? at + in : 0;
			b[i].value -= b[i].test ? at - in : 0;
		}
		inside = compare(a, n);
		outside = compare(b, n);
		assert_true(inside.p > STATS_ALPHA);
		assert_true(outside.p <= STATS_ALPHA);
	}
}

/* Shift, scale, sign, exchange of sides, order of the runs, drift between blocks. */
static void properties(void **state)
{
	uint64_t seed = 5;

	(void)state;
	for (int round = 0; round < 50; round++) {
		struct stratified_run run[16], other[16];
		struct stratified s, o;
		size_t i;

		for (i = 0; i < 16; i++)
			run[i] = (struct stratified_run){ uniform(&seed), (int)(i / 2), i % 2 };
		s = compare(run, 16);
		for (i = 0; i < 16; i++) /* blocks drift, tests shift, all is scaled and shuffled */
			other[i * 5 % 16] = (struct stratified_run){
				3 * (run[i].value + (double)(run[i].block * run[i].block) +
				     (run[i].test ? 0.25 : 0)),
				100 - run[i].block, run[i].test
			};
		o = compare(other, 16);
		close_to(o.shift, 3 * (s.shift + 0.25), 1e-9);
		close_to(o.lo, 3 * (s.lo + 0.25), 1e-9);
		close_to(o.hi, 3 * (s.hi + 0.25), 1e-9);
		close_to(o.error, 3 * s.error, 1e-9);
		for (i = 0; i < 16; i++)
			other[i] =
				(struct stratified_run){ -run[i].value, run[i].block, run[i].test };
		o = compare(other, 16);
		close_to(o.shift, -s.shift, 1e-12);
		close_to(o.lo, -s.hi, 1e-12);
		close_to(o.p, s.p, 1e-12);
		for (i = 0; i < 16; i++)
			other[i] =
				(struct stratified_run){ run[i].value, run[i].block, !run[i].test };
		o = compare(other, 16);
		close_to(o.shift, -s.shift, 1e-12);
		close_to(o.p, s.p, 1e-12);
	}
}

/* Blocks with one side only have no part; without any other there is nothing to say. */
static void one_sided_blocks(void **state)
{
	struct stratified_run run[] = { { 1, 1, false }, { 5, 1, true }, { 900, 2, true },
					{ 2, 3, false }, { 4, 3, true }, { -9, 4, false } };
	struct stratified s = compare(run, 6);

	(void)state;
	assert_int_equal(s.blocks, 2);
	assert_int_equal(s.reference, 2);
	assert_int_equal(s.test, 2);
	assert_true(s.shift == 3);
	s = compare(run + 2, 1);
	assert_int_equal(s.blocks, 0);
	assert_true(isnan(s.shift) && isnan(s.p));
	s = compare(run, 0);
	assert_true(isnan(s.p));
}

/* 6 pairs with differences 1 to 6: mean 3.5, sd 1.8708, error sd / sqrt(6). */
static void error_of_pairs_and_samples(void **state)
{
	const double a[] = { 0, 0, 0, 0, 0, 0 }, b[] = { 1, 2, 3, 4, 5, 6 };
	struct stratified s = pairs(a, b, 6);

	(void)state;
	assert_int_equal(s.freedom, 5);
	close_to(s.error, 1.870828693 / sqrt(6), 1e-9);
	/* two samples: pooled variance 17.5 / 10, times 1/6 + 1/6 */
	s = two(a, 6, b, 6);
	assert_int_equal(s.freedom, 10);
	close_to(s.error, sqrt(1.75 / 3), 1e-9);
}

/* 100 and 100 without overlap: z = (5000 - 0.5) / sqrt(100 * 100 * 201 / 12) = 12.2. */
static void large_samples_use_the_normal_distribution(void **state)
{
	double a[100], b[100];
	struct stratified s;
	size_t i;

	(void)state;
	for (i = 0; i < 100; i++) {
		a[i] = (double)i;
		b[i] = 1000.5 + (double)i;
	}
	s = two(a, 100, b, 100);
	assert_true(s.p > 0 && s.p < 1e-33 && s.p > 1e-35);
	assert_true(s.interval && s.lo > 980 && s.hi < 1020);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_samples_by_hand),
		cmocka_unit_test(pairs_by_hand),
		cmocka_unit_test(published_two_samples),
		cmocka_unit_test(published_pairs),
		cmocka_unit_test(ties_do_not_become_significance),
		cmocka_unit_test(rounding_makes_no_rank),
		cmocka_unit_test(every_design_is_exact),
		cmocka_unit_test(interval_is_the_test_turned_round),
		cmocka_unit_test(properties),
		cmocka_unit_test(one_sided_blocks),
		cmocka_unit_test(error_of_pairs_and_samples),
		cmocka_unit_test(large_samples_use_the_normal_distribution),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
