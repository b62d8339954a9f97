/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parameter tables of a section's workloads, laid one behind the other, so that a point's
 * values of one workload lie together and can be given to it as they are.
 */
#include "run/section.h"
#include "lib/error.h"
#include "lib/suggest.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KNOWN_MAX 256

static const struct param disable_row = {
	"disable",
	PARAM_CHOICE,
	.choices =
		"none|each|state0|state1|state2|state3|state4|state5|state6|state7|state8|state9",
	.help = "Idle state that is disabled on all CPUs while it runs",
};

static int add_workload(struct suite_section *s, const char *name)
{
	const struct workload *workload = workload_find(name);

	if (!workload)
		return -EINVAL;
	for (size_t k = 0; k < s->parts; k++)
		if (s->part[k].workload == workload)
			return error_usage("workload '%s' is named twice: their keys and figures "
					   "could not be told apart",
					   name);
	if (s->parts == SUITE_PARTS_MAX)
		return error_usage("more than %d workloads", SUITE_PARTS_MAX);
	s->part[s->parts++].workload = workload;
	return 0;
}

static int add_rows(struct suite_section *s)
{
	size_t row = 0;

	for (size_t k = 0; k < s->parts; k++) {
		const struct workload *workload = s->part[k].workload;

		s->part[k].first = row;
		for (size_t p = 0; workload->params[p].name; p++) {
			char *name;

			s->params[row] = workload->params[p];
			if (s->parts > 1) {
				if (asprintf(&name, "%s.%s", workload->name,
					     workload->params[p].name) < 0)
					name = NULL;
				s->params[row].name = name;
			}
			if (!s->params[row].name)
				return error_no_memory();
			row++;
		}
	}
	s->disable = row;
	s->params[row] = disable_row;
	return 0;
}

int section_make(struct suite_section *s, const char *workloads)
{
	char *copy = strdup(workloads), *save = NULL;
	size_t rows = 1;
	int err = copy ? 0 : error_no_memory();

	for (char *word = copy ? strtok_r(copy, " \t,", &save) : NULL; word && !err;
	     word = strtok_r(NULL, " \t,", &save))
		err = add_workload(s, word);
	free(copy);
	if (!err && !s->parts)
		err = error_usage("'workload' has no value");
	if (err)
		return err;
	s->workload = s->part[0].workload;
	for (size_t k = 0; k < s->parts; k++)
		rows += param_count(s->part[k].workload->params);
	s->params = calloc(rows + 1, sizeof(*s->params));
	s->sweep = calloc(rows + 1, sizeof(*s->sweep));
	return s->params && s->sweep ? add_rows(s) : error_no_memory();
}

static int unknown(const struct suite_section *s, const char *key)
{
	const char *known[KNOWN_MAX];
	size_t n = 0;
	char hint[128];

	for (size_t p = 0; s->params[p].name && n < KNOWN_MAX; p++)
		known[n++] = s->params[p].name;
	for (size_t k = 0; k < s->parts; k++)
		for (size_t p = 0; s->part[k].workload->params[p].name && n < KNOWN_MAX; p++)
			known[n++] = s->part[k].workload->params[p].name;
	error_usage("unknown parameter '%s'%s", key,
		    suggest_text(key, known, n, hint, sizeof(hint)));
	return -ENOENT;
}

/* "WORKLOAD.KEY" of a part. */
static bool is_prefixed(const char *key, const char *workload, const char *name)
{
	size_t n = strlen(workload);

	return !strncmp(key, workload, n) && key[n] == '.' && !strcmp(key + n + 1, name);
}

int section_find(const struct suite_section *s, const char *key)
{
	const char *first = NULL;
	int row = -1;

	if (!strcmp(key, s->params[s->disable].name))
		return (int)s->disable;
	for (size_t k = 0; k < s->parts; k++) {
		const struct workload *workload = s->part[k].workload;

		for (size_t p = 0; workload->params[p].name; p++) {
			const char *name = workload->params[p].name;

			if (is_prefixed(key, workload->name, name))
				return (int)(s->part[k].first + p);
			if (strcmp(key, name))
				continue;
			if (first)
				return error_usage("'%s' is a key of %s and of %s: write %s.%s or "
						   "%s.%s",
						   key, first, workload->name, first, key,
						   workload->name, key);
			first = workload->name;
			row = (int)(s->part[k].first + p);
		}
	}
	return row >= 0 ? row : unknown(s, key);
}

bool section_may_repeat(const char *key)
{
	for (size_t i = 0; workload_table[i]; i++) {
		const struct workload *workload = workload_table[i];

		for (size_t p = 0; workload->params[p].name; p++)
			if (workload->params[p].repeatable &&
			    (!strcmp(key, workload->params[p].name) ||
			     is_prefixed(key, workload->name, workload->params[p].name)))
				return true;
	}
	return false;
}

bool section_is_workload(const struct suite *suite, const char *name)
{
	for (size_t i = 0; i < suite->sections; i++)
		for (size_t k = 0; k < suite->section[i].parts; k++)
			if (!strcmp(suite->section[i].part[k].workload->name, name))
				return true;
	return false;
}

/* Several workloads have one window: none of them may decide by itself when it is over. */
static int check_loops(const struct suite_section *s)
{
	for (size_t k = 0; k < s->parts && s->parts > 1; k++) {
		const struct param *params = s->part[k].workload->params;

		for (size_t p = 0; params[p].name; p++)
			if (!strcmp(params[p].name, "loops") && s->sweep[s->part[k].first + p].n)
				return error_usage(
					"%s: a section of several workloads ends with its window",
					s->params[s->part[k].first + p].name);
	}
	return 0;
}

/* What ends itself starts cold at t0, and its window is only a limit. */
static int check_times(const struct suite_section *s, const struct workload_needs *needs)
{
	bool alone = needs->ends_itself && s->parts == 1;

	if (alone && s->warmup_ns >= 0)
		return error_usage("warmup has no effect: %s has none", s->workload->name);
	if (!alone && s->window_ns == 0)
		return error_usage("window = none: %s",
				   s->parts > 1 ? "several workloads have one window"
						: "it does not end by itself");
	return 0;
}

static int check_needs(const struct suite_section *s, const struct param_value *value)
{
	int err = 0;

	for (size_t k = 0; k < s->parts && !err; k++) {
		struct workload_needs needs;

		err = s->part[k].workload->needs(value + s->part[k].first, &needs);
		if (!err)
			err = check_times(s, &needs);
		if (err && s->parts > 1)
			error_prefix(err, "%s: ", s->part[k].workload->name);
	}
	return err;
}

int section_check(const struct suite *suite, const struct suite_section *s)
{
	size_t n = param_count(s->params);
	struct param_value *value = calloc(n + 1, sizeof(*value));
	int err = value ? param_defaults(s->params, value) : error_no_memory();

	for (size_t i = 0; i < n && !err; i++)
		if (s->sweep[i].n)
			value[i] = s->sweep[i].value[0];
	if (!err)
		err = param_check_required(s->params, value);
	if (!err)
		err = check_loops(s);
	if (!err)
		err = check_needs(s, value);
	free(value);
	return err ? error_prefix(err, "%s:%d: [run %s]: ", suite->path, s->line, s->name) : 0;
}

void section_free(struct suite_section *s)
{
	for (size_t p = 0; s->params && s->params[p].name; p++) {
		if (s->sweep)
			sweep_free(&s->sweep[p]);
		if (s->parts > 1 && p < s->disable)
			free((char *)s->params[p].name);
	}
	free(s->params);
	free(s->sweep);
	free(s->name);
}
