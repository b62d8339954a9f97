/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Null distribution of a sum of scores when runs are exchanged within their blocks. Scores are
 * integers (twice a rank), so that the distribution can be counted out.
 */
#ifndef ANALYSIS_STRATIFIED_NULL_H
#define ANALYSIS_STRATIFIED_NULL_H

#include <stddef.h>

struct stratified_block {
	size_t first, n; /* its scores: score[first] to score[first + n - 1] */
	size_t test; /* how many of them are the test's: its first ones */
};

/* Two-sided p of the sum over the test's scores; NAN when out of memory. */
double stratified_null_p(const size_t *score, const struct stratified_block *block, size_t blocks);

#endif
