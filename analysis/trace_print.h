/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts of the text about a trace, and names that its tables and figures share. */
#ifndef ANALYSIS_TRACE_PRINT_H
#define ANALYSIS_TRACE_PRINT_H

#include "analysis/trace.h"

extern const char *const trace_set_name[TRACE_SETS];

/* "5-10us" */
const char *trace_bin_name(unsigned int bin);

/* "C6", or "state 3" where the table has no name for it. @size of 32 is enough. */
const char *trace_state_name(const struct trace_table *table, unsigned int state, char *text,
			     size_t size);

/* Table number @t of the head, NULL for the one behind the last: CPUs without a table. */
const struct trace_table *trace_table_at(const struct trace_info *info, size_t t);

/* The trace held to the counters of sysfs at both ends; nothing when it has none. */
void trace_print_counters(const struct trace_analysis *analysis, FILE *out);

/* Times at which all CPUs are idle, and tasks' latency. */
void trace_print_together(const struct trace_analysis *analysis, FILE *out);
void trace_print_tasks(const struct trace_analysis *analysis, FILE *out);

#endif
