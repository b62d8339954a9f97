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

/* "SECTION.KEY=VALUE" cut into its parts. */
struct setting {
	char *copy, *section, *key, *value; /* section NULL: all that take the key */
};

static int cut(const struct suite *suite, const char *pair, struct setting *ret)
{
	char *copy = strdup(pair), *value, *dot;

	if (!copy)
		return error_no_memory();
	value = strchr(copy, '=');
	if (!value) {
		free(copy);
		return error_usage("not key=value");
	}
	*value++ = '\0';
	dot = strchr(copy, '.');
	if (dot)
		*dot = '\0';
	if (dot && !has_section(suite, copy) && section_is_workload(suite, copy)) {
		*dot = '.';
		dot = NULL;
	}
	*ret = (struct setting){ copy, dot ? copy : NULL, dot ? dot + 1 : copy, value };
	return 0;
}

static bool concerns(const struct setting *setting, const struct suite_section *s)
{
	return setting->section ? !strcmp(s->name, setting->section) : takes(s, setting->key);
}

int section_apply_set(struct suite *suite, const char *pair)
{
	struct setting setting;
	bool used = false;
	int err = cut(suite, pair, &setting);

	if (err)
		return error_prefix(err, "--set %s: ", pair);
	for (size_t i = 0; i < suite->sections && !err; i++) {
		if (!concerns(&setting, &suite->section[i]))
			continue;
		used = true;
		err = section_set(&suite->section[i], setting.key, setting.value, true);
	}
	if (!used && !err)
		err = unused_set(suite, setting.section, setting.key);
	free(setting.copy);
	return err ? error_prefix(err, "--set %s: ", pair) : 0;
}

bool section_concerned(const struct suite *suite, const char *pair)
{
	struct setting setting;
	bool found = false;

	if (cut(suite, pair, &setting))
		return false;
	for (size_t i = 0; i < suite->sections && !found; i++)
		found = concerns(&setting, &suite->section[i]);
	free(setting.copy);
	return found;
}
