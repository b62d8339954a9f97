/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tracepoints that a recording takes: a table of names and fields, found in tracefs. What this
 * kernel or processor does not have is left out, but for power:cpu_idle.
 */
#ifndef RUN_RECORD_EVENT_H
#define RUN_RECORD_EVENT_H

#include "hw/tracefs.h"
#include "trace/assemble.h"
#include <stdbool.h>
#include <stdint.h>

struct record_events {
	uint64_t id[EVENTS]; /* those that are there, in the table's order */
	enum event event[EVENTS];
	size_t n;
	unsigned int kinds; /* of enum trace_kind: what can be had of what was asked for */
	struct tracefs_field field[EVENTS][EVENT_FIELDS_MAX]; /* by event */
	bool own_time; /* timer_start has a timer's own time and not its bucket's */
	uint8_t of_id[65536]; /* event + 1 of a tracepoint's number; 0 = none of ours */
};

/* @kinds: what is asked for. -errno with a text when power:cpu_idle cannot be had. */
int record_events_find(struct tracefs *tracefs, unsigned int kinds, struct record_events *ret);

/* The event of a raw record, -1 = none of ours. */
int record_event_of(const struct record_events *events, const uint8_t *raw, size_t size);

/* "idle,timers,irqs,sched" into kinds; "idle" is always there. Usage error for another word. */
int record_kinds_parse(const char *text, unsigned int *ret);

#endif
