/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From the command line to a plan for this machine. Nothing is written and nothing is switched
 * here: whatever is wrong with what was asked is said before anything is touched.
 */
#include "run/session.h"
#include "lib/clock.h"
#include "lib/error.h"
#include "lib/log.h"
#include "run/campaign.h"
#include "run/care.h"
#include "run/counting.h"
#include "run/disable.h"
#include "run/looks.h"
#include "run/power.h"
#include "run/preflight.h"
#include "run/privilege.h"
#include "workloads/work.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool session_offers(const struct session *s, const struct plan_cell *cell)
{
	const char *name = s->plan.governor[cell->governor].name;

	for (int i = 0; i < s->offered.n; i++)
		if (!strcmp(s->offered.name[i], name))
			return true;
	return false;
}

static int read_machine(struct session *s)
{
	int err = root_open(s->options->root, &s->root);

	if (!err)
		err = governor_current(&s->root, s->governor);
	if (!err)
		err = governor_available(&s->root, &s->offered);
	if (!err && !s->offered.n)
		err = error_set(-ENODEV, "this kernel offers no idle governor at all (its list, "
					 "available_governors, is empty)");
	if (!err)
		err = topology_load(&s->root, &s->topology);
	if (!err)
		err = topology_cpus(s->topology, &s->cpus);
	return err;
}

/* --cpus must be CPUs of this machine. */
static int read_allowed(struct session *s)
{
	int err;

	if (!s->options->cpus)
		return cpulist_copy(&s->cpus, &s->allowed);
	err = cpulist_parse(s->options->cpus, &s->allowed);
	if (err)
		return error_prefix(err, "--cpus: ");
	if (!s->allowed.n)
		return error_usage("--cpus: no CPU");
	for (size_t i = 0; i < s->allowed.n; i++)
		if (!cpulist_has(&s->cpus, s->allowed.cpu[i]))
			return error_usage(
				"--cpus: CPU %d is not online on this machine, or not allowed to this process",
				s->allowed.cpu[i]);
	return 0;
}

/* "available" and "current" become names. malloc'ed. */
static char *resolve_governors(const struct session *s, const char *asked)
{
	size_t size = GOVERNORS_MAX * (GOVERNOR_NAME_MAX + 1);
	char *text;

	if (!strcmp(asked, "current"))
		return strdup(s->governor);
	if (strcmp(asked, "available"))
		return strdup(asked);
	text = calloc(1, size);
	for (int i = 0; text && i < s->offered.n; i++) {
		if (i)
			strcat(text, ",");
		strcat(text, s->offered.name[i]);
	}
	return text;
}

/* ';' is in no value of a parameter; blanks and commas are. */
static char *join(const char *const *word, int n)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	for (int i = 0; i < n; i++)
		fprintf(out, "%s%s", i ? ";" : "", word[i]);
	return fclose(out) ? NULL : text;
}

/* What this command asks for, as campaign.ini stores it. */
static int ask(struct session *s)
{
	const struct options *o = s->options;
	struct store_campaign *c = &s->campaign;
	char now[32];

	clock_wall_text(now, sizeof(now));
	c->suite = strdup(s->suite.name);
	c->governors_asked = strdup(o->governors ? o->governors : s->suite.governors);
	c->governors = c->governors_asked ? resolve_governors(s, c->governors_asked) : NULL;
	c->reference = o->reference	    ? strdup(o->reference)
		       : s->suite.reference ? strdup(s->suite.reference)
					    : strdup("");
	c->cpus = strdup(o->cpus ? o->cpus : "");
	c->set = join(o->set, o->sets);
	c->cpufreq_governors = strdup(o->cpufreq_governors ? o->cpufreq_governors : "");
	c->events = join(o->event, o->events);
	c->order = strdup(o->order ? o->order : s->suite.order);
	c->seed = o->seed_given ? o->seed : clock_now_ns() % 1000000000u;
	c->rehearsal = !s->root.live && !o->model;
	c->repeat = o->repeat_given ? (int)o->repeat : s->suite.repeat;
	c->window_ns = o->window_ns >= 0 ? o->window_ns : 0;
	c->warmup_ns = o->warmup_ns;
	c->interval_ns = o->interval_ns >= 0 ? o->interval_ns : s->suite.interval_ns;
	c->version = strdup(VERSION);
	c->created = strdup(now);
	c->suite_text = strdup(s->suite.text);
	c->modelled = strdup(o->model ? o->model : "");
	if (o->model)
		c->ns_per_unit = o->unit_ns;
	if (!c->modelled || !c->suite || !c->governors || !c->reference || !c->cpus || !c->set ||
	    !c->cpufreq_governors || !c->events || !c->order || !c->version || !c->created ||
	    !c->suite_text)
		return error_no_memory();
	return 0;
}

/* The reference: as asked, when it is one of the labels; a suite's default may be absent, a user's
 * may not. */
static int resolve_reference(struct session *s)
{
	struct store_campaign *c = &s->campaign;
	const char *first = s->plan.governor[0].label;

	for (size_t g = 0; g < s->plan.governors; g++)
		if (!strcmp(s->plan.governor[g].label, c->reference))
			return 0;
	if (s->options->reference)
		return error_usage("--reference %s is not one of the governors asked for (%s)",
				   c->reference, c->governors);
	if (*c->reference)
		log_warn("the suite's reference '%s' is not among the governors asked for: all is "
			 "compared with %s",
			 c->reference, first);
	free(c->reference);
	c->reference = strdup(first);
	return c->reference ? 0 : error_no_memory();
}

/* A window that is too short for a point's parameters is refused before the first run. */
static int check_window(const struct session *s, size_t point)
{
	const struct plan_point *at = &s->plan.point[point];
	double option = s->campaign.window_ns > 0 ? s->campaign.window_ns : -1;
	int err;

	if (plan_by_loops(&s->plan, point))
		return 0;
	err = workload_check_window(s->placement[point].window_ns,
				    plan_window_ns(&s->plan, point, option));
	return err ? error_prefix(err, "[run %s]%s%s: ", s->suite.section[at->section].name,
				  *at->text ? " " : "", at->text)
		   : 0;
}

static int check_care(const struct session *s, size_t point)
{
	const struct plan_point *at = &s->plan.point[point];
	int err =
		care_check(&s->plan, point, s->campaign.window_ns > 0 ? s->campaign.window_ns : -1);

	return err ? error_prefix(err, "[run %s]: ", s->suite.section[at->section].name) : 0;
}

static int place_all(struct session *s)
{
	int err = 0;

	s->placement = calloc(s->plan.points, sizeof(*s->placement));
	if (!s->placement)
		return error_no_memory();
	for (size_t i = 0; i < s->plan.points && !err; i++)
		err = placement_make(s->topology, &s->allowed, &s->plan, i, &s->placement[i]);
	for (size_t i = 0; i < s->plan.points && !err; i++)
		err = check_window(s, i);
	for (size_t i = 0; i < s->plan.points && !err; i++)
		err = check_care(s, i);
	return err;
}

static int plan_points(const struct session *s, const struct store_points *points, struct plan *ret)
{
	const struct store_campaign *c = &s->campaign;
	struct plan_request request = { c->governors, c->cpufreq_governors,
					c->repeat,    c->order,
					c->seed,      (unsigned int)c->disable_each };

	return plan_continue(&s->suite, &request, points, ret);
}

/* A campaign that is continued keeps the states that "disable = each" was on its first machine. */
static int make_plan(struct session *s)
{
	struct store_campaign *c = &s->campaign;
	struct store_points points = { 0 };
	unsigned int states;
	int err = disable_states(s, &states);

	if (!err && !c->disable_each)
		c->disable_each = (int)states;
	if (!err && s->dir)
		err = store_points_read(s->dir, &points);
	if (!err)
		err = plan_points(s, &points, &s->plan);
	store_points_free(&points);
	if (!err && c->repeat_min && plan_is_adaptive(&s->plan))
		err = error_usage(
			"an adaptive sweep has one number of repeats: the points would be "
			"chosen from what is decided, and decided from what is chosen");
	return err ? err : disable_check(s, states);
}

static void free_plan(struct session *s)
{
	for (size_t i = 0; s->placement && i < s->plan.points; i++)
		placement_free(&s->placement[i]);
	free(s->placement);
	s->placement = NULL;
	plan_free(&s->plan);
}

/* Points that may be chosen hours later are refused before the first run, too. */
static int check_open(struct session *s)
{
	struct store_points all = { 0 };
	struct plan begun = s->plan;
	int err = 0;

	if (!s->plan.open)
		return 0;
	for (size_t i = 0; i < begun.scale.n && !err; i++) {
		err = store_points_add(&all, &begun.scale.point[i]);
		if (!err)
			all.point[i].round = 0;
	}
	s->plan = (struct plan){ 0 };
	if (!err)
		err = plan_points(s, &all, &s->plan);
	if (!err)
		err = place_all(s);
	free_plan(s);
	s->plan = begun;
	store_points_free(&all);
	return err;
}

int session_replan(struct session *s)
{
	int err;

	free_plan(s);
	err = make_plan(s);
	return err ? err : place_all(s);
}

static int load_suite(const struct options *o, struct suite *ret)
{
	char path[SUITE_NAME_MAX + 8];

	if (o->command)
		return suite_of_command(o->command, o->set, o->sets, ret);
	if (!o->suite_text)
		return suite_load(o->suite, o->set, o->sets, ret);
	snprintf(path, sizeof(path), "%s.ini", o->suite);
	return suite_parse(path, o->suite_text, o->set, o->sets, ret);
}

int session_plan(struct session *s, const struct options *options)
{
	struct store_campaign *c = &s->campaign;
	int err;

	*s = (struct session){ .options = options };
	err = session_check_options(options);
	if (!err)
		err = load_suite(options, &s->suite);
	if (!err && options->model)
		err = suite_keep(&s->suite, options->workloads);
	if (!err)
		err = read_machine(s);
	if (!err)
		err = read_allowed(s);
	if (!err)
		err = ask(s);
	if (!err)
		err = looks_design(s);
	if (!err)
		err = campaign_adopt(s);
	if (!err)
		err = make_plan(s);
	if (!err)
		err = preflight_governors(s);
	if (!err)
		err = resolve_reference(s);
	if (!err)
		err = check_open(s);
	if (!err)
		err = place_all(s);
	if (!err)
		err = counting_resolve(s);
	if (!err && !options->model)
		err = preflight_cpufreq(s);
	if (!err && !options->model) {
		privilege_root();
		err = power_open(s);
		privilege_user();
	}
	if (!err && options->budget_ns >= 0 && !strcmp(c->order, "blocked"))
		err = error_usage(
			"--for has no effect: with the order 'blocked' the first governor "
			"would get all of the time");
	c->cells = err ? 0 : (int)plan_all_cells(&s->plan);
	s->switching = !err && strcmp(c->governors_asked, "current") != 0;
	return err;
}

void session_free(struct session *s)
{
	free_plan(s);
	free(s->enabled);
	suite_free(&s->suite);
	store_campaign_free(&s->campaign);
	if (s->idle)
		cpuidle_close(s->idle);
	power_close(s);
	ticks_close(s->ticks);
	free(s->no_ticks);
	counting_close(s);
	cpufreq_policies_free(&s->cpufreq);
	thermal_free(&s->thermal);
	if (s->topology)
		topology_free(s->topology);
	cpulist_free(&s->cpus);
	cpulist_free(&s->allowed);
	if (s->root.path)
		root_close(&s->root);
	free(s->dir);
	free(s->boot);
	free(s->runs);
}
