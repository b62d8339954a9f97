/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The systemd unit: its quoting, and that installing and removing touch two files and no more.
 */
#include "tests/unit/run/suites.h"

#include "lib/file.h"
#include "run/unit.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char folder[] = "/tmp/idle-unit-XXXXXX";
static struct root root;

static int make_root(void **state)
{
	(void)state;
	return !mkdtemp(folder) || root_open(folder, &root);
}

static int remove_root(void **state)
{
	(void)state;
	root_close(&root);
	return file_remove_tree(folder);
}

static void words_are_quoted_for_systemd(void **state)
{
	char *argv[] = { (char[]){ "/a b/runner" }, (char[]){ "100%" }, (char[]){ "$x \"y\" \\z" },
			 (char[]){ "a\nb" }, NULL };
	char *text = unit_text("/r/with 5%", argv);

	(void)state;
	assert_non_null(text);
	assert_non_null(strstr(text, "\nExecStart=\"/a b/runner\" \"100%%\" "
				     "\"$$x \\\"y\\\" \\\\z\" \"a\\x0ab\"\n"));
	assert_non_null(strstr(text, "\nRequiresMountsFor=\"/r/with 5%%\"\n"));
	free(text);
}

static void install_writes_unit_and_link(void **state)
{
	char *argv[] = { (char[]){ "/x/runner" }, (char[]){ "campaign" }, NULL };
	char *other[] = { (char[]){ "/y/runner" }, NULL };
	char path[PATH_MAX], target[PATH_MAX] = "", name[48], *text;
	bool was_there;
	size_t size;

	(void)state;
	unit_name("/r/one", name, sizeof(name));
	assert_int_equal(unit_install(&root, "/r/one", argv), 0);
	snprintf(path, sizeof(path), "%s/etc/systemd/system/%s", folder, name);
	assert_int_equal(file_read(path, &text, &size), 0);
	assert_non_null(strstr(text, "ExecStart=\"/x/runner\" \"campaign\"\n"));
	free(text);
	snprintf(path, sizeof(path), "%s/etc/systemd/system/multi-user.target.wants/%s", folder,
		 name);
	assert_true(readlink(path, target, sizeof(target) - 1) > 3);
	assert_string_equal(target + 3, name);
	assert_int_equal(access(path, F_OK), 0);

	assert_int_equal(unit_install(&root, "/r/one", argv), 0); /* again: the same */
	assert_int_equal(unit_install(&root, "/r/one", other), -EEXIST);
	assert_int_equal(unit_install(&root, "/r/two", other), 0); /* another campaign */

	assert_int_equal(unit_remove(&root, "/r/one", &was_there), 0);
	assert_true(was_there);
	assert_int_not_equal(access(path, F_OK), 0);
	assert_int_equal(unit_remove(&root, "/r/one", &was_there), 0);
	assert_false(was_there);
	assert_int_equal(unit_remove(&root, "/r/two", &was_there), 0);
	assert_true(was_there);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_are_quoted_for_systemd),
		cmocka_unit_test(install_writes_unit_and_link),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, make_root, remove_root);
}
