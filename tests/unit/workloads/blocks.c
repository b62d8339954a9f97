/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Block means against figures made by hand. */
#include "workloads/blocks.h"
#include "lib/hist.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#define MS 1000000u

static struct blocks blocks;

static uint64_t run(uint64_t now, uint64_t each, int loops)
{
	for (int i = 0; i < loops; i++)
		blocks_add(&blocks, now += each);
	return now;
}

static void test_window(void **state)
{
	uint64_t now;

	(void)state;
	/* 5 s: ten blocks of 0.5 s; loops of 1 ms, then of 2 ms. */
	blocks_begin(&blocks, 1000, 5000ull * MS, 0);
	assert_int_equal(blocks.period_ns, 500 * MS);
	now = run(1000, MS, 2500);
	now = run(now, 2 * MS, 1250);
	blocks_end(&blocks, now);
	assert_int_equal(blocks.n, 10);
	for (int i = 0; i < 10; i++) {
		assert_true(fabs(blocks.block[i].mean_us - (i < 5 ? 1000 : 2000)) < 1e-9);
		assert_int_equal(blocks.block[i].t_ns, 1000 + (uint64_t)(i + 1) * 500 * MS);
	}
}

static void test_periods(void **state)
{
	(void)state;
	blocks_begin(&blocks, 0, 60000ull * MS, 0);
	assert_int_equal(blocks.period_ns, 1000 * MS);
	blocks_begin(&blocks, 0, 100000000ull * MS, 0);
	assert_true(blocks.period_ns * BLOCKS_MAX >= 100000000ull * MS);
	blocks_begin(&blocks, 0, 5, 0);
	assert_int_equal(blocks.period_ns, 1);
	blocks_begin(&blocks, 0, 0, 5000000);
	assert_int_equal(blocks.period_loops, 5000);
	blocks_begin(&blocks, 0, 0, 3);
	assert_int_equal(blocks.period_loops, 1);
}

/* One loop over several due times makes one block, and the grid stays. */
static void test_long_loop(void **state)
{
	uint64_t now;

	(void)state;
	blocks_begin(&blocks, 0, 10000ull * MS, 0);
	now = run(0, 3500ull * MS, 1);
	now = run(now, 100 * MS, 5);
	assert_int_equal(blocks.n, 2);
	assert_true(blocks.block[0].mean_us == 3500000);
	assert_int_equal(blocks.block[1].t_ns, 4000ull * MS);
	/* A rest of a fifth of a block is left out, one of a half is not. */
	now = run(now, 100 * MS, 2);
	blocks_end(&blocks, now);
	assert_int_equal(blocks.n, 2);
	now = run(now, 100 * MS, 3);
	blocks_end(&blocks, now);
	assert_int_equal(blocks.n, 3);
}

static void test_loops(void **state)
{
	uint64_t now;

	(void)state;
	blocks_begin(&blocks, 0, UINT64_MAX, 2500);
	now = run(0, 1000, 2500);
	blocks_end(&blocks, now);
	assert_int_equal(blocks.n, 834); /* blocks of 3, the rest of 1 counts as half of 2 */
	assert_true(blocks.block[0].mean_us == 1);
}

static void test_full(void **state)
{
	(void)state;
	blocks_begin(&blocks, 0, 1000, 0);
	run(0, 1000, BLOCKS_MAX + 10);
	assert_int_equal(blocks.n, BLOCKS_MAX);
}

static void test_summary(void **state)
{
	struct blocks_summary summary = { 0 };
	static const double us[] = { 2, 4, 4, 4, 5, 5, 7, 9 };

	(void)state;
	assert_true(isnan(blocks_sd(&summary)));
	blocks.n = 1;
	for (size_t i = 0; i < 8; i++) {
		blocks.block[0].mean_us = us[i];
		blocks_summarize(&blocks, &summary);
	}
	/* Sum of squares about the mean of 5 is 32. */
	assert_true(fabs(blocks_sd(&summary) - sqrt(32.0 / 7)) < 1e-12);
	assert_true(summary.min == 2 && summary.max == 9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_window),	  cmocka_unit_test(test_periods),
		cmocka_unit_test(test_long_loop), cmocka_unit_test(test_loops),
		cmocka_unit_test(test_full),	  cmocka_unit_test(test_summary),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
