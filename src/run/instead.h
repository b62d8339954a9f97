/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run --or-simulate: where a machine cannot be measured, a model stands in for it. */
#ifndef RUN_INSTEAD_H
#define RUN_INSTEAD_H

#include "run/options.h"
#include <stddef.h>

/*
 * True with the reason in @why when this machine has no cpuidle, or its governor would have to be
 * switched and may not be. Whatever else is wrong is for the run to say.
 */
bool instead_wanted(const struct options *options, char *why, size_t size);

/* Simulates what was to be run: exit status or -errno. */
int instead_simulate(const struct options *options, const char *why);

#endif
