/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A run's files, and the moment when they become visible. */
#ifndef RUN_PUBLISH_H
#define RUN_PUBLISH_H

#include "run/cell.h"

/* Writes idle.tsv, samples.tsv and, where there is a counter, energy.tsv from the window's
 * readings. */
int publish_readings(const struct cell *cell);

/*
 * Writes run.ini and renames the temporary folder to RUNS/NNNN.NAME (complete), or
 * NNNN.NAME.void-K, .failed-K.
 */
int publish_run(struct cell *cell, int attempt);

#endif
