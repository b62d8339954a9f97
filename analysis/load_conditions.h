/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether results of several directories may be compared: what their machines, kernels and runs
 * differ in. The issues go into the result; whoever reports them decides what a refusal means.
 */
#ifndef ANALYSIS_LOAD_CONDITIONS_H
#define ANALYSIS_LOAD_CONDITIONS_H

#include "analysis/section.h"

/* Ratios from which a difference is mentioned, and from which it is refused. Loop times are told
 * apart from 1 % on; a unit of work that takes longer makes every loop longer by as much. */
#define CONDITIONS_UNIT_NOTED 1.02
#define CONDITIONS_UNIT_FAR 1.1
/* Windows and warm-ups: a governor learns for some 20 s (P-40), tails grow with the number of
 * loops. */
#define CONDITIONS_TIME_NOTED 1.05
#define CONDITIONS_TIME_FAR 2.0
#define CONDITIONS_TIME_SLACK_NS 1e9 /* a warm-up that is longer by less is the same */

/* Two boots of two sources. */
struct pair {
	size_t a, b;
	bool compared; /* a figure of one is set against a figure of the other; else side by side */
	bool same_machine;
	bool cpufreq_axis;
};

/* Fills result->issue of a result of several sources. */
void load_conditions(struct result *result, const struct table *table);

/* The first issue that is refused; NULL = none. */
const char *load_refusal(const struct result *result);

/* Windows, placement and parameters of the sections that both boots have. Part of
 * load_conditions(). */
void conditions_sections(struct result *result, const struct pair *pair);
/* "WHAT differs: 'A' in x, 'B' in y" unless the texts are the same. Part of load_conditions(). */
void conditions_differ(struct result *result, const struct pair *pair, bool refused,
		       const char *what, const char *a, const char *b);
void conditions_add(struct result *result, bool refused, const char *text);

#endif
