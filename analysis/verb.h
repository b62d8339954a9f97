/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What all verbs have: a function NAME_main(argc, argv), argv[0] the verb, that returns an exit
 * status, or -errno with a text, which main() prints; and the way through their options.
 */
#ifndef ANALYSIS_VERB_H
#define ANALYSIS_VERB_H

#include <getopt.h>
#include <stdbool.h>

/* Beside EXIT_SUCCESS and EXIT_FAILURE. */
enum { EXIT_USAGE = 2, EXIT_INCOMPLETE = 3 };

struct verb_options {
	const char *prefix; /* of errors: "", or the verb and ": " */
	const char *letters; /* as of getopt_long(): ":" and the short ones */
	const struct option *known;
	int (*take)(int c, void *request); /* an option whose value is in optarg; 0 or -errno */
};

/*
 * Hands all options to @verb->take, until one is refused. A usage error where a value is missing,
 * or for an unknown word, with the nearest of those known. What is no option begins at
 * argv[optind].
 */
int options_take(const struct verb_options *verb, int argc, char **argv, void *request);

/* Is @value the word @yes (*ret = true), or @no? A usage error when it is neither. */
int options_choice(const char *option, const char *value, const char *yes, const char *no,
		   bool *ret);

#endif
