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

static double idle_entries(const struct cell *cell)
{
	const struct cpuidle *idle = cell->session->idle;
	const struct window_edge *edge = window_edges(cell->window);
	double sum = 0;

	for (size_t i = 0; i < idle->n; i++) {
		if (!cpulist_has(&cell->placement->cpus, idle->cpu[i].cpu))
			continue;
		for (int s = 0; s < idle->cpu[i].states; s++)
			sum += (double)(edge[i].last.counter[s][CPUIDLE_USAGE].value -
					edge[i].first.counter[s][CPUIDLE_USAGE].value);
	}
	return sum;
}

static int doubt_entries(struct cell *cell, const struct tsv *metrics)
{
	double stops = metric(metrics, "loops") * metric(metrics, "stops_per_loop"), ratio;

	if (!(stops > 0) || !cell->placement->pinned || cell->placement->oversubscribed ||
	    !cell->session->root.live)
		return 0;
	ratio = idle_entries(cell) / stops;
	if (ratio < 1 - ENTRIES_TOLERANCE)
		return verify_doubt(&cell->run,
				    "token arrived before sleep: %.2f idle entries a stop", ratio);
	if (ratio > 1 + ENTRIES_TOLERANCE)
		return verify_doubt(&cell->run, "more sleeps than stops: %.2f idle entries a stop",
				    ratio);
	return 0;
}

static int doubt_unit(struct cell *cell, const struct tsv *metrics)
{
	double start = metric(metrics, "unit_start_ns"), end = metric(metrics, "unit_end_ns");

	if (start > 0 && end > 0 && fabs(end / start - 1) > UNIT_TOLERANCE)
		return verify_doubt(
			&cell->run,
			"speed changed: a unit of work took %.3f ns before and %.3f ns after the window",
			start, end);
	return 0;
}

static int doubt_tasks(struct cell *cell, const struct tsv *tasks)
{
	int asked = tsv_column(tasks, "cpu_asked"), start = tsv_column(tasks, "cpu_start");
	int end = tsv_column(tasks, "cpu_end"), err = 0;

	if (asked < 0 || start < 0 || end < 0 || !cell->placement->pinned ||
	    !cell->session->root.live)
		return 0;
	for (size_t row = 0; row < tasks->rows && !err; row++) {
		const char *want = tsv_text(tasks, row, asked);

		if (*want && (strcmp(want, tsv_text(tasks, row, start)) ||
			      strcmp(want, tsv_text(tasks, row, end))))
			err = verify_doubt(
				&cell->run,
				"task %zu was asked onto CPU %s and ran on CPU %s, then %s", row,
				want, tsv_text(tasks, row, start), tsv_text(tasks, row, end));
	}
	return err;
}

static int with_table(struct cell *cell, const char *name,
		      int (*doubt)(struct cell *, const struct tsv *))
{
	char path[PATH_MAX];
	struct tsv tsv;
	int err;

	snprintf(path, sizeof(path), "%s/%s", cell->tmp, name);
	err = tsv_load(path, &tsv);
	if (err)
		return verify_doubt(&cell->run, "the workload left no readable %s", name);
	err = doubt(cell, &tsv);
	tsv_free(&tsv);
	return err;
}

static int doubt_metrics(struct cell *cell, const struct tsv *metrics)
{
	int err = doubt_entries(cell, metrics);

	return err ? err : doubt_unit(cell, metrics);
}

int evidence_doubts(struct cell *cell)
{
	int err = with_table(cell, STORE_METRICS, doubt_metrics);

	return err ? err : with_table(cell, STORE_TASKS, doubt_tasks);
}

char *evidence_last_line(const struct cell *cell)
{
	char path[PATH_MAX], *text, *line = NULL, *reason;
	size_t size;

	snprintf(path, sizeof(path), "%s/" STORE_STDERR, cell->tmp);
	if (file_read(path, &text, &size))
		text = NULL;
	while (text && size && text[size - 1] == '\n')
		text[--size] = '\0';
	if (text)
		line = strrchr(text, '\n');
	line = line ? line + 1 : text;
	if (asprintf(&reason, "the workload ended with status %d%s%.200s", cell->run.exit_status,
		     line && *line ? ": " : "", line ? line : "") < 0)
		reason = NULL;
	free(text);
	return reason;
}
