/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The head of a trace: what this machine is. */
#ifndef RUN_RECORD_INFO_H
#define RUN_RECORD_INFO_H

#include "run/record.h"

/* All but kinds and t0. What is not known stays empty. */
int record_info(const struct record_order *order, struct trace_info *ret);

/* Adds clusters of @root's topology that are neither a core nor a package to @info, of its CPUs. */
int record_clusters(const struct root *root, struct trace_info *info); /* -ENOMEM */

/* Addresses of the functions of the tick's hrtimer, from kallsyms; 0 where they are hidden. */
void record_tick_functions(const struct root *root, uint64_t ret[2]);

#endif
