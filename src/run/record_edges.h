/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The counters at both edges of a window, as a trace stores them. */
#ifndef RUN_RECORD_EDGES_H
#define RUN_RECORD_EDGES_H

#include "hw/cpuidle.h"
#include "run/window.h"
#include "trace/trace.h"

/*
 * *@ret: malloc'ed, one a CPU of @idle. What was not read on a CPU is not known there, with a
 * warning. After window_finish(). -ENOMEM.
 */
int record_edges(const struct cpuidle *idle, const struct window *window, struct trace_edge **ret);

#endif
