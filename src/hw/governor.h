/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which idle governors the kernel offers, which one is in use, and why another is missing.
 */
#ifndef HW_GOVERNOR_H
#define HW_GOVERNOR_H

#include "lib/root.h"
#include <stdbool.h>

#define GOVERNOR_NAME_MAX 16 /* CPUIDLE_NAME_LEN, with the NUL */
#define GOVERNORS_MAX 32

struct governor_list {
	char name[GOVERNORS_MAX][GOVERNOR_NAME_MAX];
	int n;
};

/* current_governor, or current_governor_ro on kernels that have only that (P-37). "" never; -ENODEV
 * without cpuidle. */
int governor_current(const struct root *root, char name[GOVERNOR_NAME_MAX]);

/* available_governors in the kernel's order. */
int governor_available(const struct root *root, struct governor_list *ret);

/* cpuidle's current_driver: "intel_idle", "haltpoll", "none"; -ENODEV without cpuidle. */
int governor_driver(const struct root *root, char *name, size_t size);

/*
 * Path (relative to the root) of the file to write. -EROFS with the reason when the kernel cannot
 * switch at run time
 * ("before 5.8 boot with cpuidle_sysfs_switch"); -EACCES when this user may not, with the file and
 * the two ways out.
 */
int governor_writable(const struct root *root, const char **ret_path);

/* True for 1 to 15 of the bytes that a governor's name may have: letters, digits, '-', '_', '.'. */
bool governor_name_valid(const char *name);

/*
 * Why @name is not offered and what would bring it: the CONFIG_ option as /proc/config.gz or
 * /boot/config-RELEASE has it, or "not a governor of mainline kernels: load its module, or boot the
 * kernel that has it". Always writes a sentence.
 */
void governor_missing_reason(const struct root *root, const char *name, char *text, size_t size);

/*
 * -EINVAL (usage, with "did you mean") when @name is one or two edits from a known governor without
 * being an extension of it (teo-ng extends teo, tea does not): a typo. 0 otherwise, also for names
 * nobody knows (P-39).
 */
int governor_check_typo(const struct governor_list *offered, const char *name);

#endif
