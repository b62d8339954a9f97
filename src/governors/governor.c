/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of all governors, made from governors.def, and the look-up by any name people use. */
#include "governors/governor.h"
#include "lib/error.h"
#include "lib/suggest.h"
#include <stdio.h>
#include <stdlib.h>

#define GOVERNOR(name) extern const struct governor governor_##name;
#include "governors/governors.def"
#undef GOVERNOR

#define GOVERNOR(name) &governor_##name,
const struct governor *const governor_list[] = {
#include "governors/governors.def"
	NULL,
};
#undef GOVERNOR

#define TABLE_ROWS (sizeof(governor_list) / sizeof(governor_list[0]) - 1)

/* What list threads call them. Their "teo" of August 2023 is teo@6.5. */
static const struct alias {
	const char *alias, *name;
} aliases[] = {
	{ "rjw", "teo-6.6" },
	{ "teo-6.6-rjw", "teo-6.6" },
	{ "ladder-old", "ladder" },
};

/* "6.14" or "6.14.3-rc1" as a number that orders releases; -1 when it is none. */
static long release_number(const char *text)
{
	unsigned int major, minor, patch = 0;

	if (sscanf(text, "%4u.%4u.%4u", &major, &minor, &patch) < 2)
		return -1;
	return (long)major * 100000000 + (long)minor * 10000 + patch;
}

static const struct governor *by_name(const char *name)
{
	for (size_t i = 0; i < TABLE_ROWS; i++) {
		if (!strcmp(governor_list[i]->name, name))
			return governor_list[i];
	}
	return NULL;
}

/* The newest rules of the family that the release has; NULL: that release had none. */
static const struct governor *by_release(const char *family, size_t length, long release)
{
	const struct governor *found = NULL;

	for (size_t i = 0; i < TABLE_ROWS; i++) {
		const struct governor *g = governor_list[i];

		if (strlen(g->family) == length && !strncmp(g->family, family, length) &&
		    (!g->since || release_number(g->since) <= release))
			found = g;
	}
	return found;
}

static const struct governor *unknown(const char *name)
{
	const char *known[TABLE_ROWS];
	char hint[128], quoted[ERROR_QUOTE_SIZE];

	const char *dash = strrchr(name, '-');

	/* "teo-6.13": no rules of that name, but that release has some. */
	if (dash && release_number(dash + 1) >= 0 &&
	    by_release(name, (size_t)(dash - name), release_number(dash + 1))) {
		error_usage("unknown governor '%s' (did you mean '%.*s@%s'?)",
			    error_quote(name, quoted), (int)(dash - name), name, dash + 1);
		return NULL;
	}
	for (size_t i = 0; i < TABLE_ROWS; i++)
		known[i] = governor_list[i]->name;
	error_usage("unknown governor '%s'%s", error_quote(name, quoted),
		    suggest_text(name, known, TABLE_ROWS, hint, sizeof(hint)));
	return NULL;
}

/* A family at a release: why there is none. */
static const struct governor *unknown_release(const char *name, const char *release)
{
	char quoted[ERROR_QUOTE_SIZE];
	int length = (int)(release - name - 1);

	for (size_t i = 0; i < TABLE_ROWS; i++) {
		const struct governor *g = governor_list[i];

		if (strlen(g->family) != (size_t)length || strncmp(g->family, name, (size_t)length))
			continue;
		error_quote(release, quoted);
		if (release_number(release) < 0)
			error_usage("%s@%s: '%s' is no kernel release such as 6.12", g->family,
				    quoted, quoted);
		else
			error_usage("%s@%s: its rules are modelled from release %s on", g->family,
				    quoted, g->since);
		return NULL;
	}
	return unknown(name);
}

const struct governor *governor_find(const char *name)
{
	const char *at = strchr(name, '@');
	size_t length = at ? (size_t)(at - name) : strlen(name);
	long release = at ? release_number(at + 1) : 1L << 60;
	const struct governor *found = at ? NULL : by_name(name);

	for (size_t i = 0; !at && !found && i < sizeof(aliases) / sizeof(aliases[0]); i++) {
		if (!strcmp(aliases[i].alias, name))
			found = by_name(aliases[i].name);
	}
	if (!found && release >= 0)
		found = by_release(name, length, release);
	if (found)
		return found;
	return at ? unknown_release(name, at + 1) : unknown(name);
}
