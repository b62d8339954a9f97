/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The key "disable" of a run section: an idle state that is disabled on all measured CPUs while it
 * runs. A comparison is between governors with the same states (P-24), never between masks, so it
 * is an axis like any other.
 */
#ifndef RUN_DISABLE_H
#define RUN_DISABLE_H

#include "run/plan.h"

struct session;

/* Values of the key in each section, "each" replaced by @states (bit N: stateN). malloc'ed. */
int disable_resolve(const struct suite *suite, unsigned int states, struct sweep **ret);

/*
 * The states that can be disabled on this machine: enabled on some CPU, and no CPU is left without
 * one. Reads the machine only when the suite has the key; else 0.
 */
int disable_states(const struct session *session, unsigned int *ret);

/* Usage error for a point that names a state which is not one of @states. */
int disable_check(const struct session *session, unsigned int states);

/* -EACCES unless this user may write what the plan wants to disable. */
int disable_writable(const struct session *session);

/*
 * Disables stateN (-1 = none) where it exists, and sets all others as they were when this was
 * first called. Through the undo journal. session->idle knows the bits afterwards.
 */
int disable_set(struct session *session, int state);

#endif
