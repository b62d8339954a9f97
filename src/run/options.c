/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The option table and its two readers.
 */
#include "run/options.h"
#include "lib/error.h"
#include "lib/suggest.h"
#include "lib/units.h"
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

enum kind { FLAG, TEXT, COUNT, COUNTS, TIME, PAIR, EVENT, LIST };

struct row {
	const char *name;
	const char *argument; /* NULL for a flag */
	enum kind kind;
	size_t offset;
	size_t given; /* offset of the bool of a COUNT or COUNTS */
	unsigned int verbs;
	const char *help; /* lines of at most 50 columns, cut by '\n' */
};

#define AT(member) offsetof(struct options, member)
#define EVERY                                                                                      \
	(OPTIONS_RUN | OPTIONS_LIST | OPTIONS_STATUS | OPTIONS_RESTORE | OPTIONS_REPORT |          \
	 OPTIONS_CHECK | OPTIONS_IMPORT | OPTIONS_CAMPAIGN | OPTIONS_RECORD | OPTIONS_TRACE |      \
	 OPTIONS_SIMULATE)

static const struct row table[] = {
	{ "suite", "NAME|FILE", TEXT, AT(suite), 0, OPTIONS_RUN | OPTIONS_SIMULATE,
	  "a suite of 'list suites', or a file of your own" },
	{ "governors", "LIST", TEXT, AT(governors), 0, OPTIONS_RUN,
	  "idle governors to compare: menu,teo,teo-ng;\n'available' = all that this kernel offers;\n"
	  "'current' = the one in use, nothing is switched" },
	{ "governors", "LIST", TEXT, AT(governors), 0, OPTIONS_SIMULATE,
	  "modelled ones (replay --list): teo-6.6,menu@6.12,\nrjw; default menu,teo,ladder" },
	{ "reference", "GOV", TEXT, AT(reference), 0,
	  OPTIONS_RUN | OPTIONS_SIMULATE | OPTIONS_REPORT,
	  "what the others are compared with; of several\nresults also a directory, label, kernel or column" },
	{ "label", "DIR=TEXT", PAIR, AT(set), 0, OPTIONS_REPORT,
	  "what the columns of a result are called;\nDIR:GOVERNOR=TEXT for one; repeatable" },
	{ "force", NULL, FLAG, AT(force), 0, OPTIONS_REPORT,
	  "compare results although conditions differ\nthat make figures false" },
	{ "cpufreq-governors", "LIST", TEXT, AT(cpufreq_governors), 0,
	  OPTIONS_RUN | OPTIONS_SIMULATE,
	  "a second axis: each idle governor under each\nof these: performance,powersave" },
	{ "repeat", "N|N..M", COUNTS, AT(repeat), AT(repeat_given), OPTIONS_RUN | OPTIONS_SIMULATE,
	  "blocks: runs of each governor at each point; with\n--until-decided the first look and the last" },
	{ "until-decided", NULL, FLAG, AT(until_decided), 0, OPTIONS_RUN,
	  "add blocks until each comparison is decided: better,\nworse, or equivalent (at most 40 blocks, or M)" },
	{ "window", "TIME", TIME, AT(window_ns), 0, OPTIONS_RUN | OPTIONS_SIMULATE,
	  "length of each measurement: 20s, 500ms" },
	{ "warmup", "TIME", TIME, AT(warmup_ns), 0, OPTIONS_RUN | OPTIONS_SIMULATE,
	  "load before the window, while the governor learns" },
	{ "interval", "TIME", TIME, AT(interval_ns), 0, OPTIONS_RUN | OPTIONS_SIMULATE,
	  "time between passive samples, default 1s" },
	{ "cpus", "LIST", TEXT, AT(cpus), 0, OPTIONS_RUN | OPTIONS_RECORD,
	  "CPUs the workload may use: 0-3,6" },
	{ "order", "ORDER", TEXT, AT(order), 0, OPTIONS_RUN | OPTIONS_SIMULATE,
	  "shuffled (default: every block in random order),\nabba, or blocked (one governor after the other)" },
	{ "seed", "N", COUNT, AT(seed), AT(seed_given), OPTIONS_RUN | OPTIONS_SIMULATE,
	  "of the order; recorded in any case" },
	{ "set", "KEY=VALUE", PAIR, AT(set), 0, OPTIONS_RUN,
	  "overrides a key of the suite's run sections;\nSECTION.KEY=VALUE for one section; repeatable" },
	{ "set", "KEY=VALUE", PAIR, AT(set), 0, OPTIONS_SIMULATE,
	  "a key of the suite's run sections, as in 'run', or\na constant of the machine: hz=250, C1_ACPI.power_w=2\n(machine.KEY where both have it); repeatable" },
	{ "machine", "NAME|FILE|DIR", TEXT, AT(machine), 0, OPTIONS_SIMULATE,
	  "of 'list machines'; an INI file of your own; a dump\nof tools/gather (default i5-10600k)" },
	{ "governor-so", "FILE", LIST, AT(object), 0, OPTIONS_SIMULATE,
	  "and a governor from a shared object; repeatable" },
	{ "exact", NULL, FLAG, AT(exact), 0, OPTIONS_SIMULATE,
	  "simulate all of a window: a run of many events is\nelse made of a part of it, multiplied, and says so" },
	{ "jobs", "N", COUNT, AT(jobs), AT(jobs_given), OPTIONS_SIMULATE,
	  "cells at the same time (default: one a CPU)" },
	{ "or-simulate", NULL, FLAG, AT(or_simulate), 0, OPTIONS_RUN,
	  "simulate where this machine has no cpuidle or its\ngovernor may not be switched" },
	{ "for", "TIME", TIME, AT(budget_ns), 0, OPTIONS_RUN | OPTIONS_CAMPAIGN,
	  "time budget of this start: only whole blocks that\nend within it are begun" },
	{ "next-kernel", "CMD", TEXT, AT(next_kernel), 0, OPTIONS_RUN | OPTIONS_CAMPAIGN,
	  "shell command when this kernel has done all it can\nand other governors wait for another one" },
	{ "results", "DIR", TEXT, AT(results), 0, OPTIONS_RUN | OPTIONS_SIMULATE,
	  "result directory; one that is unfinished\nis continued" },
	{ "event", "NAME", EVENT, AT(event), 0, OPTIONS_RUN,
	  "count a perf event on every CPU: cycles,\ncontext-switches (see 'list events'); repeatable" },
	{ "power-source", "SOURCE", TEXT, AT(power_source), 0, OPTIONS_RUN | OPTIONS_CAMPAIGN,
	  "auto (default: powercap, else perf), powercap,\nperf, battery, hwmon" },
	{ "no-power", NULL, FLAG, AT(no_power), 0, OPTIONS_RUN | OPTIONS_CAMPAIGN,
	  "read no energy counters" },
	{ "no-report", NULL, FLAG, AT(no_report), 0,
	  OPTIONS_RUN | OPTIONS_SIMULATE | OPTIONS_CAMPAIGN,
	  "measure only; 'report DIR' makes it later" },
	{ "dry-run", NULL, FLAG, AT(dry_run), 0, OPTIONS_RUN | OPTIONS_SIMULATE | OPTIONS_CAMPAIGN,
	  "print the plan and how long it takes; change\nnothing" },
	{ "allow-busy", NULL, FLAG, AT(allow_busy), 0, OPTIONS_RUN | OPTIONS_CAMPAIGN,
	  "measure although other work or a latency limit\nwould stop it" },
	{ "json", NULL, FLAG, AT(json), 0, OPTIONS_CHECK, "the same facts as JSON" },
	{ "states", NULL, FLAG, AT(states), 0, OPTIONS_CHECK,
	  "disable each idle state in turn under each\ngovernor: its entries must go to a neighbour" },
	{ "format", "FORMAT", TEXT, AT(format), 0, OPTIONS_REPORT,
	  "print only the summary, as text, json, csv or\nmarkdown; the report has a file of each" },
	{ "png", NULL, FLAG, AT(png), 0, OPTIONS_REPORT, "figures as PNG beside the SVG" },
	{ "standalone", NULL, FLAG, AT(standalone), 0, OPTIONS_REPORT,
	  "index.html has figures and tables inside: one file\nto send" },
	{ "open", NULL, FLAG, AT(open), 0, OPTIONS_REPORT, "show the page with xdg-open" },
	{ "output", "DIR", TEXT, AT(output), 0, OPTIONS_IMPORT | OPTIONS_REPORT,
	  "-o DIR: the new folder; default: of import\nresults/DATE-imported, of report DIR/report,\nof several results ./report-A-B" },
	{ "output", "FILE", TEXT, AT(output), 0, OPTIONS_RECORD, "-o FILE: the trace" },
	{ "output", "DIR", TEXT, AT(output), 0, OPTIONS_TRACE,
	  "-o DIR: a new folder with data and figures" },
	{ "seconds", "N", COUNT, AT(seconds), AT(seconds_given), OPTIONS_RECORD,
	  "how long; default: until COMMAND ends, or ^C" },
	{ "events", "LIST", TEXT, AT(record_events), 0, OPTIONS_RECORD,
	  "idle and beside it timers, irqs (wake causes),\nsched (tasks' latency); default idle,timers,irqs" },
	{ "formats", "DIR", TEXT, AT(formats), 0, OPTIONS_RECORD,
	  "copies of tracefs' folder events and of\n/proc/version, for a kernel that is locked down" },
	{ "text", "FILE", TEXT, AT(text), 0, OPTIONS_RECORD, "print this trace, as text" },
	{ "pair", NULL, FLAG, AT(pair), 0, OPTIONS_IMPORT,
	  "the dumps are before, after, before, after, ...;\nelse their names say so: X-before.txt" },
	{ "since-boot", NULL, FLAG, AT(since_boot), 0, OPTIONS_IMPORT,
	  "a dump alone is a run whose counters began at 0" },
	{ "run-as", "USER", TEXT, AT(run_as), 0,
	  OPTIONS_RUN | OPTIONS_REPORT | OPTIONS_IMPORT | OPTIONS_CAMPAIGN | OPTIONS_RECORD |
		  OPTIONS_TRACE,
	  "who runs workloads and report and owns the results:\na user, or root (default: who called sudo)" },
	{ "root", "DIR", TEXT, AT(root), 0,
	  OPTIONS_RUN | OPTIONS_LIST | OPTIONS_RESTORE | OPTIONS_CHECK | OPTIONS_CAMPAIGN,
	  "a dumped or fake machine instead of /\n(a rehearsal, marked as such)" },
	{ "quiet", NULL, FLAG, AT(quiet), 0,
	  EVERY & ~(OPTIONS_LIST | OPTIONS_CHECK | OPTIONS_TRACE), "errors and warnings only" },
	{ "help", NULL, FLAG, AT(help), 0, EVERY, "this text" },
};
#define ROWS (sizeof(table) / sizeof(table[0]))

static int store(const struct row *row, const char *text, struct options *o)
{
	char *base = (char *)o;
	int err = 0;

	switch (row->kind) {
	case FLAG:
		*(bool *)(base + row->offset) = true;
		break;
	case TEXT:
		if (!*text)
			return error_usage("--%s: empty", row->name);
		*(const char **)(base + row->offset) = text;
		break;
	case COUNT:
		err = units_parse_count(text, (uint64_t *)(base + row->offset));
		*(bool *)(base + row->given) = true;
		break;
	case COUNTS: /* two members, the second behind the first */
		err = units_parse_counts(text, (uint64_t *)(base + row->offset),
					 (uint64_t *)(base + row->offset) + 1);
		*(bool *)(base + row->given) = true;
		break;
	case TIME:
		err = units_parse_time(text, (double *)(base + row->offset));
		break;
	case PAIR:
		if (!strchr(text, '=') || *text == '=')
			return error_usage("--%s: '%s' is not key=value", row->name, text);
		if (o->sets == OPTIONS_SET_MAX)
			return error_usage("--%s: more than %d of them", row->name,
					   OPTIONS_SET_MAX);
		o->set[o->sets++] = text;
		break;
	case EVENT:
		if (o->events == OPTIONS_EVENTS_MAX)
			return error_usage("--%s: more than %d of them", row->name,
					   OPTIONS_EVENTS_MAX);
		o->event[o->events++] = text;
		break;
	case LIST:
		if (o->objects == OPTIONS_OBJECTS_MAX)
			return error_usage("--%s: more than %d of them", row->name,
					   OPTIONS_OBJECTS_MAX);
		o->object[o->objects++] = text;
		break;
	}
	return err ? error_prefix(err, "--%s: ", row->name) : 0;
}

/* getopt_long() would print by itself, and without the nearest word. */
static int unknown(enum options_verb verb, const char *word)
{
	const char *known[ROWS], *nearest;
	char name[64];
	size_t n = 0;

	for (size_t i = 0; i < ROWS; i++)
		if (table[i].verbs & verb)
			known[n++] = table[i].name;
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(word, "="), word);
	nearest = suggest_nearest(name, known, n);
	return nearest ? error_usage("unknown option '--%s' (did you mean '--%s'?)", name, nearest)
		       : error_usage("unknown option '--%s'", name);
}

static const struct row *row_of(enum options_verb verb, const char *word)
{
	size_t size = strcspn(word, "=");

	for (size_t i = 0; i < ROWS; i++)
		if ((table[i].verbs & verb) && strlen(table[i].name) == size &&
		    !strncmp(table[i].name, word, size))
			return &table[i];
	return NULL;
}

/* The last word that getopt looked at, for messages. */
static const char *word_at(char **argv, int index)
{
	return strncmp(argv[index], "--", 2) ? argv[index] + 1 : argv[index] + 2;
}

static const char *short_options(enum options_verb verb)
{
	if (verb == OPTIONS_IMPORT || verb == OPTIONS_REPORT || verb == OPTIONS_TRACE)
		return ":ho:";
	if (verb == OPTIONS_RECORD)
		return "+:ho:";
	return verb == OPTIONS_RUN ? "+:h" : ":h";
}

int options_parse(enum options_verb verb, int argc, char **argv, struct options *ret)
{
	struct option options[ROWS + 1];
	struct options o = { .window_ns = -1, .warmup_ns = -1, .interval_ns = -1, .budget_ns = -1 };
	bool seen[ROWS] = { false };
	int index, c, err, n = 0, before = 1;

	if (verb == OPTIONS_REPLAY) {
		o.rest = argv + 1;
		o.rests = argc - 1;
		*ret = o;
		return 0;
	}
	for (size_t i = 0; i < ROWS; i++)
		if (table[i].verbs & verb)
			options[n++] = (struct option){ table[i].name,
							table[i].argument ? required_argument
									  : no_argument,
							NULL, (int)i + 256 };
	options[n] = (struct option){ 0 };
	optind = 0;
	opterr = 0;
	while ((c = getopt_long(argc, argv, short_options(verb), options, &index)) != -1) {
		const char *word = word_at(argv, optind ? optind - 1 : 1);

		if (c == 'h' || c == 'o')
			c = 256 + (int)(row_of(verb, c == 'h' ? "help" : "output") - table);
		if (c == ':')
			return error_usage("--%s needs a value", word);
		if (c == '?' && row_of(verb, word))
			return error_usage("--%.*s takes no value", (int)strcspn(word, "="), word);
		if (c == '?')
			return optopt && optopt < 256 ? error_usage("unknown option '-%c'", optopt)
						      : unknown(verb, word);
		if (table[c - 256].kind != FLAG && table[c - 256].kind != PAIR &&
		    table[c - 256].kind != EVENT && table[c - 256].kind != LIST && seen[c - 256])
			return error_usage("--%s is given twice", table[c - 256].name);
		seen[c - 256] = true;
		err = store(&table[c - 256], optarg, &o);
		if (err)
			return err;
		before = optind;
	}
	if ((verb == OPTIONS_RUN || verb == OPTIONS_RECORD) &&
	    optind > before) { /* the step over "--" */
		o.command = argv + optind;
		optind = argc;
	}
	o.rest = argv + optind;
	o.rests = argc - optind;
	*ret = o;
	return 0;
}

void options_help(enum options_verb verb)
{
	for (size_t i = 0; i < ROWS; i++) {
		const char *line = table[i].help;
		char left[40];

		if (!(table[i].verbs & verb))
			continue;
		snprintf(left, sizeof(left), "--%s%s%s", table[i].name,
			 table[i].argument ? " " : "", table[i].argument ? table[i].argument : "");
		while (line) {
			const char *end = strchrnul(line, '\n');

			printf("  %-24s %.*s\n", left, (int)(end - line), line);
			left[0] = '\0';
			line = *end ? end + 1 : NULL;
		}
	}
}
