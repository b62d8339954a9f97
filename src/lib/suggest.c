/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * "did you mean": the nearest known word by optimal string alignment (insert, delete, replace, and
 * swap of two neighbours cost 1 each; no part of the text is edited twice).
 */
#include "lib/suggest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EDITS_MAX 2

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

size_t suggest_distance(const char *a, const char *b)
{
	size_t rows = strlen(a), columns = strlen(b), i, j, result;
	size_t *memory = calloc(3 * (columns + 1), sizeof(*memory));
	size_t *before = memory, *above, *row, *spare;

	if (!memory)
		return rows > columns ? rows : columns; /* never nearer than it is */
	above = before + columns + 1;
	row = above + columns + 1;
	for (j = 0; j <= columns; j++)
		row[j] = j;
	for (i = 1; i <= rows; i++) {
		spare = before;
		before = above;
		above = row;
		row = spare;
		row[0] = i;
		for (j = 1; j <= columns; j++) {
			row[j] = above[j - 1] + (a[i - 1] != b[j - 1]);
			row[j] = smaller(row[j], smaller(above[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				row[j] = smaller(row[j], before[j - 2] + 1);
		}
	}
	result = row[columns];
	free(memory);
	return result;
}

const char *suggest_nearest(const char *word, const char *const *known, size_t n)
{
	const char *nearest = NULL;
	size_t best = EDITS_MAX + 1, i, distance;

	for (i = 0; i < n; i++) {
		distance = suggest_distance(word, known[i]);
		if (distance < best && 2 * distance < strlen(word)) {
			best = distance;
			nearest = known[i];
		}
	}
	return nearest;
}

const char *suggest_text(const char *word, const char *const *known, size_t n, char *text,
			 size_t size)
{
	const char *nearest = suggest_nearest(word, known, n);

	if (nearest)
		snprintf(text, size, " (did you mean '%s'?)", nearest);
	else
		snprintf(text, size, "%s", "");
	return text;
}
