/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Trace text into a trace: what trace-cmd report, perf script and ftrace's file "trace" print.
 * Lines may be in any order; excerpts may be glued. All lines are kept in memory until they are
 * sorted.
 */
#ifndef ANALYSIS_TRACE_TEXT_H
#define ANALYSIS_TRACE_TEXT_H

#include <stdbool.h>

/* Is it a text with idle events near its begin? False also when it cannot be read. */
bool trace_text_detect(const char *path);

/*
 * Writes the trace @to. 0; 3 when lines are left out, each named on stderr as far as 20 go; -errno.
 */
int trace_text_convert(const char *path, const char *to);

/* The same into a new file, whose name is made of the template. */
int trace_text_temporary(const char *path, char *template);

#endif
