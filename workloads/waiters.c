/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Many threads that each work and then sleep until their next time. Every wake is a timer. The
 * times are absolute, thread i is i/threads of a period behind thread 0, and round k is due at a
 * time computed from k: nothing drifts, and the wakes of all threads are evenly spread.
 *
 * A round that is due while its thread still works on the one before is done at once, without a
 * sleep: it is counted as missed and has no lateness, because nothing woke.
 */
#include "workloads/waiters.h"
#include "lib/error.h"
#include "workloads/timed-sleep.h"
#include "workloads/work.h"
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

static const struct param params[] = {
	[WAITERS_THREADS] = { "threads", PARAM_COUNT, "500", 1, WAITERS_MAX, .help = "Threads" },
	[WAITERS_FREQUENCY] = { "frequency", PARAM_FREQUENCY, "10Hz", 0.1, 10000,
				.help = "Rounds a second of each thread, in steps of 0.001Hz" },
	[WAITERS_WORK] = { "work", PARAM_WORK, NULL, 0, 1e11,
			   .help = "Work of a round; a time is turned into units by a "
				   "calibration" },
	[WAITERS_LOAD] = { "load", PARAM_PERCENT, NULL, 0, 100, .calibrated = true,
			   .help = "Instead of work: load of each thread, of one CPU" },
	[WAITERS_MACHINE_LOAD] = { "machine_load", PARAM_PERCENT, "68%", 0, 100, .calibrated = true,
				   .help = "Instead of work: load of all threads together, of the "
					   "CPUs that they may use; the price of the wakes comes "
					   "on top" },
	[WAITERS_LOOPS] = { "loops", PARAM_COUNT, NULL, 1, 1e8,
			    .help = "Rounds of each thread to count, instead of --window" },
	[WAITERS_AFFINITY] = { "affinity", PARAM_CHOICE, "free", .choices = "free|pinned",
			       .help = "The scheduler's choice, or threads bound to the CPUs in "
				       "turn" },
	[WAITERS_PARAMS] = { 0 },
};

static int needs(const struct param_value *values, struct workload_needs *ret)
{
	static const int loads[] = { WAITERS_WORK, WAITERS_LOAD, WAITERS_MACHINE_LOAD };
	int threads = (int)values[WAITERS_THREADS].number, given = -1, rc;
	bool pinned = values[WAITERS_AFFINITY].choice == WAITERS_PINNED;
	struct schedule schedule;

	for (size_t i = 0; i < sizeof(loads) / sizeof(loads[0]); i++) {
		if (!values[loads[i]].given)
			continue;
		if (given >= 0)
			return error_usage("%s has no effect with %s: one of them says how much "
					   "work a round is",
					   params[loads[i]].name, params[given].name);
		given = loads[i];
	}
	rc = schedule_set_rate(&schedule, values[WAITERS_FREQUENCY].number);
	if (rc)
		return error_prefix(rc, "frequency: ");
	*ret = (struct workload_needs){
		.tasks = threads,
		.cpus = pinned ? threads : 0,
		.wrap = pinned,
		.pinned = pinned,
		.timer_based = true,
		.loop_ns = 1e9 / values[WAITERS_FREQUENCY].number,
	};
	return 0;
}

/* A load in percent becomes the units that make it: all of a thread's time is its rounds'. */
static int resolve(struct param_value *values, double ns_per_unit, size_t cpus)
{
	double share_pct = values[WAITERS_LOAD].number;
	double threads = values[WAITERS_THREADS].number;
	double period_ns = 1e9 / values[WAITERS_FREQUENCY].number;

	if (!values[WAITERS_LOAD].given)
		share_pct = values[WAITERS_MACHINE_LOAD].number * (double)cpus / threads;
	if (!values[WAITERS_WORK].given) {
		if (share_pct > 100)
			return error_usage("machine_load %.10g%% of %zu CPUs is more than a CPU "
					   "for each of %.0f threads",
					   values[WAITERS_MACHINE_LOAD].number, cpus, threads);
		values[WAITERS_WORK] = (struct param_value){
			.set = true,
			.given = true,
			.number = (double)work_units(share_pct / 100 * period_ns, ns_per_unit),
		};
	}
	values[WAITERS_LOAD].set = values[WAITERS_LOAD].given = false;
	values[WAITERS_MACHINE_LOAD].set = values[WAITERS_MACHINE_LOAD].given = false;
	return 0;
}

uint64_t waiters_phase_ns(const struct schedule *schedule, int index, int threads)
{
	return (uint64_t)((unsigned __int128)index * 1000000000u * schedule->den /
			  ((unsigned __int128)schedule->num * (unsigned int)threads));
}

static int setup(struct driver *driver)
{
	const struct param_value *values = driver->values;
	struct waiters *all = calloc(1, sizeof(*all));
	double threads = values[WAITERS_THREADS].number;
	void *memory;
	int rc;

	if (!all)
		return error_no_memory();
	driver->data = all;
	driver->threads = true;
	all->frequency_hz = values[WAITERS_FREQUENCY].number;
	all->units = (uint64_t)values[WAITERS_WORK].number;
	/* Every thread may have a whole round before it when the window is over. */
	driver->grace_ns +=
		TIMED_SLEEP_BEYOND_NS +
		(uint64_t)(4 * driver->unit_start_ns * values[WAITERS_WORK].number * threads);
	rc = schedule_set_rate(&all->schedule, all->frequency_hz);
	if (!rc)
		rc = cpu_hist_open(&driver->options.cpus, 1, &all->late);
	if (!rc)
		rc = driver_alloc((size_t)driver->needs.tasks * sizeof(*all->waiter), &memory);
	if (rc)
		return rc;
	all->waiter = memory;
	for (int i = 0; i < driver->needs.tasks; i++)
		snprintf(driver->task[i].role, sizeof(driver->task[i].role), "waiter");
	return 0;
}

/* A thread's own copy of what it needs in every round. */
struct rounds {
	struct schedule schedule;
	uint64_t units;
	uint64_t t1_ns;
	uint64_t idle_ns; /* when the thread was through with what came before */
	struct cpu_hist *late;
};

/* Rounds @first to the one before @end, until t1 is over. @count is NULL in the warm-up. */
static void do_rounds(struct rounds *rounds, int64_t first, int64_t end, struct waiter *count)
{
	for (int64_t k = first; k < end; k++) {
		uint64_t due = schedule_due_ns(&rounds->schedule, k);
		bool missed = rounds->idle_ns > due;
		uint64_t late = missed ? 0 : timed_sleep(due);

		if (count && !missed)
			cpu_hist_add(rounds->late, cpu_hist_place(rounds->late, sched_getcpu()), 0,
				     late);
		if (count && due + late > rounds->t1_ns)
			break;
		work_do(rounds->units);
		rounds->idle_ns = clock_now_ns();
		if (count) {
			count->missed += missed;
			if (rounds->idle_ns > rounds->t1_ns)
				break;
			count->done++;
		}
	}
}

static int task(struct driver *driver, int index)
{
	struct waiters *all = driver->data;
	struct waiter *count = &all->waiter[index];
	struct driver_task *task = &driver->task[index];
	struct rounds rounds = {
		.schedule = all->schedule,
		.units = all->units,
		.t1_ns = driver->gate->t1_ns,
		.idle_ns = clock_now_ns(),
		.late = &all->late,
	};
	struct schedule *schedule = &rounds.schedule;
	int64_t end = (int64_t)driver->loops;

	schedule->t0_ns =
		driver->gate->t0_ns + waiters_phase_ns(schedule, index, driver->needs.tasks);
	if (!driver->loops)
		end = schedule->t0_ns < rounds.t1_ns ? schedule_first(schedule, rounds.t1_ns) : 0;
	do_rounds(&rounds, schedule_first(schedule, rounds.idle_ns), 0, NULL);
	driver_mark(&task->start);
	count->planned = (uint64_t)end;
	do_rounds(&rounds, 0, end, count);
	driver_mark(&task->end);
	task->done_ns = rounds.idle_ns;
	if (!driver->loops)
		timed_sleep_beyond(rounds.t1_ns, schedule_due_ns(schedule, end));
	return 0;
}

const struct workload workload_waiters = {
	.name = "waiters",
	.about = "Many threads, each of which works and then sleeps until its next time; the times "
		 "of all are evenly spread.",
	.params = params,
	.metrics = waiters_metrics,
	.needs = needs,
	.resolve = resolve,
	.setup = setup,
	.task = task,
	.finish = waiters_finish,
};
