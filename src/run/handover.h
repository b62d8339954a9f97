/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The cells that a model is to make, written down for the analysis program: what the runner knows
 * of a run before it begins. The model does the rest.
 */
#ifndef RUN_HANDOVER_H
#define RUN_HANDOVER_H

#include "run/cells.h"

#define HANDOVER_CELLS "cells.tsv"
#define HANDOVER_CELLS_COLUMNS                                                                         \
	"name\tpoint\tnumber\trepeat\tgovernor\tlabel\tcpufreq_governor\tseed\twindow_ns\twarmup_ns\t" \
	"disable\n"
#define HANDOVER_POINTS "points"

/*
 * Writes DIR/cells.tsv, a row a cell to be made, and DIR/points/N/run.ini of each point: a run.ini
 * whose number, repeat, governor and label are those of some cell of the point. seed: the same for
 * all governors of a block, so that they meet the same world; another for the second column of an
 * A/A control. disable: N of stateN, empty = none.
 */
int handover_write(struct session *session, const struct cells *cells, const char *dir);

#endif
