/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Points are the product of a section's axes, the last key of the parameter table turning fastest.
 */
#include "run/plan.h"
#include "hw/governor.h"
#include "lib/error.h"
#include "run/disable.h"
#include "run/section.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int check_governor(const char *name)
{
	if (!governor_name_valid(name))
		return error_usage(
			"'%s' is not a governor's name (1 to %d letters, digits, '-', '_' or '.')",
			name, GOVERNOR_NAME_MAX - 1);
	if (!strcmp(name, "available") || !strcmp(name, "current"))
		return error_usage("'%s' stands alone, not in a list of governors", name);
	return 0;
}

int plan_check_governors(const char *list)
{
	char *copy, *rest, *name;
	int err = 0;

	if (!strcmp(list, "available") || !strcmp(list, "current"))
		return 0;
	copy = rest = strdup(list);
	if (!copy)
		return error_no_memory();
	while (!err && (name = strsep(&rest, ",")))
		err = check_governor(name);
	free(copy);
	return err;
}

/* "menu" asked twice is an A/A control: the second one is labelled "menu:2". */
static int add_governor(struct plan *plan, const char *name)
{
	struct plan_governor *g = &plan->governor[plan->governors];
	int same = 1, err = check_governor(name);

	if (err)
		return err;
	if (plan->governors == PLAN_GOVERNORS_MAX)
		return error_usage("more than %d governors", PLAN_GOVERNORS_MAX);
	for (size_t i = 0; i < plan->governors; i++)
		same += !strcmp(plan->governor[i].name, name);
	g->name = strdup(name);
	if (same == 1)
		g->label = strdup(name);
	else if (asprintf(&g->label, "%s:%d", name, same) < 0)
		g->label = NULL;
	plan->governors++;
	return g->name && g->label ? 0 : error_no_memory();
}

static int add_governors(struct plan *plan, const char *list)
{
	char *copy = strdup(list), *rest = copy, *name;
	int err = 0;

	plan->governor = calloc(PLAN_GOVERNORS_MAX, sizeof(*plan->governor));
	if (!copy || !plan->governor)
		err = error_no_memory();
	while (!err && (name = strsep(&rest, ",")))
		err = add_governor(plan, name);
	free(copy);
	return err;
}

static int add_cpufreqs(struct plan *plan, const char *list)
{
	char *copy, *rest, *name;
	int err = 0;

	plan->cpufreqs = 1;
	if (!list || !*list)
		return 0;
	copy = rest = strdup(list);
	plan->cpufreq = calloc(PLAN_CPUFREQS_MAX, sizeof(*plan->cpufreq));
	if (!copy || !plan->cpufreq)
		err = error_no_memory();
	for (plan->cpufreqs = 0; !err && (name = strsep(&rest, ",")); plan->cpufreqs++) {
		for (size_t i = 0; i < plan->cpufreqs; i++)
			if (!strcmp(plan->cpufreq[i], name))
				err = error_usage("cpufreq governor '%s' is given twice", name);
		if (!err && !governor_name_valid(name))
			err = error_usage("'%s' is not a cpufreq governor's name", name);
		if (!err && plan->cpufreqs == PLAN_CPUFREQS_MAX)
			err = error_usage("more than %d cpufreq governors", PLAN_CPUFREQS_MAX);
		if (err)
			break;
		plan->cpufreq[plan->cpufreqs] = strdup(name);
		if (!plan->cpufreq[plan->cpufreqs])
			err = error_no_memory();
	}
	free(copy);
	return err;
}

const struct sweep *plan_sweep(const struct plan *plan, size_t section, size_t p)
{
	const struct suite_section *s = &plan->suite->section[section];

	return p == s->disable ? &plan->disable[section] : &s->sweep[p];
}

bool plan_is_axis(const struct plan *plan, size_t section, size_t p)
{
	return plan_sweep(plan, section, p)->n > 1;
}

char *plan_point_text(const struct plan *plan, const struct plan_point *point, size_t without)
{
	const struct suite_section *s = &plan->suite->section[point->section];
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	const char *comma = "";

	if (!out)
		return NULL;
	for (size_t p = 0; s->params[p].name; p++) {
		char value[64];

		if (p == without || !plan_is_axis(plan, point->section, p))
			continue;
		param_format(&s->params[p], &point->value[p], value, sizeof(value));
		fprintf(out, "%s%s=%s", comma, s->params[p].name, value);
		comma = ",";
	}
	return fclose(out) ? NULL : text;
}

/* Point number @index of the section: its axes read as the digits of a mixed-radix number. */
static int add_point(struct plan *plan, size_t section, size_t index)
{
	const struct suite_section *s = &plan->suite->section[section];
	size_t n = param_count(s->params);
	struct plan_point *bigger = reallocarray(plan->point, plan->points + 1, sizeof(*bigger)),
			  *point;
	int err;

	if (!bigger)
		return error_no_memory();
	plan->point = bigger;
	point = &plan->point[plan->points++];
	*point = (struct plan_point){ .section = section,
				      .value = calloc(n + 1, sizeof(*point->value)) };
	if (!point->value)
		return error_no_memory();
	err = param_defaults(s->params, point->value);
	if (err)
		return err;
	for (size_t p = n; p-- > 0;) {
		const struct sweep *sweep = plan_sweep(plan, section, p);

		if (!sweep->n)
			continue;
		point->value[p] = sweep->value[index % sweep->n];
		point->value[p].set = point->value[p].given = true;
		index /= sweep->n;
	}
	point->text = plan_point_text(plan, point, SIZE_MAX);
	return point->text ? 0 : error_no_memory();
}

static int add_points(struct plan *plan, size_t section)
{
	const struct suite_section *s = &plan->suite->section[section];
	size_t n = 1;
	int err = 0;

	for (size_t p = 0; s->params[p].name; p++) {
		if (plan_sweep(plan, section, p)->n)
			n *= plan_sweep(plan, section, p)->n;
		if (n > SWEEP_POINTS_MAX)
			return error_usage("[run %s]: its axes make more than %d points", s->name,
					   SWEEP_POINTS_MAX);
	}
	for (size_t i = 0; i < n && !err; i++)
		err = add_point(plan, section, i);
	return err;
}

int plan_continue(const struct suite *suite, const struct plan_request *request,
		  const struct store_points *points, struct plan *ret)
{
	struct plan plan = { .suite = suite };
	int err = add_governors(&plan, request->governors);

	if (!err)
		err = add_cpufreqs(&plan, request->cpufreq);
	if (!err)
		err = disable_resolve(suite, request->states, &plan.disable);
	for (size_t s = 0; s < suite->sections && !err; s++)
		err = add_points(&plan, s);
	if (!err)
		err = plan_scale(&plan, points);
	if (!err)
		err = plan_order(&plan, request);
	if (err)
		plan_free(&plan);
	else
		*ret = plan;
	return err;
}

int plan_make(const struct suite *suite, const struct plan_request *request, struct plan *ret)
{
	return plan_continue(suite, request, NULL, ret);
}

char *plan_cell_name(const struct plan *plan, const struct plan_cell *cell)
{
	const struct plan_point *point = &plan->point[cell->point];
	const char *cpufreq = plan->cpufreq ? plan->cpufreq[cell->cpufreq] : "";
	char *name;

	if (asprintf(&name, "%s.%s%s%s%s%s.r%d", plan->suite->section[point->section].name,
		     point->text, *point->text ? "." : "", plan->governor[cell->governor].label,
		     *cpufreq ? "+" : "", cpufreq, cell->repeat) < 0)
		return NULL;
	return name;
}

static double pick(double option_ns, double section_ns, double suite_ns)
{
	if (option_ns >= 0)
		return option_ns;
	return section_ns >= 0 ? section_ns : suite_ns;
}

/* In company it has the window of all. */
bool plan_ends_itself(const struct plan *plan, size_t point)
{
	const struct suite_section *s = &plan->suite->section[plan->point[point].section];
	struct workload_needs needs;

	return s->parts == 1 && !s->workload->needs(plan_values(plan, point, 0), &needs) &&
	       needs.ends_itself;
}

double plan_window_ns(const struct plan *plan, size_t point, double option_ns)
{
	bool none = !plan->suite->window_given && plan_ends_itself(plan, point);

	return pick(option_ns, plan->suite->section[plan->point[point].section].window_ns,
		    none ? 0 : plan->suite->window_ns);
}

double plan_warmup_ns(const struct plan *plan, size_t point, double option_ns)
{
	if (plan_ends_itself(plan, point))
		return 0;
	return pick(option_ns, plan->suite->section[plan->point[point].section].warmup_ns,
		    plan->suite->warmup_ns);
}

const struct param_value *plan_values(const struct plan *plan, size_t point, size_t part)
{
	const struct plan_point *at = &plan->point[point];

	return at->value + plan->suite->section[at->section].part[part].first;
}

int plan_disable(const struct plan *plan, size_t point)
{
	const struct plan_point *at = &plan->point[point];
	const struct param_value *value = &at->value[plan->suite->section[at->section].disable];

	return value->set && value->choice >= SECTION_DISABLE_STATE0
		       ? value->choice - SECTION_DISABLE_STATE0
		       : -1;
}

bool plan_disables(const struct plan *plan)
{
	for (size_t i = 0; i < plan->points; i++)
		if (plan_disable(plan, i) >= 0)
			return true;
	return false;
}

bool plan_by_loops(const struct plan *plan, size_t point)
{
	const struct plan_point *at = &plan->point[point];
	const struct param *params = plan->suite->section[at->section].params;

	for (size_t p = 0; params[p].name; p++)
		if (!strcmp(params[p].name, "loops"))
			return at->value[p].set && at->value[p].number > 0;
	return false;
}

void plan_free(struct plan *plan)
{
	for (size_t i = 0; plan->governor && i < plan->governors; i++) {
		free(plan->governor[i].name);
		free(plan->governor[i].label);
	}
	free(plan->governor);
	for (size_t i = 0; plan->disable && i < plan->suite->sections; i++)
		sweep_free(&plan->disable[i]);
	free(plan->disable);
	for (size_t i = 0; plan->cpufreq && i < plan->cpufreqs; i++)
		free(plan->cpufreq[i]);
	free(plan->cpufreq);
	for (size_t i = 0; i < plan->points; i++) {
		free(plan->point[i].value);
		free(plan->point[i].text);
	}
	store_points_free(&plan->scale);
	free(plan->blocks_to_come);
	free(plan->point);
	free(plan->cell);
	memset(plan, 0, sizeof(*plan));
}
