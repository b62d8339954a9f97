/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The environment that the runner works with and hands to every program that it starts: a list of
 * what may stay, instead of a list of what is dangerous.
 */
#ifndef RUN_ENVIRONMENT_H
#define RUN_ENVIRONMENT_H

#include <stdbool.h>

/* PATH of everything that root starts: folders that only root can write to. */
#define ENVIRONMENT_SAFE_PATH "/usr/bin:/bin:/usr/sbin:/sbin:/usr/local/bin"

/*
 * Removes all variables but HOME, TMPDIR, TERM, TZ, LANG, LANGUAGE, LC_* and gnuplot's font paths.
 * @privileged: PATH becomes ENVIRONMENT_SAFE_PATH, and a locale or time zone that names a file of
 * the caller's choice goes as well. Otherwise PATH, LD_LIBRARY_PATH and the sanitizers' options
 * stay too. @home replaces HOME unless it is NULL. Call it before threads exist. 0 or -ENOMEM.
 */
int environment_clean(bool privileged, const char *home);

#endif
