/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of governors as a user writes them, and governors from shared objects. */
#ifndef ANALYSIS_GOVERNOR_LOAD_H
#define ANALYSIS_GOVERNOR_LOAD_H

#include "governors/governor.h"

#define GOVERNOR_LOAD_MAX 64

struct governor_set {
	const struct governor *governor[GOVERNOR_LOAD_MAX];
	size_t n;
};

/* Adds those of "teo-6.14,menu@6.12"; "all" = each of the suite's own. Usage errors. */
int governor_load_list(const char *list, struct governor_set *set);

/*
 * Adds the one that the shared object calls idle_governor (docs/writing-a-governor.md). It stays
 * loaded. Usage error with what dlopen() says, or what is wrong with it.
 */
int governor_load_object(const char *path, struct governor_set *set);

#endif
