/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages for people, on stderr, one line each. Libraries that others may call silently do not use
 * this. */
#ifndef LIB_LOG_H
#define LIB_LOG_H

#include <stdbool.h>

/* --quiet: log_info() prints nothing; warnings stay. */
void log_set_quiet(bool quiet);

void log_info(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prefixed "warning: ". */
void log_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
