/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One line of trace text. */
#ifndef ANALYSIS_TRACE_LINE_H
#define ANALYSIS_TRACE_LINE_H

#include "trace/assemble.h"

enum trace_line_type {
	TRACE_LINE_NONE, /* a comment, a blank line, an event that we do not know */
	TRACE_LINE_EVENT,
	TRACE_LINE_LOST, /* a line that says so many events of a CPU are lost */
	TRACE_LINE_CPUS, /* "cpus=6" of trace-cmd */
	TRACE_LINE_BAD, /* one of our events, and it cannot be read */
};

struct trace_line {
	int cpu;
	struct assembler_input
		in; /* of hrtimer_expire_entry with a third value: now, 0 = not there */
	uint64_t lost;
	const char *what; /* of a bad one */
};

/* Addresses that stand for functions, which text gives by name. */
#define TRACE_LINE_TICK 1
#define TRACE_LINE_OTHER 2
#define TRACE_LINE_DEFERRABLE 0x00080000 /* of a timer's flags, as the kernel has it */

/* @line without newline, NUL terminated. For a count of CPUs: cpu. */
enum trace_line_type trace_line_read(const char *line, struct trace_line *ret);

#endif
