/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whole files and folders: what is read and written, what is refused, and that symlinks are never
 * followed out of a tree. That fsync reaches the disk cannot be tested here; that a reader never
 * meets half a file is (a second process reads while the first rewrites).
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "lib/error.h"
#include "lib/file.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/file-test-XXXXXX";

static int make_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) && !chdir(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	(void)state;
	return chdir("/") || file_remove_tree(folder) || !access(folder, F_OK);
}

static void expect_text(const char *path, const char *expected)
{
	char *text;
	size_t size;

	assert_int_equal(file_read(path, &text, &size), 0);
	assert_int_equal(size, strlen(expected));
	assert_string_equal(text, expected);
	free(text);
}

static size_t entries_of(const char *path)
{
	DIR *dir = opendir(path);
	size_t n = 0;

	assert_non_null(dir);
	while (readdir(dir))
		n++;
	closedir(dir);
	return n - 2;
}

static void write_then_read(void **state)
{
	struct stat status;
	mode_t mask = umask(027);

	(void)state;
	assert_int_equal(file_write_atomic("a", "one\n", 4), 0);
	umask(mask);
	expect_text("a", "one\n");
	assert_int_equal(file_write_atomic("./a", "", 0), 0);
	expect_text("a", "");
	assert_int_equal(stat("a", &status), 0);
	assert_int_equal(status.st_mode & 0777, 0666 & ~mask);
	assert_int_equal(entries_of("."), 1); /* no temporary name is left */
	assert_int_equal(unlink("a"), 0);
}

static void big_and_unsized_files_are_read_whole(void **state)
{
	size_t size = (3 << 20) + 1, got, i;
	char *text = malloc(size), *back;

	(void)state;
	assert_non_null(text);
	for (i = 0; i < size; i++)
		text[i] = (char)(i * 7 % 251);
	assert_int_equal(file_write_atomic("big", text, size), 0);
	assert_int_equal(file_read("big", &back, &got), 0);
	assert_int_equal(got, size);
	assert_memory_equal(back, text, size);
	assert_int_equal(back[size], '\0');
	free(back);
	free(text);
	assert_int_equal(unlink("big"), 0);
	/* fstat() says 0 bytes here. */
	assert_int_equal(file_read("/proc/self/status", &back, &got), 0);
	assert_true(got > 100 && strlen(back) == got);
	free(back);
}

static void unreadable_things(void **state)
{
	char *text;
	size_t size;
	int fd = open("huge", O_CREAT | O_WRONLY, 0600);

	(void)state;
	assert_int_equal(file_read("missing", &text, &size), -ENOENT);
	assert_string_equal(error_text(), "missing: No such file or directory");
	assert_int_equal(file_read(".", &text, &size), -EISDIR);
	assert_int_equal(file_write_atomic("missing/a", "x", 1), -ENOENT);
	assert_int_equal(mkdir("taken", 0777), 0);
	assert_int_equal(file_write_atomic("taken", "x", 1), -EISDIR);
	assert_int_equal(rmdir("taken"), 0);
	assert_int_equal(ftruncate(fd, (off_t)FILE_READ_MAX + 1), 0);
	close(fd);
	assert_int_equal(file_read("huge", &text, &size), -EFBIG);
	/* Nobody writes to it: were it opened for good, the test would hang. */
	assert_int_equal(mkfifo("fifo", 0600), 0);
	alarm(10);
	assert_int_equal(file_read("fifo", &text, &size), -EINVAL);
	alarm(0);
	assert_string_equal(error_text(), "fifo: not a regular file");
	assert_int_equal(unlink("fifo"), 0);
	assert_int_equal(file_read("/dev/zero", &text, &size), -EINVAL);
	assert_int_equal(unlink("huge"), 0);
	assert_int_equal(entries_of("."), 0);
}

static void a_stale_temporary_name_is_stepped_over(void **state)
{
	char name[64];

	(void)state;
	snprintf(name, sizeof(name), "./.tmp-%ld-0", (long)getpid());
	assert_int_equal(symlink("/dev/null", name), 0);
	assert_int_equal(file_write_atomic("a", "x", 1), 0);
	expect_text("a", "x");
	assert_int_equal(unlink("a") | unlink(name), 0);
}

static void a_reader_never_sees_half(void **state)
{
	char *text, block[2][5000];
	size_t size;
	int i, status;
	pid_t child;

	(void)state;
	memset(block[0], 'a', sizeof(block[0]));
	memset(block[1], 'b', sizeof(block[1]));
	assert_int_equal(file_write_atomic("f", block[0], sizeof(block[0])), 0);
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (i = 0;; i++)
			file_write_atomic("f", block[i % 2], sizeof(block[0]));
	}
	for (i = 0; i < 2000; i++) {
		if (file_read("f", &text, &size))
			break;
		if (size != sizeof(block[0]) ||
		    (memcmp(text, block[0], size) && memcmp(text, block[1], size)))
			break;
		free(text);
	}
	kill(child, SIGKILL);
	waitpid(child, &status, 0);
	assert_int_equal(i, 2000);
	assert_int_equal(file_remove_tree("f"), 0);
	/* What the kill may have left. */
	for (i = 0; i < 2; i++) {
		char name[64];

		snprintf(name, sizeof(name), ".tmp-%ld-%d", (long)child, i);
		assert_int_equal(file_remove_tree(name), 0);
	}
}

static void publish_moves_a_folder_once(void **state)
{
	(void)state;
	assert_int_equal(file_make_dirs(".tmp-run/sub"), 0);
	assert_int_equal(file_write_atomic(".tmp-run/a", "1", 1), 0);
	assert_int_equal(file_write_atomic(".tmp-run/sub/b", "2", 1), 0);
	assert_int_equal(symlink("/nonexistent", ".tmp-run/dangling"), 0);
	assert_int_equal(mkfifo(".tmp-run/fifo", 0600), 0);
	assert_int_equal(file_publish_dir(".tmp-run", "run"), 0);
	expect_text("run/sub/b", "2");
	assert_int_equal(access(".tmp-run", F_OK), -1);
	/* An empty folder of the final name is in the way as well. */
	assert_int_equal(file_make_dirs(".tmp-run"), 0);
	assert_int_equal(file_make_dirs("other"), 0);
	assert_int_equal(file_publish_dir(".tmp-run", "other"), -EEXIST);
	assert_string_equal(error_text(), "other: File exists");
	assert_int_equal(file_publish_dir(".tmp-run", "run/"), -EEXIST);
	assert_int_equal(access(".tmp-run", F_OK), 0);
	assert_int_equal(file_publish_dir("missing", "new"), -ENOENT);
	assert_int_equal(file_remove_tree("run") | file_remove_tree("other") |
				 file_remove_tree(".tmp-run"),
			 0);
}

static void make_dirs_makes_what_is_missing(void **state)
{
	struct stat status;

	(void)state;
	assert_int_equal(file_make_dirs("x//y/z/"), 0);
	assert_int_equal(stat("x/y/z", &status), 0);
	assert_true(S_ISDIR(status.st_mode));
	assert_int_equal(file_make_dirs("x/y"), 0);
	assert_int_equal(file_make_dirs("/"), 0);
	assert_int_equal(file_make_dirs("."), 0);
	assert_int_equal(file_make_dirs(""), -ENOENT);
	assert_int_equal(file_write_atomic("x/f", "", 0), 0);
	assert_int_equal(file_make_dirs("x/f/g"), -ENOTDIR);
	assert_string_equal(error_text(), "x/f: Not a directory");
	assert_int_equal(file_make_dirs("x/f"), -ENOTDIR);
	assert_int_equal(file_remove_tree("x"), 0);
}

static void remove_tree_stays_inside(void **state)
{
	(void)state;
	assert_int_equal(file_make_dirs("keep/inner"), 0);
	assert_int_equal(file_write_atomic("keep/inner/f", "x", 1), 0);
	assert_int_equal(file_make_dirs("tree/a/b/c"), 0);
	assert_int_equal(file_write_atomic("tree/a/f", "x", 1), 0);
	assert_int_equal(symlink("../keep", "tree/link"), 0);
	assert_int_equal(symlink("keep", "link"), 0);
	assert_int_equal(file_remove_tree("tree/"), 0);
	assert_int_equal(access("tree", F_OK), -1);
	assert_int_equal(file_remove_tree("link/"), 0); /* the link, not what it points at */
	assert_int_equal(access("link", F_OK), -1);
	expect_text("keep/inner/f", "x");
	assert_int_equal(file_remove_tree("missing"), 0);
	assert_int_equal(file_remove_tree("keep"), 0);
	assert_int_equal(entries_of("."), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(write_then_read),
		cmocka_unit_test(big_and_unsized_files_are_read_whole),
		cmocka_unit_test(unreadable_things),
		cmocka_unit_test(a_stale_temporary_name_is_stepped_over),
		cmocka_unit_test(a_reader_never_sees_half),
		cmocka_unit_test(publish_moves_a_folder_once),
		cmocka_unit_test(make_dirs_makes_what_is_missing),
		cmocka_unit_test(remove_tree_stays_inside),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
