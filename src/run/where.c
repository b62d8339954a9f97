/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The program lies in TOP/build, in an object folder below that (make O=build/asan) or anywhere
 * (make puts a link "source" to TOP there), or in PREFIX/bin.
 */
#include "run/where.h"
#include "lib/error.h"
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Folder of the running program, without trailing slash. */
static int own_folder(char *folder)
{
	char exe[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", exe, sizeof(exe) - 1);

	if (n < 0)
		return error_set(-errno, "/proc/self/exe: %m (is /proc mounted?)");
	exe[n] = '\0';
	strcpy(folder, dirname(exe));
	return 0;
}

/* The first of @below (relative to the program's folder, ends with NULL) that exists. */
static int find(const char *what, const char *const *below, char *path)
{
	char folder[PATH_MAX], candidate[2 * PATH_MAX];
	int err = own_folder(folder);

	if (err)
		return err;
	for (int i = 0; below[i]; i++) {
		snprintf(candidate, sizeof(candidate), "%s/%s", folder, below[i]);
		if (realpath(candidate, path))
			return 0;
	}
	return error_set(-ENOENT, "no %s beside %s: run 'make' first", what, folder);
}

int where_workload(const char *name, char *path)
{
	char built[NAME_MAX + 16], installed[NAME_MAX + 48];
	const char *const below[] = { built, installed, NULL };

	snprintf(built, sizeof(built), "workloads/%s", name);
	snprintf(installed, sizeof(installed), "../libexec/idle-runner/workloads/%s", name);
	return find(built, below, path);
}

int where_analysis(char *path)
{
	static const char *const below[] = { "analysis", "../libexec/idle-runner/analysis", NULL };

	return find("report program 'analysis'", below, path);
}

int where_configs(char *path)
{
	static const char *const below[] = { "source/configs",
					     "../configs",
					     "../../configs",
					     "source/configs",
					     "../share/idle-runner/configs",
					     NULL };

	return find("folder 'configs'", below, path);
}

int where_results(char *path)
{
	static const char *const below[] = { "source/results", "../results", "../../results",
					     "source/results", NULL };

	if (!find("folder 'results'", below, path))
		return 0;
	if (!getcwd(path, PATH_MAX - sizeof("/results")))
		return error_set(-errno, "cannot tell the present folder: %m");
	strcat(path, "/results");
	return 0;
}

int where_new_result(const char *name, char **ret)
{
	char results[PATH_MAX], stamp[32], *dir;
	time_t now = time(NULL);
	struct tm tm;
	int err = where_results(results);

	if (err)
		return err;
	strftime(stamp, sizeof(stamp), "%Y%m%d-%H%M", localtime_r(&now, &tm));
	for (int i = 1; i < 1000; i++) {
		char suffix[16] = "";

		if (i > 1)
			snprintf(suffix, sizeof(suffix), "-%d", i);
		if (asprintf(&dir, "%s/%s-%s%s", results, stamp, name, suffix) < 0)
			return error_no_memory();
		if (access(dir, F_OK)) {
			*ret = dir;
			return 0;
		}
		free(dir);
	}
	return error_set(-EEXIST, "%s holds a thousand results of this minute", results);
}
