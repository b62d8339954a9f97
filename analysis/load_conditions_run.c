/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What differs between the runs of one section in two results. One run each stands for all: within
 * a campaign a section's runs at a point were asked alike.
 */
#include "analysis/load_conditions.h"
#include "lib/error.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct loaded_run *find_run(const struct result *r, size_t boot, const char *section,
					 const char *point)
{
	for (size_t i = 0; i < r->runs; i++) {
		const struct loaded_run *run = &r->run[i];

		if ((size_t)run->boot == boot && run->info.state == STORE_COMPLETE &&
		    !strcmp(run->info.section, section) && !strcmp(run->info.point, point))
			return run;
	}
	return NULL;
}

static const char *in(struct result *r, const char *what, const struct loaded_run *run)
{
	return pool_text(&r->pool, "[run %s]: %s", run->info.section, what);
}

static void compare_times(struct result *r, const struct pair *p, const struct loaded_run *run,
			  const char *what, double a, double b, double slack)
{
	double ratio = fmax(a, b) / fmin(a, b);
	char x[24], y[24];

	if (!(a > 0) || !(b > 0) || fabs(a - b) <= slack || ratio < CONDITIONS_TIME_NOTED)
		return;
	units_format_time(a, 3, x, sizeof(x));
	units_format_time(b, 3, y, sizeof(y));
	conditions_differ(r, p, ratio > CONDITIONS_TIME_FAR, in(r, what, run), x, y);
}

static double warmup_of(const struct loaded_run *run)
{
	double ns;

	if (!run->info.warmup_done || units_parse_time(run->info.warmup_done, &ns))
		return NAN;
	return ns;
}

static const char *value_of(const struct store_run *run, const char *key)
{
	for (size_t i = 0; i < run->params; i++)
		if (!strcmp(run->param[i].key, key))
			return run->param[i].value;
	return NULL;
}

static void compare_params(struct result *r, const struct pair *p, const struct loaded_run *a,
			   const struct loaded_run *b)
{
	for (size_t i = 0; i < a->info.params; i++) {
		const char *key = a->info.param[i].key;
		const char *value = value_of(&b->info, key);

		/* A parameter that another version does not have cannot be told to differ. */
		if (value)
			conditions_differ(r, p, true, in(r, key, a), a->info.param[i].value, value);
	}
}

static void compare_cpus(struct result *r, const struct pair *p, const struct loaded_run *a,
			 const struct loaded_run *b)
{
	char *x = cpulist_format(&a->info.cpus), *y = cpulist_format(&b->info.cpus);

	if (x && y && p->same_machine)
		conditions_differ(r, p, true, in(r, "the list of the workload's CPUs", a),
				  *x ? x : "none", *y ? y : "none");
	free(x);
	free(y);
}

static const char *yes_no(bool yes)
{
	return yes ? "yes" : "no";
}

static void compare_runs(struct result *r, const struct pair *p, const struct loaded_run *a,
			 const struct loaded_run *b)
{
	const struct store_run *x = &a->info, *y = &b->info;

	conditions_differ(r, p, true, in(r, "the workload", a), x->workload, y->workload);
	if (strcmp(x->workload, y->workload))
		return;
	compare_params(r, p, a, b);
	compare_times(r, p, a, "the window", (double)(x->t1_ns - x->t0_ns),
		      (double)(y->t1_ns - y->t0_ns), 0);
	compare_times(r, p, a, "the warm-up", warmup_of(a), warmup_of(b), CONDITIONS_TIME_SLACK_NS);
	compare_cpus(r, p, a, b);
	conditions_differ(r, p, true, in(r, "pinned", a), yes_no(x->pinned), yes_no(y->pinned));
	conditions_differ(r, p, true, in(r, "oversubscribed", a), yes_no(x->oversubscribed),
			  yes_no(y->oversubscribed));
	conditions_differ(r, p, false, in(r, "housekeeping shared with the workload", a),
			  yes_no(x->housekeeping_shared), yes_no(y->housekeeping_shared));
	if (x->distance_got && y->distance_got)
		conditions_differ(r, p, false, in(r, "the distance of neighbours", a),
				  x->distance_got, y->distance_got);
}

void conditions_sections(struct result *r, const struct pair *p)
{
	const char *last = NULL;

	for (size_t i = 0; i < r->runs; i++) {
		const struct loaded_run *a = &r->run[i], *b;

		if ((size_t)a->boot != p->a || a->info.state != STORE_COMPLETE ||
		    (last && !strcmp(last, a->info.section)))
			continue;
		b = find_run(r, p->b, a->info.section, a->info.point);
		if (!b)
			continue;
		last = a->info.section;
		compare_runs(r, p, a, b);
	}
	error_clear();
}
