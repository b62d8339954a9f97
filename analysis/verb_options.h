/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the parsers of all verbs say of a word that they do not know.
 */
#ifndef ANALYSIS_VERB_OPTIONS_H
#define ANALYSIS_VERB_OPTIONS_H

#include <getopt.h>
#include <stdbool.h>

/* A usage error that names the nearest of @known. @prefix: "", or the verb and ": ". */
int options_unknown(const char *prefix, const struct option *known, const char *word);

/* Is @value the word @yes (*ret = true), or @no? A usage error when it is neither. */
int options_choice(const char *option, const char *value, const char *yes, const char *no,
		   bool *ret);

#endif
