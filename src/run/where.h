/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where this program's own things lie: found from /proc/self/exe, in the build tree first, else as
 * installed.
 */
#ifndef RUN_WHERE_H
#define RUN_WHERE_H

/* Each writes the absolute path to @path (PATH_MAX bytes) and returns 0, or -errno with a text. */

/* The program of a workload: build/workloads/NAME, or LIBEXEC/idle-runner/workloads/NAME. */
int where_workload(const char *name, char *path);

/* The report program: build/analysis, or LIBEXEC/idle-runner/analysis. */
int where_analysis(char *path);

/* The folder of the suites: configs/, or SHARE/idle-runner/configs. */
int where_configs(char *path);

/* Where new campaigns go by default: results/ of the build tree, or ./results when installed. */
int where_results(char *path);

/* A folder in there that does not exist yet: results/20261130-2140-NAME, with -2, -3, ... while
 * there is such a one. malloc'ed. */
int where_new_result(const char *name, char **ret);

#endif
