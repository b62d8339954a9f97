/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A governor named twice is taken once: a second run would give the same figures. */
#include "analysis/governor_load.h"
#include "lib/error.h"
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static int add(const struct governor *governor, struct governor_set *set)
{
	for (size_t i = 0; i < set->n; i++) {
		if (set->governor[i] == governor)
			return 0;
	}
	if (set->n == GOVERNOR_LOAD_MAX)
		return error_usage("more than %d governors", GOVERNOR_LOAD_MAX);
	set->governor[set->n++] = governor;
	return 0;
}

static int add_named(const char *name, struct governor_set *set)
{
	const struct governor *governor;
	int err = 0;

	if (!strcmp(name, "all")) {
		for (size_t i = 0; !err && governor_list[i]; i++)
			err = add(governor_list[i], set);
		return err;
	}
	governor = governor_find(name);
	return governor ? add(governor, set) : -EINVAL;
}

int governor_load_list(const char *list, struct governor_set *set)
{
	char *copy = strdup(list), *rest = copy, *name;
	int err = 0;

	if (!copy)
		return error_no_memory();
	while (!err && (name = strsep(&rest, ",")))
		err = *name ? add_named(name, set)
			    : error_usage("an empty name in the governors '%s'", list);
	free(copy);
	return err;
}

int governor_load_object(const char *path, struct governor_set *set)
{
	const struct governor *governor;
	char here[4096];
	void *object;

	/* Without a slash dlopen() would look in the system's folders. */
	snprintf(here, sizeof(here), "%s%s", strchr(path, '/') ? "" : "./", path);
	object = dlopen(here, RTLD_NOW | RTLD_LOCAL);
	if (!object)
		return error_usage("--governor-so: %s", dlerror());
	governor = dlsym(object, "idle_governor");
	if (!governor)
		return error_usage("--governor-so: %s has no symbol idle_governor", path);
	if (governor->abi != GOVERNOR_ABI)
		return error_usage("--governor-so: %s was built for another governor.h (%u, not "
				   "%u): build it again",
				   path, governor->abi, GOVERNOR_ABI);
	if (!governor->name || !governor->select || !governor->reflect)
		return error_usage("--governor-so: %s lacks a name, select or reflect", path);
	return add(governor, set);
}
