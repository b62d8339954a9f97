/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * list: one table row a kind of thing; without an argument all of them.
 */
#include "hw/events.h"
#include "hw/governor.h"
#include "lib/error.h"
#include "lib/suggest.h"
#include "run/report.h"
#include "run/suite.h"
#include "run/verb.h"
#include "workloads/workload.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

static int list_suites(const struct options *options)
{
	struct suite_names names;
	int err = suite_names_read(&names);

	(void)options;
	for (size_t i = 0; i < names.n && !err; i++) {
		struct suite suite;

		err = suite_load(names.name[i], NULL, 0, &suite);
		if (err)
			break;
		printf("  %-19s %s\n", names.name[i], suite.about);
		suite_free(&suite);
	}
	suite_names_free(&names);
	return err;
}

static int list_workloads(const struct options *options)
{
	(void)options;
	for (const struct workload *const *w = workload_table; *w; w++) {
		struct workload_needs needs;
		int err = workload_default_needs(*w, &needs);

		if (err)
			return err;
		printf("  %-16s %s (%stimer based%s%s)\n", (*w)->name, (*w)->about,
		       needs.timer_based ? "" : "not ", (*w)->timer_note ? ", " : "",
		       (*w)->timer_note ? (*w)->timer_note : "");
	}
	return 0;
}

static int list_governors(const struct options *options)
{
	char current[GOVERNOR_NAME_MAX], driver[64];
	struct governor_list list;
	struct root root;
	int err = root_open(options->root, &root);

	if (err)
		return err;
	err = governor_current(&root, current);
	if (!err)
		err = governor_available(&root, &list);
	for (int i = 0; !err && i < list.n; i++)
		printf("  %-16s%s\n", list.name[i],
		       strcmp(list.name[i], current) ? "" : " (in use)");
	if (!err && !governor_driver(&root, driver, sizeof(driver)))
		printf("  idle driver: %s\n", driver);
	root_close(&root);
	return err;
}

/* Each kernel event has a long name (PERF_COUNT_HW_CPU_CYCLES) and the short ones that people use.
 */
static int print_event(const struct event_info *info, void *data)
{
	char name[EVENT_NAME_MAX];
	size_t i;

	(void)data;
	if (!strncmp(info->name, "PERF_COUNT_", 11))
		return 0;
	for (i = 0; info->name[i] && i + 1 < sizeof(name); i++)
		name[i] = (char)tolower((unsigned char)info->name[i]);
	name[i] = '\0';
	printf("  %-28s %s%s\n", name, info->same_as ? info->same_as : info->about,
	       info->software ? " (counted by the kernel)" : "");
	return 0;
}

static int list_events(const struct options *options)
{
	(void)options;
	return events_list(print_event, NULL);
}

static int list_figures(const struct options *options)
{
	static char figures[] = "figures";
	char *arguments[] = { figures, NULL };

	(void)options;
	return report_program(arguments);
}

static int list_machines(const struct options *options)
{
	static char machines[] = "machines";
	char *arguments[] = { machines, NULL };

	(void)options;
	return report_program(arguments);
}

static const struct {
	const char *name;
	int (*list)(const struct options *options);
} kinds[] = {
	{ "suites", list_suites }, { "workloads", list_workloads }, { "governors", list_governors },
	{ "events", list_events }, { "figures", list_figures },	    { "machines", list_machines },
};
#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

int verb_list(const struct options *options)
{
	const char *known[KINDS];
	char hint[64];

	for (size_t i = 0; i < KINDS; i++) {
		known[i] = kinds[i].name;
		if (options->rests && !strcmp(options->rest[0], kinds[i].name))
			return options->rests == 1
				       ? kinds[i].list(options)
				       : error_usage("unexpected argument '%s'", options->rest[1]);
	}
	if (options->rests)
		return error_usage(
			"list has no '%s'%s", options->rest[0],
			suggest_text(options->rest[0], known, KINDS, hint, sizeof(hint)));
	for (size_t i = 0; i < KINDS; i++) {
		int err;

		printf("%s:\n", kinds[i].name);
		err = kinds[i].list(options);
		if (err)
			return err;
	}
	return 0;
}
