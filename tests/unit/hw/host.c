/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Facts of fake machines: right when there, left out when not, and readable as INI. */
#include "machine.h"
#include "hw/host.h"
#include "lib/ini.h"

#define CPU "sys/devices/system/cpu"

/* host_write()'s text, parsed. */
static struct ini facts_of(const struct root *root)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	struct ini ini;

	assert_non_null(out);
	assert_int_equal(host_write(root, out), 0);
	assert_int_equal(fclose(out), 0);
	if (ini_load_text("host.ini", text, size, &ini))
		fail_msg("%s\n%s", error_text(), text);
	free(text);
	return ini;
}

static void assert_fact(const struct ini *ini, const char *key, const char *value)
{
	const char *have = ini_get(ini, "host", key);

	if (!have != !value || (have && strcmp(have, value)))
		fail_msg("%s = %s, expected %s", key, have ? have : "(none)",
			 value ? value : "(none)");
}

static void test_facts(void **state)
{
	struct machine machine = machine_make("--cpus 4 --smt --governors 'menu nap'");
	struct ini ini;

	(void)state;
	machine_put(&machine, CPU "/intel_pstate/no_turbo", "1\n");
	machine_put(&machine, CPU "/cpu0/cpufreq/scaling_governor", "performance\n");
	machine_put(&machine, CPU "/cpu0/cpufreq/scaling_min_freq", "800000\n");
	machine_put(&machine, "sys/module/haltpoll/parameters/guest_halt_poll_ns", "200000\n");
	machine_put(&machine, "sys/class/thermal/thermal_zone0/type", "acpitz\n");
	machine_put(&machine, "sys/class/thermal/thermal_zone1/type", "x86_pkg_temp\n");
	machine_put(&machine, "sys/class/thermal/thermal_zone1/temp", "41000\n");
	machine_put(&machine, CPU "/nohz_full", "(null)\n"); /* what 6.1 says of no CPUs */
	ini = facts_of(&machine.root);
	assert_fact(&ini, "kernel", "6.12.0");
	assert_fact(&ini, "boot_id", "3f2a9c1e-0000-4000-8000-000000000001");
	assert_fact(&ini, "cmdline", "BOOT_IMAGE=/vmlinuz root=/dev/sda1 ro");
	assert_fact(&ini, "model", "Fake CPU @ 4.10GHz");
	assert_fact(&ini, "microcode", "0xf8");
	assert_fact(&ini, "hypervisor", "no");
	assert_fact(&ini, "hwp", "yes");
	assert_fact(&ini, "hz", "250");
	assert_fact(&ini, "tick", "nohz_idle");
	assert_fact(&ini, "idle_driver", "intel_idle");
	assert_fact(&ini, "governors", "menu nap");
	assert_fact(&ini, "governor", "menu");
	assert_fact(&ini, "smt", "on");
	assert_fact(&ini, "turbo", "off");
	assert_fact(&ini, "cpufreq_governor", "performance");
	assert_fact(&ini, "cpufreq_min_khz", "800000");
	assert_fact(&ini, "clocksource", "tsc");
	assert_fact(&ini, "guest_halt_poll_ns", "200000");
	assert_fact(&ini, "package_temperature_mc", "41000");
	assert_fact(&ini, "load1", "0.15");
	assert_fact(&ini, "memory_kib", "16384000");
	assert_fact(&ini, "cpus_nohz_full", NULL);
	/* not there: left out, and nothing of the live machine in its place */
	assert_fact(&ini, "emulated", NULL);
	assert_fact(&ini, "cpufreq_driver", NULL);
	assert_fact(&ini, "latency_limit_us", NULL);
	assert_fact(&ini, "package_throttle_count", NULL);
	ini_free(&ini);
	machine_free(&machine);
}

static void test_empty_machine(void **state)
{
	struct machine machine = machine_make(NULL);
	struct ini ini = facts_of(&machine.root);

	(void)state;
	assert_int_equal(ini.n, 1); /* the header */
	assert_string_equal(ini.entry[0].section, "host");
	ini_free(&ini);
	machine_free(&machine);
}

/* Joins KEY, KEY2, KEY3 ... with blanks. */
static void join(const struct ini *ini, const char *key, char *text, size_t size)
{
	const char *part = ini_get(ini, "host", key);
	char name[64];

	text[0] = '\0';
	for (int i = 2; part; i++) {
		snprintf(text + strlen(text), size - strlen(text), "%s%s", i > 2 ? " " : "", part);
		snprintf(name, sizeof(name), "%s%d", key, i);
		part = ini_get(ini, "host", name);
	}
}

static void test_long_cmdline(void **state)
{
	struct machine machine = machine_make("--cpus 1");
	char cmdline[1200] = "", joined[1300];
	struct ini ini;

	(void)state;
	for (int i = 0; i < 70; i++)
		snprintf(cmdline + strlen(cmdline), sizeof(cmdline) - strlen(cmdline),
			 "%soption%d=%d", i ? " " : "", i, i * 7919);
	machine_put(&machine, "proc/cmdline", cmdline);
	ini = facts_of(&machine.root);
	assert_non_null(ini_get(&ini, "host", "cmdline5"));
	join(&ini, "cmdline", joined, sizeof(joined));
	assert_string_equal(joined, cmdline);
	ini_free(&ini);
	/* one word longer than a line */
	memset(cmdline, 'x', 500);
	cmdline[500] = '\0';
	machine_put(&machine, "proc/cmdline", cmdline);
	ini = facts_of(&machine.root);
	assert_int_equal(strlen(ini_get(&ini, "host", "cmdline")), INI_LINE_MAX - 10);
	assert_int_equal(strlen(ini_get(&ini, "host", "cmdline")) +
				 strlen(ini_get(&ini, "host", "cmdline2")) +
				 strlen(ini_get(&ini, "host", "cmdline3")),
			 500);
	ini_free(&ini);
	machine_free(&machine);
}

static void test_hostile_text(void **state)
{
	struct machine machine = machine_make("--cpus 1 --no-cpuidle");
	struct ini ini;

	(void)state;
	machine_put(&machine, "proc/cmdline", "a ;b c;d \x1b[2J\tq\n[x]\ny = z\n");
	machine_put(&machine, "proc/sys/kernel/version", "; all comment\n");
	ini = facts_of(&machine.root);
	assert_fact(&ini, "cmdline", "a ?b c;d ?[2J q [x] y = z");
	assert_fact(&ini, "kernel_build", "? all comment");
	assert_fact(&ini, "governor", NULL);
	ini_free(&ini);
	machine_free(&machine);
}

static void test_boot_name(void **state)
{
	struct machine machine = machine_make("--kernel 6.18.44-custom-1");
	char name[64];

	(void)state;
	assert_int_equal(host_boot_name(&machine.root, name, sizeof(name)), 0);
	assert_string_equal(name, "6.18.44-custom-1+3f2a9c1e");
	assert_int_equal(host_boot_name(&machine.root, name, 24), -ENAMETOOLONG);
	machine_put(&machine, "proc/sys/kernel/random/boot_id", "zz\n");
	assert_int_equal(host_boot_name(&machine.root, name, sizeof(name)), 0);
	assert_string_equal(name, "6.18.44-custom-1+unknown");
	machine_remove(&machine, "proc/sys/kernel/random/boot_id");
	machine_put(&machine, "proc/sys/kernel/osrelease", "../6.1 x\n");
	assert_int_equal(host_boot_name(&machine.root, name, sizeof(name)), 0);
	assert_string_equal(name, "_._6.1_x+unknown");
	machine_remove(&machine, "proc/sys/kernel/osrelease");
	assert_int_equal(host_boot_name(&machine.root, name, sizeof(name)), 0);
	assert_string_equal(name, "unknown+unknown");
	machine_free(&machine);
}

static void test_jiffies(void **state)
{
	struct machine machine = machine_make("--cpus 300");
	uint64_t busy = 7, total = 7;

	(void)state;
	/* cpu 1000 20 300 40000 50 6 7 80: busy without idle 40000, iowait 50, steal 80 */
	assert_int_equal(host_cpu_jiffies(&machine.root, &busy, &total), 0);
	assert_int_equal(busy, 1333);
	assert_int_equal(total, 41463);
	machine_put(&machine, "proc/stat", "cpu0 1 2 3 4\n");
	assert_int_equal(host_cpu_jiffies(&machine.root, &busy, &total), -ENODATA);
	machine_remove(&machine, "proc/stat");
	assert_int_equal(host_cpu_jiffies(&machine.root, &busy, &total), -ENODATA);
	assert_int_equal(busy, 1333);
	machine_free(&machine);
}

/* This machine: whatever it is, the text is good INI with its kernel in it. */
static void test_live(void **state)
{
	struct root root;
	struct ini ini;
	char name[128];
	uint64_t busy, total;

	(void)state;
	assert_int_equal(root_open(NULL, &root), 0);
	ini = facts_of(&root);
	assert_non_null(ini_get(&ini, "host", "kernel"));
	assert_int_equal(host_boot_name(&root, name, sizeof(name)), 0);
	assert_int_equal(strncmp(name, ini_get(&ini, "host", "kernel"),
				 strlen(ini_get(&ini, "host", "kernel"))),
			 0);
	assert_int_equal(host_cpu_jiffies(&root, &busy, &total), 0);
	assert_true(total > busy && busy > 0);
	ini_free(&ini);
	root_close(&root);
}

static void test_full_disk(void **state)
{
	struct machine machine = machine_make("--cpus 1");
	FILE *full = fopen("/dev/full", "w");

	(void)state;
	assert_non_null(full);
	assert_int_equal(host_write(&machine.root, full), -EIO);
	fclose(full);
	machine_free(&machine);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_facts),	     cmocka_unit_test(test_empty_machine),
		cmocka_unit_test(test_long_cmdline), cmocka_unit_test(test_hostile_text),
		cmocka_unit_test(test_boot_name),    cmocka_unit_test(test_jiffies),
		cmocka_unit_test(test_live),	     cmocka_unit_test(test_full_disk),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
