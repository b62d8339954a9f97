/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Times at which all CPUs of a group are idle, or in their deepest state: what lets a package or
 * cluster sleep. Periods are kept from round to round of the trace only.
 */
#ifndef ANALYSIS_TRACE_TOGETHER_H
#define ANALYSIS_TRACE_TOGETHER_H

#include "trace/read.h"

enum trace_level { TRACE_ALL_IDLE, TRACE_ALL_DEEP, TRACE_LEVELS };

struct trace_shared {
	uint64_t times, ns, longest_ns;
	uint64_t last_end_ns; /* of the latest one, which may go on in the next round */
	uint64_t last_start_ns;
};

struct trace_together;

/* -ENOMEM */
int trace_together_make(const struct trace_info *info, struct trace_together **ret);
int trace_together_periods(struct trace_together *together, const struct trace_item *item);
/* All that ended before @t_ns has been given. */
void trace_together_round(struct trace_together *together, uint64_t t_ns);
void trace_together_free(struct trace_together *together);

/* Group 0 is all CPUs, then packages where there are several, and clusters. */
size_t trace_together_groups(const struct trace_together *together);
const struct cpulist *trace_together_cpus(const struct trace_together *together, size_t group);
const struct trace_shared *trace_together_of(const struct trace_together *together, size_t group,
					     enum trace_level level);
const char *trace_together_what(const struct trace_together *together,
				size_t group); /* "cluster" */
/* The time that was looked at. */
uint64_t trace_together_ns(const struct trace_together *together);

#endif
