/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What exits of idle states cost, from counts whose sum is known. */
#include "analysis/overhead.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define close_to(a, b, by) assert_true(fabs((a) - (b)) <= (by))

/* 1,979,541 entries of 133 us on two CPUs in 300 s: 43.88 % of their time. */
static void of_one_state(void **state)
{
	struct idle_state c6 = { .latency_us = 133 };
	struct idle_sum sum = { .readings = 2, .window_ns = 600e9, .usage = 1979541 };

	(void)state;
	close_to(overhead_pct(&sum, &c6), 43.8798, 1e-4);
	c6.latency_us = 0;
	assert_true(overhead_pct(&sum, &c6) == 0);
}

static void not_available(void **state)
{
	struct idle_state c6 = { .latency_us = NAN };
	struct idle_sum sum = { .readings = 1, .window_ns = 1e9, .usage = 5 };

	(void)state;
	assert_true(isnan(overhead_pct(&sum, &c6)));
	c6.latency_us = 1;
	sum.usage = NAN;
	assert_true(isnan(overhead_pct(&sum, &c6)));
	sum = (struct idle_sum){ 0 };
	assert_true(isnan(overhead_pct(&sum, &c6)));
	sum = (struct idle_sum){ .readings = 1, .window_ns = NAN, .usage = 5 };
	assert_true(isnan(overhead_pct(&sum, &c6))); /* imported without times */
}

/* A big CPU of two states, a little one of one; a third table without readings. */
static void over_tables(void **state)
{
	struct idle_state big[] = { { .latency_us = 0 }, { .latency_us = 100 } };
	struct idle_state little[] = { { .latency_us = 50 } };
	struct state_table table[] = { { .state = big, .states = 2, .first = 0 },
				       { .state = little, .states = 1, .first = 2 },
				       { .state = little, .states = 1, .first = 3 } };
	struct result result = { .table = table, .tables = 3, .states = 4 };
	struct idle_sum sums[] = { { .readings = 1, .window_ns = 1e9, .usage = 100000 },
				   { .readings = 1, .window_ns = 1e9, .usage = 1000 },
				   { .readings = 1, .window_ns = 1e9, .usage = 2000 },
				   { 0 } };

	(void)state;
	close_to(overhead_total_pct(&result, sums), 10, 1e-9); /* 0.1 s + 0.1 s of 2 s */
	sums[2].usage = NAN;
	assert_true(isnan(overhead_total_pct(&result, sums)));
	memset(sums, 0, sizeof(sums));
	assert_true(isnan(overhead_total_pct(&result, sums)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(of_one_state),
		cmocka_unit_test(not_available),
		cmocka_unit_test(over_tables),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
