/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the workloads' own files say about the run that published them. */
#ifndef RUN_EVIDENCE_H
#define RUN_EVIDENCE_H

#include "run/cell.h"

/*
 * Doubts from metrics.tsv and tasks.tsv: idle entries per stop, a task that ran elsewhere
 * than reported, ns per unit of work at start and end.
 */
int evidence_doubts(struct cell *cell);

/* Of the culprit: "the workload ended with status 1: LAST LINE OF stderr.txt"; malloc'ed. */
char *evidence_last_line(const struct cell *cell);

#endif
