/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a workload tells the driver: marks of its tasks, metrics, histograms, series. */
#include "lib/clock.h"
#include "lib/error.h"
#include "workloads/driver.h"
#include <errno.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

void driver_mark(struct driver_mark *mark)
{
	struct timespec cpu;
	struct rusage usage;

	mark->t_ns = clock_now_ns();
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &cpu);
	mark->cpu_ns = (uint64_t)cpu.tv_sec * 1000000000u + (uint64_t)cpu.tv_nsec;
	getrusage(RUSAGE_THREAD, &usage);
	mark->switches = (uint64_t)usage.ru_nvcsw;
	mark->cpu = sched_getcpu();
}

void driver_metric(struct driver *driver, const char *name, double value)
{
	const struct metric *metrics = driver->workload->metrics;

	for (size_t i = 0; metrics[i].name; i++) {
		if (strcmp(metrics[i].name, name))
			continue;
		driver->metric[i] = value;
		driver->metric_set[i] = true;
		return;
	}
	/* A slip of the programmer that every run of the workload meets. */
	fprintf(stderr, "metric %s is not in the table of %s\n", name, driver->workload->name);
	abort();
}

void driver_report_facts(struct driver *driver)
{
	driver_metric(driver, "unit_start_ns", driver->unit_start_ns);
	driver_metric(driver, "unit_end_ns", driver->unit_end_ns);
	driver_metric(driver, "timer_slack_ns", (double)driver_slack_ns(driver));
}

void driver_report_start(struct driver *driver)
{
	struct rusage usage;

	driver_metric(driver, "start_ms", (double)driver->ready_ns / 1e6);
	driver_metric(driver, "memory_kib",
		      getrusage(RUSAGE_SELF, &usage) ? NAN : (double)usage.ru_maxrss);
}

int driver_add_metric(struct driver *driver, const char *name, const char *unit,
		      enum metric_better better, double value)
{
	if (driver->all_added == DRIVER_ADDED_MAX)
		return error_set(-E2BIG, "more than %d added metrics", DRIVER_ADDED_MAX);
	driver->added[driver->all_added] =
		(struct metric){ .name = name, .unit = unit, .better = better };
	driver->added_value[driver->all_added++] = value;
	return 0;
}

int driver_add_latency(struct driver *driver, const char *role, const struct hist *hist)
{
	struct driver_latency *latency = &driver->latency[driver->latencies];

	if (driver->latencies == DRIVER_PARTS_MAX)
		return error_set(-E2BIG, "more than %d histograms", DRIVER_PARTS_MAX);
	snprintf(latency->role, sizeof(latency->role), "%s", role);
	latency->hist = hist;
	driver->latencies++;
	return 0;
}

int driver_add_series(struct driver *driver, const char *name, const struct block *block, size_t n)
{
	struct driver_series *series = &driver->series[driver->all_series];

	if (driver->all_series == DRIVER_PARTS_MAX)
		return error_set(-E2BIG, "more than %d series", DRIVER_PARTS_MAX);
	snprintf(series->name, sizeof(series->name), "%s", name);
	series->block = block;
	series->n = n;
	driver->all_series++;
	return 0;
}

uint64_t driver_slack_ns(const struct driver *driver)
{
	uint64_t largest = 0;

	for (int i = 0; i < driver->needs.tasks; i++) {
		if (driver->task[i].slack_ns > largest)
			largest = driver->task[i].slack_ns;
	}
	return largest;
}

uint64_t driver_switches(const struct driver *driver)
{
	uint64_t sum = 0;

	for (int i = 0; i < driver->needs.tasks; i++)
		sum += driver->task[i].end.switches - driver->task[i].start.switches;
	return sum;
}

double driver_cpu_share_pct(const struct driver *driver)
{
	double cpu = 0, wall = 0;

	for (int i = 0; i < driver->needs.tasks; i++) {
		const struct driver_task *task = &driver->task[i];

		cpu += (double)(task->end.cpu_ns - task->start.cpu_ns);
		wall += (double)(task->end.t_ns - task->start.t_ns);
	}
	return wall > 0 ? 100 * cpu / wall : NAN;
}
