/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One runner a machine. An abstract unix socket "idle-runner:ROOT": the kernel frees it with the
 * last holder (the guardian inherits it, so it outlives a killed runner until the machine is
 * restored), any user may try it, and SO_PEERCRED names the holder.
 */
#ifndef HW_LOCK_H
#define HW_LOCK_H

#include "lib/root.h"

/*
 * *ret_fd is kept open for as long as the runner works. -EBUSY with a text that names the other by
 * pid and command line. When the holder's runner is dead already (its guardian is restoring) waits
 * for up to 3 s.
 */
int lock_take(const struct root *root, int *ret_fd);

/* 0 when nobody holds the lock now; -EBUSY with the text of lock_take(). Takes nothing. */
int lock_probe(const struct root *root);

#endif
