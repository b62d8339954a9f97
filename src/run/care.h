/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The keys of a suite that keep a run apart from its neighbours: pause, settle, settle_span,
 * settle_timeout, deadline. They stand in [suite] and in [run NAME] alike.
 */
#ifndef RUN_CARE_H
#define RUN_CARE_H

#include "run/plan.h"

#define CARE_KEYS 5

/* Span 60 s, timeout 30 min, which is what a water cooled package takes (P-54); the rest none. */
extern const struct suite_care care_default;

/* All of them the suite's. */
extern const struct suite_care care_of_suite;

bool care_is_key(const char *key);

/* Writes the names of all keys to @names[CARE_KEYS]; returns CARE_KEYS. */
size_t care_keys(const char **names);

/* "none" takes a value of [suite] away. Usage error without a place. */
int care_set(struct suite_care *care, const char *key, const char *value);

/* What holds at a point: the section's values, else the suite's. */
struct suite_care care_at(const struct plan *plan, size_t point);

/* Usage errors for what has no effect: settling where there is no warm-up, a deadline where the
 * window ends the run. */
int care_check(const struct plan *plan, size_t point, double window_option_ns);

#endif
