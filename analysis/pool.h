/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory of one report: taken piece by piece, given back at once.
 *
 * A report has nothing on the machine to put back, so running out of memory ends the program
 * (abort) instead of being carried through every function as an error. The result directory is not
 * touched by that: a report is swapped in only when it is whole.
 */
#ifndef ANALYSIS_POOL_H
#define ANALYSIS_POOL_H

#include <stddef.h>

struct pool_chunk;

struct pool {
	struct pool_chunk *last;
};

/* @n objects of @size bytes, all zero. */
void *pool_alloc(struct pool *pool, size_t n, size_t size);

/*
 * Room for element number @n of an array that holds @n so far; returns the array, perhaps moved:
 * a = pool_room(pool, a, n, sizeof(*a)); a[n++] = x;
 */
void *pool_room(struct pool *pool, void *array, size_t n, size_t size);

char *pool_copy(struct pool *pool, const char *text);
char *pool_text(struct pool *pool, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Everything at once; the pool is empty afterwards. */
void pool_free(struct pool *pool);

#endif
