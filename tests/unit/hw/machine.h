/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fake machines for the tests of hw: tests/machines/make-machine into a folder of mkdtemp(), and
 * files moved by hand. Tests run from the project's root.
 */
#ifndef TESTS_UNIT_HW_MACHINE_H
#define TESTS_UNIT_HW_MACHINE_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "lib/cpulist.h"
#include "lib/error.h"
#include "lib/file.h"
#include "lib/root.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct machine {
	char dir[64];
	struct root root;
};

/* A machine made with @options of make-machine; NULL = an empty folder. */
static inline struct machine machine_make(const char *options)
{
	struct machine machine;
	char command[1024];

	snprintf(machine.dir, sizeof(machine.dir), "/tmp/machine-XXXXXX");
	assert_non_null(mkdtemp(machine.dir));
	if (options) {
		snprintf(command, sizeof(command), "tests/machines/make-machine %s %s", machine.dir,
			 options);
		assert_int_equal(system(command), 0);
	}
	assert_int_equal(root_open(machine.dir, &machine.root), 0);
	return machine;
}

static inline void machine_free(struct machine *machine)
{
	root_close(&machine->root);
	assert_int_equal(file_remove_tree(machine->dir), 0);
}

/* Makes or overwrites a file of the machine, folders included. */
static inline void machine_put(const struct machine *machine, const char *path, const char *text)
{
	char whole[512], *slash;
	FILE *file;

	snprintf(whole, sizeof(whole), "%s/%s", machine->dir, path);
	slash = strrchr(whole, '/');
	*slash = '\0';
	assert_int_equal(file_make_dirs(whole), 0);
	*slash = '/';
	file = fopen(whole, "w");
	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

static inline void machine_remove(const struct machine *machine, const char *path)
{
	char whole[512];

	snprintf(whole, sizeof(whole), "%s/%s", machine->dir, path);
	assert_int_equal(file_remove_tree(whole), 0);
}

static inline void assert_file(const struct machine *machine, const char *path, const char *text)
{
	char now[4096];

	assert_true(root_read(&machine->root, path, now, sizeof(now)) >= 0);
	assert_string_equal(now, text);
}

static inline void assert_error_has(const char *part)
{
	if (!strstr(error_text(), part))
		fail_msg("error text '%s' has no '%s'", error_text(), part);
}

static inline struct cpulist list_of(const char *text)
{
	struct cpulist list;

	assert_int_equal(cpulist_parse(text, &list), 0);
	return list;
}

#endif
