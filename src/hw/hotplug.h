/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Did a CPU go offline or come online, if only for a moment? What sysfs says at the end does not
 * tell; the kernel's events (as udev gets them) do, and cost nothing while none comes.
 */
#ifndef HW_HOTPLUG_H
#define HW_HOTPLUG_H

#include "lib/root.h"
#include <stdbool.h>
#include <stddef.h>

/* A descriptor for hotplug_happened(), to be closed; -1: another machine's files, or no netlink. */
int hotplug_watch(const struct root *root);

/*
 * What happened since the last call, as "cpu3 went offline, cpu3 came online"; false and "" when
 * nothing did. Never blocks. What does not fit is left out.
 */
bool hotplug_happened(int fd, char *text, size_t size);

/* The same of one event's text, "offline@/devices/system/cpu/cpu3" with what follows its NUL. */
bool hotplug_describe(const char *event, size_t length, char *text, size_t size);

#endif
