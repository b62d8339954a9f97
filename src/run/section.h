/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A run section's table of keys: the parameters of all its workloads, and what every section has.
 * Only for the suite, the plan and run/disable.c. Errors are usage errors without a place.
 */
#ifndef RUN_SECTION_H
#define RUN_SECTION_H

#include "run/suite.h"

/*
 * The words of the key "disable" stand for idle states: none, each (what can be disabled on this
 * machine, one after the other; run/plan.h), state0, state1, ...
 */
enum { SECTION_DISABLE_NONE, SECTION_DISABLE_EACH, SECTION_DISABLE_STATE0 };

/* Makes params and sweep of a zeroed section from the words of "workload = A B". */
int section_make(struct suite_section *s, const char *workloads);

/*
 * Row of a key: "work", or "ping-pong.work" whether it has to be told apart or not. -ENOENT when
 * there is none, another code when several workloads have it.
 */
int section_find(const struct suite_section *s, const char *key);

/* True for a key that may be given more than once, whatever the workload; for lib/ini.h. */
bool section_may_repeat(const char *key);

/* One key of a section, window and warmup as well. @again: it may replace a value. */
int section_set(struct suite_section *s, const char *key, const char *value, bool again);

/*
 * --set KEY=VALUE goes to every section whose workloads have the key, SECTION.KEY=VALUE to one;
 * KEY may be WORKLOAD.KEY.
 */
int section_apply_set(struct suite *suite, const char *pair);

/* Is there a section that such a --set is for? Its value is not looked at. */
bool section_concerned(const struct suite *suite, const char *pair);

/* True when some section has that workload. */
bool section_is_workload(const struct suite *suite, const char *name);

/* The combination of its parameters, at its first point: every point has the same keys set. The
 * error begins with the place. */
int section_check(const struct suite *suite, const struct suite_section *s);

void section_free(struct suite_section *s);

#endif
