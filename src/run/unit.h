/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A systemd unit that continues one campaign after each boot, until it is complete. It is made of
 * two files below ROOT/etc/systemd/system, which is all that "systemctl enable" would do; nothing
 * is started, and systemctl is not called.
 */
#ifndef RUN_UNIT_H
#define RUN_UNIT_H

#include "lib/root.h"

/* "idle-runner-1f2e3d4c.service", of the folder's absolute path. @size >= 48. */
void unit_name(const char *dir, char *text, size_t size);

/* The unit's text for the command @argv (NULL-terminated), in systemd's quoting. malloc'ed. */
char *unit_text(const char *dir, char *const *argv);

/* Writes unit and link; -EEXIST with a text when it is there with another text. */
int unit_install(const struct root *root, const char *dir, char *const *argv);

/* Removes both; *ret_was_there. */
int unit_remove(const struct root *root, const char *dir, bool *ret_was_there);

#endif
