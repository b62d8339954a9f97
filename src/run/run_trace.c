/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The thread has the recording while it runs; the main thread has it before and after.
 */
#include "run/run_trace.h"
#include "lib/error.h"
#include "run/record_edges.h"
#include "store/format.h"
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

struct run_trace {
	struct run_trace_order order;
	struct record *record;
	pthread_t thread;
	bool started;
	int stop_fd, err;
	char why[256]; /* error texts are a thread's own */
};

static void *read_rings(void *argument)
{
	struct run_trace *t = argument;

	record_bind(t->order.topology, t->order.housekeeping);
	t->err = record_until(t->record, &t->stop_fd, 1, UINT64_MAX);
	if (t->err)
		snprintf(t->why, sizeof(t->why), "%s", error_text());
	return NULL;
}

static int start(struct run_trace *t)
{
	struct record_order order = { .root = t->order.root,
				      .topology = t->order.topology,
				      .idle = t->order.idle,
				      .workload = t->order.workload,
				      .kinds = RECORD_DEFAULT_KINDS };
	char *path;
	int err;

	if (t->stop_fd < 0)
		return error_set(-errno, "eventfd: %m");
	if (asprintf(&path, "%s/" STORE_TRACE, t->order.dir) < 0)
		return error_no_memory();
	order.path = path;
	err = record_open(&order, &t->record);
	free(path);
	if (!err)
		err = record_start(t->record);
	if (err)
		return err;
	err = -pthread_create(&t->thread, NULL, read_rings, t);
	t->started = !err;
	return err ? error_set(err, "cannot start a reader thread: %s", strerror(-err)) : 0;
}

int run_trace_start(const struct run_trace_order *order, struct run_trace **ret)
{
	struct run_trace *t = calloc(1, sizeof(*t));
	int err;

	if (!t)
		return error_no_memory();
	t->order = *order;
	t->stop_fd = eventfd(0, EFD_CLOEXEC);
	err = start(t);
	if (err) {
		run_trace_abandon(t);
		return err;
	}
	*ret = t;
	return 0;
}

static void stop(struct run_trace *t)
{
	if (!t->started)
		return;
	eventfd_write(t->stop_fd, 1);
	pthread_join(t->thread, NULL);
	t->started = false;
}

int run_trace_finish(struct run_trace *t, const struct window *window, struct record_result *ret)
{
	struct trace_edge *edge = NULL;
	int err;

	stop(t);
	err = t->err ? error_set(t->err, "%s", t->why) : record_edges(t->order.idle, window, &edge);
	if (!err) {
		err = record_finish(t->record, edge, ret);
		t->record = NULL;
	}
	free(edge);
	run_trace_abandon(t);
	return err;
}

void run_trace_abandon(struct run_trace *t)
{
	if (!t)
		return;
	stop(t);
	record_abandon(t->record);
	if (t->stop_fd >= 0)
		close(t->stop_fd);
	free(t);
}
