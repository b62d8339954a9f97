// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the kernel's events say of CPUs, from texts as the kernel sends them; and the socket itself,
 * on which nothing comes while nobody switches a CPU. A real switch: tests/lab/offline.t.
 */
#include "hw/hotplug.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

static const char *described(const char *event, size_t length)
{
	static char text[48];

	return hotplug_describe(event, length, text, sizeof(text)) ? text : "";
}
#define DESCRIBED(literal) described(literal, sizeof(literal))

static void cpus_are_named(void **state)
{
	(void)state;
	assert_string_equal(DESCRIBED("offline@/devices/system/cpu/cpu3\0ACTION=offline"),
			    "cpu3 went offline");
	assert_string_equal(DESCRIBED("online@/devices/system/cpu/cpu127"), "cpu127 came online");
	assert_string_equal(DESCRIBED("remove@/devices/system/cpu/cpu0"), "cpu0 was removed");
	assert_string_equal(DESCRIBED("add@/devices/system/cpu/cpu64"), "cpu64 was added");
}

static void others_are_not_cpus(void **state)
{
	(void)state;
	assert_string_equal(DESCRIBED("change@/devices/system/cpu/cpu3"), "");
	assert_string_equal(DESCRIBED("offline@/devices/system/cpu/cpufreq"), "");
	assert_string_equal(DESCRIBED("offline@/devices/system/cpu/cpu"), "");
	assert_string_equal(DESCRIBED("offline@/devices/system/memory/memory3"), "");
	assert_string_equal(DESCRIBED("add@/devices/virtual/net/cpu3"), "");
	assert_string_equal(DESCRIBED(""), "");
}

static void a_text_without_end_is_none(void **state)
{
	static const char cut[] = { 'o', 'f', 'f', 'l', 'i', 'n', 'e', '@' };

	(void)state;
	assert_string_equal(described(cut, sizeof(cut)), "");
	assert_string_equal(described(cut, 0), "");
}

static void nothing_comes_of_itself(void **state)
{
	struct root live, fake = { .live = false };
	char text[64] = "x";
	int fd;

	(void)state;
	memset(&live, 0, sizeof(live));
	live.live = true;
	fd = hotplug_watch(&live);
	assert_true(fd >= 0);
	assert_false(hotplug_happened(fd, text, sizeof(text)));
	assert_string_equal(text, "");
	close(fd);
	assert_int_equal(hotplug_watch(&fake), -1);
	assert_false(hotplug_happened(-1, text, sizeof(text)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cpus_are_named),
		cmocka_unit_test(others_are_not_cpus),
		cmocka_unit_test(a_text_without_end_is_none),
		cmocka_unit_test(nothing_comes_of_itself),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
