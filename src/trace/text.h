/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A trace as text, for people and their scripts. */
#ifndef TRACE_TEXT_H
#define TRACE_TEXT_H

#include <stdio.h>

/*
 * Prints the head as comments ('#'), then tab separated periods with a header row, in the order of
 * the file (each CPU's in order). Damage and losses are comments where they are. *@ret_damaged: how
 * many places. -errno of a file that is no trace.
 */
int trace_print(const char *path, FILE *out, size_t *ret_damaged);

#endif
