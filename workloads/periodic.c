/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads that a timer wakes at a fixed rate, each for a packet of work: the smallest model of what
 * audio, video and control loops do to an idle governor.
 *
 * A load is the packet's share of the period, at the speed that was calibrated; what the kernel
 * takes for a wake comes on top (20 us on a guest with 2 CPUs, as much as a packet of 0.7 % at 347
 * Hz) and is a figure of its own. So a packet is the same count of units under every governor.
 */
#include "workloads/periodic.h"
#include "lib/error.h"
#include "workloads/work.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct param params[] = {
	[PERIODIC_THREADS] = { "threads", PARAM_CPUS, "1", 1, 512,
			       .help = "Threads, each on a core of its own" },
	[PERIODIC_FREQUENCY] = { "frequency", PARAM_FREQUENCY, "347Hz", 0.1, 50000,
				 .help = "Packets a second of each thread, a multiple of 0.001Hz. "
					 "Primes stay clear of the tick" },
	[PERIODIC_LOAD] = { "load", PARAM_PERCENT, "3%", 0, 200, .calibrated = true,
			    .help = "Length of a packet in percent of the period; becomes units of "
				    "work by a calibration. Above 100% every packet overruns" },
	[PERIODIC_WORK] = { "work", PARAM_WORK, NULL, 0, 1e11,
			    .help = "Length of a packet, instead of --load; with --ramp, at its "
				    "highest step" },
	[PERIODIC_LOOPS] = { "loops", PARAM_COUNT, NULL, 1, 1e15,
			     .help = "Periods of each thread, instead of --window" },
	[PERIODIC_CATCH_UP] = { "catch-up", PARAM_CHOICE, "burst", .choices = "burst|skip",
				.help = "After a packet that ended later than its deadline, the "
					"next release: burst does those that waited at once and "
					"without sleep, skip leaves them out" },
	[PERIODIC_PHASE] = { "phase", PARAM_CHOICE, "spread", .choices = "spread|together",
			     .help = "Releases of several threads: evenly over the period, or all "
				     "at the same time" },
	[PERIODIC_RAMP] = { "ramp", PARAM_CHOICE, "no", .choices = "no|yes",
			    .help = "Instead of a fixed load: from 0 to 100% and back to 0 in "
				    "--steps each way" },
	[PERIODIC_STEPS] = { "steps", PARAM_COUNT, "34", 1, (PERIODIC_SPANS_MAX - 1) / 2,
			     .help = "Steps of the ramp, up and again down: 34 are of 2.9%" },
	[PERIODIC_STEP] = { "step", PARAM_TIME, "3s", 1e6, 1e12,
			    .help = "Length of a step; the window has to hold 2 * steps + 1" },
	[PERIODIC_DISTANCE] = { "distance", PARAM_CHOICE, "any", .choices = WORKLOAD_DISTANCES,
				.placement = true,
				.help = "What neighbouring threads share; the runner chooses the "
					"CPUs" },
	[PERIODIC_PARAMS] = { 0 },
};

double periodic_ramp_ns(double steps, double step_ns)
{
	return (2 * steps + 1) * step_ns;
}

static int check_ramp(const struct param_value *values, const struct schedule *schedule)
{
	bool ramp = values[PERIODIC_RAMP].choice == PERIODIC_UP_DOWN;

	for (int row = PERIODIC_STEPS; row <= PERIODIC_STEP && !ramp; row++)
		if (values[row].given)
			return error_usage("%s has no effect without ramp", params[row].name);
	if (!ramp)
		return 0;
	if (values[PERIODIC_LOAD].given)
		return error_usage("load has no effect with ramp (which goes through all of them)");
	if (values[PERIODIC_LOOPS].set)
		return error_usage("loops has no effect with ramp (its steps say how long it is)");
	if (schedule_last(schedule, (uint64_t)values[PERIODIC_STEP].number) < 1)
		return error_usage("step: shorter than one period");
	return 0;
}

static int needs(const struct param_value *values, struct workload_needs *ret)
{
	int threads = (int)values[PERIODIC_THREADS].number;
	double hz = values[PERIODIC_FREQUENCY].number;
	struct schedule schedule = { 0 };
	int rc = schedule_set_rate(&schedule, hz);

	if (rc)
		return error_prefix(rc, "frequency: ");
	for (int row = PERIODIC_PHASE; row <= PERIODIC_DISTANCE && threads == 1; row++)
		if ((row == PERIODIC_PHASE || row == PERIODIC_DISTANCE) && values[row].given)
			return error_usage("%s has no effect with one thread", params[row].name);
	if (values[PERIODIC_LOAD].given && values[PERIODIC_WORK].given)
		return error_usage("load has no effect with work (each says how long a packet is)");
	rc = check_ramp(values, &schedule);
	if (rc)
		return rc;
	*ret = (struct workload_needs){
		.tasks = threads,
		.cpus = threads,
		.group = threads,
		.distance = values[PERIODIC_DISTANCE].choice,
		.pinned = true,
		.timer_based = true,
		.window_ns = values[PERIODIC_RAMP].choice == PERIODIC_UP_DOWN
				     ? periodic_ramp_ns(values[PERIODIC_STEPS].number,
							values[PERIODIC_STEP].number)
				     : ceil(1e9 / hz),
		.loop_ns = 1e9 / hz,
	};
	return 0;
}

/* The packet in units: work as it was given, else a load, else (ramp) a whole period. */
static int resolve(struct param_value *values, double ns_per_unit, size_t cpus)
{
	bool ramp = values[PERIODIC_RAMP].choice == PERIODIC_UP_DOWN;
	double share = ramp ? 1 : values[PERIODIC_LOAD].number / 100;
	double ns = share * 1e9 / values[PERIODIC_FREQUENCY].number;

	(void)cpus;
	if (!values[PERIODIC_WORK].set)
		values[PERIODIC_WORK] = (struct param_value){
			.set = true,
			.given = true,
			.number = (double)work_units(ns, ns_per_unit),
		};
	values[PERIODIC_LOAD] = (struct param_value){ 0 };
	return 0;
}

/* About a second, a tenth of a shorter run, and more where there would be too many. */
static uint64_t span_periods(double hz, uint64_t planned)
{
	uint64_t periods = (uint64_t)fmax(1, round(hz));

	if (periods > planned / 10)
		periods = planned / 10;
	if (periods < (planned + PERIODIC_SPANS_MAX - 1) / PERIODIC_SPANS_MAX)
		periods = (planned + PERIODIC_SPANS_MAX - 1) / PERIODIC_SPANS_MAX;
	return periods ? periods : 1;
}

/*
 * Releases lie in the middle of a thread's share of the period, never on t0 or t1 themselves, where
 * the runner wakes the same CPUs to read its counters.
 */
int periodic_plan(const struct driver *driver, int index, uint64_t t0_ns, uint64_t t1_ns,
		  struct periodic_plan *ret)
{
	const struct param_value *values = driver->values;
	double hz = values[PERIODIC_FREQUENCY].number;
	bool together = values[PERIODIC_PHASE].choice == PERIODIC_TOGETHER;
	double shares = together ? 1 : driver->needs.tasks;
	struct periodic_plan plan = {
		.units = (uint64_t)values[PERIODIC_WORK].number,
		.skip = values[PERIODIC_CATCH_UP].choice == PERIODIC_SKIP,
		.t1_ns = t1_ns,
	};
	int rc = schedule_set_rate(&plan.schedule, hz);

	if (rc)
		return rc;
	plan.schedule.t0_ns =
		t0_ns + (uint64_t)(1e9 / hz * ((together ? 0 : index) + 0.5) / shares);
	if (driver->loops)
		plan.planned = driver->loops;
	else if (plan.schedule.t0_ns < t1_ns)
		plan.planned = (uint64_t)schedule_first(&plan.schedule, t1_ns);
	plan.span_periods = span_periods(hz, plan.planned);
	plan.spans = plan.planned / plan.span_periods;
	if (values[PERIODIC_RAMP].choice == PERIODIC_UP_DOWN) {
		struct schedule from_zero = { 0, plan.schedule.num, plan.schedule.den };

		plan.steps = (uint64_t)values[PERIODIC_STEPS].number;
		plan.spans = 2 * plan.steps + 1;
		plan.span_periods =
			(uint64_t)schedule_last(&from_zero, (uint64_t)values[PERIODIC_STEP].number);
	}
	*ret = plan;
	return 0;
}

static int setup(struct driver *driver)
{
	int threads = driver->needs.tasks;
	void *memory;
	int rc = driver_alloc((size_t)threads * sizeof(struct periodic_thread), &memory);

	if (rc)
		return rc;
	driver->data = memory;
	driver->threads = true;
	/* At t1 a thread may be in a packet that has only just begun. */
	driver->grace_ns +=
		(uint64_t)(4 * driver->unit_start_ns * driver->values[PERIODIC_WORK].number);
	for (int i = 0; i < threads; i++)
		snprintf(driver->task[i].role, sizeof(driver->task[i].role), "thread%hu",
			 (unsigned short)i);
	return 0;
}

static int task(struct driver *driver, int index)
{
	struct periodic_thread *thread = (struct periodic_thread *)driver->data + index;
	int rc = periodic_plan(driver, index, driver->gate->t0_ns, driver->gate->t1_ns,
			       &thread->plan);

	return rc ? rc : periodic_run(thread, &periodic_real_time, &driver->task[index]);
}

const struct workload workload_periodic = {
	.name = "periodic",
	.about = "Threads that a timer wakes at a fixed rate do a packet of work each time; the "
		 "schedule is absolute and does not drift.",
	.params = params,
	.metrics = periodic_metrics,
	.needs = needs,
	.resolve = resolve,
	.setup = setup,
	.task = task,
	.finish = periodic_finish,
};
