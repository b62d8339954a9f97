/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The shift between two governors that were measured in blocks: estimate, interval, exact p.
 *
 * A run's score is its rank among all runs after each has lost the mean of its block (Hodges,
 * Lehmann, Ann. Math. Statist. 33 (1962), "aligned ranks") plus its rank within the block; the null
 * distribution is that of all exchanges within blocks. With one run a side in every block this is
 * Wilcoxon's signed rank test (zeros by Pratt), with a single block it is Mann-Whitney's, both
 * exact, ties included. docs/statistics.md says why, with simulations.
 */
#ifndef ANALYSIS_STRATIFIED_H
#define ANALYSIS_STRATIFIED_H

#include <stdbool.h>
#include <stddef.h>

struct stratified_run {
	double value; /* finite */
	int block; /* any number */
	bool test; /* false: of the reference */
};

struct stratified {
	size_t blocks; /* that hold both sides; the runs of the others have no part in this */
	size_t reference, test; /* runs of each side in them */
	double shift; /* Hodges-Lehmann, test minus reference; NAN when nothing can be compared */
	bool interval; /* false: too few runs for 1 - alpha */
	double lo, hi;
	double p; /* two-sided */
	double p_min; /* the smallest p that these numbers of runs can give */
	double level; /* the largest p <= alpha they can give (6 pairs, 0.05: 0.031); NAN = none */
	double error; /* standard error of a least-squares shift; NAN without freedom */
	size_t freedom; /* its degrees */
};

/*
 * Compares the runs, with an interval of confidence 1 - @alpha; changes their order. The
 * distribution is exact while counting it out costs less than some ms, else normal with the
 * variance under exchange and continuity correction. 0 or -ENOMEM.
 */
int stratified_compare(struct stratified_run *run, size_t n, double alpha, struct stratified *ret);

#endif
