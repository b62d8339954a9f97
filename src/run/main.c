/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the verb, lets it run, prints the one error line. No verb means run.
 */
#include "lib/error.h"
#include "lib/log.h"
#include "lib/suggest.h"
#include "run/privilege.h"
#include "run/verb.h"
#include <stdio.h>
#include <string.h>

#define VERB(name, bit, usage, about) { #name, usage, about, bit, verb_##name },
const struct verb verb_table[] = {
#include "run/verbs.def"
	{ 0 },
};
#undef VERB

#define VERBS (sizeof(verb_table) / sizeof(verb_table[0]) - 1)

static void help_all(void)
{
	printf("Usage: runner [VERB] [OPTION...]\n\n"
	       "Compares Linux idle governors: switches them through sysfs, runs pinned\n"
	       "workloads under each, reads every idle state's counters, and draws the\n"
	       "comparison.\n\n"
	       "  ./runner --suite ping-sweep --governors menu,teo,teo-ng\n\n"
	       "Verbs:\n");
	for (size_t i = 0; i < VERBS; i++)
		printf("  %-10s %s\n", verb_table[i].name, verb_table[i].about);
	printf("\nOptions of 'run', which may be left out:\n");
	options_help(OPTIONS_RUN);
	printf("\nExit status: 0 complete, 1 error, 2 bad usage, 3 clean but incomplete (a\n"
	       "governor that this kernel lacks, a run that has to be made again).\n"
	       "'runner VERB --help' for a verb; runner(1), idle-runner-suite(5) for the rest.\n");
}

static void help_verb(const struct verb *verb)
{
	printf("Usage: runner %s\n\n%s.\n\n", verb->usage, verb->about);
	options_help(verb->options);
}

static const struct verb *find_verb(const char *name)
{
	const char *known[VERBS];
	char hint[96];

	for (size_t i = 0; i < VERBS; i++) {
		known[i] = verb_table[i].name;
		if (!strcmp(verb_table[i].name, name))
			return &verb_table[i];
	}
	error_usage("unknown verb '%s'%s", name,
		    suggest_text(name, known, VERBS, hint, sizeof(hint)));
	return NULL;
}

static int run_verb(const struct verb *verb, int argc, char **argv)
{
	struct options options;
	int err = options_parse(verb->options, argc, argv, &options);

	if (err)
		return err;
	if (options.help) {
		help_verb(verb);
		return EXIT_COMPLETE;
	}
	log_set_quiet(options.quiet);
	err = privilege_start(options.run_as, options.root);
	if (err)
		return err;
	/* These verbs are about the machine alone and write no results. */
	if (verb->options & (OPTIONS_CHECK | OPTIONS_RESTORE))
		privilege_root();
	return verb->main(&options);
}

static int run_command(int argc, char **argv)
{
	const struct verb *verb = &verb_table[0];

	if (argc < 2 || !strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") ||
	    !strcmp(argv[1], "help")) {
		help_all();
		return argc < 2 ? EXIT_USAGE : EXIT_COMPLETE;
	}
	if (!strcmp(argv[1], "--version")) {
		printf("idle-runner %s\n", VERSION);
		return EXIT_COMPLETE;
	}
	if (argv[1][0] != '-') {
		verb = find_verb(argv[1]);
		argc--;
		argv++;
	}
	return verb ? run_verb(verb, argc, argv) : -1;
}

/* A name from the command line may hold anything; a terminal must not obey it. */
static void print_error(void)
{
	fputs("runner: ", stderr);
	for (const char *c = error_text(); *c; c++)
		fputc((unsigned char)*c < ' ' || *c == 0x7f ? '?' : *c, stderr);
	fputc('\n', stderr);
}

int main(int argc, char **argv)
{
	int status = run_command(argc, argv);

	if (status < 0) {
		print_error();
		return error_is_usage() ? EXIT_USAGE : EXIT_ERROR;
	}
	if (fflush(stdout) || ferror(stdout)) {
		fprintf(stderr, "runner: cannot write to stdout\n");
		return EXIT_ERROR;
	}
	return status;
}
