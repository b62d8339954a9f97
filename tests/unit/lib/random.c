/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The generator against its published numbers, and a fair choice of n. */
#include "lib/random.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

/* The first numbers of seed 1234567, as Rosetta Code lists them for "splitmix64". */
static void test_published(void **state)
{
	static const uint64_t want[] = { 6457827717110365317u, 3203168211198807973u,
					 9817491932198370423u, 4593380528125082431u,
					 16408922859458223821u };
	uint64_t seed = 1234567;

	(void)state;
	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++)
		assert_true(random_next(&seed) == want[i]);
}

static void test_below(void **state)
{
	uint64_t seed = 0, seen[10] = { 0 };

	(void)state;
	for (int i = 0; i < 100000; i++) {
		uint64_t n = random_below(&seed, 10);

		assert_true(n < 10);
		seen[n]++;
	}
	for (int i = 0; i < 10; i++) /* 10,000 each; a deviation of 600 is 6 sigma */
		assert_true(seen[i] > 9400 && seen[i] < 10600);
	assert_int_equal(random_below(&seed, 1), 0);
	for (int i = 0; i < 100; i++)
		assert_true(random_below(&seed, UINT64_MAX) < UINT64_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_published),
		cmocka_unit_test(test_below),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
