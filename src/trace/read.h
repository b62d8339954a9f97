/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a trace, a block at a time: memory does not grow with its length. What is damaged is named
 * and left out, and reading goes on with the next whole block.
 */
#ifndef TRACE_READ_H
#define TRACE_READ_H

#include "trace/trace.h"

struct trace_reader;

enum trace_item_type {
	TRACE_END,
	TRACE_PERIODS,
	TRACE_WAKES,
	TRACE_ROUND, /* all that ended before t_ns has been read */
	TRACE_EDGE,
	TRACE_DAMAGE, /* bytes that are no whole block; what they held is missing */
};

/* What a block holds; valid until the next trace_next(). */
struct trace_item {
	enum trace_item_type type;
	size_t i; /* position of the CPU in the head's cpus: periods, edge */
	const struct trace_period *period;
	const struct trace_wake *wake;
	size_t n; /* of either */
	uint64_t count[TRACE_COUNTS]; /* with periods: since the block before */
	bool open; /* with periods: idle behind the last one, */
	unsigned int open_state; /* in this state */
	uint64_t open_ns; /* since */
	uint64_t t_ns; /* of a round */
	struct trace_edge edge;
	uint64_t offset, bytes; /* of damage, in the file */
};

/* -EBADMSG when the file is no trace or its head is damaged, -EPROTO for a newer format. */
int trace_open(const char *path, struct trace_reader **ret);

const struct trace_info *trace_info(const struct trace_reader *reader);

/* The next item; 0, or -errno of a file that cannot be read. At the end TRACE_END, also when the
 * end is missing. */
int trace_next(struct trace_reader *reader, struct trace_item *ret);

/*
 * The counters at both ends, which stand at the end of the file: one a CPU of the head, of
 * malloc(). Only the heads of blocks are read. *@ret is NULL when the trace is damaged or has no
 * end.
 */
int trace_edges(struct trace_reader *reader, struct trace_edge **ret);

/* Had the trace its end? To be asked behind TRACE_END. */
bool trace_is_whole(const struct trace_reader *reader);

void trace_close(struct trace_reader *reader); /* NULL is fine */

#endif
