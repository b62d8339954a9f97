/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Room for file descriptors: an event on each CPU of a large machine is more than the soft limit of
 * 1024 allows.
 */
#ifndef HW_DESCRIPTORS_H
#define HW_DESCRIPTORS_H

#include <stddef.h>

#define DESCRIPTORS_LEFT_TO_OTHERS 128

/*
 * Raises the soft limit of this process, and of children to come, so that @more descriptors can be
 * opened for events. -EMFILE with the ways out when the hard limit is lower.
 */
int descriptors_make_room(size_t more);

#endif
