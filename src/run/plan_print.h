/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a start is going to do and when it will be over, for people. */
#ifndef RUN_PLAN_PRINT_H
#define RUN_PLAN_PRINT_H

#include "run/cells.h"

/* --dry-run: every cell, then the sections' times and the finishing time. */
int plan_print_all(const struct session *session, const struct cells *cells);

/* Before the first run: the same without the cells, on stderr and in the log. */
void plan_print_short(const struct session *session, const struct cells *cells);

#endif
