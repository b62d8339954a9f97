/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Governors offered, in use, missing, and mistyped, on fake machines. */
#include "machine.h"
#include "hw/governor.h"
#include "hw/kconfig.h"
#include <zlib.h>

#define FOLDER "sys/devices/system/cpu/cpuidle"

static void test_offered(void **state)
{
	struct machine machine = machine_make("--governors 'ladder menu nap' --governor menu");
	struct governor_list list;
	char name[GOVERNOR_NAME_MAX], driver[64];

	(void)state;
	assert_file(&machine, FOLDER "/available_governors", "ladder menu nap");
	assert_int_equal(governor_available(&machine.root, &list), 0);
	assert_int_equal(list.n, 3);
	assert_string_equal(list.name[0], "ladder");
	assert_string_equal(list.name[2], "nap");
	assert_int_equal(governor_current(&machine.root, name), 0);
	assert_string_equal(name, "menu");
	assert_int_equal(governor_driver(&machine.root, driver, sizeof(driver)), 0);
	assert_string_equal(driver, "intel_idle");
	machine_free(&machine);
}

static void test_writable(void **state)
{
	struct machine machine = machine_make("");
	const char *path = NULL;

	(void)state;
	assert_int_equal(governor_writable(&machine.root, &path), 0);
	assert_string_equal(path, FOLDER "/current_governor");
	machine_free(&machine);
}

static void test_not_writable_by_user(void **state)
{
	struct machine machine = machine_make("");
	const char *path = NULL;
	char whole[256];

	(void)state;
	snprintf(whole, sizeof(whole), "%s/" FOLDER "/current_governor", machine.dir);
	assert_int_equal(chmod(whole, 0444), 0);
	assert_int_equal(chmod(machine.dir, 0755), 0);
	/* Root may write anything: be somebody else for the question. */
	if (!geteuid())
		assert_int_equal(seteuid(65534), 0);
	assert_int_equal(governor_writable(&machine.root, &path), -EACCES);
	if (!getuid())
		assert_int_equal(seteuid(0), 0);
	assert_error_has("current_governor may not be written by this user: run as root");
	assert_null(path);
	machine_free(&machine);
}

static void test_before_5_8(void **state)
{
	struct machine machine = machine_make("--no-switch --governors menu");
	struct governor_list list;
	char name[GOVERNOR_NAME_MAX];
	const char *path = NULL;

	(void)state;
	assert_int_equal(governor_current(&machine.root, name), 0);
	assert_string_equal(name, "menu");
	assert_int_equal(governor_available(&machine.root, &list), 0);
	assert_int_equal(list.n, 1);
	assert_string_equal(list.name[0], "menu");
	assert_int_equal(governor_writable(&machine.root, &path), -EROFS);
	assert_error_has("before 5.8 boot with cpuidle_sysfs_switch");
	machine_free(&machine);
}

static void test_no_cpuidle(void **state)
{
	struct machine machine = machine_make("--no-cpuidle");
	struct governor_list list;
	char name[64];
	const char *path;

	(void)state;
	assert_int_equal(governor_current(&machine.root, name), -ENODEV);
	assert_error_has("idle governors cannot matter here");
	assert_int_equal(governor_available(&machine.root, &list), -ENODEV);
	assert_int_equal(governor_driver(&machine.root, name, sizeof(name)), -ENODEV);
	assert_int_equal(governor_writable(&machine.root, &path), -ENODEV);
	assert_error_has(FOLDER " does not exist");
	machine_free(&machine);
}

static void test_garbage(void **state)
{
	struct machine machine = machine_make("");
	struct governor_list list = { .n = 7 };
	char name[GOVERNOR_NAME_MAX];

	(void)state;
	machine_put(&machine, FOLDER "/current_governor", "\n");
	assert_int_equal(governor_current(&machine.root, name), -EBADMSG);
	machine_put(&machine, FOLDER "/current_governor", "sixteen-letters-\n");
	assert_int_equal(governor_current(&machine.root, name), -EBADMSG);
	machine_put(&machine, FOLDER "/available_governors", "menu te/o\n");
	assert_int_equal(governor_available(&machine.root, &list), -EBADMSG);
	assert_error_has("'te/o' is not a governor's name");
	assert_int_equal(list.n, 7);
	machine_put(&machine, FOLDER "/available_governors", "\n");
	assert_int_equal(governor_available(&machine.root, &list), 0);
	assert_int_equal(list.n, 0);
	machine_free(&machine);
}

static void test_name_valid(void **state)
{
	(void)state;
	assert_true(governor_name_valid("teo-ng_2.1"));
	assert_true(governor_name_valid("fifteen-letters"));
	assert_false(governor_name_valid("sixteen-letters-"));
	assert_false(governor_name_valid(""));
	assert_false(governor_name_valid("a b"));
	assert_false(governor_name_valid("menu,teo"));
	assert_false(governor_name_valid("men\xc3\xbc"));
}

static void assert_reason(const struct machine *machine, const char *name, const char *part)
{
	char text[512];

	governor_missing_reason(&machine->root, name, text, sizeof(text));
	if (!strstr(text, part))
		fail_msg("'%s' has no '%s'", text, part);
}

static void test_missing_by_config(void **state)
{
	struct machine machine = machine_make("--governors menu --kernel 6.12.1-x");

	(void)state;
	assert_reason(&machine, "teo", "CONFIG_CPU_IDLE_GOV_TEO is not set in ");
	assert_reason(&machine, "teo",
		      "/boot/config-6.12.1-x (rebuild the kernel with CONFIG_CPU_IDLE_GOV_TEO=y)");
	assert_reason(&machine, "nap", "'nap' is not a governor of mainline kernels");
	machine_put(&machine, "boot/config-6.12.1-x",
		    "CONFIG_CPU_IDLE_GOV_HALTPOLL=y\nCONFIG_CPU_IDLE_GOV_TEO=m\n"
		    "CONFIG_CPU_IDLE_GOV_LADDER=y\n");
	assert_reason(&machine, "haltpoll", "registers only in a KVM guest");
	assert_reason(&machine, "teo", "it is a module, load it (modprobe teo)");
	assert_reason(&machine, "ladder", "but this kernel does not offer it");
	assert_reason(&machine, "menu", "does not mention CONFIG_CPU_IDLE_GOV_MENU");
	machine_free(&machine);
}

static void test_missing_without_config(void **state)
{
	struct machine machine = machine_make("--no-config");

	(void)state;
	assert_reason(&machine, "haltpoll", "no kernel configuration is readable");
	assert_reason(&machine, "haltpoll", "CONFIG_CPU_IDLE_GOV_HALTPOLL=y");
	machine_put(&machine, "boot/config-6.12.0", "this is not a configuration\n");
	assert_reason(&machine, "haltpoll", "no kernel configuration is readable");
	machine_free(&machine);
}

/* /proc/config.gz goes before /boot; a torn one does not count. */
static void test_config_gz(void **state)
{
	struct machine machine = machine_make("--kernel 6.1");
	char value[64], where[KCONFIG_WHERE_MAX], path[128];
	gzFile file;

	(void)state;
	assert_int_equal(kconfig_get(&machine.root, "CONFIG_HZ", value, sizeof(value), where), 0);
	assert_string_equal(value, "250");
	assert_non_null(strstr(where, "/boot/config-6.1"));
	snprintf(path, sizeof(path), "%s/proc/config.gz", machine.dir);
	file = gzopen(path, "w");
	assert_non_null(file);
	gzputs(file, "# comment\nCONFIG_HZ=1000\nCONFIG_X=\"a b\"\n# CONFIG_Y is not set\n");
	assert_int_equal(gzclose(file), Z_OK);
	assert_int_equal(kconfig_get(&machine.root, "CONFIG_HZ", value, sizeof(value), where), 0);
	assert_string_equal(value, "1000");
	assert_non_null(strstr(where, "/proc/config.gz"));
	assert_int_equal(kconfig_get(&machine.root, "CONFIG_X", value, sizeof(value), NULL), 0);
	assert_string_equal(value, "a b");
	assert_int_equal(kconfig_get(&machine.root, "CONFIG_Y", value, sizeof(value), NULL), 0);
	assert_string_equal(value, "n");
	assert_int_equal(kconfig_get(&machine.root, "CONFIG_H", value, sizeof(value), NULL),
			 -ENOENT);
	assert_int_equal(truncate(path, 5), 0);
	assert_int_equal(kconfig_get(&machine.root, "CONFIG_HZ", value, sizeof(value), where), 0);
	assert_string_equal(value, "250");
	machine_free(&machine);
}

static void test_typo(void **state)
{
	const struct governor_list offered = { .name = { "menu", "ladder" }, .n = 2 };

	(void)state;
	assert_int_equal(governor_check_typo(&offered, "menu"), 0);
	assert_int_equal(governor_check_typo(&offered, "teo"), 0);
	assert_int_equal(governor_check_typo(&offered, "teo-ng"), 0);
	assert_int_equal(governor_check_typo(&offered, "nap"), 0);
	assert_int_equal(governor_check_typo(&offered, "tea"), -EINVAL);
	assert_true(error_is_usage());
	assert_string_equal(error_text(), "unknown governor 'tea' (this kernel offers: menu, "
					  "ladder; did you mean 'teo'?)");
	assert_int_equal(governor_check_typo(&offered, "mneu"), -EINVAL);
	assert_int_equal(governor_check_typo(&offered, "haltpol"), -EINVAL);
	assert_error_has("did you mean 'haltpoll'?");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_offered),
		cmocka_unit_test(test_writable),
		cmocka_unit_test(test_not_writable_by_user),
		cmocka_unit_test(test_before_5_8),
		cmocka_unit_test(test_no_cpuidle),
		cmocka_unit_test(test_garbage),
		cmocka_unit_test(test_name_valid),
		cmocka_unit_test(test_missing_by_config),
		cmocka_unit_test(test_missing_without_config),
		cmocka_unit_test(test_config_gz),
		cmocka_unit_test(test_typo),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
