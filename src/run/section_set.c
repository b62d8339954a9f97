/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --set of the command line. SECTION and WORKLOAD stand at the same place in front of a key: what
 * is the name of a section is one.
 */
#include "lib/error.h"
#include "lib/suggest.h"
#include "run/section.h"
#include "run/care.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A --set that no section takes: the nearest of what there is. */
static int unused_set(const struct suite *suite, const char *section, const char *key)
{
	const char *known[256] = { "window", "warmup" };
	size_t n = section ? 0 : 2;
	char hint[96];

	for (size_t i = 0; i < suite->sections; i++) {
		const struct param *params = suite->section[i].params;

		if (section && n < 256)
			known[n++] = suite->section[i].name;
		for (size_t p = 0; !section && params[p].name && n < 256; p++)
			known[n++] = params[p].name;
	}
	return error_usage("no [run] section of this suite %s '%s'%s",
			   section ? "is called" : "has a workload with the key",
			   section ? section : key,
			   suggest_text(section ? section : key, known, n, hint, sizeof(hint)));
}

static bool has_section(const struct suite *suite, const char *name)
{
	for (size_t i = 0; i < suite->sections; i++)
		if (!strcmp(suite->section[i].name, name))
			return true;
	return false;
}

/* Does a --set of @key without a section concern this one? An ambiguous key does, and is refused.
 */
static bool takes(const struct suite_section *s, const char *key)
{
	return !strcmp(key, "window") || !strcmp(key, "warmup") || care_is_key(key) ||
	       section_find(s, key) != -ENOENT;
}

int section_apply_set(struct suite *suite, const char *pair)
{
	char *copy = strdup(pair), *value, *key, *dot;
	bool used = false;
	int err = 0;

	if (!copy)
		return error_set(-ENOMEM, "out of memory");
	value = strchr(copy, '=');
	if (!value) {
		free(copy);
		return error_usage("--set %s: not key=value", pair);
	}
	*value++ = '\0';
	dot = strchr(copy, '.');
	if (dot)
		*dot = '\0';
	if (dot && !has_section(suite, copy) && section_is_workload(suite, copy)) {
		*dot = '.';
		dot = NULL;
	}
	key = dot ? dot + 1 : copy;
	for (size_t i = 0; i < suite->sections && !err; i++) {
		struct suite_section *s = &suite->section[i];

		if (dot ? strcmp(s->name, copy) != 0 : !takes(s, key))
			continue;
		used = true;
		err = section_set(s, key, value, true);
	}
	if (!used && !err)
		err = unused_set(suite, dot ? copy : NULL, key);
	free(copy);
	return err ? error_prefix(err, "--set %s: ", pair) : 0;
}
