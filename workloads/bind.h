/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Binding of the calling thread through hwloc. The topology is loaded without any object but CPUs,
 * which takes a few milliseconds. May be used from several threads and after fork.
 */
#ifndef WORKLOADS_BIND_H
#define WORKLOADS_BIND_H

#include "lib/cpulist.h"

struct binder;

int bind_open(struct binder **ret);
void bind_close(struct binder *binder); /* NULL is fine */

/* CPUs that the calling thread may use now, ascending. */
int bind_allowed(const struct binder *binder, struct cpulist *ret);

/* Binds the calling thread to the CPUs. Usage error when one of them cannot be had. */
int bind_set(const struct binder *binder, const int *cpu, size_t n);

/* The calling thread's affinity as a list ("0-3,6"). -E2BIG when it does not fit. */
int bind_read(const struct binder *binder, char *text, size_t size);

#endif
