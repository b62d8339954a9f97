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

/*
 * From now on each message goes to @fd as well (-1 = no more), with the wall clock before it, in
 * one write: two writers' lines do not mix. What cannot be written there is lost; it was on stderr.
 */
void log_copy_to(int fd);

/* Only to the copy. */
void log_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
