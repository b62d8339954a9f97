/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parsing, checking and printing of a workload's parameters from its table.
 *
 * A work is told from a time by its last character: units are a bare number, a time ends in the
 * letter of its unit.
 */
#include "workloads/param.h"
#include "lib/error.h"
#include "lib/suggest.h"
#include "lib/units.h"
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS_MAX 64 /* more rows or choices than any table has */

size_t param_count(const struct param *table)
{
	size_t n = 0;

	while (table[n].name)
		n++;
	return n;
}

int param_find(const struct param *table, const char *name)
{
	const char *known[WORDS_MAX];
	char hint[128];
	size_t n = param_count(table);

	for (size_t i = 0; i < n; i++) {
		if (!strcmp(table[i].name, name))
			return (int)i;
		if (i < WORDS_MAX)
			known[i] = table[i].name;
	}
	error_usage("unknown parameter '%s'%s", name,
		    suggest_text(name, known, n < WORDS_MAX ? n : WORDS_MAX, hint, sizeof(hint)));
	return -ENOENT;
}

/* Index of @text among "a|b|c", or the usage error. */
static int parse_choice(const char *choices, const char *text, int *ret)
{
	char copy[256], hint[128], *save = NULL;
	const char *known[WORDS_MAX];
	size_t n = 0;

	snprintf(copy, sizeof(copy), "%s", choices);
	for (char *word = strtok_r(copy, "|", &save); word && n < WORDS_MAX;
	     word = strtok_r(NULL, "|", &save)) {
		if (!strcmp(word, text)) {
			*ret = (int)n;
			return 0;
		}
		known[n++] = word;
	}
	return error_usage("unknown word '%s', known are %s%s", text, choices,
			   suggest_text(text, known, n, hint, sizeof(hint)));
}

static int parse_count(const char *text, double *ret)
{
	uint64_t count;
	int rc = units_parse_count(text, &count);

	if (rc)
		return rc;
	if (count >> 53)
		return error_usage("%s is out of range (2^53 is the largest count)", text);
	*ret = (double)count;
	return 0;
}

static int parse_bytes(const char *text, double *ret)
{
	uint64_t bytes;
	int rc = units_parse_bytes(text, &bytes);

	if (rc)
		return rc;
	if (bytes >> 53)
		return error_usage("%s is out of range (2^53 bytes is the largest size)", text);
	*ret = (double)bytes;
	return 0;
}

static bool ends_in_unit(const char *text)
{
	size_t n = strlen(text);

	return n && isalpha((unsigned char)text[n - 1]);
}

/* The number in the base unit; *all is set for PARAM_CPUS "all". */
static int parse_number(const struct param *param, const char *text, struct param_value *value,
			bool *all)
{
	switch (param->type) {
	case PARAM_COUNT:
		return parse_count(text, &value->number);
	case PARAM_TIME:
		return units_parse_time(text, &value->number);
	case PARAM_WORK:
		value->is_time = ends_in_unit(text);
		return value->is_time ? units_parse_time(text, &value->number)
				      : parse_count(text, &value->number);
	case PARAM_PERCENT:
		return units_parse_percent(text, &value->number);
	case PARAM_FREQUENCY:
		return units_parse_frequency(text, &value->number);
	case PARAM_BYTES:
		return parse_bytes(text, &value->number);
	case PARAM_CPUS:
		*all = !strcmp(text, "all");
		if (!*all)
			return parse_count(text, &value->number);
		value->number = -1;
		return 0;
	case PARAM_CHOICE:
	case PARAM_TEXT:
		break;
	}
	return error_usage("is not a number");
}

static int check_range(const struct param *param, const char *text, const struct param_value *value)
{
	struct param_value low = *value, high = *value;
	char low_text[32], high_text[32];

	if (value->number >= param->min && value->number <= param->max)
		return 0;
	low.number = param->min;
	high.number = param->max;
	param_format(param, &low, low_text, sizeof(low_text));
	param_format(param, &high, high_text, sizeof(high_text));
	return error_usage("%s is out of range (%s to %s)", text, low_text, high_text);
}

static int parse_text(const struct param *param, const char *text, struct param_value *value)
{
	value->text = text;
	if (!*text)
		return error_usage("is empty");
	if ((double)strlen(text) > param->max)
		return error_usage("more than %.0f bytes", param->max);
	return 0;
}

int param_parse(const struct param *param, const char *text, struct param_value *ret)
{
	struct param_value value = { .set = true, .given = true };
	bool all = false;
	int rc;

	if (param->type == PARAM_CHOICE) {
		rc = parse_choice(param->choices, text, &value.choice);
		value.number = value.choice;
	} else if (param->type == PARAM_TEXT) {
		rc = parse_text(param, text, &value);
	} else {
		rc = parse_number(param, text, &value, &all);
		if (!rc && !all)
			rc = check_range(param, text, &value);
	}
	if (rc)
		return error_prefix(rc, "%s: ", param->name);
	*ret = value;
	return 0;
}

int param_defaults(const struct param *table, struct param_value *values)
{
	for (size_t i = 0; table[i].name; i++) {
		struct param_value value = { 0 };

		if (table[i].fallback) {
			int rc = param_parse(&table[i], table[i].fallback, &value);

			if (rc)
				return rc;
			value.given = false;
		}
		values[i] = value;
	}
	return 0;
}

/* The fewest digits that read back to the same number. */
static void format_shortest(double number, const char *unit, char *text, size_t size)
{
	for (int digits = 1; digits <= 17; digits++) {
		snprintf(text, size, "%.*g", digits, number);
		if (strtod(text, NULL) == number && !strchr(text, 'e')) /* "100Hz", not "1e+02Hz" */
			break;
	}
	snprintf(text + strlen(text), size - strlen(text), "%s", unit);
}

static void format_time(double ns, char *text, size_t size)
{
	double back;

	for (int digits = 1; digits <= 17; digits++) {
		units_format_time(ns, digits, text, size);
		if (!units_parse_time(text, &back) && back == ns)
			return;
	}
	/* Seconds cannot tell nanoseconds apart beyond 2^53 steps; nanoseconds can. */
	if (ns == floor(ns))
		snprintf(text, size, "%.0fns", ns);
	else
		format_shortest(ns, "ns", text, size);
}

/* In the largest unit that divides it: whole numbers only. */
static void format_bytes(double bytes, char *text, size_t size)
{
	static const char *const units[] = { "B", "KiB", "MiB", "GiB" };
	size_t unit = 0;

	while (unit < 3 && bytes >= 1024 && fmod(bytes, 1024) == 0) {
		bytes /= 1024;
		unit++;
	}
	snprintf(text, size, "%.0f%s", bytes, units[unit]);
}

static void format_choice(const char *choices, int index, char *text, size_t size)
{
	for (; index > 0 && strchr(choices, '|'); index--)
		choices = strchr(choices, '|') + 1;
	snprintf(text, size, "%.*s", (int)strcspn(choices, "|"), choices);
}

void param_format(const struct param *param, const struct param_value *value, char *text,
		  size_t size)
{
	switch (param->type) {
	case PARAM_CHOICE:
		format_choice(param->choices, value->choice, text, size);
		return;
	case PARAM_TEXT:
		snprintf(text, size, "%s", value->text ? value->text : "");
		return;
	case PARAM_PERCENT:
		format_shortest(value->number, "%", text, size);
		return;
	case PARAM_FREQUENCY:
		format_shortest(value->number, "Hz", text, size);
		return;
	case PARAM_BYTES:
		format_bytes(value->number, text, size);
		return;
	case PARAM_TIME:
		format_time(value->number, text, size);
		return;
	case PARAM_WORK:
		if (value->is_time) {
			format_time(value->number, text, size);
			return;
		}
		break;
	case PARAM_CPUS:
		if (value->number < 0) {
			snprintf(text, size, "all");
			return;
		}
		break;
	case PARAM_COUNT:
		break;
	}
	snprintf(text, size, "%.0f", value->number);
}

char *param_text(const struct param *param, const struct param_value *value)
{
	char text[64];

	if (param->type == PARAM_TEXT)
		return strdup(value->text);
	param_format(param, value, text, sizeof(text));
	return strdup(text);
}

char *param_append(const char *before, const char *text)
{
	char *both;

	return asprintf(&both, "%s\n%s", before, text) < 0 ? NULL : both;
}

int param_check_required(const struct param *table, const struct param_value *values)
{
	for (size_t i = 0; table[i].name; i++) {
		if (table[i].required && !values[i].set)
			return error_usage("%s: is missing: %s", table[i].name, table[i].help);
	}
	return 0;
}
