/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists of CPU numbers as the kernel writes them: "0-3,6". The order given is kept (a ring's stops
 * are in order); CPU 0 is a CPU like any other; a CPU named twice is an error.
 */
#ifndef LIB_CPULIST_H
#define LIB_CPULIST_H

#include <stdbool.h>
#include <stddef.h>

#define CPULIST_MAX_CPU 65535 /* larger numbers are refused; NR_CPUS is at most 8192 today */

struct cpulist {
	int *cpu;
	size_t n;
};

/* Parses @text; "" and "\n" (an empty sysfs mask) give an empty list. Usage error with the place in
 * the text else. */
int cpulist_parse(const char *text, struct cpulist *ret);

/* "0-3,6"; runs of ascending numbers are joined, order is kept. malloc'ed; NULL when out of memory.
 */
char *cpulist_format(const struct cpulist *list);

bool cpulist_has(const struct cpulist *list, int cpu);

/* Appends; 0 or -ENOMEM. The caller sees to it that @cpu is not there yet. */
int cpulist_add(struct cpulist *list, int cpu);

int cpulist_copy(const struct cpulist *from, struct cpulist *ret);

void cpulist_sort(struct cpulist *list);

/* Frees the numbers and empties the list; safe on a zeroed one. */
void cpulist_free(struct cpulist *list);

#endif
