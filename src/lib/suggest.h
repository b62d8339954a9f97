/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "did you mean": the nearest known word to an unknown one. */
#ifndef LIB_SUGGEST_H
#define LIB_SUGGEST_H

#include <stddef.h>

/* Damerau-Levenshtein distance (optimal string alignment: an adjacent swap costs 1). */
size_t suggest_distance(const char *a, const char *b);

/* The nearest of @n words when it is at most 2 edits away and less than half of @word is wrong;
 * else NULL. */
const char *suggest_nearest(const char *word, const char *const *known, size_t n);

/* " (did you mean 'teo'?)" or "". @size bytes at @text; returns @text. */
const char *suggest_text(const char *word, const char *const *known, size_t n, char *text,
			 size_t size);

#endif
