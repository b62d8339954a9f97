/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The list is short and searched from its begin; a name that is found moves a place forward, so
 * that those that wake most are found first.
 */
#include "analysis/trace_tasks.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct trace_task *add_task(struct trace_tasks *tasks, const char *name)
{
	struct trace_task *task = calloc(1, sizeof(*task));

	if (!task)
		return NULL;
	snprintf(task->name, sizeof(task->name), "%s",
		 tasks->n == TRACE_TASKS_MAX - 1 ? "(others)" : name);
	tasks->task[tasks->n++] = task;
	return task;
}

static struct trace_task *find(struct trace_tasks *tasks, const char *name)
{
	for (size_t i = 0; i < tasks->n; i++) {
		struct trace_task *task = tasks->task[i];

		if (strcmp(task->name, name))
			continue;
		if (i) {
			tasks->task[i] = tasks->task[i - 1];
			tasks->task[i - 1] = task;
		}
		return task;
	}
	return NULL;
}

int trace_tasks_add(struct trace_tasks *tasks, const struct trace_wake *wake)
{
	struct trace_task *task = find(tasks, wake->name);

	if (!task)
		task = tasks->n < TRACE_TASKS_MAX ? add_task(tasks, wake->name)
						  : find(tasks, "(others)");
	if (!task)
		return -ENOMEM;
	hist_add(&task->latency, wake->latency_ns);
	return 0;
}

static int by_count(const void *a, const void *b)
{
	const struct trace_task *x = *(struct trace_task *const *)a,
				*y = *(struct trace_task *const *)b;

	if (x->latency.count != y->latency.count)
		return x->latency.count < y->latency.count ? 1 : -1;
	return strcmp(x->name, y->name);
}

void trace_tasks_sort(struct trace_tasks *tasks)
{
	qsort(tasks->task, tasks->n, sizeof(tasks->task[0]), by_count);
}

void trace_tasks_free(struct trace_tasks *tasks)
{
	if (!tasks)
		return;
	for (size_t i = 0; i < tasks->n; i++)
		free(tasks->task[i]);
	free(tasks);
}
