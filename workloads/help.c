/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --help from the tables, in 80 columns. */
#include "workloads/options.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS 79
#define INDENT 26

/* Prints words from @column on, breaking lines at COLUMNS with @indent blanks. */
static size_t put_words(const char *text, size_t column, size_t indent)
{
	while (*text) {
		size_t n = strcspn(text, " ");

		if (column > indent && column + 1 + n > COLUMNS) {
			printf("\n%*s", (int)indent, "");
			column = indent;
		} else if (column > indent) {
			putchar(' ');
			column++;
		}
		printf("%.*s", (int)n, text);
		column += n;
		text += n;
		text += strspn(text, " ");
	}
	return column;
}

/* A row: what is named on the left, explained on the right. */
static void put_row(const char *left, const char *right, const char *more)
{
	size_t column = (size_t)printf("  %s", left);

	if (column + 1 > INDENT) {
		putchar('\n');
		column = 0;
	}
	printf("%*s", (int)(INDENT - column), "");
	column = put_words(right, INDENT, INDENT);
	if (*more)
		put_words(more, column, INDENT);
	putchar('\n');
}

static const char *placeholder(const struct param *param)
{
	switch (param->type) {
	case PARAM_COUNT:
	case PARAM_CPUS:
		return "N";
	case PARAM_TIME:
		return "TIME";
	case PARAM_WORK:
		return "UNITS|TIME";
	case PARAM_PERCENT:
		return "PERCENT";
	case PARAM_FREQUENCY:
		return "FREQUENCY";
	case PARAM_BYTES:
		return "SIZE";
	case PARAM_CHOICE:
		return "WORD";
	case PARAM_TEXT:
		return "TEXT";
	}
	return "VALUE";
}

static void format_bounds(const struct param *param, bool is_time, char *text, size_t size)
{
	struct param_value low = { .number = param->min, .is_time = is_time };
	struct param_value high = { .number = param->max, .is_time = is_time };
	char from[40], to[40];

	param_format(param, &low, from, sizeof(from));
	param_format(param, &high, to, sizeof(to));
	snprintf(text, size, "%s to %s", from, to);
}

/* "(default 2; 2 to 4096)" */
static void format_range(const struct param *param, char *text, size_t size)
{
	char bounds[96], times[96];

	if (param->type == PARAM_CHOICE) {
		snprintf(text, size, "(default %s; %s)", param->fallback ? param->fallback : "none",
			 param->choices);
		return;
	}
	if (param->type == PARAM_TEXT) {
		snprintf(text, size, "(%s%s)",
			 param->required ? "required"
					 : (param->fallback ? param->fallback : "default none"),
			 param->repeatable ? "; may be given again" : "");
		return;
	}
	format_bounds(param, false, bounds, sizeof(bounds));
	if (param->type == PARAM_WORK)
		format_bounds(param, true, times, sizeof(times));
	snprintf(text, size, "(default %s; %s%s%s%s)", param->fallback ? param->fallback : "none",
		 bounds, param->type == PARAM_WORK ? " units, " : "",
		 param->type == PARAM_WORK ? times : "",
		 param->type == PARAM_CPUS ? ", in suites also all" : "");
}

static void put_param(const struct param *param)
{
	char left[80], range[320];

	snprintf(left, sizeof(left), "%s%s %s", param->placement ? "" : "--", param->name,
		 param->placement ? "" : placeholder(param));
	format_range(param, range, sizeof(range));
	put_row(left, param->help, range);
}

static void put_params(const struct param *params, bool placement)
{
	for (; params->name; params++) {
		if (params->placement == placement)
			put_param(params);
	}
}

static void put_metrics(const struct metric *metrics)
{
	static const char *const words[] = {
		[BETTER_LOWER] = "lower is better",
		[BETTER_HIGHER] = "higher is better",
		[BETTER_NONE] = "",
	};
	char left[64];

	for (size_t i = 0; metrics[i].name; i++) {
		char more[48] = "";

		if (*words[metrics[i].better])
			snprintf(more, sizeof(more), "(%s)", words[metrics[i].better]);
		snprintf(left, sizeof(left), "%s%s%s", metrics[i].name,
			 *metrics[i].unit ? ", " : "", metrics[i].unit);
		put_row(left, metrics[i].help, more);
	}
}

static bool has_placement(const struct param *params)
{
	for (size_t i = 0; params[i].name; i++) {
		if (params[i].placement)
			return true;
	}
	return false;
}

/* The options that all programs share. */
static void put_common(const struct workload_needs *needs)
{
	bool tasks = needs->tasks != 0; /* else there is nothing to bind and no slack to set */

	printf("\nOptions of every workload%s:\n", tasks ? "" : " without tasks");
	if (tasks)
		put_row("--cpus LIST",
			"CPUs of the tasks in order, as 0-3,6; more tasks than CPUs wrap round",
			"(default: those that the process may use, ascending)");
	for (const struct param *param = options_common; param->name; param++) {
		if (needs->ends_itself && !strcmp(param->name, "window"))
			put_row("--window TIME", "Ends it when it has not ended by itself",
				"(default none)");
		else if (needs->ends_itself ? strcmp(param->name, "warmup") != 0
					    : tasks || strcmp(param->name, "timer-slack"))
			put_param(param);
	}
	put_row("--output DIR",
		"Write metrics.tsv, latency.tsv, tasks.tsv and series.tsv there instead of the "
		"table on the standard output",
		"");
	put_row("--sync-fd N",
		"Connected stream socket on which the runner says when to begin and to end", "");
	put_row("--unbound", "Bind nothing: a rehearsal", "");
	put_row("--help", "This text", "");
}

void options_help(const struct workload *workload)
{
	struct workload_needs needs = { .tasks = -1 };

	workload_default_needs(workload, &needs);
	printf("Usage: %s [OPTION]...\n\n", workload->name);
	put_words(workload->about, 0, 0);
	printf("\nTimer based: %s%s%s\n", needs.timer_based ? "yes" : "no",
	       workload->timer_note ? ", " : "", workload->timer_note ? workload->timer_note : "");
	if (workload->params[0].name) {
		printf("\nParameters (the names are also the keys of a suite file):\n");
		put_params(workload->params, false);
	}
	if (has_placement(workload->params)) {
		printf("\nOnly in suite files, where the runner chooses the CPUs:\n");
		put_params(workload->params, true);
	}
	put_common(&needs);
	printf("\nMetrics:\n");
	put_metrics(workload->metrics);
	printf("\nExit status: 0 complete, 1 error, 2 usage, 128 + N when signal N ended it.\n");
}
