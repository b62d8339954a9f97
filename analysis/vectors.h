/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decision vectors: recorded inputs and what the real governor of a kernel answered to them, as
 * JSON lines (plain or .xz). A case is a "meta" line (table, governor), "d" lines and a "sum" line.
 * Equal means state, tick, question and poll limit of every decision, and the sums.
 */
#ifndef ANALYSIS_VECTORS_H
#define ANALYSIS_VECTORS_H

#include "governors/governor.h"
#include <stdio.h>

struct vectors_result {
	size_t decisions, equal;
	size_t sums, sums_equal; /* cases with a "sum" line */
};

/*
 * Puts @governor (NULL = the one that each case's meta line names) through a file. The first
 * difference is told on @out, later ones are counted. Usage error "path:line: ..." for what is no
 * vector.
 */
int vectors_check(const char *path, const struct governor *governor, FILE *out,
		  struct vectors_result *ret);

#endif
