/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From a suite's name to its file. The suites that come with the program are every *.ini of the
 * configs folder.
 */
#include "lib/error.h"
#include "lib/file.h"
#include "lib/ini.h"
#include "lib/suggest.h"
#include "run/suite.h"
#include "run/where.h"
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int is_suite(const struct dirent *entry)
{
	size_t n = strlen(entry->d_name);

	return n > 4 && entry->d_name[0] != '.' && !strcmp(entry->d_name + n - 4, ".ini");
}

int suite_names_read(struct suite_names *ret)
{
	char folder[PATH_MAX];
	struct dirent **entry;
	int n, err = where_configs(folder);

	*ret = (struct suite_names){ 0 };
	if (err)
		return err;
	n = scandir(folder, &entry, is_suite, alphasort);
	if (n < 0)
		return error_set(-errno, "%s: %m", folder);
	ret->name = calloc((size_t)n + 1, sizeof(*ret->name));
	for (int i = 0; i < n; i++) {
		size_t size = strlen(entry[i]->d_name) - 4;

		if (ret->name && (ret->name[ret->n] = strndup(entry[i]->d_name, size)))
			ret->n++;
		free(entry[i]);
	}
	free(entry);
	return ret->name ? 0 : error_no_memory();
}

void suite_names_free(struct suite_names *names)
{
	for (size_t i = 0; i < names->n; i++)
		free(names->name[i]);
	free(names->name);
	*names = (struct suite_names){ 0 };
}

/* "no suite 'ping-sweap' (did you mean 'ping-sweep'?)", from what the folder really holds. */
static int unknown_suite(const char *name, const char *folder)
{
	struct suite_names names;
	char hint[96];
	int err = suite_names_read(&names);

	if (!err)
		err = error_usage("no suite '%s' in %s%s; ./runner list suites names them", name,
				  folder,
				  suggest_text(name, (const char *const *)names.name, names.n, hint,
					       sizeof(hint)));
	suite_names_free(&names);
	return err;
}

static int find_file(const char *name, char *path)
{
	size_t n = strlen(name);
	char folder[PATH_MAX];
	struct stat st;
	int err;

	if (strchr(name, '/') || (n > 4 && !strcmp(name + n - 4, ".ini"))) {
		if (n >= PATH_MAX)
			return error_usage("the suite's path is longer than %d bytes",
					   PATH_MAX - 1);
		strcpy(path, name);
	} else {
		err = where_configs(folder);
		if (err)
			return err;
		if (snprintf(path, PATH_MAX, "%s/%s.ini", folder, name) >= PATH_MAX ||
		    access(path, F_OK))
			return unknown_suite(name, folder);
	}
	if (stat(path, &st))
		return error_usage("%s: %s", path, strerror(errno));
	if (S_ISDIR(st.st_mode))
		return error_usage("%s is a folder, not a suite file", path);
	return 0;
}

int suite_load(const char *name, const char *const *set, int sets, struct suite *ret)
{
	char path[PATH_MAX], *text;
	struct ini ini;
	size_t size;
	int err = find_file(name, path);

	if (err)
		return err;
	err = file_read(path, &text, &size);
	if (err)
		return err;
	if (memchr(text, '\0', size))
		err = ini_load_text(path, text, size, &ini); /* refuses it with its line */
	else
		err = suite_parse(path, text, set, sets, ret);
	free(text);
	return err;
}
