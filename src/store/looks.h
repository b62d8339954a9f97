/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * looks.tsv of a sequential campaign: what each look at the data found, and by which the runner
 * chose what got more blocks. It is evidence and a note for resuming; the report finds the same
 * again from the runs.
 */
#ifndef STORE_LOOKS_H
#define STORE_LOOKS_H

#include "lib/tsv.h"

#define STORE_LOOKS_MAX 200 /* largest repeat of a sequential campaign */

struct store_looks {
	struct tsv tsv; /* STORE_LOOKS_COLUMNS; rows = 0: there was no look */
	size_t looks; /* number of the last one */
	size_t first; /* its first row; the rest is its */
	size_t before; /* first row of the look before; = first when there is none */
	size_t compared; /* comparisons of the last look; 0: nothing can be compared, and one row
			    says so (scope "none") */
	size_t open; /* of these, not decided */
	uint64_t repeat; /* the repeat after which it was taken */
	uint64_t runs; /* run directories then */
};

/* No file: 0 looks. -errno with a text when it is damaged. */
int store_looks_read(const char *dir, struct store_looks *ret);
void store_looks_free(struct store_looks *looks);

/* The cell of a row in the column of that name; "" = not available. */
const char *store_looks_text(const struct store_looks *looks, size_t row, const char *column);

/* A row's comparison is decided. */
bool store_looks_decided(const struct store_looks *looks, size_t row);

/* Both rows are of the same comparison. */
bool store_looks_same(const struct store_looks *looks, size_t a, size_t b);

/*
 * Writes the file anew (atomically) with one look more. @decisions: a table of
 * STORE_DECISION_COLUMNS, -EBADMSG when it has another header.
 */
int store_looks_add(const char *dir, const struct store_looks *have, const char *boot, int repeat,
		    size_t runs, const char *decisions);

#endif
