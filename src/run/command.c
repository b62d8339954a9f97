/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Work given as a time becomes the campaign's count of units here, so that every run does the same
 * work.
 */
#include "run/command.h"
#include "lib/error.h"
#include "run/where.h"
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARGS_MAX 128

struct builder {
	char **argv;
	size_t n;
	bool failed;
};

static void add(struct builder *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(struct builder *b, const char *format, ...)
{
	va_list list;

	if (b->failed || b->n + 1 == ARGS_MAX) {
		b->failed = true;
		return;
	}
	va_start(list, format);
	if (vasprintf(&b->argv[b->n], format, list) < 0) {
		b->argv[b->n] = NULL;
		b->failed = true;
	} else {
		b->n++;
	}
	va_end(list);
}

/* The point's values with every time and load of work turned into units; malloc'ed. */
static int resolved_values(const struct cell *cell, size_t part, struct param_value **ret)
{
	const struct workload *workload = cell->section->part[part].workload;
	size_t n = param_count(workload->params);
	struct param_value *values = calloc(n + 1, sizeof(*values));
	int err = 0;

	if (!values)
		return error_no_memory();
	memcpy(values, cell->point->value + cell->section->part[part].first, n * sizeof(*values));
	if (workload_needs_calibration(workload, values))
		err = workload_resolve(workload, values, cell->session->campaign.ns_per_unit,
				       cell->placement->part[part].cpus.n);
	if (err)
		free(values);
	else
		*ret = values;
	return err;
}

static void add_param(struct builder *b, const struct placement_part *part,
		      const struct param *param, const struct param_value *value)
{
	char *text, *rest, *line;

	if (!value->given || param->placement)
		return;
	if (param->type == PARAM_CPUS && value->number < 0) {
		add(b, "--%s", param->name);
		add(b, "%d", part->all);
		return;
	}
	text = rest = param_text(param, value);
	b->failed |= !text;
	while ((line = param->repeatable ? strsep(&rest, "\n") : rest)) {
		add(b, "--%s", param->name);
		add(b, "%s", line);
		if (!param->repeatable)
			break;
	}
	free(text);
}

int command_make(const struct cell *cell, size_t part, const char *output, char ***ret)
{
	const struct workload *workload = cell->section->part[part].workload;
	const struct placement_part *placement = &cell->placement->part[part];
	struct builder b = { .argv = calloc(ARGS_MAX, sizeof(char *)) };
	struct param_value *values = NULL;
	char program[PATH_MAX], *cpus = NULL;
	int err = where_workload(workload->name, program);

	if (!err)
		err = resolved_values(cell, part, &values);
	if (err || !b.argv) {
		free(values);
		free(b.argv);
		return err ? err : error_no_memory();
	}
	add(&b, "%s", program);
	for (size_t p = 0; workload->params[p].name; p++)
		add_param(&b, placement, &workload->params[p], &values[p]);
	free(values);
	if (placement->cpus.n) {
		cpus = cpulist_format(&placement->cpus);
		add(&b, "--cpus");
		add(&b, "%s", cpus ? cpus : "");
		free(cpus);
	}
	if (!cell->session->root.live)
		add(&b, "--unbound");
	add(&b, "--output");
	add(&b, "%s", output);
	add(&b, "--sync-fd");
	add(&b, "@sync@");
	if (b.failed) {
		command_free(b.argv);
		return error_no_memory();
	}
	*ret = b.argv;
	return 0;
}

void command_free(char **argv)
{
	for (char **a = argv; a && *a; a++)
		free(*a);
	free(argv);
}

char *command_text(char *const *argv)
{
	static const char plain[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+:,./%@";
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	for (char *const *a = argv; *a; a++) {
		fputs(a == argv ? "" : " ", out);
		if (**a && strspn(*a, plain) == strlen(*a)) {
			fputs(*a, out);
			continue;
		}
		fputc('\'', out);
		for (const char *c = *a; *c; c++)
			fprintf(out, *c == '\'' ? "'\\''" : "%c", *c);
		fputc('\'', out);
	}
	return fclose(out) ? NULL : text;
}
