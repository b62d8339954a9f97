/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Latency from woken to running, by task name. At most TRACE_TASKS_MAX names; further ones share
 * the last, "(others)". */
#ifndef ANALYSIS_TRACE_TASKS_H
#define ANALYSIS_TRACE_TASKS_H

#include "lib/hist.h"
#include "trace/trace.h"

#define TRACE_TASKS_MAX 256

struct trace_task {
	char name[TRACE_NAME_MAX];
	struct hist latency;
};

struct trace_tasks {
	struct trace_task *task[TRACE_TASKS_MAX];
	size_t n;
};

int trace_tasks_add(struct trace_tasks *tasks, const struct trace_wake *wake); /* -ENOMEM */
void trace_tasks_sort(struct trace_tasks *tasks); /* most wakes first */
void trace_tasks_free(struct trace_tasks *tasks);

#endif
