/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Adaptive sweeps: points that are chosen from what has been measured. The analysis program
 * chooses, points.tsv of the campaign keeps what was chosen and why, and the plan follows from that
 * file: a killed campaign goes on with the same points.
 */
#ifndef RUN_ADAPT_H
#define RUN_ADAPT_H

#include "run/session.h"

/* Writes points.tsv of a campaign whose sweeps have unequal steps, where it is missing. */
int adapt_open(const struct session *session);

/*
 * Chooses another round of points from the runs that there are, and plans anew. Nothing of it is
 * lost or doubled by a kill at any time. -EINTR for a signal, -EIO when nothing could be chosen.
 */
int adapt(struct session *session);

#endif
