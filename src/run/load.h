/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much of the machine is at work for somebody else: a look of a fraction of a second. */
#ifndef RUN_LOAD_H
#define RUN_LOAD_H

#include "lib/root.h"
#include <stdbool.h>
#include <stdint.h>

struct load {
	double share; /* of the capacity of all CPUs, 0 to 1 */
	char busiest[200]; /* "pid 812 (cc1) 97 %, ...": of one CPU; "" = not asked, or nobody */
};

/*
 * Sleeps for @ns between two looks at /proc/stat, which counts in 1/100 s. @names: who it is as
 * well, from a walk through /proc before and after. -ENODATA when the file tells nothing, as in a
 * dump, which stands still.
 */
int load_look(const struct root *root, uint64_t ns, bool names, struct load *ret);

#endif
