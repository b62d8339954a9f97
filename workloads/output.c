/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A run's figures as TSV files or as a table for people. Each file is built in memory and written
 * in one go.
 */
#include "workloads/output.h"
#include "lib/error.h"
#include "lib/file.h"
#include "lib/tsv.h"
#include "lib/units.h"
#include "workloads/blocks.h"
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *better_word(enum metric_better better)
{
	switch (better) {
	case BETTER_LOWER:
		return "lower";
	case BETTER_HIGHER:
		return "higher";
	case BETTER_NONE:
		break;
	}
	return "none";
}

/* Four decimals, except counts and whole nanoseconds; "" = NA. */
static void format_value(const struct metric *metric, double value, char *text, size_t size)
{
	bool countable = !*metric->unit || !strcmp(metric->unit, "ns");

	if (isnan(value))
		text[0] = 0;
	else if (countable && value == floor(value))
		snprintf(text, size, "%.0f", value);
	else
		snprintf(text, size, "%.4f", value);
}

/* What a workload measures has four decimals; of a figure that it was told none is lost. */
static void format_added(double value, char *text, size_t size)
{
	text[0] = 0;
	if (!isnan(value))
		snprintf(text, size, "%.12g", value);
}

typedef void put_metric(FILE *out, const struct metric *metric, const char *value);

static void put_added(const struct driver *driver, put_metric *put, FILE *out)
{
	char value[64];

	for (size_t i = 0; i < driver->all_added; i++) {
		format_added(driver->added_value[i], value, sizeof(value));
		put(out, &driver->added[i], value);
	}
}

/* The headline first. */
static void put_all(const struct driver *driver, put_metric *put, FILE *out)
{
	const struct metric *metrics = driver->workload->metrics;
	char value[64];

	if (driver->added_first)
		put_added(driver, put, out);
	for (size_t i = 0; metrics[i].name; i++) {
		format_value(&metrics[i], driver->metric[i], value, sizeof(value));
		put(out, &metrics[i], value);
	}
	if (!driver->added_first)
		put_added(driver, put, out);
}

static void write_metric(FILE *out, const struct metric *metric, const char *value)
{
	fprintf(out, "%s\t%s\t%s\t%s\n", metric->name, metric->unit, better_word(metric->better),
		value);
}

static void write_metrics(FILE *out, const struct driver *driver)
{
	fputs("name\tunit\tbetter\tvalue\n", out);
	put_all(driver, write_metric, out);
}

static void write_latency(FILE *out, const struct driver *driver)
{
	fputs("role\tlo_ns\thi_ns\tcount\n", out);
	for (size_t i = 0; i < driver->latencies; i++) {
		const struct hist *hist = driver->latency[i].hist;

		for (unsigned int b = 0; b < HIST_BUCKETS; b++) {
			if (hist->bucket[b])
				fprintf(out, "%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n",
					driver->latency[i].role, hist_lo_ns(b), hist_hi_ns(b),
					hist->bucket[b]);
		}
	}
}

static void put_number(FILE *out, int64_t number, char end)
{
	if (number >= 0)
		fprintf(out, "%" PRId64, number);
	fputc(end, out);
}

static void write_tasks(FILE *out, const struct driver *driver)
{
	fputs("task\trole\ttid\tcpu_asked\taffinity\tcpu_start\tcpu_end\tmigrations\n", out);
	for (int i = 0; i < driver->needs.tasks; i++) {
		const struct driver_task *task = &driver->task[i];

		fprintf(out, "%d\t%s\t%d\t", i, task->role, task->tid);
		put_number(out, task->cpu_asked, '\t');
		tsv_put(out, task->affinity);
		fputc('\t', out);
		put_number(out, task->start.cpu, '\t');
		put_number(out, task->end.cpu, '\t');
		put_number(out, task->migrations, '\n');
	}
}

static void write_series(FILE *out, const struct driver *driver)
{
	fputs("t_ns\tname\tvalue\n", out);
	for (size_t i = 0; i < driver->all_series; i++) {
		const struct driver_series *series = &driver->series[i];

		for (size_t b = 0; b < series->n; b++)
			fprintf(out, "%" PRIu64 "\t%s\t%.4f\n", series->block[b].t_ns, series->name,
				series->block[b].mean_us);
	}
}

static const struct {
	const char *name;
	void (*write)(FILE *out, const struct driver *driver);
} files[] = {
	{ "metrics.tsv", write_metrics },
	{ "latency.tsv", write_latency },
	{ "tasks.tsv", write_tasks },
	{ "series.tsv", write_series },
};

static int write_file(const struct driver *driver, size_t which)
{
	char *text = NULL, *path = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	int rc;

	if (!out)
		return error_no_memory();
	files[which].write(out, driver);
	if (fclose(out) || asprintf(&path, "%s/%s", driver->options.output, files[which].name) < 0)
		rc = error_no_memory();
	else
		rc = file_write_atomic(path, text, size);
	free(path);
	free(text);
	return rc;
}

/* What the figures are figures of, with the labels that belong beside them. */
static void print_heading(const struct driver *driver)
{
	const struct cpulist *cpus = &driver->options.cpus;
	char *list = cpulist_format(cpus), span[32];

	units_format_time((double)(driver->t1_ns - driver->t0_ns), 4, span, sizeof(span));
	printf("%s: ", driver->workload->name);
	if (driver->needs.tasks)
		printf("%d %s, CPUs %s, ", driver->needs.tasks,
		       driver->threads ? "threads" : "processes", list ? list : "?");
	if (driver->options.unbound)
		printf("unbound, ");
	else if (driver->needs.tasks)
		printf("%s, ", driver->needs.pinned ? "pinned" : "affinity free");
	if ((size_t)driver->needs.tasks > cpus->n)
		printf("oversubscribed, ");
	printf("%s\n", span);
	free(list);
}

static void print_metric(FILE *out, const struct metric *metric, const char *value)
{
	fprintf(out, "  %-18s %16s %-4s %s\n", metric->name, *value ? value : "NA", metric->unit,
		metric->better == BETTER_NONE ? "" : better_word(metric->better));
}

static int print_table(const struct driver *driver)
{
	print_heading(driver);
	put_all(driver, print_metric, stdout);
	if (fflush(stdout) || ferror(stdout))
		return error_set(-EIO, "cannot write to the standard output");
	return 0;
}

int output_write(const struct driver *driver)
{
	int rc = 0;

	for (size_t i = 0; driver->workload->metrics[i].name; i++) {
		if (!driver->metric_set[i])
			return error_set(-ENODATA, "metric %s was not measured",
					 driver->workload->metrics[i].name);
	}
	if (!driver->options.output)
		return print_table(driver);
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]) && !rc; i++)
		rc = write_file(driver, i);
	return rc;
}
