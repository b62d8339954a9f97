/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values picked from a command's output. It happens when the command has ended: matching while it
 * runs would be load of our own in the window.
 */
#include "workloads/command-pick.h"
#include "lib/error.h"
#include "lib/units.h"
#include "workloads/command.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const better_words[] = {
	[BETTER_LOWER] = "lower",
	[BETTER_HIGHER] = "higher",
	[BETTER_NONE] = "none",
};
#define BETTER_WORDS (sizeof(better_words) / sizeof(better_words[0]))

static int check_name(const struct command_picks *picks, const char *name)
{
	if (strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") != strlen(name) ||
	    strlen(name) >= sizeof(picks->pick[0].name))
		return error_usage("'%s': a metric's name is 1 to %zu of a to z, 0 to 9 and '_'",
				   name, sizeof(picks->pick[0].name) - 1);
	for (size_t i = 0; command_metrics[i].name; i++) {
		if (!strcmp(command_metrics[i].name, name))
			return error_usage("'%s' is a metric of every command already", name);
	}
	for (size_t i = 0; i < picks->n; i++) {
		if (!strcmp(picks->pick[i].name, name))
			return error_usage("'%s' is given twice", name);
	}
	return 0;
}

static int check_unit(const char *unit, struct command_pick *pick)
{
	if (strlen(unit) >= sizeof(pick->unit))
		return error_usage("'%s': a unit has at most %zu bytes", unit,
				   sizeof(pick->unit) - 1);
	for (const char *c = unit; *c; c++) {
		if (iscntrl((unsigned char)*c))
			return error_usage("the unit holds a control byte");
	}
	strcpy(pick->unit, strcmp(unit, "-") ? unit : "");
	return 0;
}

static int parse_better(const char *word, enum metric_better *ret)
{
	for (size_t i = 0; i < BETTER_WORDS; i++) {
		if (!strcmp(word, better_words[i])) {
			*ret = (enum metric_better)i;
			return 0;
		}
	}
	return error_usage("better is lower, higher or none, not '%s'", word);
}

static int compile(const char *text, regex_t *ret)
{
	char why[128];
	int code = regcomp(ret, text, REG_EXTENDED);

	if (code) {
		regerror(code, ret, why, sizeof(why));
		return error_usage("'%s' is not a regular expression: %s", text, why);
	}
	if (ret->re_nsub == 1)
		return 0;
	code = error_usage("'%s' has %zu groups: one, (...), has to be round the number", text,
			   ret->re_nsub);
	regfree(ret);
	return code;
}

/* One line, which is cut up. */
static int parse_line(struct command_picks *picks, char *line)
{
	struct command_pick *pick = &picks->pick[picks->n];
	char *save = NULL, *name = strtok_r(line, " \t", &save);
	char *unit = strtok_r(NULL, " \t", &save), *better = strtok_r(NULL, " \t", &save);
	char *regex = save ? save + strspn(save, " \t") : NULL;
	int rc;

	if (!name || !unit || !better || !regex || !*regex)
		return error_usage("is written 'NAME UNIT BETTER REGEX'");
	if (picks->n == COMMAND_PICKS_MAX)
		return error_usage("more than %d of them", COMMAND_PICKS_MAX);
	rc = check_name(picks, name);
	if (rc)
		return rc;
	*pick = (struct command_pick){ .value = NAN };
	rc = check_unit(unit, pick);
	if (!rc)
		rc = parse_better(better, &pick->better);
	if (!rc)
		rc = compile(regex, &pick->regex);
	if (rc)
		return error_prefix(rc, "%s: ", name);
	strcpy(pick->name, name);
	picks->n++;
	return 0;
}

int command_picks_parse(const char *lines, struct command_picks *ret)
{
	struct command_picks picks = { .n = 0 };
	char *copy = strdup(lines), *rest = copy, *line;
	int rc = copy ? 0 : error_no_memory();

	while (!rc && (line = strsep(&rest, "\n")))
		rc = parse_line(&picks, line);
	free(copy);
	if (rc) {
		command_picks_free(&picks);
		return error_prefix(rc, "metric: ");
	}
	*ret = picks;
	return 0;
}

void command_picks_free(struct command_picks *picks)
{
	for (size_t i = 0; i < picks->n; i++)
		regfree(&picks->pick[i].regex);
	picks->n = 0;
}

void command_picks_reset(struct command_picks *picks)
{
	for (size_t i = 0; i < picks->n; i++) {
		picks->pick[i].found = false;
		picks->pick[i].value = NAN;
	}
}

static void match(struct command_pick *pick, const char *line)
{
	regmatch_t at[2];

	if (regexec(&pick->regex, line, 2, at, 0) || at[1].rm_so < 0)
		return;
	pick->found = true;
	snprintf(pick->text, sizeof(pick->text), "%.*s", (int)(at[1].rm_eo - at[1].rm_so),
		 line + at[1].rm_so);
	if (units_parse_number(pick->text, &pick->value))
		pick->value = NAN;
}

void command_picks_scan(struct command_picks *picks, char *text, size_t size)
{
	char *line = text, *end = text + size;

	for (char *c = text; c < end; c++) /* regexec() would stop there */
		*c = *c ? *c : '?';
	while (line < end) {
		char *stop = line;

		while (stop < end && *stop != '\n' && *stop != '\r')
			stop++;
		*stop = '\0'; /* there is room for one behind the text */
		for (size_t i = 0; i < picks->n && stop > line; i++)
			match(&picks->pick[i], line);
		line = stop + 1;
	}
}
