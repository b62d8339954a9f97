/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Switching the idle governor, so that the new one starts fresh. */
#ifndef RUN_SWITCH_H
#define RUN_SWITCH_H

#include "run/session.h"

/*
 * Writes another governor and then @name: writing the name that is active already is a no-op and
 * would keep what the governor has learnt (P-40). The counter files are opened again afterwards
 * (P-19). *ret_fresh is false where the kernel offers only one governor, so that nothing could be
 * switched away to.
 */
int switch_governor(struct session *session, const char *name, bool *ret_fresh);

/* Sets the cpufreq governor of all policies, through the undo journal as well. */
int switch_cpufreq(struct session *session, const char *name);

#endif
