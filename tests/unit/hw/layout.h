/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Machines that tests/machines/lay-out makes from a description or from a table of counters. They
 * are up to 50,000 files, so they go to /dev/shm where that is large enough.
 */
#ifndef TESTS_UNIT_HW_LAYOUT_H
#define TESTS_UNIT_HW_LAYOUT_H

#include "machine.h"
#include "hw/cpuidle.h"
#include <sys/statvfs.h>
#include <sys/wait.h>

#define LAYOUT_BYTES                                                                               \
	(UINT64_C(600) << 20) /* a page a file; containers have a /dev/shm of 64 MiB               \
			       */
#define LAYOUT_FILES 100000

static inline const char *layout_place(void)
{
	struct statvfs fs;

	if (access("/dev/shm", W_OK) || statvfs("/dev/shm", &fs) ||
	    fs.f_bavail * (uint64_t)fs.f_frsize < LAYOUT_BYTES || fs.f_favail < LAYOUT_FILES)
		return "/tmp";
	return "/dev/shm";
}

/* Runs "lay-out [--later] FILE DIR". */
static inline void layout_apply(const char *dir, const char *file, bool later)
{
	pid_t child = fork();
	int status;

	assert_true(child >= 0);
	if (!child) {
		if (later)
			execl("tests/machines/lay-out", "lay-out", "--later", file, dir,
			      (char *)NULL);
		else
			execl("tests/machines/lay-out", "lay-out", file, dir, (char *)NULL);
		_exit(127);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	if (status)
		fail_msg("lay-out %s: status %d", file, status);
}

static inline struct machine layout_make(const char *file)
{
	struct machine machine;

	snprintf(machine.dir, sizeof(machine.dir), "%s/machine-XXXXXX", layout_place());
	assert_non_null(mkdtemp(machine.dir));
	layout_apply(machine.dir, file, false);
	assert_int_equal(root_open(machine.dir, &machine.root), 0);
	return machine;
}

#endif
