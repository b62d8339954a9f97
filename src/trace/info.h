/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The head of a trace as text: INI, so that a person with less(1) reads it. */
#ifndef TRACE_INFO_H
#define TRACE_INFO_H

#include "trace/trace.h"
#include <stdio.h>

/* Writes it as the head of that format. Control bytes in names become '?'. */
void info_write(const struct trace_info *info, uint32_t format, FILE *out);

/* Reads it back; -EBADMSG with "path: ..." for what no writer made, -EPROTO for a newer format. */
int info_read(const char *path, const char *text, size_t size, struct trace_info *ret);

#endif
