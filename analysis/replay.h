/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The verb "replay": idle periods, or recorded decisions, under modelled governors. */
#ifndef ANALYSIS_REPLAY_H
#define ANALYSIS_REPLAY_H

/* Exit status: 0 complete, all equal; 1 error, or a vector differs; 2 usage. */
int replay_main(int argc, char **argv);

#endif
