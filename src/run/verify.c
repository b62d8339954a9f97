/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The order matters: what voids a run is looked at before what only makes it doubtful.
 */
#include "run/verify.h"
#include "hw/host.h"
#include "hw/hotplug.h"
#include "lib/error.h"
#include "run/evidence.h"
#include "run/heat.h"
#include "run/parts.h"
#include <errno.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* Foreign load above this share of one CPU is a doubt; a CPU's worth of it voids the run. */
#define FOREIGN_MAX 0.2
#define FOREIGN_VOID 0.8
/*
 * Readings later than this share of the window: the CPU, or the whole runner, was kept from
 * reading. Each reading has its own stamps, but what it covers is not the window that the others
 * have: a doubt, and beyond LATE_VOID no measurement of this window at all.
 */
#define LATE_DOUBT 0.02
#define LATE_VOID 0.1
#define LATE_VOID_MIN_NS                                                                           \
	100e6 /* a busy machine's scheduling latency; matters below a window of 1 s */

#define ONLINE "sys/devices/system/cpu/online"

int verify_doubt(struct store_run *run, const char *format, ...)
{
	char **bigger, *text;
	va_list list;
	int n;

	va_start(list, format);
	n = vasprintf(&text, format, list);
	va_end(list);
	if (n < 0)
		return error_no_memory();
	for (size_t i = 0; i < run->doubts; i++) {
		if (!strcmp(run->doubt[i], text)) {
			free(text);
			return 0;
		}
	}
	bigger = reallocarray(run->doubt, run->doubts + 1, sizeof(*bigger));
	if (!bigger) {
		free(text);
		return error_no_memory();
	}
	run->doubt = bigger;
	run->doubt[run->doubts++] = text;
	return 0;
}

static void void_run(struct cell *cell, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The first reason stays. */
static void void_run(struct cell *cell, const char *format, ...)
{
	va_list list;

	if (cell->run.state != STORE_COMPLETE)
		return;
	cell->run.state = STORE_VOID;
	va_start(list, format);
	if (vasprintf(&cell->run.reason, format, list) < 0)
		cell->run.reason = NULL;
	va_end(list);
}

/* What the workload inherits from the runner, and what the runner cannot see. */
static int doubt_circumstances(struct cell *cell)
{
	int policy = sched_getscheduler(0), priority = getpriority(PRIO_PROCESS, 0);
	struct cpulist online;
	int err = 0;

	if (policy > SCHED_OTHER)
		err = verify_doubt(&cell->run, "scheduling policy %d is inherited by the workload",
				   policy);
	if (!err && priority)
		err = verify_doubt(&cell->run, "nice %d is inherited by the workload", priority);
	if (err || cpulist_parse(cell->online, &online))
		return err;
	if (online.n > cell->session->cpus.n)
		err = verify_doubt(
			&cell->run,
			"only %zu of the %zu online CPUs were measured: the runner may use "
			"no others",
			cell->session->cpus.n, online.n);
	cpulist_free(&online);
	return err;
}

int verify_begin(struct cell *cell)
{
	const struct root *root = &cell->session->root;
	int err;

	cell->online[0] = '\0';
	root_read(root, ONLINE, cell->online, sizeof(cell->online));
	cell->hotplug = hotplug_watch(root);
	cell->tables = cpuidle_table_hash(cell->session->idle);
	clocks_read(&cell->clocks);
	if (host_cpu_jiffies(root, &cell->foreign_busy0, &cell->foreign_total0))
		cell->foreign_total0 = UINT64_MAX; /* not available: no doubt to be had from it */
	err = doubt_circumstances(cell);
	return err ? err : heat_begin(cell);
}

static void check_governor(struct cell *cell)
{
	char now[GOVERNOR_NAME_MAX];

	if (governor_current(&cell->session->root, now))
		void_run(cell, "the governor could not be read after the window: %s", error_text());
	else if (strcmp(now, cell->run.governor))
		void_run(
			cell,
			"somebody switched the governor during the run: it was set to %s and is %s now",
			cell->run.governor, now);
}

static void check_machine(struct cell *cell)
{
	char now[sizeof(cell->online)] = "", what[256];
	int err;

	/* Before it looks as it did: a CPU may have been away for a moment only. */
	if (hotplug_happened(cell->hotplug, what, sizeof(what)))
		void_run(cell, "%s during the run", what);
	root_read(&cell->session->root, ONLINE, now, sizeof(now));
	if (strcmp(now, cell->online))
		void_run(cell, "the online CPUs changed during the run: from %s to %s",
			 cell->online, now);
	err = cpuidle_reopen(cell->session->idle);
	if (err)
		void_run(cell, "the idle states changed during the run: %s", error_text());
	else if (cpuidle_table_hash(cell->session->idle) != cell->tables)
		void_run(cell, "somebody disabled or enabled an idle state during the run");
}

static void check_clocks(struct cell *cell)
{
	struct clocks now;
	char text[128];

	clocks_read(&now);
	if (clocks_jumped(&cell->clocks, &now, text, sizeof(text)))
		void_run(cell, "%s", text);
}

/* A zone that went away in the window; one that was away already is only not available. */
static void check_energy(struct cell *cell)
{
	const struct energy *energy = cell->session->energy;
	const struct window_energy *reading = window_energy(cell->window);

	for (size_t z = 0; reading && z < energy_zones(energy); z++)
		if (reading[z].first.known && !reading[z].last.known)
			void_run(cell,
				 "the energy counter %s (%s) could not be read any more at the end "
				 "of the run: %s",
				 energy_zone(energy, z)->label, energy_zone(energy, z)->place,
				 strerror(-reading[z].last.err));
}

/* Without power from here on: the campaign goes on with what else there is. */
static int doubt_energy(struct cell *cell)
{
	const struct energy *energy = cell->session->energy;
	const struct window_energy *reading = window_energy(cell->window);
	int err = 0;

	for (size_t z = 0; reading && z < energy_zones(energy) && !err; z++)
		if (!reading[z].first.known && !reading[z].last.known &&
		    cell->session->zone_known[z])
			err = verify_doubt(
				&cell->run, "no energy: the counter %s cannot be read: %s",
				energy_zone(energy, z)->label, strerror(-reading[z].first.err));
	return err;
}

static void check_edges(struct cell *cell)
{
	const struct window_edge *edge = window_edges(cell->window);
	const struct cpuidle *idle = cell->session->idle;

	for (size_t i = 0; i < idle->n; i++) {
		if (edge[i].err == -ENODEV)
			void_run(
				cell,
				"cpu%d: its idle counters went away during the window (somebody switched the "
				"governor, or the CPU went offline)",
				idle->cpu[i].cpu);
		else if (edge[i].err)
			void_run(cell, "cpu%d: its idle counters could not be read: %s",
				 idle->cpu[i].cpu, strerror(-edge[i].err));
	}
}

/* The later of a CPU's two readings, ns behind its edge. */
static double lateness(const struct cell *cell, size_t i)
{
	const struct window_edge *edge = &window_edges(cell->window)[i];
	double first = (double)edge->first.t_after_ns - (double)cell->t0_ns;
	double last = (double)edge->last.t_after_ns - (double)cell->t1_ns;

	return first > last ? first : last;
}

static const char late_text[] = "read late: the counters of cpu%d were read %.1f ms after the edge";

static void check_lateness(struct cell *cell)
{
	double limit = LATE_VOID * (double)(cell->t1_ns - cell->t0_ns);

	if ((long)cell->session->cpus.n > sysconf(_SC_NPROCESSORS_ONLN))
		return; /* a rehearsal of a larger machine: its readers share our CPUs */
	if (limit < LATE_VOID_MIN_NS)
		limit = LATE_VOID_MIN_NS;
	for (size_t i = 0; i < cell->session->idle->n; i++)
		if (lateness(cell, i) > limit)
			void_run(cell, late_text, cell->session->idle->cpu[i].cpu,
				 lateness(cell, i) / 1e6);
}

static int doubt_lateness(struct cell *cell)
{
	double window = (double)(cell->t1_ns - cell->t0_ns);
	int err = 0;

	for (size_t i = 0; i < cell->session->idle->n && !err; i++)
		if (lateness(cell, i) > LATE_DOUBT * window)
			err = verify_doubt(&cell->run, late_text, cell->session->idle->cpu[i].cpu,
					   lateness(cell, i) / 1e6);
	return err;
}

/* Entries that these drivers reject do not exist: the counter means something else then (P-25). */
static int doubt_rejected(struct cell *cell, size_t i, const char *driver)
{
	const struct cpuidle_cpu *cpu = &cell->session->idle->cpu[i];
	const struct window_edge *edge = &window_edges(cell->window)[i];

	for (int k = 0; k < cpu->states; k++) {
		uint64_t first = edge->first.counter[k][CPUIDLE_REJECTED].value;
		uint64_t last = edge->last.counter[k][CPUIDLE_REJECTED].value;

		if (last != first)
			return verify_doubt(
				&cell->run,
				"counter semantics unknown: %s rejected %llu entries of "
				"state %d on cpu%d, which it never does",
				driver, (unsigned long long)(last - first), cpu->state[k].index,
				cpu->cpu);
	}
	return 0;
}

/* A governor that takes no notice of the disable bit: the run is not what the mask says (P-24). */
static int doubt_disabled(struct cell *cell, size_t i)
{
	const struct cpuidle_cpu *cpu = &cell->session->idle->cpu[i];
	const struct window_edge *edge = &window_edges(cell->window)[i];

	for (int k = 0; k < cpu->states; k++) {
		uint64_t first = edge->first.counter[k][CPUIDLE_USAGE].value;
		uint64_t last = edge->last.counter[k][CPUIDLE_USAGE].value;

		if (cpu->state[k].disabled.known && cpu->state[k].disabled.value && last > first)
			return verify_doubt(
				&cell->run,
				"a disabled state was entered: state %d of cpu%d, %llu times",
				cpu->state[k].index, cpu->cpu, (unsigned long long)(last - first));
	}
	return 0;
}

static int doubt_counters(struct cell *cell)
{
	const struct window_edge *edge = window_edges(cell->window);
	const struct cpuidle *idle = cell->session->idle;
	char driver[64];
	bool never_rejects = !governor_driver(&cell->session->root, driver, sizeof(driver)) &&
			     (!strcmp(driver, "intel_idle") || !strcmp(driver, "acpi_idle"));
	int err = 0;

	for (size_t i = 0; i < idle->n && !err; i++)
		if (cpuidle_check_window(&idle->cpu[i], &edge[i].first, &edge[i].last))
			err = verify_doubt(&cell->run, "%s", error_text());
	for (size_t i = 0; never_rejects && i < idle->n && !err; i++)
		err = doubt_rejected(cell, i, driver);
	for (size_t i = 0; i < idle->n && !err; i++)
		err = doubt_disabled(cell, i);
	return err;
}

/* All work of the machine's CPUs that was not the workload's, in CPUs. From before the warm-up to
 * the end. */
static double foreign_load(const struct cell *cell)
{
	double own = parts_cpu_s(cell);
	double ticks = (double)sysconf(_SC_CLK_TCK), busy, wall;
	uint64_t busy1, total1;
	int err = host_cpu_jiffies(&cell->session->root, &busy1, &total1);

	if (err || !cell->session->root.live || total1 <= cell->foreign_total0)
		return 0; /* no such figure: no doubt to be had from it */
	busy = (double)(busy1 - cell->foreign_busy0) / ticks;
	wall = (double)(total1 - cell->foreign_total0) / ticks / (double)cell->session->cpus.n;
	return wall < 0.5 ? 0 : (busy - own) / wall;
}

/* Whoever measures a busy machine on purpose gets a doubt, no more. */
static int judge_foreign_load(struct cell *cell)
{
	static const char text[] = "foreign load: other processes kept %.1f CPUs busy";
	double foreign = foreign_load(cell);

	if (foreign > FOREIGN_VOID && !cell->session->options->allow_busy) {
		void_run(cell, text, foreign);
		return 0;
	}
	return foreign > FOREIGN_MAX ? verify_doubt(&cell->run, text, foreign) : 0;
}

static void check_exit(struct cell *cell)
{
	if (cell->run.state != STORE_COMPLETE || !cell->run.exit_status)
		return;
	cell->run.state = STORE_FAILED;
	cell->run.reason = evidence_last_line(cell);
}

/* Where a cpufreq governor was set, it must have stayed. */
static int doubt_cpufreq(struct cell *cell)
{
	const char *name = cell->run.cpufreq_governor;

	if (!name || !cpufreq_holds_governor(&cell->session->root, name))
		return 0;
	return verify_doubt(&cell->run, "cpufreq: %s", error_text());
}

int verify_end(struct cell *cell)
{
	int err = 0;

	check_governor(cell);
	check_machine(cell);
	check_clocks(cell);
	check_edges(cell);
	check_energy(cell);
	check_exit(cell);
	check_lateness(cell);
	if (cell->run.state != STORE_COMPLETE)
		return 0;
	err = judge_foreign_load(cell);
	if (!err)
		err = doubt_counters(cell);
	if (!err)
		err = doubt_lateness(cell);
	if (!err)
		err = doubt_energy(cell);
	if (!err)
		err = heat_end(cell);
	if (!err)
		err = doubt_cpufreq(cell);
	if (!err)
		err = evidence_doubts(cell);
	return err;
}
