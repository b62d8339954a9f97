/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How hot a run was: package temperature at both ends, and whether a CPU was throttled (P-47). */
#ifndef RUN_HEAT_H
#define RUN_HEAT_H

#include "run/cell.h"

/* Before the workload starts and after it has ended: reading a temperature may wake a CPU. */
int heat_begin(struct cell *cell);

/* Fills run.temperature_*_c; throttling is a doubt. */
int heat_end(struct cell *cell);

#endif
