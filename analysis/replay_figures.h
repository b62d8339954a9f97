/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Figures of a replay, each marked MODELLED. */
#ifndef ANALYSIS_REPLAY_FIGURES_H
#define ANALYSIS_REPLAY_FIGURES_H

#include "analysis/replay_print.h"

/* data/ and plots/ in the new folder @dir. -errno with a text. */
int replay_figures_write(const struct replay_result *result, const char *dir);

#endif
