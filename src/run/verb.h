/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The verbs of the command line: one row in verbs.def and one verb_NAME.c each.
 */
#ifndef RUN_VERB_H
#define RUN_VERB_H

#include "run/options.h"

enum exit_status {
	EXIT_COMPLETE = 0,
	EXIT_ERROR = 1, /* the world's fault */
	EXIT_USAGE = 2, /* the user's input */
	EXIT_INCOMPLETE = 3, /* clean, but a governor is missing or a cell is pending */
};

struct verb {
	const char *name;
	const char *usage; /* arguments behind the verb */
	const char *about; /* one line */
	enum options_verb options;

	/* Returns an exit status, or -errno with an error text (exit status 1, or 2 for bad input).
	 */
	int (*main)(const struct options *options);
};

/* Ends with a NULL name. */
extern const struct verb verb_table[];

#define VERB(name, bit, usage, about) int verb_##name(const struct options *options);
#include "run/verbs.def"
#undef VERB

#endif
