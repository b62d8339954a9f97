/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A metric that the workload does not publish, or publishes as NA, raises no doubt.
 */
#include "run/evidence.h"
#include "lib/error.h"
#include "lib/file.h"
#include "lib/tsv.h"
#include "run/verify.h"
#include "store/format.h"
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ENTRIES_TOLERANCE 0.05 /* */
#define UNIT_TOLERANCE 0.03 /* */

/* NAN when it is not there. */
static double metric(const struct tsv *tsv, const char *name)
{
	int name_column = tsv_column(tsv, "name"), value_column = tsv_column(tsv, "value");
	double value;

	for (size_t row = 0; name_column >= 0 && value_column >= 0 && row < tsv->rows; row++)
		if (!strcmp(tsv_text(tsv, row, name_column), name))
			return tsv_double(tsv, row, value_column, &value) == 1 ? value : NAN;
	return NAN;
}

static double idle_entries(const struct cell *cell, const struct cpulist *cpus)
{
	const struct cpuidle *idle = cell->session->idle;
	const struct window_edge *edge = window_edges(cell->window);
	double sum = 0;

	for (size_t i = 0; i < idle->n; i++) {
		if (!cpulist_has(cpus, idle->cpu[i].cpu))
			continue;
		for (int s = 0; s < idle->cpu[i].states; s++)
			sum += (double)(edge[i].last.counter[s][CPUIDLE_USAGE].value -
					edge[i].first.counter[s][CPUIDLE_USAGE].value);
	}
	return sum;
}

/* "", or " (ping-pong)" where there are several; at the end, the report counts doubts by how they
 * begin. */
static const char *whose(const struct cell *cell, size_t part, char *text, size_t size)
{
	text[0] = '\0';
	if (cell->parts > 1)
		snprintf(text, size, " (%s)", cell->part[part].workload->name);
	return text;
}

static int doubt_entries(struct cell *cell, size_t part, const struct tsv *metrics)
{
	const struct placement_part *placement = &cell->placement->part[part];
	double stops = metric(metrics, "loops") * metric(metrics, "stops_per_loop"), ratio;
	char who[64];

	if (!(stops > 0) || !placement->pinned || cell->placement->oversubscribed ||
	    !cell->session->root.live)
		return 0;
	ratio = idle_entries(cell, &placement->cpus) / stops;
	whose(cell, part, who, sizeof(who));
	if (ratio < 1 - ENTRIES_TOLERANCE)
		return verify_doubt(&cell->run,
				    "token arrived before sleep: %.2f idle entries a stop%s", ratio,
				    who);
	if (ratio > 1 + ENTRIES_TOLERANCE)
		return verify_doubt(&cell->run,
				    "more sleeps than stops: %.2f idle entries a stop%s", ratio,
				    who);
	return 0;
}

static int doubt_unit(struct cell *cell, size_t part, const struct tsv *metrics)
{
	double start = metric(metrics, "unit_start_ns"), end = metric(metrics, "unit_end_ns");
	char who[64];

	if (start > 0 && end > 0 && fabs(end / start - 1) > UNIT_TOLERANCE)
		return verify_doubt(
			&cell->run,
			"speed changed: a unit of work took %.3f ns before and %.3f ns after the window%s",
			start, end, whose(cell, part, who, sizeof(who)));
	return 0;
}

static int doubt_tasks(struct cell *cell, size_t part, const struct tsv *tasks)
{
	int asked = tsv_column(tasks, "cpu_asked"), start = tsv_column(tasks, "cpu_start");
	int end = tsv_column(tasks, "cpu_end"), err = 0;
	char who[64];

	if (asked < 0 || start < 0 || end < 0 || !cell->placement->part[part].pinned ||
	    !cell->session->root.live)
		return 0;
	for (size_t row = 0; row < tasks->rows && !err; row++) {
		const char *want = tsv_text(tasks, row, asked);

		if (*want && (strcmp(want, tsv_text(tasks, row, start)) ||
			      strcmp(want, tsv_text(tasks, row, end))))
			err = verify_doubt(
				&cell->run,
				"task %zu was asked onto CPU %s and ran on CPU %s, then %s%s", row,
				want, tsv_text(tasks, row, start), tsv_text(tasks, row, end),
				whose(cell, part, who, sizeof(who)));
	}
	return err;
}

static int with_table(struct cell *cell, size_t part, const char *name,
		      int (*doubt)(struct cell *, size_t, const struct tsv *))
{
	char path[PATH_MAX], who[64];
	struct tsv tsv;
	int err;

	snprintf(path, sizeof(path), "%s/%s", cell->part[part].dir, name);
	err = tsv_load(path, &tsv);
	if (err)
		return verify_doubt(&cell->run, "the workload left no readable %s%s", name,
				    whose(cell, part, who, sizeof(who)));
	err = doubt(cell, part, &tsv);
	tsv_free(&tsv);
	return err;
}

static bool in_table(const struct metric *table, const char *name)
{
	for (; table->name; table++)
		if (!strcmp(table->name, name))
			return true;
	return false;
}

/* A metric that this run's parameters ask for, and that was not found (stderr.txt says more). */
static int doubt_added(struct cell *cell, size_t part, const struct tsv *metrics)
{
	int name = tsv_column(metrics, "name"), value = tsv_column(metrics, "value"), err = 0;
	char who[64];

	for (size_t row = 0; name >= 0 && value >= 0 && row < metrics->rows && !err; row++)
		if (!*tsv_text(metrics, row, value) &&
		    !in_table(cell->part[part].workload->metrics, tsv_text(metrics, row, name)))
			err = verify_doubt(&cell->run, "no value in the output: metric %s%s",
					   tsv_text(metrics, row, name),
					   whose(cell, part, who, sizeof(who)));
	return err;
}

static int doubt_metrics(struct cell *cell, size_t part, const struct tsv *metrics)
{
	int err = doubt_entries(cell, part, metrics);

	if (!err)
		err = doubt_added(cell, part, metrics);
	return err ? err : doubt_unit(cell, part, metrics);
}

int evidence_doubts(struct cell *cell)
{
	int err = 0;

	for (size_t k = 0; k < cell->parts && !err; k++) {
		err = with_table(cell, k, STORE_METRICS, doubt_metrics);
		if (!err)
			err = with_table(cell, k, STORE_TASKS, doubt_tasks);
	}
	return err;
}

char *evidence_last_line(const struct cell *cell)
{
	const struct cell_part *part = &cell->part[cell->culprit];
	char path[PATH_MAX], *text, *line = NULL, *reason;
	size_t size;

	snprintf(path, sizeof(path), "%s/" STORE_STDERR, part->dir);
	if (file_read(path, &text, &size))
		text = NULL;
	while (text && size && text[size - 1] == '\n')
		text[--size] = '\0';
	if (text)
		line = strrchr(text, '\n');
	line = line ? line + 1 : text;
	if (asprintf(&reason, "%s ended with status %d%s%.200s",
		     cell->parts > 1 ? part->workload->name : "the workload", cell->run.exit_status,
		     line && *line ? ": " : "", line ? line : "") < 0)
		reason = NULL;
	free(text);
	return reason;
}
