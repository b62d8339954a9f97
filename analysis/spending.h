/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Looking at a campaign after every block and stopping when it is decided: what a p value of one
 * look is worth when all looks count.
 *
 * Lan and DeMets' error spending (Biometrika 70 (1983) 659) with their function of Pocock's type,
 * alpha ln(1 + (e - 1) t), t = blocks / largest number of blocks. Repeated p values and intervals
 * are Jennison and Turnbull's (J. R. Statist. Soc. B 51 (1989) 305): they hold at all looks
 * together, so they are true whatever made a campaign stop or go on.
 */
#ifndef ANALYSIS_SPENDING_H
#define ANALYSIS_SPENDING_H

#include "analysis/pool.h"
#include <stddef.h>

struct spending; /* levels of the looks of one design; NULL stands for a single look at the end */

#define SPENDING_LAST_MAX 200

/* Looks after @first, @first + 1, ... @last blocks; 1 <= first < last <= SPENDING_LAST_MAX. */
const struct spending *spending_make(struct pool *pool, size_t first, size_t last);

/* The largest number of blocks; 0 = a single look. */
size_t spending_last(const struct spending *spending);

/*
 * Two-sided level of the look after @blocks blocks, at which all looks together err with
 * probability @alpha (0 to 1). Less than the first look's number of blocks are one look of their
 * own, more than the last's are the last look. With NULL: @alpha.
 */
double spending_level(const struct spending *spending, size_t blocks, double alpha);

/* The other way round, the repeated p value: the smallest alpha at which this look's @p is enough.
 * With NULL: @p; NAN stays NAN. */
double spending_p(const struct spending *spending, size_t blocks, double p);

#endif
