/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values picked from a command's output, a regular expression each. A line that matches without a
 * number makes the value NA: no earlier one is left standing.
 */
#ifndef WORKLOADS_COMMAND_PICK_H
#define WORKLOADS_COMMAND_PICK_H

#include "workloads/workload.h"
#include <regex.h>

#define COMMAND_PICKS_MAX 32

struct command_pick {
	char name[32], unit[16];
	enum metric_better better;
	regex_t regex;
	bool found; /* some line matched */
	double value; /* of the last match; NAN when what matched is not a number */
	char text[48]; /* what matched */
};

struct command_picks {
	struct command_pick pick[COMMAND_PICKS_MAX];
	size_t n;
};

/*
 * Lines "NAME UNIT BETTER REGEX". NAME: a to z, 0 to 9 and '_', none of command_metrics, none
 * twice; UNIT: "-" for none; BETTER: lower, higher or none; REGEX: POSIX extended, the rest of the
 * line, with exactly one group. Usage errors begin with the name.
 */
int command_picks_parse(const char *lines, struct command_picks *ret);
void command_picks_free(struct command_picks *picks);

/* Matches every line of the text; '\r' ends a line as well. The text is cut up in place. */
void command_picks_scan(struct command_picks *picks, char *text, size_t size);

/* Forgets what was found. */
void command_picks_reset(struct command_picks *picks);

#endif
