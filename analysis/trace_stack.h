/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Data of a trace's stacked bars: columns "panel label key low high", every key at every bar. */
#ifndef ANALYSIS_TRACE_STACK_H
#define ANALYSIS_TRACE_STACK_H

#include "analysis/trace.h"

/* Periods by duration, a panel a set of CPUs with one state table, a key a state; %. */
void trace_stack_bins(const struct trace_analysis *analysis, FILE *out);
/* Of the periods in each state, those for which another one was ideal; %. */
void trace_stack_ideal(const struct trace_analysis *analysis, FILE *out);
/* Tick wakes, tick stops, timers; a CPU and second. */
void trace_stack_ticks(const struct trace_analysis *analysis, FILE *out);
/* Time that all CPUs of a group are idle, or in their deepest state; %. */
void trace_stack_together(const struct trace_analysis *analysis, FILE *out);

/* Is there a CPU of the group (trace_together.h) that gave no idle event? */
bool trace_group_is_deaf(const struct trace_analysis *analysis, size_t group);

#endif
