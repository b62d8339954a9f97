/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * campaign: continue a campaign from what its directory says, and a systemd unit that does so after
 * each boot. What was asked is taken from campaign.ini alone, so that a suite file that has changed
 * since does not matter; a command to run as root (--next-kernel) never is.
 */
#include "lib/error.h"
#include "run/privilege.h"
#include "run/unit.h"
#include "run/verb.h"
#include "store/campaign.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *given(const char *text)
{
	return *text ? text : NULL;
}

/* Cuts @text at each ';' into @word; returns how many. */
static int split(char *text, const char **word, int max)
{
	char *save;
	int n = 0;

	for (char *at = strtok_r(text, ";", &save); at && n < max; at = strtok_r(NULL, ";", &save))
		word[n++] = at;
	return n;
}

/* The command line that made the campaign. Its texts stay @c's, whose lists are cut up. */
static void options_of(struct store_campaign *c, const char *dir, struct options *o)
{
	o->suite = c->suite;
	o->suite_text = c->suite_text;
	o->governors = c->governors_asked;
	o->reference = given(c->reference);
	o->order = c->order;
	o->cpus = given(c->cpus);
	o->cpufreq_governors = given(c->cpufreq_governors);
	o->results = dir;
	o->until_decided = c->repeat_min > 0;
	o->repeat = (uint64_t)(o->until_decided ? c->repeat_min : c->repeat);
	o->repeat_max = o->until_decided ? (uint64_t)c->repeat : 0;
	o->seed = c->seed;
	o->repeat_given = o->seed_given = true;
	o->warmup_ns = c->warmup_ns;
	o->window_ns = c->window_ns > 0 ? c->window_ns : -1;
	o->interval_ns = c->interval_ns;
	o->sets = split(c->set, o->set, OPTIONS_SET_MAX);
	o->events = split(c->events, o->event, OPTIONS_EVENTS_MAX);
	o->rests = 0;
}

static int remove_unit(const struct options *options, const char *dir, bool *ret_was_there)
{
	struct root root;
	int err = root_open(options->root, &root);

	if (err)
		return err;
	privilege_root();
	err = unit_remove(&root, dir, ret_was_there);
	privilege_user();
	root_close(&root);
	return err;
}

/* Complete: nothing is left for a unit to do. */
static int retire(const struct options *options, const char *dir, int status)
{
	bool was_there = false;
	int err = remove_unit(options, dir, &was_there);

	if (!err && was_there && !options->quiet)
		printf("%s is complete: its unit is removed\n", dir);
	return err ? err : status;
}

static int continue_campaign(const struct options *options, const char *dir)
{
	struct options again = *options;
	struct store_campaign *c = calloc(1, sizeof(*c));
	int status = c ? store_campaign_read(dir, c) : error_no_memory();

	if (!status && c->modelled && *c->modelled) {
		status = error_usage("%s is simulated, not measured: the same simulate command "
				     "with --results continues it",
				     dir);
		store_campaign_free(c);
	} else if (!status) {
		options_of(c, dir, &again);
		status = verb_run(&again);
		if (status == EXIT_COMPLETE && !options->dry_run)
			status = retire(options, dir, status);
		store_campaign_free(c);
	}
	free(c);
	return status;
}

#define ARGS_MAX 24

struct words {
	char *word[ARGS_MAX];
	size_t n;
};

static void add(struct words *words, const char *word)
{
	words->word[words->n++] = (char *)word;
}

static void add_option(struct words *words, const char *name, const char *value)
{
	if (!value)
		return;
	add(words, name);
	add(words, value);
}

/* The unit's command line. */
static void words_of(const struct options *o, const char *exe, const char *dir, const char *budget,
		     struct words *words)
{
	add(words, exe);
	add(words, "campaign");
	add(words, "continue");
	add(words, dir);
	add_option(words, "--run-as", privilege_name() ? privilege_name() : "root");
	add_option(words, "--for", o->budget_ns >= 0 ? budget : NULL);
	add_option(words, "--next-kernel", o->next_kernel);
	add_option(words, "--power-source", o->power_source);
	add_option(words, "--root", o->root);
	if (o->no_power)
		add(words, "--no-power");
	if (o->no_report)
		add(words, "--no-report");
	if (o->allow_busy)
		add(words, "--allow-busy");
}

static int install(const struct options *options, const char *dir)
{
	char exe[PATH_MAX] = "", budget[32], machine[PATH_MAX], name[48];
	struct options o = *options;
	struct words words = { 0 };
	struct store_campaign campaign;
	struct root root;
	int err = store_campaign_read(dir, &campaign);

	if (err)
		return err;
	store_campaign_free(&campaign);
	if (readlink("/proc/self/exe", exe, sizeof(exe) - 1) < 0)
		return error_set(-errno, "/proc/self/exe: %m");
	if (o.root && realpath(o.root, machine))
		o.root = machine;
	snprintf(budget, sizeof(budget), "%.0fs", o.budget_ns / 1e9);
	words_of(&o, exe, dir, budget, &words);
	err = root_open(o.root, &root);
	if (err)
		return err;
	privilege_root();
	err = unit_install(&root, dir, words.word);
	privilege_user();
	root_close(&root);
	unit_name(dir, name, sizeof(name));
	if (!err && !o.quiet)
		printf("%s is installed: the campaign goes on after each boot, until it is complete\n",
		       name);
	return err;
}

static int remove_campaign(const struct options *options, const char *dir)
{
	bool was_there;
	int err = remove_unit(options, dir, &was_there);

	if (!err && !options->quiet)
		printf(was_there ? "the unit of %s is removed\n"
				 : "%s has no unit: nothing to remove\n",
		       dir);
	return err;
}

int verb_campaign(const struct options *options)
{
	char dir[PATH_MAX];
	const char *action = options->rests ? options->rest[0] : "";
	bool removing = !strcmp(action, "remove");

	if (options->rests != 2 ||
	    (!removing && strcmp(action, "continue") && strcmp(action, "install")))
		return error_usage("campaign takes one of continue, install, remove, and a result "
				   "directory");
	/* A unit may outlive the folder it is for. */
	if (!realpath(options->rest[1], dir)) {
		if (!removing || *options->rest[1] != '/')
			return error_usage("%s: %s", options->rest[1], strerror(errno));
		snprintf(dir, sizeof(dir), "%s", options->rest[1]);
	}
	if (removing)
		return remove_campaign(options, dir);
	return *action == 'i' ? install(options, dir) : continue_campaign(options, dir);
}
