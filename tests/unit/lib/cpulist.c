/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CPU lists: order is kept, mistakes are named with their place, what is written reads back.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "lib/cpulist.h"
#include "lib/error.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void parse_format(const char *text, const char *expected, size_t n)
{
	struct cpulist list;
	char *back;

	assert_int_equal(cpulist_parse(text, &list), 0);
	assert_int_equal(list.n, n);
	back = cpulist_format(&list);
	assert_string_equal(back, expected);
	free(back);
	cpulist_free(&list);
	assert_int_equal(list.n, 0);
}

static void lists_read_and_write(void **state)
{
	(void)state;
	parse_format("", "", 0);
	parse_format("\n", "", 0);
	parse_format("0", "0", 1);
	parse_format("0\n", "0", 1);
	parse_format("0-3,6\n", "0-3,6", 5); /* */
	parse_format("3,2,1,0", "3,2,1,0", 4);
	parse_format("2,0-1", "2,0-1", 3);
	parse_format("0,1,2", "0-2", 3);
	parse_format("5-5", "5", 1);
	parse_format("65535", "65535", 1);
	parse_format("0-65535", "0-65535", 65536);
}

static void mistakes_have_a_place(void **state)
{
	static const struct {
		const char *text, *message;
	} bad[] = {
		{ "3-1", "CPU list '3-1', character 1: lo above hi" },
		{ "0,3-1", "CPU list '0,3-1', character 3: lo above hi" },
		{ "0-3,2", "CPU list '0-3,2', character 5: a CPU is named twice" },
		{ "0,0", "CPU list '0,0', character 3: a CPU is named twice" },
		{ "0,,1", "CPU list '0,,1', character 3: a CPU number is missing" },
		{ "0,", "CPU list '0,', character 3: a CPU number is missing" },
		{ "0-", "CPU list '0-', character 3: a CPU number is missing" },
		{ "-1", "CPU list '-1', character 1: a CPU number is missing" },
		{ "all", "CPU list 'all', character 1: a CPU number is missing" },
		{ " 0", "CPU list ' 0', character 1: a CPU number is missing" },
		{ "0 1", "CPU list '0 1', character 2: not a list like 0-3,6" },
		{ "0-1-2", "CPU list '0-1-2', character 4: not a list like 0-3,6" },
		{ "0\n1", "CPU list '0?1', character 2: not a list like 0-3,6" },
		{ "65536", "CPU list '65536', character 1: the CPU number is above 65535" },
		{ "0-99999999999999999999",
		  "CPU list '0-99999999999999999999', character 3: the CPU number is above 65535" },
		{ "0-7:2/4", "CPU list '0-7:2/4', character 4: "
			     "the stride form lo-hi:used/group is not taken; name each CPU" },
	};
	struct cpulist list = { .n = 42 };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(cpulist_parse(bad[i].text, &list), -EINVAL);
		assert_true(error_is_usage());
		assert_string_equal(error_text(), bad[i].message);
	}
	assert_int_equal(list.n, 42);
}

static void random_orders_read_back(void **state)
{
	unsigned short seed[3] = { 4, 5, 6 };
	struct cpulist list, back;
	int round, cpu;
	char *text;

	(void)state;
	for (round = 0; round < 500; round++) {
		list = (struct cpulist){ 0 };
		while (list.n < (size_t)(round % 40)) {
			cpu = (int)(erand48(seed) * 50);
			if (!cpulist_has(&list, cpu))
				assert_int_equal(cpulist_add(&list, cpu), 0);
		}
		text = cpulist_format(&list);
		assert_int_equal(cpulist_parse(text, &back), 0);
		assert_int_equal(back.n, list.n);
		if (list.n)
			assert_memory_equal(back.cpu, list.cpu, list.n * sizeof(*list.cpu));
		free(text);
		cpulist_free(&list);
		cpulist_free(&back);
	}
}

static void copy_is_its_own_and_sort_sorts(void **state)
{
	struct cpulist list, copy, empty = { 0 };
	char *text;

	(void)state;
	assert_int_equal(cpulist_parse("7,2,5", &list), 0);
	assert_int_equal(cpulist_copy(&list, &copy), 0);
	cpulist_sort(&copy);
	assert_int_equal(cpulist_add(&copy, 9), 0);
	text = cpulist_format(&copy);
	assert_string_equal(text, "2,5,7,9");
	free(text);
	assert_int_equal(list.cpu[0], 7);
	assert_true(cpulist_has(&list, 5));
	assert_false(cpulist_has(&list, 9));
	cpulist_free(&list);
	cpulist_free(&copy);
	assert_int_equal(cpulist_copy(&empty, &copy), 0);
	assert_int_equal(copy.n, 0);
	cpulist_sort(&copy);
	cpulist_free(&copy);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_read_and_write),
		cmocka_unit_test(mistakes_have_a_place),
		cmocka_unit_test(random_orders_read_back),
		cmocka_unit_test(copy_is_its_own_and_sort_sorts),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
