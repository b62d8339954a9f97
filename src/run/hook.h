/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --next-kernel: what the user wants done when this kernel has done all it can and cells wait for
 * another one. How a machine boots another kernel (grub-reboot, kexec) is for its owner to say.
 */
#ifndef RUN_HOOK_H
#define RUN_HOOK_H

#include "run/session.h"

/* Boots of a campaign that brought no run: with so many the hook would go round for ever. */
#define HOOK_BARREN_MAX 3

/* Governors that cells wait for, each once: "teo-ng,util". malloc'ed; "" = none. */
char *hook_waiting_for(const struct session *session);

/*
 * Runs "sh -c COMMAND" with root's rights where the runner has them, with IDLE_RUNNER_RESULTS (the
 * folder) and IDLE_RUNNER_PENDING (hook_waiting_for()) set. What goes wrong is a warning: the
 * campaign itself is in order.
 */
int hook_run(const struct session *session, const char *command);

#endif
