/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The names come from the table that getopt_long() has, so that none can be forgotten.
 */
#include "analysis/verb.h"
#include "lib/error.h"
#include "lib/suggest.h"
#include <stdio.h>
#include <string.h>

#define OPTIONS_MAX 32

static int unknown(const char *prefix, const struct option *known, const char *word)
{
	char name[OPTIONS_MAX][24], near[64];
	const char *names[OPTIONS_MAX];
	size_t n = 0;

	for (; known[n].name && n < OPTIONS_MAX; n++) {
		snprintf(name[n], sizeof(name[n]), "--%s", known[n].name);
		names[n] = name[n];
	}
	return error_usage("%sunknown option '%s'%s", prefix, word,
			   suggest_text(word, names, n, near, sizeof(near)));
}

int options_take(const struct verb_options *verb, int argc, char **argv, void *request)
{
	int c, err = 0;

	opterr = 0;
	while (!err && (c = getopt_long(argc, argv, verb->letters, verb->known, NULL)) != -1) {
		if (c == '?')
			return unknown(verb->prefix, verb->known, argv[optind - 1]);
		if (c == ':')
			return error_usage("%s%s needs a value", verb->prefix, argv[optind - 1]);
		err = verb->take(c, request);
	}
	return err;
}

int options_choice(const char *option, const char *value, const char *yes, const char *no,
		   bool *ret)
{
	*ret = !strcmp(value, yes);
	if (*ret || !strcmp(value, no))
		return 0;
	return error_usage("%s %s: there are %s and %s", option, value, yes, no);
}
