/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The machine's root: reading and writing a fake tree, numbers, and symlinks that stay inside of
 * it.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "lib/error.h"
#include "lib/file.h"
#include "lib/root.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/root-test-XXXXXX";
static struct root root;

static void put(const char *name, const char *text, size_t size)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	assert_int_equal(file_write_atomic(path, text, size), 0);
}

static void put_text(const char *name, const char *text)
{
	put(name, text, strlen(text));
}

static int make_machine(void **state)
{
	char path[128];

	(void)state;
	if (!mkdtemp(folder))
		return -1;
	snprintf(path, sizeof(path), "%s/sys/devices", folder);
	return file_make_dirs(path) || root_open(folder, &root);
}

static int remove_machine(void **state)
{
	(void)state;
	root_close(&root);
	return file_remove_tree(folder);
}

static void the_live_machine(void **state)
{
	struct root live;
	char text[4096];

	(void)state;
	assert_int_equal(root_open(NULL, &live), 0);
	assert_true(live.live);
	assert_string_equal(live.path, "");
	assert_true(root_read(&live, "proc/self/comm", text, sizeof(text)) > 0);
	assert_true(root_exists(&live, "proc/self"));
	assert_int_equal(root_read(&live, "proc/nonexistent", text, sizeof(text)), -ENOENT);
	assert_string_equal(error_text(), "/proc/nonexistent: No such file or directory");
	root_close(&live);
	root_close(&live);
	assert_int_equal(root_open("//", &live), 0);
	assert_true(live.live);
	root_close(&live);
}

static void a_folder_as_machine(void **state)
{
	char link[128];
	struct root other;

	(void)state;
	assert_false(root.live);
	assert_string_equal(root.path, folder);
	snprintf(link, sizeof(link), "%s/sys/", folder);
	assert_int_equal(root_open(link, &other), 0);
	assert_int_equal(other.path[strlen(other.path) - 1], 's');
	root_close(&other);
	assert_int_equal(root_open("/nonexistent", &other), -ENOENT);
	assert_string_equal(error_text(), "/nonexistent: No such file or directory");
	put_text("sys/file", "x");
	snprintf(link, sizeof(link), "%s/sys/file", folder);
	assert_int_equal(root_open(link, &other), -ENOTDIR);
}

static void read_strips_the_end_only(void **state)
{
	char text[8];

	(void)state;
	put_text("sys/a", " teo \t\n\n");
	assert_int_equal(root_read(&root, "sys/a", text, sizeof(text)), -EFBIG);
	assert_string_equal(strrchr(error_text(), '/'), "/a: File too large");
	put_text("sys/a", " teo \n");
	assert_int_equal(root_read(&root, "sys/a", text, sizeof(text)), 4);
	assert_string_equal(text, " teo");
	assert_int_equal(root_read(&root, "/sys/a", text, sizeof(text)), 4);
	put_text("sys/a", "\n");
	assert_int_equal(root_read(&root, "sys/a", text, sizeof(text)), 0);
	assert_string_equal(text, "");
	put("sys/a", "board\0", 6);
	assert_int_equal(root_read(&root, "sys/a", text, sizeof(text)), 5);
	put_text("sys/a", "1234567");
	assert_int_equal(root_read(&root, "sys/a", text, sizeof(text)), 7);
	assert_int_equal(root_read(&root, "sys", text, sizeof(text)), -EISDIR);
}

static void numbers(void **state)
{
	static const char *const bad[] = { "",	     "\n",	"-1\n", "1.5\n",
					   "0x10\n", "12 13\n", "abc",	"18446744073709551616\n" };
	uint64_t value = 99;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		put_text("sys/n", bad[i]);
		assert_int_equal(root_read_u64(&root, "sys/n", &value), -EINVAL);
		assert_non_null(strstr(error_text(), "/sys/n: '"));
	}
	assert_int_equal(root_read_u64(&root, "sys/none", &value), -ENOENT);
	assert_true(value == 99);
	put_text("sys/n", "18446744073709551615\n");
	assert_int_equal(root_read_u64(&root, "sys/n", &value), 0);
	assert_true(value == UINT64_MAX);
	put_text("sys/n", "0");
	assert_int_equal(root_read_u64(&root, "sys/n", &value), 0);
	assert_true(value == 0);
}

static void write_replaces_the_text_of_an_existing_file(void **state)
{
	char text[32];

	(void)state;
	put_text("sys/gov", "haltpoll\n");
	assert_int_equal(root_write(&root, "sys/gov", "teo"), 0);
	assert_int_equal(root_read(&root, "sys/gov", text, sizeof(text)), 3);
	assert_string_equal(text, "teo");
	assert_int_equal(root_write(&root, "sys/new", "teo"), -ENOENT);
	assert_false(root_exists(&root, "sys/new"));
}

static void absolute_symlinks_stay_inside(void **state)
{
	char path[128], text[32];

	(void)state;
	put_text("sys/devices/model", "fake");
	snprintf(path, sizeof(path), "%s/sys/link", folder);
	assert_int_equal(symlink("/sys/devices", path), 0);
	assert_int_equal(root_read(&root, "sys/link/model", text, sizeof(text)), 4);
	assert_string_equal(text, "fake");
	assert_true(root_exists(&root, "sys/link/model"));
	assert_int_equal(root_read(&root, "../../../sys/devices/model", text, sizeof(text)), 4);
	assert_false(root_exists(&root, "../../etc/passwd"));
}

static void opened_files_stay_inside_and_do_not_wait(void **state)
{
	char path[128], text[8];
	int fd;

	(void)state;
	put_text("sys/inside", "fake");
	snprintf(path, sizeof(path), "%s/sys/away", folder);
	assert_int_equal(symlink("/sys/inside", path), 0);
	fd = root_open_file(&root, "sys/away", O_RDONLY);
	assert_true(fd >= 0);
	assert_int_equal(read(fd, text, sizeof(text)), 4);
	close(fd);
	snprintf(path, sizeof(path), "%s/sys/out", folder);
	assert_int_equal(symlink("/proc/self/stat", path), 0);
	assert_int_equal(root_open_file(&root, "sys/out", O_RDONLY), -ENOENT);
	snprintf(path, sizeof(path), "%s/sys/fifo", folder);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(root_read(&root, "sys/fifo", text, sizeof(text)), 0);
}

static void names_are_one_line(void **state)
{
	char text[32];

	(void)state;
	put_text("sys/name", "C6\n\tdeep\033\xc3\xa9\n");
	assert_int_equal(root_read_name(&root, "sys/name", text, sizeof(text)), 11);
	assert_string_equal(text, "C6??deep?\xc3\xa9");
	assert_int_equal(root_read_name(&root, "sys/no-name", text, sizeof(text)), -ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_live_machine),
		cmocka_unit_test(a_folder_as_machine),
		cmocka_unit_test(read_strips_the_end_only),
		cmocka_unit_test(numbers),
		cmocka_unit_test(write_replaces_the_text_of_an_existing_file),
		cmocka_unit_test(absolute_symlinks_stay_inside),
		cmocka_unit_test(opened_files_stay_inside_and_do_not_wait),
		cmocka_unit_test(names_are_one_line),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, make_machine, remove_machine);
}
