/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The configuration that the running kernel was built with: /proc/config.gz, else
 * /boot/config-RELEASE, else /lib/modules/RELEASE/config.
 */
#ifndef HW_KCONFIG_H
#define HW_KCONFIG_H

#include "lib/root.h"
#include <stddef.h>

#define KCONFIG_WHERE_MAX 512 /* bytes that hold any sensible path */

/*
 * @option with its prefix: "CONFIG_HZ". *@value: "y", "m", "250", a string without its quotes, or
 * "n" for "is not set". *@where (may be NULL): the file that was read. 0; -ENOENT when that file
 * does not mention the option (@where is set); -ENODATA when no configuration is readable. No error
 * text: not knowing is normal.
 */
int kconfig_get(const struct root *root, const char *option, char *value, size_t size,
		char where[KCONFIG_WHERE_MAX]);

#endif
