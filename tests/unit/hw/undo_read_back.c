/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file that takes a text and does not hold it afterwards, as sysfs files may. Here it is a device
 * node like /dev/null, which not every sandbox lets us make.
 */
#include "machine.h"
#include "hw/undo.h"
#include <fcntl.h>
#include <sys/sysmacros.h>

static bool make_sink(const struct machine *machine)
{
	char path[256];
	int fd;

	snprintf(path, sizeof(path), "%s/sink", machine->dir);
	if (mknod(path, S_IFCHR | 0600, makedev(1, 3)))
		return false;
	fd = open(path, O_RDWR);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static void test_not_held(void **state)
{
	struct machine machine = machine_make("--cpus 1");
	struct undo *undo;

	(void)state;
	assert_true(make_sink(&machine));
	assert_int_equal(undo_start(&machine.root, &undo), 0);
	assert_int_equal(undo_write(undo, "sink", "teo"), -EIO);
	assert_error_has("/sink holds '' after 'teo' was written to it");
	assert_int_equal(undo_finish(undo), 0);
	machine_free(&machine);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_not_held) };
	struct machine probe = machine_make(NULL);
	bool can = make_sink(&probe);

	machine_free(&probe);
	if (!can) {
		puts("1..0 # SKIP device nodes cannot be made here");
		return 0;
	}
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
