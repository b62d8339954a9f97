/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One table of names. What it lacks does not reach a child: LD_PRELOAD and its kin, BASH_ENV,
 * GCONV_PATH, HWLOC_PLUGINS_PATH, PYTHONPATH, and whatever else a library will think of next.
 */
#include "run/environment.h"
#include "lib/error.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum who { EVERYBODY, UNPRIVILEGED };
enum check { ANY, NAME, ZONE };

static const struct row {
	const char *name; /* ends with '*': a prefix */
	enum who who;
	enum check check; /* of a privileged runner's value */
} table[] = {
	{ "HOME", EVERYBODY, ANY },
	{ "TMPDIR", EVERYBODY, ANY },
	{ "TERM", EVERYBODY, NAME },
	{ "TZ", EVERYBODY, ZONE },
	{ "LANG", EVERYBODY, NAME },
	{ "LANGUAGE", EVERYBODY, NAME },
	{ "LC_*", EVERYBODY, NAME },
	{ "GDFONTPATH", EVERYBODY, ANY },
	{ "GNUPLOT_FONTPATH", EVERYBODY, ANY },
	{ "GNUPLOT_DEFAULT_GDFONT", EVERYBODY, ANY },
	{ "PATH", UNPRIVILEGED, ANY },
	/* Libraries in a home folder, and sanitized builds. */
	{ "LD_LIBRARY_PATH", UNPRIVILEGED, ANY },
	{ "ASAN_OPTIONS", UNPRIVILEGED, ANY },
	{ "LSAN_OPTIONS", UNPRIVILEGED, ANY },
	{ "TSAN_OPTIONS", UNPRIVILEGED, ANY },
	{ "UBSAN_OPTIONS", UNPRIVILEGED, ANY },
};

static const struct row *find(const char *variable, size_t size)
{
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		size_t known = strlen(table[i].name);
		bool prefix = table[i].name[known - 1] == '*';

		if (prefix ? size >= known - 1 && !strncmp(variable, table[i].name, known - 1)
			   : size == known && !strncmp(variable, table[i].name, known))
			return &table[i];
	}
	return NULL;
}

static bool acceptable(enum check check, const char *value)
{
	if (check == NAME)
		return !strpbrk(value, "/%");
	if (check == ZONE)
		return *value != '/' && *value != ':' && !strstr(value, "..");
	return true;
}

/* @variable is NAME=VALUE. */
static bool stays(const char *variable, bool privileged)
{
	const char *equals = strchr(variable, '=');
	const struct row *row = equals ? find(variable, (size_t)(equals - variable)) : NULL;

	if (!row)
		return false;
	return !privileged || (row->who == EVERYBODY && acceptable(row->check, equals + 1));
}

static int put_back(char **kept, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		char *equals = strchr(kept[i], '=');

		*equals = '\0';
		if (setenv(kept[i], equals + 1, 1))
			return -errno;
	}
	return 0;
}

int environment_clean(bool privileged, const char *home)
{
	size_t n = 0, kept = 0;
	char **copy;
	int err = 0;

	while (environ && environ[n])
		n++;
	copy = calloc(n + 1, sizeof(*copy));
	if (!copy)
		return error_no_memory();
	for (size_t i = 0; i < n && !err; i++) {
		if (!stays(environ[i], privileged))
			continue;
		copy[kept] = strdup(environ[i]);
		err = copy[kept] ? 0 : -ENOMEM;
		kept += !err;
	}
	if (!err && clearenv())
		err = -ENOMEM;
	if (!err)
		err = put_back(copy, kept);
	if (!err && privileged && setenv("PATH", ENVIRONMENT_SAFE_PATH, 1))
		err = -errno;
	if (!err && home && setenv("HOME", home, 1))
		err = -errno;
	for (size_t i = 0; i < kept; i++)
		free(copy[i]);
	free(copy);
	return err ? error_set(err, "out of memory") : 0;
}
