/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Temperatures and throttle counts of fake machines. */
#include "machine.h"
#include "hw/thermal.h"

#define ZONE "sys/class/thermal/thermal_zone"
#define HWMON "sys/class/hwmon/hwmon"
#define THROTTLE "sys/devices/system/cpu/cpu%d/thermal_throttle/%s_throttle_count"

static struct thermal thermal_of(const struct machine *machine)
{
	struct thermal thermal;

	assert_int_equal(thermal_find(&machine->root, &thermal), 0);
	return thermal;
}

/* Numbers with gaps, two packages, other zones between, and coretemp that shows one again. */
static void p47_package_zones(void **state)
{
	struct machine machine = machine_make(NULL);
	struct thermal thermal;
	int mc = 7;

	(void)state;
	machine_put(&machine, ZONE "0/type", "acpitz\n");
	machine_put(&machine, ZONE "0/temp", "99000\n");
	machine_put(&machine, ZONE "2/type", "x86_pkg_temp\n");
	machine_put(&machine, ZONE "2/temp", "41000\n");
	machine_put(&machine, ZONE "11/type", "x86_pkg_temp\n");
	machine_put(&machine, ZONE "11/temp", "43000\n");
	machine_put(&machine, HWMON "1/name", "coretemp\n");
	machine_put(&machine, HWMON "1/temp1_label", "Package id 0\n");
	machine_put(&machine, HWMON "1/temp1_input", "50000\n");
	thermal = thermal_of(&machine);
	assert_int_equal(thermal.n, 2);
	assert_string_equal(thermal.sensor[0].label, "thermal_zone2 x86_pkg_temp");
	assert_int_equal(thermal_read(&machine.root, &thermal.sensor[0], &mc), 0);
	assert_int_equal(mc, 41000);
	assert_true(thermal_hottest(&machine.root, &thermal, &mc));
	assert_int_equal(mc, 43000);
	thermal_free(&thermal);
	machine_free(&machine);
}

static void p47_hwmon(void **state)
{
	struct machine machine = machine_make(NULL);
	struct thermal thermal;
	int mc;

	(void)state;
	machine_put(&machine, HWMON "0/name", "nvme\n");
	machine_put(&machine, HWMON "0/temp1_label", "Composite\n");
	machine_put(&machine, HWMON "0/temp1_input", "80000\n");
	machine_put(&machine, HWMON "3/name", "k10temp\n");
	machine_put(&machine, HWMON "3/temp1_label", "Tctl\n");
	machine_put(&machine, HWMON "3/temp1_input", "-1250\n");
	machine_put(&machine, HWMON "3/temp3_label", "Tccd1\n");
	machine_put(&machine, HWMON "3/temp3_input", "90000\n");
	machine_put(&machine, HWMON "4/name", "coretemp\n");
	machine_put(&machine, HWMON "4/temp1_label", "Package id 1\n");
	machine_put(&machine, HWMON "4/temp2_label", "Core 0\n");
	thermal = thermal_of(&machine);
	assert_int_equal(thermal.n, 2);
	assert_string_equal(thermal.sensor[0].label, "hwmon3 Tctl");
	assert_string_equal(thermal.sensor[1].label, "hwmon4 Package id 1");
	assert_int_equal(thermal_read(&machine.root, &thermal.sensor[1], &mc), -ENOENT);
	/* the only one that can be read, and below zero */
	assert_true(thermal_hottest(&machine.root, &thermal, &mc));
	assert_int_equal(mc, -1250);
	thermal_free(&thermal);
	machine_free(&machine);
}

static void p47_no_sensor(void **state)
{
	static const char *const bad[] = { "", "hot\n", "-\n", "41.5\n", "-274000\n", "2000000\n" };
	struct machine machine = machine_make(NULL);
	struct thermal thermal = thermal_of(&machine);
	int mc = 7;

	(void)state;
	assert_int_equal(thermal.n, 0);
	assert_false(thermal_hottest(&machine.root, &thermal, &mc));
	machine_put(&machine, ZONE "0/type", "x86_pkg_temp\n");
	thermal = thermal_of(&machine);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		machine_put(&machine, ZONE "0/temp", bad[i]);
		assert_int_equal(thermal_read(&machine.root, &thermal.sensor[0], &mc), -EBADMSG);
		assert_error_has("is not a temperature");
		assert_false(thermal_hottest(&machine.root, &thermal, &mc));
	}
	assert_int_equal(mc, 7);
	thermal_free(&thermal);
	machine_free(&machine);
}

static void put_count(const struct machine *machine, int cpu, const char *what, const char *text)
{
	char path[128];

	snprintf(path, sizeof(path), THROTTLE, cpu, what);
	machine_put(machine, path, text);
}

static void p47_throttle_counts(void **state)
{
	struct machine machine = machine_make(NULL);
	struct cpulist cpus = list_of("0-2");
	struct thermal_throttle first[3], last[3];
	char text[256];

	(void)state;
	put_count(&machine, 0, "core", "5\n");
	put_count(&machine, 0, "package", "9\n");
	put_count(&machine, 2, "core", "many\n");
	thermal_read_throttle(&machine.root, &cpus, first);
	assert_true(first[0].core.known && first[0].package.known);
	assert_int_equal(first[0].core.value, 5);
	assert_int_equal(first[0].package.value, 9);
	assert_false(first[1].core.known || first[1].package.known);
	assert_false(first[2].core.known);
	assert_false(thermal_throttled(&cpus, first, first, text, sizeof(text)));
	/* a count that was not there before is no event */
	put_count(&machine, 1, "core", "1000\n");
	thermal_read_throttle(&machine.root, &cpus, last);
	assert_false(thermal_throttled(&cpus, first, last, text, sizeof(text)));
	put_count(&machine, 0, "core", "17\n");
	put_count(&machine, 0, "package", "49\n");
	thermal_read_throttle(&machine.root, &cpus, last);
	assert_true(thermal_throttled(&cpus, first, last, text, sizeof(text)));
	assert_string_equal(text, "cpu0: core throttled 12 times, package 40 times for heat or "
				  "power");
	cpulist_free(&cpus);
	machine_free(&machine);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(p47_package_zones),
		cmocka_unit_test(p47_hwmon),
		cmocka_unit_test(p47_no_sensor),
		cmocka_unit_test(p47_throttle_counts),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
