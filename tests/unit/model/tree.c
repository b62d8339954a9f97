/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tournament against a plain search, and its order of equal times. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "lib/random.h"
#include "model/tree.h"

#define LEAVES 16

static uint32_t plain_first(const int64_t *time)
{
	uint32_t first = 0;

	for (uint32_t i = 1; i < LEAVES; i++)
		first = time[i] < time[first] ? i : first;
	return first;
}

static void agrees_with_search(void **state)
{
	uint32_t first[2 * LEAVES];
	int64_t time[LEAVES];
	uint64_t random = 1;
	struct tree tree;

	(void)state;
	tree_init(&tree, LEAVES, first, time);
	assert_int_equal(tree_first(&tree), 0);
	for (int i = 0; i < 20000; i++) {
		uint32_t leaf = (uint32_t)random_below(&random, LEAVES);

		/* Few values, so that many are equal. */
		tree_set(&tree, leaf, i % 7 ? (int64_t)random_below(&random, 20) : TREE_NEVER);
		assert_int_equal(tree_first(&tree), plain_first(time));
	}
}

static void one_leaf(void **state)
{
	uint32_t first[2];
	int64_t time[1];
	struct tree tree;

	(void)state;
	tree_init(&tree, 1, first, time);
	tree_set(&tree, 0, 5);
	assert_int_equal(tree_first(&tree), 0);
	assert_int_equal(time[0], 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(agrees_with_search),
		cmocka_unit_test(one_leaf),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
