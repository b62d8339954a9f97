/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A scene under one governor. Open loop: the gaps come when the file says, however late the last
 * wakeup was. Closed loop: what a CPU wakes comes later by what that CPU was woken later.
 */
#ifndef ANALYSIS_REPLAY_RUN_H
#define ANALYSIS_REPLAY_RUN_H

#include "analysis/replay_walk.h"
#include "analysis/scene.h"
#include <stdio.h>

struct replay_sums {
	struct walk_sums *group; /* one a group of the scene */
	double shift_ns; /* closed loop: how much later the last work begins than in the recording
			  */
};

/*
 * CPUs start fresh. @rows: a TSV row a decision goes there; NULL = none. -EINVAL when the governor
 * names a state that there is not. replay_sums_free() in any case.
 */
int replay_run(const struct scene *scene, const struct governor *governor, bool closed, FILE *rows,
	       struct replay_sums *ret);
void replay_sums_free(struct replay_sums *sums);

/* The header of those rows. */
void replay_rows_header(FILE *rows);

#endif
