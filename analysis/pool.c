/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A list of calloc'ed chunks. Arrays grow by doubling; the old copy stays in the pool until the
 * end, which wastes at most as much again.
 */
#include "analysis/pool.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pool_chunk {
	struct pool_chunk *before;
	max_align_t data[];
};

void *pool_alloc(struct pool *pool, size_t n, size_t size)
{
	struct pool_chunk *chunk;
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes) ||
	    __builtin_add_overflow(bytes, sizeof(*chunk), &bytes))
		abort();
	chunk = calloc(1, bytes);
	if (!chunk)
		abort();
	chunk->before = pool->last;
	pool->last = chunk;
	return chunk->data;
}

void *pool_room(struct pool *pool, void *array, size_t n, size_t size)
{
	void *larger;

	if (n && (n < 4 || (n & (n - 1))))
		return array;
	larger = pool_alloc(pool, n ? 2 * n : 4, size);
	if (n)
		memcpy(larger, array, n * size);
	return larger;
}

char *pool_copy(struct pool *pool, const char *text)
{
	size_t size = strlen(text) + 1;

	return memcpy(pool_alloc(pool, 1, size), text, size);
}

char *pool_text(struct pool *pool, const char *format, ...)
{
	va_list args;
	char *text;
	int n;

	va_start(args, format);
	n = vsnprintf(NULL, 0, format, args);
	va_end(args);
	if (n < 0)
		abort();
	text = pool_alloc(pool, 1, (size_t)n + 1);
	va_start(args, format);
	vsnprintf(text, (size_t)n + 1, format, args);
	va_end(args);
	return text;
}

void pool_free(struct pool *pool)
{
	while (pool->last) {
		struct pool_chunk *before = pool->last->before;

		free(pool->last);
		pool->last = before;
	}
}
