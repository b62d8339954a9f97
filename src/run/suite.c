/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Suite files: [suite] by a key table, [run NAME] by the workload's own parameter table.
 */
#include "run/suite.h"
#include "lib/error.h"
#include "lib/ini.h"
#include "lib/suggest.h"
#include "lib/units.h"
#include "run/care.h"
#include "run/plan.h"
#include "run/section.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SUITE_FORMAT 1

const char *const suite_orders[] = { "shuffled", "blocked", "abba", NULL };

static int format_parse(struct suite *suite, const char *text)
{
	uint64_t format;
	int err = units_parse_count(text, &format);

	(void)suite;
	if (!err && format < 1)
		err = error_usage("formats are numbered from 1");
	if (!err && format > SUITE_FORMAT)
		err = error_usage("format %s is newer than this program reads (%d)", text,
				  SUITE_FORMAT);
	return err;
}

static int text_parse(char **to, const char *text)
{
	free(*to);
	*to = strdup(text);
	return *to ? 0 : error_no_memory();
}

static int about_parse(struct suite *suite, const char *text)
{
	return text_parse(&suite->about, text);
}

/* Here and not only in plan_make(), so that the message has a line. */
static int governors_parse(struct suite *suite, const char *text)
{
	int err = plan_check_governors(text);

	return err ? err : text_parse(&suite->governors, text);
}

static int reference_parse(struct suite *suite, const char *text)
{
	return text_parse(&suite->reference, text);
}

static int order_parse(struct suite *suite, const char *text)
{
	char hint[64];

	for (int i = 0; suite_orders[i]; i++)
		if (!strcmp(text, suite_orders[i]))
			return text_parse(&suite->order, text);
	return error_usage("order is shuffled, blocked or abba, not '%s'%s", text,
			   suggest_text(text, suite_orders, 3, hint, sizeof(hint)));
}

static int repeat_parse(struct suite *suite, const char *text)
{
	uint64_t repeat, most;
	int err = units_parse_counts(text, &repeat, &most);

	if (!err && (repeat < 1 || repeat > SUITE_REPEAT_MAX || most > SUITE_REPEAT_MAX))
		err = error_usage("repeat is 1 to %d, not %s", SUITE_REPEAT_MAX, text);
	if (err)
		return err;
	suite->repeat = (int)repeat;
	suite->repeat_max = (int)most;
	return 0;
}

static int stop_parse(struct suite *suite, const char *text)
{
	suite->until_decided = !strcmp(text, "decided");
	if (suite->until_decided || !strcmp(text, "fixed"))
		return 0;
	return error_usage("stop is decided or fixed, not '%s'", text);
}

static int time_parse(const char *text, double min, double max, double *ret)
{
	char low[24], high[24];
	double ns;
	int err = units_parse_time(text, &ns);

	units_format_time(min, 4, low, sizeof(low));
	units_format_time(max, 4, high, sizeof(high));
	if (!err && (ns < min || ns > max))
		err = error_usage("%s is outside %s to %s", text, low, high);
	if (!err)
		*ret = ns;
	return err;
}

static int window_parse(struct suite *suite, const char *text)
{
	suite->window_given = true;
	return time_parse(text, SUITE_WINDOW_MIN_NS, SUITE_WINDOW_MAX_NS, &suite->window_ns);
}

static int warmup_parse(struct suite *suite, const char *text)
{
	return time_parse(text, 0, SUITE_WARMUP_MAX_NS, &suite->warmup_ns);
}

static int interval_parse(struct suite *suite, const char *text)
{
	return time_parse(text, SUITE_INTERVAL_MIN_NS, SUITE_INTERVAL_MAX_NS, &suite->interval_ns);
}

static int trace_parse(struct suite *suite, const char *text)
{
	suite->trace = !strcmp(text, "yes");
	if (suite->trace || !strcmp(text, "no"))
		return 0;
	return error_usage("trace is yes or no, not '%s'", text);
}

static const struct {
	const char *key;
	int (*parse)(struct suite *suite, const char *text);
} keys[] = {
	{ "format", format_parse },	  { "about", about_parse },
	{ "governors", governors_parse }, { "reference", reference_parse },
	{ "repeat", repeat_parse },	  { "warmup", warmup_parse },
	{ "window", window_parse },	  { "interval", interval_parse },
	{ "order", order_parse },	  { "trace", trace_parse },
	{ "stop", stop_parse },
};
#define KEYS (sizeof(keys) / sizeof(keys[0]))

static int parse_suite_key(struct suite *suite, const struct ini *ini,
			   const struct ini_entry *entry)
{
	const char *known[KEYS + CARE_KEYS];
	char hint[64];

	for (size_t i = 0; i < KEYS; i++) {
		known[i] = keys[i].key;
		if (strcmp(entry->key, keys[i].key))
			continue;
		if (!*entry->value)
			return ini_error(ini, entry, "'%s' has no value", entry->key);
		if (keys[i].parse(suite, entry->value)) {
			char text[256];

			snprintf(text, sizeof(text), "%s", error_text());
			return ini_error(ini, entry, "%s: %s", entry->key, text);
		}
		return 0;
	}
	if (care_is_key(entry->key)) {
		char text[256];

		if (!care_set(&suite->care, entry->key, entry->value))
			return 0;
		snprintf(text, sizeof(text), "%s", error_text());
		return ini_error(ini, entry, "%s", text);
	}
	return ini_error(ini, entry, "unknown key '%s' in [suite]%s", entry->key,
			 suggest_text(entry->key, known, KEYS + care_keys(known + KEYS), hint,
				      sizeof(hint)));
}

static bool name_valid(const char *name)
{
	size_t n = strlen(name);

	return n > 0 && n <= SUITE_NAME_MAX && isalnum((unsigned char)name[0]) &&
	       strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_+") ==
		       n;
}

/* A section's workloads must be known before its other keys mean anything: they are looked up
 * first, wherever they stand. */
static int section_open(struct suite *suite, const struct ini *ini, const struct ini_entry *header)
{
	const char *name = header->section + strlen("run "), *workloads;
	struct suite_section *bigger, *s;
	char text[256];

	while (isspace((unsigned char)*name))
		name++;
	if (!name_valid(name))
		return ini_error(
			ini, header,
			"the name of [run NAME] is 1 to %d letters, digits, '-', '_' or '+'",
			SUITE_NAME_MAX);
	for (size_t i = 0; i < suite->sections; i++)
		if (!strcmp(suite->section[i].name, name))
			return ini_error(ini, header, "[run %s] stands in line %d already", name,
					 suite->section[i].line);
	workloads = ini_get(ini, header->section, "workload");
	if (!workloads)
		return ini_error(ini, header, "no 'workload' in [%s]", header->section);
	bigger = reallocarray(suite->section, suite->sections + 1, sizeof(*bigger));
	if (!bigger)
		return error_no_memory();
	suite->section = bigger;
	s = &suite->section[suite->sections++];
	*s = (struct suite_section){
		.line = header->line, .window_ns = -1, .warmup_ns = -1, .care = care_of_suite
	};
	s->name = strdup(name);
	if (!s->name)
		return error_no_memory();
	if (!section_make(s, workloads))
		return 0;
	snprintf(text, sizeof(text), "%s", error_text());
	return ini_error(ini, header, "[%s]: %s", header->section, text);
}

int section_set(struct suite_section *s, const char *key, const char *value, bool again)
{
	struct sweep sweep;
	int index, err;

	if (!strcmp(key, "window") && !strcmp(value, "none")) {
		s->window_ns = 0;
		return 0;
	}
	if (!strcmp(key, "window"))
		return time_parse(value, SUITE_WINDOW_MIN_NS, SUITE_WINDOW_MAX_NS, &s->window_ns);
	if (!strcmp(key, "warmup"))
		return time_parse(value, 0, SUITE_WARMUP_MAX_NS, &s->warmup_ns);
	if (care_is_key(key))
		return care_set(&s->care, key, value);
	index = section_find(s, key);
	if (index < 0)
		return index;
	if (s->sweep[index].n && s->params[index].repeatable && s->sweep[index].replaced == again)
		return sweep_append(&s->params[index], value, &s->sweep[index]);
	if (s->sweep[index].n && !again)
		return error_usage("'%s' is given as another key already: %s is one parameter", key,
				   s->params[index].name);
	err = sweep_parse(&s->params[index], value, &sweep);
	if (err)
		return err;
	sweep.replaced = again;
	sweep_free(&s->sweep[index]);
	s->sweep[index] = sweep;
	return 0;
}

static int parse_run_key(struct suite_section *s, const struct ini *ini,
			 const struct ini_entry *entry)
{
	char text[256];

	if (!strcmp(entry->key, "workload"))
		return 0;
	if (!section_set(s, entry->key, entry->value, false))
		return 0;
	snprintf(text, sizeof(text), "%s", error_text());
	return ini_error(ini, entry, "[run %s]: %s", s->name, text);
}

static int parse_entry(struct suite *suite, const struct ini *ini, const struct ini_entry *entry)
{
	static const char *const known[] = { "suite", "run" };
	bool run = !strncmp(entry->section, "run ", 4) || !strcmp(entry->section, "run");
	char hint[64];

	if (entry->key)
		return run ? parse_run_key(&suite->section[suite->sections - 1], ini, entry)
			   : parse_suite_key(suite, ini, entry);
	if (run)
		return !strcmp(entry->section, "run")
			       ? ini_error(ini, entry, "[run] needs a name: [run NAME]")
			       : section_open(suite, ini, entry);
	if (strcmp(entry->section, "suite"))
		return ini_error(
			ini, entry, "unknown section [%s]%s; a suite has [suite] and [run NAME]",
			entry->section, suggest_text(entry->section, known, 2, hint, sizeof(hint)));
	return 0;
}

static int set_defaults(struct suite *suite, const char *path, const char *text)
{
	const char *base = strrchr(path, '/');
	char *dot;

	base = base ? base + 1 : path;
	suite->path = strdup(path);
	suite->text = strdup(text);
	suite->name = strdup(base);
	suite->governors = strdup("available");
	suite->order = strdup("shuffled");
	suite->about = strdup("");
	suite->repeat = 6;
	suite->window_ns = 10e9;
	suite->warmup_ns = 2e9;
	suite->interval_ns = 1e9;
	suite->care = care_default;
	if (!suite->path || !suite->text || !suite->name || !suite->governors || !suite->order ||
	    !suite->about)
		return error_no_memory();
	dot = strrchr(suite->name, '.');
	if (dot && dot != suite->name)
		*dot = '\0';
	if (!name_valid(suite->name))
		return error_usage(
			"%s: the suite's name (its file's, without .ini) is 1 to %d letters, digits, '-', '_' or '+'",
			path, SUITE_NAME_MAX);
	return 0;
}

/* Before all other keys: a later format may have ones that are unknown here. */
static int check_format(struct suite *suite, const struct ini *ini)
{
	for (size_t i = 0; i < ini->n; i++)
		if (ini->entry[i].key && !strcmp(ini->entry[i].section, "suite") &&
		    !strcmp(ini->entry[i].key, "format"))
			return parse_suite_key(suite, ini, &ini->entry[i]);
	return error_usage("%s: no 'format = %d' in [suite]", suite->path, SUITE_FORMAT);
}

static int parse_all(struct suite *suite, const struct ini *ini, const char *const *set, int sets)
{
	int err = check_format(suite, ini);

	for (size_t i = 0; i < ini->n && !err; i++)
		err = parse_entry(suite, ini, &ini->entry[i]);
	if (!err && !suite->sections)
		err = error_usage("%s: no [run NAME] section: nothing to run", suite->path);
	for (int i = 0; i < sets && !err; i++)
		err = section_apply_set(suite, set[i]);
	for (size_t i = 0; i < suite->sections && !err; i++)
		err = section_check(suite, &suite->section[i]);
	return err;
}

int suite_parse(const char *path, const char *text, const char *const *set, int sets,
		struct suite *ret)
{
	struct suite suite = { 0 };
	struct ini ini;
	int err = ini_load_repeating(path, text, strlen(text), section_may_repeat, &ini);

	if (err)
		return err;
	err = set_defaults(&suite, path, text);
	if (!err)
		err = parse_all(&suite, &ini, set, sets);
	ini_free(&ini);
	if (err)
		suite_free(&suite);
	else
		*ret = suite;
	return err;
}

void suite_free(struct suite *suite)
{
	for (size_t i = 0; i < suite->sections; i++)
		section_free(&suite->section[i]);
	free(suite->section);
	free(suite->path);
	free(suite->name);
	free(suite->text);
	free(suite->about);
	free(suite->governors);
	free(suite->reference);
	free(suite->order);
	memset(suite, 0, sizeof(*suite));
}
