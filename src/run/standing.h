/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Medians of the headline metric so far, for "status": what the published runs say while a campaign
 * is under way. No statistics: those are the report's.
 */
#ifndef RUN_STANDING_H
#define RUN_STANDING_H

#include "run/plan.h"

#define STANDING_GROUPS 4 /* rows that a section with more points than this is shown in */

/*
 * Prints a table in at most 80 columns: a row a point, or a group of neighbouring points where a
 * section has more than STANDING_GROUPS; a column a governor (governor@kernel with several
 * kernels), each "median (runs)". Nothing when no run is complete.
 */
int standing_print(const char *dir, const struct plan *plan);

#endif
