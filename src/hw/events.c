/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opening and reading of perf events: one descriptor an event and CPU, no groups, so that one event
 * that the hardware has no room for does not take the others with it.
 */
#include "hw/events.h"

#include "hw/descriptors.h"
#include "lib/error.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PARANOID "proc/sys/kernel/perf_event_paranoid"

struct counter {
	int fd; /* -1 = cannot be counted: err */
	int err;
};

struct events {
	struct event_code *code;
	size_t n;
	struct cpulist cpus;
	struct counter *counter; /* by event, then CPU */
};

static const struct counter *counter_of(const struct events *events, size_t e, size_t c)
{
	return &events->counter[e * events->cpus.n + c];
}

static int denied(const struct root *root, const struct event_code *code, int err)
{
	char paranoid[16];

	if (root_read(root, PARANOID, paranoid, sizeof(paranoid)) <= 0)
		snprintf(paranoid, sizeof(paranoid), "unknown");
	return error_set(-EACCES,
			 "event %s: %s: counting whole CPUs needs root (sudo) or CAP_PERFMON, or "
			 "kernel.perf_event_paranoid (now %s) at 0 or less: sysctl "
			 "kernel.perf_event_paranoid=0",
			 code->name, strerror(-err), paranoid);
}

static int open_counter(const struct event_code *code, int cpu)
{
	struct perf_event_attr attr = code->attr;
	long fd;

	attr.size = sizeof(attr);
	attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	attr.disabled = 0;
	attr.inherit = 0;
	fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? -errno : (int)fd;
}

static int open_all(const struct root *root, struct events *events)
{
	for (size_t e = 0; e < events->n; e++) {
		for (size_t c = 0; c < events->cpus.n; c++) {
			struct counter *counter = &events->counter[e * events->cpus.n + c];
			int fd;

			if (!root->live) { /* a dump's CPUs are not this machine's */
				counter->err = -ENODEV;
				continue;
			}
			fd = open_counter(&events->code[e], events->cpus.cpu[c]);
			if (fd == -EACCES || fd == -EPERM)
				return denied(root, &events->code[e], fd);
			if (fd == -EMFILE || fd == -ENFILE || fd == -ENOMEM)
				return error_set(fd, "event %s on cpu%d: %s", events->code[e].name,
						 events->cpus.cpu[c], strerror(-fd));
			counter->fd = fd < 0 ? -1 : fd;
			counter->err = fd < 0 ? fd : 0;
		}
	}
	return 0;
}

int events_open(const struct root *root, const struct event_code *codes, size_t n,
		const struct cpulist *cpus, struct events **ret)
{
	struct events *events = calloc(1, sizeof(*events));
	int r = 0;

	if (events) {
		events->code = calloc(n + 1, sizeof(*codes));
		events->counter = calloc(n * cpus->n + 1, sizeof(*events->counter));
	}
	if (!events || !events->code || !events->counter || cpulist_copy(cpus, &events->cpus)) {
		events_close(events);
		return error_no_memory();
	}
	if (n)
		memcpy(events->code, codes, n * sizeof(*codes));
	events->n = n;
	for (size_t i = 0; i < n * cpus->n; i++)
		events->counter[i].fd = -1;
	if (root->live)
		r = descriptors_make_room(n * cpus->n);
	if (!r)
		r = open_all(root, events);
	if (r) {
		events_close(events);
		return r;
	}
	*ret = events;
	return 0;
}

void events_read(const struct events *events, size_t e, size_t c, struct event_reading *ret)
{
	const struct counter *counter = counter_of(events, e, c);
	uint64_t have[3];
	ssize_t got;

	*ret = (struct event_reading){ .err = counter->err };
	if (counter->fd < 0)
		return;
	got = read(counter->fd, have, sizeof(have));
	if (got != sizeof(have)) {
		/* End of file is the kernel's word for a counter in error state. */
		ret->err = got < 0 ? -errno : -EIO;
		return;
	}
	ret->value = have[0];
	ret->enabled_ns = have[1];
	ret->running_ns = have[2];
	/* Nothing has passed yet right behind the opening: that 0 is one. */
	ret->known = ret->running_ns || !ret->enabled_ns;
	ret->err = ret->known ? 0 : -EAGAIN;
}

const char *events_reason(const struct events *events, size_t e, size_t c, char *text, size_t size)
{
	const struct counter *counter = counter_of(events, e, c);
	const char *why = strerror(-counter->err);

	text[0] = '\0';
	if (counter->fd >= 0)
		return text;
	switch (counter->err) {
	case -ENOENT:
	case -EOPNOTSUPP:
	case -ENXIO:
		why = "this CPU's hardware, or the host of this guest, offers no such counter";
		break;
	case -ENODEV:
		why = "the CPU is offline or not this machine's";
		break;
	case -EINVAL:
		why = "the kernel does not take this event on this CPU";
		break;
	case -EBUSY:
		why = "another user holds the counter for himself";
		break;
	}
	snprintf(text, size, "event %s on cpu%d: %s", events->code[e].name, events->cpus.cpu[c],
		 why);
	return text;
}

void events_close(struct events *events)
{
	if (!events)
		return;
	for (size_t i = 0; i < events->n * events->cpus.n; i++)
		if (events->counter[i].fd >= 0)
			close(events->counter[i].fd);
	cpulist_free(&events->cpus);
	free(events->counter);
	free(events->code);
	free(events);
}

struct event_reading events_between(const struct event_reading *first,
				    const struct event_reading *last)
{
	struct event_reading between = { .err = first->known ? last->err : first->err };

	if (!first->known || !last->known)
		return between;
	if (last->value < first->value || last->running_ns < first->running_ns ||
	    last->enabled_ns < first->enabled_ns) {
		between.err = -ERANGE;
		return between;
	}
	between.value = last->value - first->value;
	between.enabled_ns = last->enabled_ns - first->enabled_ns;
	between.running_ns = last->running_ns - first->running_ns;
	between.known = between.running_ns || !between.enabled_ns;
	between.err = between.known ? 0 : -EAGAIN;
	return between;
}

double events_scaled(const struct event_reading *reading)
{
	if (!reading->known)
		return NAN;
	if (reading->running_ns == reading->enabled_ns)
		return (double)reading->value;
	return (double)reading->value * (double)reading->enabled_ns / (double)reading->running_ns;
}
