/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command line of the verbs: one table gives getopt_long, --help and the checks.
 */
#ifndef RUN_OPTIONS_H
#define RUN_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OPTIONS_SET_MAX 64
#define OPTIONS_EVENTS_MAX 16
#define OPTIONS_OBJECTS_MAX 8

/* NULL, 0 or a negative number where the user said nothing and the suite decides. */
struct options {
	const char *suite;
	const char *suite_text; /* a stored suite's, whose name is then @suite; NULL = look it up */
	const char *governors;
	const char *reference;
	const char *order;
	const char *cpus;
	const char *results;
	const char *root;
	const char *power_source;
	const char *cpufreq_governors;
	const char *event[OPTIONS_EVENTS_MAX]; /* names as libpfm4 knows them */
	int events;
	const char *run_as;
	/* "key=value" or "section.key=value"; of report its labels, "DIR=TEXT" */
	const char *set[OPTIONS_SET_MAX];
	int sets;
	uint64_t repeat, repeat_max; /* "6..40": both; repeat_max 0 = one number */
	bool repeat_given;
	bool until_decided;
	uint64_t seed;
	bool seed_given;
	double window_ns, warmup_ns, interval_ns; /* -1 = not given */
	double budget_ns; /* --for; -1 = not given */
	const char *next_kernel; /* a shell's command */
	bool no_power, no_report, dry_run, quiet;
	bool allow_busy, json, states, force;
	bool png, standalone, open; /* report */
	const char *format; /* of report */
	const char *machine; /* simulate: what is modelled */
	const char *object[OPTIONS_OBJECTS_MAX]; /* simulate: governors from shared objects */
	int objects;
	uint64_t jobs;
	bool jobs_given, exact;
	bool or_simulate; /* run: where this machine cannot be measured */
	/* Of a model: its machine and constants in a few words, NULL = nothing is modelled; the
	 * constants as lines for host.ini; what its energy is; workloads that it knows, a blank
	 * between; its unit of work. */
	const char *model, *model_text, *model_power, *workloads;
	double unit_ns;
	const char *output;
	bool pair, since_boot;
	const char *text; /* record: the trace to be printed */
	const char *record_events;
	const char *formats;
	uint64_t seconds;
	bool seconds_given;
	bool help;
	char **command; /* run and record: what follows "--", NULL-terminated; NULL = no "--" */
	char **rest; /* what follows the options */
	int rests; /* 0 with a command */
};

/* Which options a verb has: bits for the table's rows. */
enum options_verb {
	OPTIONS_RUN = 1,
	OPTIONS_LIST = 2,
	OPTIONS_STATUS = 4,
	OPTIONS_RESTORE = 8,
	OPTIONS_REPORT = 16,
	OPTIONS_CHECK = 32,
	OPTIONS_IMPORT = 64,
	OPTIONS_CAMPAIGN = 128,
	OPTIONS_RECORD = 256,
	OPTIONS_TRACE = 512,
	OPTIONS_SIMULATE = 2048,
	OPTIONS_REPLAY = 1024 /* has none here: all that follows is for another program */
};

/*
 * Parses argv[1..]; options and other arguments may be mixed, "--" ends options. "run" and "record"
 * have no other arguments: its options end at the first, and "--" begins a command. Usage error for
 * an unknown option
 * ("did you mean"), a missing or malformed value, an option twice.
 */
int options_parse(enum options_verb verb, int argc, char **argv, struct options *ret);

/* The options of @verb, 80 columns, on stdout. */
void options_help(enum options_verb verb);

#endif
