/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The histogram: buckets tile the axis without gap, quantiles agree with the sorted samples to a
 * bucket's width, merging equals adding.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "lib/hist.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct hist a, b, both;

static void buckets_tile_the_axis(void **state)
{
	unsigned int i;
	uint64_t lo, hi;

	(void)state;
	assert_true(hist_lo_ns(0) == 0);
	for (i = 0; i < HIST_BUCKETS; i++) {
		lo = hist_lo_ns(i);
		hi = hist_hi_ns(i);
		assert_true(hi > lo);
		assert_int_equal(hist_index(lo), i);
		assert_int_equal(hist_index(hi - 1), i);
		if (i + 1 < HIST_BUCKETS)
			assert_true(hi == hist_lo_ns(i + 1));
		assert_true(hi - lo == 1 || (hi - lo) * 64 <= lo);
	}
	assert_true(hi == UINT64_C(1) << HIST_MAX_BITS);
}

static void the_last_bucket_takes_what_is_longer(void **state)
{
	(void)state;
	hist_clear(&a);
	hist_add(&a, 5);
	hist_add(&a, 7);
	hist_add(&a, UINT64_C(1) << 50);
	hist_add(&a, UINT64_C(1) << 51);
	assert_true(a.bucket[HIST_BUCKETS - 1] == 2);
	assert_true(a.max_ns == UINT64_C(1) << 51);
	assert_true(hist_quantile_ns(&a, 1) == 0x1p51);
	/* The third of four lies in the open bucket: no less than that is known. */
	assert_true(hist_quantile_ns(&a, 0.75) >= 0x1p42);
	assert_true(hist_quantile_ns(&a, 0.5) == 7);
}

static void empty_is_not_available(void **state)
{
	(void)state;
	hist_clear(&a);
	assert_true(isnan(hist_quantile_ns(&a, 0.5)));
	assert_true(isnan(hist_mean_ns(&a)));
}

/* */
static void zero_counts_like_any_other(void **state)
{
	(void)state;
	hist_clear(&a);
	hist_add(&a, 0);
	hist_add(&a, 10);
	assert_true(a.count == 2 && a.sum_ns == 10 && a.min_ns == 0 && a.max_ns == 10);
	assert_true(hist_mean_ns(&a) == 5);
	assert_true(hist_quantile_ns(&a, 0.5) == 0);
}

static void rank_is_not_moved_by_rounding(void **state)
{
	int i;

	(void)state;
	hist_clear(&a);
	for (i = 1; i <= 100; i++)
		hist_add(&a, (uint64_t)i);
	/* Buckets are 1 ns wide up to 128, so nearest rank is exact. */
	assert_true(hist_quantile_ns(&a, 0.07) == 7); /* 0.07 * 100 is 7.000000000000001 */
	assert_true(hist_quantile_ns(&a, 0.55) == 55);
	assert_true(hist_quantile_ns(&a, 0.5) == 50);
	assert_true(hist_quantile_ns(&a, 0.501) == 51);
	assert_true(hist_quantile_ns(&a, 1e-9) == 1);
	assert_true(hist_quantile_ns(&a, 1) == 100);
}

static void a_quantile_stays_between_minimum_and_maximum(void **state)
{
	int i;

	(void)state;
	hist_clear(&a);
	for (i = 0; i < 5; i++)
		hist_add(&a, 1000003); /* not the middle of its bucket */
	assert_true(hist_quantile_ns(&a, 0.5) == 1000003);
}

static int compare(const void *x, const void *y)
{
	uint64_t p = *(const uint64_t *)x, q = *(const uint64_t *)y;

	return (p > q) - (p < q);
}

static void quantiles_agree_with_sorted_samples(void **state)
{
	static const double quantile[] = { 0.001, 0.01, 0.1, 0.25, 0.5, 0.9, 0.99, 0.999, 1 };
	static uint64_t sample[20000];
	unsigned short seed[3] = { 7, 8, 9 };
	size_t n = sizeof(sample) / sizeof(sample[0]), i;
	double exact, got;

	(void)state;
	hist_clear(&a);
	for (i = 0; i < n; i++) {
		sample[i] = (uint64_t)pow(2, erand48(seed) * 41);
		hist_add(&a, sample[i]);
	}
	qsort(sample, n, sizeof(sample[0]), compare);
	for (i = 0; i < sizeof(quantile) / sizeof(quantile[0]); i++) {
		exact = (double)sample[(size_t)ceil(quantile[i] * (double)n - 1e-6) - 1];
		got = hist_quantile_ns(&a, quantile[i]);
		assert_true(fabs(got - exact) <= exact / 64);
	}
	assert_true(hist_quantile_ns(&a, 1) == (double)sample[n - 1]);
}

static void merging_equals_adding(void **state)
{
	unsigned short seed[3] = { 1, 1, 2 };
	uint64_t ns;
	int i;

	(void)state;
	hist_clear(&a);
	hist_clear(&b);
	hist_clear(&both);
	for (i = 0; i < 5000; i++) {
		ns = (uint64_t)(erand48(seed) * 1e7);
		hist_add(i % 3 ? &a : &b, ns);
		hist_add(&both, ns);
	}
	hist_merge(&a, &b);
	assert_memory_equal(&a, &both, sizeof(a));
	hist_clear(&b);
	hist_merge(&a, &b); /* an empty one's minimum of 0 means nothing */
	assert_memory_equal(&a, &both, sizeof(a));
	hist_merge(&b, &a);
	assert_memory_equal(&b, &both, sizeof(b));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(buckets_tile_the_axis),
		cmocka_unit_test(the_last_bucket_takes_what_is_longer),
		cmocka_unit_test(empty_is_not_available),
		cmocka_unit_test(zero_counts_like_any_other),
		cmocka_unit_test(rank_is_not_moved_by_rounding),
		cmocka_unit_test(a_quantile_stays_between_minimum_and_maximum),
		cmocka_unit_test(quantiles_agree_with_sorted_samples),
		cmocka_unit_test(merging_equals_adding),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
