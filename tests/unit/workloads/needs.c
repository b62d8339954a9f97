/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What each workload asks of placement, and which combinations it refuses. */
#include "tests/unit/workloads/ask.h"
#include "workloads/ping-pong.h"
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static void test_ping_pong(void **state)
{
	static const struct {
		const char *settings;
		struct {
			int tasks, cpus, group, distance;
			bool pinned;
		} want;
	} cases[] = {
		{ "", { 2, 2, 2, DISTANCE_ANY, true } },
		{ "cores=6", { 6, 6, 6, DISTANCE_ANY, true } },
		{ "cores=all", { -1, -1, -1, DISTANCE_ANY, true } },
		{ "pairs=6", { 12, 12, 2, DISTANCE_ANY, true } },
		{ "pairs=1", { 2, 2, 2, DISTANCE_ANY, true } },
		{ "pairs=2 affinity=free", { 4, 0, 2, DISTANCE_ANY, false } },
		{ "pairs=all affinity=free", { -2, 0, 2, DISTANCE_ANY, false } },
		{ "cores=4096", { 4096, 4096, 4096, DISTANCE_ANY, true } },
		{ "distance=smt-sibling", { 2, 2, 2, DISTANCE_SMT_SIBLING, true } },
		{ "pairs=3 distance=other-package", { 6, 6, 2, DISTANCE_OTHER_PACKAGE, true } },
		{ "loops=5 work=20us transport=futex task=thread",
		  { 2, 2, 2, DISTANCE_ANY, true } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct workload_needs got;

		assert_int_equal(ask("ping-pong", cases[i].settings, &got), 0);
		assert_int_equal(got.tasks, cases[i].want.tasks);
		assert_int_equal(got.cpus, cases[i].want.cpus);
		assert_int_equal(got.group, cases[i].want.group);
		assert_int_equal(got.distance, cases[i].want.distance);
		assert_int_equal(got.pinned, cases[i].want.pinned);
	}
}

static void test_refusals(void **state)
{
	static const char *const cases[] = {
		"cores=2 pairs=2",
		"cores=all pairs=2",
		"affinity=free distance=any",
		"pairs=2 affinity=free distance=smt-sibling",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct workload_needs got;

		assert_int_equal(ask("ping-pong", cases[i], &got), -EINVAL);
		assert_true(error_is_usage());
		assert_non_null(strstr(error_text(), "has no effect with"));
	}
}

/* Two tasks a core cannot have a CPU each: all pairs are the scheduler's to place. */
static void test_all_pairs_pinned(void **state)
{
	struct workload_needs got;

	(void)state;
	assert_int_equal(ask("ping-pong", "pairs=all", &got), -EINVAL);
	assert_true(error_is_usage());
	assert_non_null(strstr(error_text(), "needs affinity = free"));
}

static void test_idle(void **state)
{
	struct workload_needs got;

	(void)state;
	assert_int_equal(ask("idle", "", &got), 0);
	assert_int_equal(got.tasks, 0);
	assert_int_equal(got.cpus, 0);
}

static void test_every_workload(void **state)
{
	(void)state;
	for (size_t i = 0; workload_table[i]; i++) {
		struct workload_needs got;

		assert_int_equal(ask(workload_table[i]->name, "", &got), 0);
		assert_true(got.tasks >= -1);
		assert_true(got.cpus <= got.tasks || got.tasks == -1);
	}
}

/* The words of the parameter are the rows of the table, in order. */
static void test_transports(void **state)
{
	const struct param *param = &workload_find("ping-pong")->params[PING_PONG_TRANSPORT];
	size_t n = 0;

	(void)state;
	for (; transport_table[n].name; n++) {
		struct param_value value;

		assert_int_equal(param_parse(param, transport_table[n].name, &value), 0);
		assert_int_equal(value.choice, (int)n);
	}
	assert_int_equal(n, 6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ping_pong),	 cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_all_pairs_pinned), cmocka_unit_test(test_idle),
		cmocka_unit_test(test_every_workload),	 cmocka_unit_test(test_transports),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
