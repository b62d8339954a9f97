/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What every fuzz target shares. A target is one file with one LLVMFuzzerTestOneInput(): linked
 * with libFuzzer by "make fuzz", and with replay.c for "make check". A promise of a header that
 * does not hold for some input is reported like a crash.
 */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include "lib/error.h"
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FUZZ_CHECK(condition)                                                                      \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			fprintf(stderr, "%s:%d: does not hold: %s (error text: %s)\n", __FILE__,   \
				__LINE__, #condition, error_text());                               \
			abort();                                                                   \
		}                                                                                  \
	} while (0)

/* Memory of the fuzz target itself: running out of it says nothing about the program. */
static inline void *fuzz_need(void *memory)
{
	if (!memory)
		exit(EXIT_FAILURE);
	return memory;
}

/* The input as a C string, malloc'ed to its very size, so that a read behind it is seen. */
static inline char *fuzz_text(const uint8_t *data, size_t size)
{
	char *text = fuzz_need(malloc(size + 1));

	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	return text;
}

/* An input that numbers are taken from. */
struct fuzz_bytes {
	const uint8_t *data;
	size_t left;
};

/* The next @n bytes as a number; zeros behind the end. */
static inline uint64_t fuzz_take(struct fuzz_bytes *b, size_t n)
{
	uint64_t value = 0;

	for (size_t i = 0; i < n && b->left; i++, b->data++, b->left--)
		value |= (uint64_t)*b->data << 8 * i;
	return value;
}

/* An error has a text; what stands in it goes to a terminal or into a report. */
static inline void fuzz_check_error(int code)
{
	FUZZ_CHECK(code < 0);
	FUZZ_CHECK(error_text()[0]);
	for (const char *c = error_text(); *c; c++)
		FUZZ_CHECK((unsigned char)*c >= ' ' && *c != 0x7f);
}

#endif
