/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the program's own data are: in the source tree, or as installed. */
#ifndef ANALYSIS_PLACE_H
#define ANALYSIS_PLACE_H

#include <limits.h>

/*
 * The folder @in_source of the source tree (make puts a link "source" beside programs that are
 * built elsewhere), or @installed below PREFIX/share/idle-runner. -ENOENT says what to do.
 */
int place_find(const char *in_source, const char *installed, char path[PATH_MAX]);

#endif
