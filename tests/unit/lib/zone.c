/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of energy zones, and which of them add up to package power. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "lib/zone.h"

static size_t in_sum(const char *const *label, size_t n)
{
	size_t mask = 0;

	for (size_t i = 0; i < n; i++)
		mask |= (size_t)zone_in_package_sum(label, n, i) << i;
	return mask;
}

static void p05_kinds_by_name(void **state)
{
	(void)state;
	assert_int_equal(zone_kind_of("package-0"), ZONE_PACKAGE);
	assert_int_equal(zone_kind_of("package-12-die-3"), ZONE_DIE);
	assert_int_equal(zone_kind_of("package-0/dram"), ZONE_DRAM);
	assert_int_equal(zone_kind_of("core"), ZONE_CORE);
	assert_int_equal(zone_kind_of("package-0-die-1/uncore"), ZONE_UNCORE);
	assert_int_equal(zone_kind_of("psys"), ZONE_PSYS);
	assert_int_equal(zone_kind_of("package-"), ZONE_OTHER);
	assert_int_equal(zone_kind_of("package-0-core"), ZONE_OTHER);
	assert_int_equal(zone_kind_of("package-0-die-"), ZONE_OTHER);
	assert_int_equal(zone_kind_of("package-99999999"), ZONE_OTHER);
	assert_int_equal(zone_kind_of("xpackage-0"), ZONE_OTHER);
	assert_int_equal(zone_kind_of(""), ZONE_OTHER);
}

static void p07_number_from_the_name(void **state)
{
	int package, die;

	(void)state;
	assert_true(zone_package_of("package-31", &package, &die));
	assert_int_equal(package, 31);
	assert_int_equal(die, -1);
	assert_true(zone_package_of("package-1-die-2", &package, &die));
	assert_int_equal(package, 1);
	assert_int_equal(die, 2);
	assert_false(zone_package_of("psys", &package, &die));
}

static void p05_each_package_once(void **state)
{
	static const char *const client[] = { "package-0", "core", "uncore", "psys", "package-0" };
	static const char *const dies[] = { "package-0-die-0", "package-0-die-1", "dram" };
	static const char *const both[] = { "package-0-die-0", "package-0", "package-0-die-1",
					    "package-1-die-0", "package-0-die-0" };

	(void)state;
	assert_int_equal(in_sum(client, 5), 1);
	assert_int_equal(in_sum(dies, 3), 3);
	/* package-0 holds its dies; of package-1 only a die is known. */
	assert_int_equal(in_sum(both, 5), 2 | 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(p05_kinds_by_name),
		cmocka_unit_test(p07_number_from_the_name),
		cmocka_unit_test(p05_each_package_once),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
