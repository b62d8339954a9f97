/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The verb "replay": idle periods, or recorded decisions, under modelled governors. */
#ifndef ANALYSIS_REPLAY_H
#define ANALYSIS_REPLAY_H

/* The verb "replay"; EXIT_FAILURE without a text when a vector differs. */
int replay_main(int argc, char **argv);

#endif
