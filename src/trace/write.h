/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a trace. Memory is fixed; a block goes to the file with one write, so that after a crash
 * all whole blocks are readable.
 */
#ifndef TRACE_WRITE_H
#define TRACE_WRITE_H

#include "trace/trace.h"

struct trace_writer;

/* Makes @path (replacing a regular file) and writes the head. -errno with the path. @info's CPUs
 * are copied. */
int trace_create(const char *path, const struct trace_info *info, struct trace_writer **ret);

/* Of the @i-th CPU of the head. Periods of a CPU come in order; entry >= the exit before. */
int trace_put_period(struct trace_writer *writer, size_t i, const struct trace_period *period);
void trace_count(struct trace_writer *writer, size_t i, enum trace_count what, uint64_t n);
int trace_put_wake(struct trace_writer *writer, const struct trace_wake *wake);

/*
 * The @i-th CPU is idle at the end of the round that ends next, in @state since @entry_ns.
 */
void trace_set_open(struct trace_writer *writer, size_t i, bool idle, unsigned int state,
		    uint64_t entry_ns);

/* Everything that ended before @t_ns has been put: writes it out. */
int trace_round(struct trace_writer *writer, uint64_t t_ns);

/* The end: @edge one a CPU of the head, NULL = not known. *@ret_bytes in the file. Frees in any
 * case. */
int trace_finish(struct trace_writer *writer, const struct trace_edge *edge, uint64_t *ret_bytes);

/* Leaves the file as it is: what a crash would leave. NULL is fine. */
void trace_abandon(struct trace_writer *writer);

/* Periods put so far. */
uint64_t trace_periods(const struct trace_writer *writer);

#endif
