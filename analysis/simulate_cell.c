/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The folder's bytes follow from the machine's constants, the cell and its seed alone: no dates, no
 * clock of this machine, no other cell.
 */
#include "analysis/simulate_cell.h"
#include "analysis/simulate_write.h"
#include "lib/error.h"
#include "lib/file.h"
#include "lib/units.h"
#include "store/format.h"
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* When the window of every run begins on the model's clock, warm-up aside: 0 would be no reading.
 */
#define START_NS 1000000000u
/* Of one run, some 0.3 s of a core; the rest of a longer window is multiplied. */
#define EVENTS_MAX 5000000
/* Loops that are not done within it never are. */
#define LOOPS_MAX_NS 86400000000000

/* The CPUs that its tasks are bound to, else all. Each once, in the order of the tasks. */
static int choose_cpus(const struct machine *machine, const struct model_workload *workload,
		       struct cpulist *ret)
{
	int tasks = model_workload_tasks(workload), cpus = model_machine_cpus(&machine->model);
	int n = workload->pinned || !tasks ? tasks : cpus, err = 0;

	for (int i = 0; i < n && !err; i++) {
		int cpu = workload->pinned ? model_workload_cpu(workload, &machine->model, i) : i;

		if (!cpulist_has(ret, cpu))
			err = cpulist_add(ret, cpu);
	}
	return err;
}

static int add_doubt(struct store_run *run, const char *text)
{
	char **bigger = reallocarray(run->doubt, run->doubts + 1, sizeof(*bigger));

	if (!bigger)
		return error_no_memory();
	run->doubt = bigger;
	run->doubt[run->doubts] = strdup(text);
	return run->doubt[run->doubts++] ? 0 : error_no_memory();
}

static int replace(char **to, const char *text)
{
	free(*to);
	*to = strdup(text);
	return *to ? 0 : error_no_memory();
}

/* A fresh run.ini for the cell: the point's, read anew, with what is the cell's own. */
static int describe(const struct machine *machine, const struct simulate_point *point,
		    const struct simulate_cell *cell, struct store_run *run)
{
	char text[64];
	int err = store_run_read(point->run.dir, run);

	if (err)
		return err;
	run->number = cell->number;
	run->repeat = cell->repeat;
	run->modelled = true;
	run->rehearsal = false;
	run->timer_based = !strcmp(model_workload_timer_based(&point->workload), "yes");
	run->t0_ns = START_NS + (uint64_t)cell->warmup_ns;
	err = replace(&run->governor, cell->governor->name);
	if (!err)
		err = replace(&run->label, cell->label);
	if (!err && *cell->cpufreq)
		err = replace(&run->cpufreq_governor, cell->cpufreq);
	units_format_time((double)cell->warmup_ns, 4, text, sizeof(text));
	if (!err)
		err = replace(&run->warmup_done, text);
	cpulist_free(&run->cpus);
	return err ? err : choose_cpus(machine, &point->workload, &run->cpus);
}

static int conclude(const struct model_result *result, struct store_run *run)
{
	int err = 0;

	run->t1_ns = run->t0_ns + (uint64_t)llrint(result->window_ns);
	if (result->stretch > 1)
		err = add_doubt(run,
				"a part of the window was simulated event by event and stands for "
				"all of it: counters, energy and histograms are multiplied");
	if (!err && !result->complete) {
		run->state = STORE_FAILED;
		err = replace(&run->reason, "its loops were not done when the window ended");
	}
	return err;
}

static int run_model(const struct simulate_request *request, const struct machine *machine,
		     const struct simulate_point *point, const struct simulate_cell *cell,
		     struct simulate_write *write, struct model_result **ret)
{
	struct model_machine own = machine->model;
	struct model_setup setup = {
		.machine = &own,
		.governor = cell->governor,
		.workload = &point->workload,
		.seed = cell->seed,
		.warmup_ns = cell->warmup_ns,
		.window_ns = cell->window_ns > 0 ? cell->window_ns : LOOPS_MAX_NS,
		.sample = simulate_write_sample,
		.arg = write,
		.interval_ns = request->interval_ns,
		.events_max = request->exact ? UINT64_MAX : EVENTS_MAX,
	};
	int err = *cell->cpufreq ? model_cpufreq_parse(cell->cpufreq, &setup.cpufreq) : 0;

	if (cell->disable >= 0)
		own.disabled |= 1u << cell->disable;
	return err ? err : model_run(&setup, ret);
}

static int simulate(const struct simulate_request *request, const struct machine *machine,
		    const struct simulate_point *point, const struct simulate_cell *cell,
		    struct store_run *run, const char *dir)
{
	int cpus = model_machine_cpus(&machine->model);
	bool *in_workload = calloc((size_t)cpus, sizeof(*in_workload));
	struct simulate_write write = {
		.machine = machine, .dir = dir, .t0_ns = run->t0_ns, .in_workload = in_workload
	};
	struct model_result *result = NULL;
	int err = in_workload ? 0 : error_no_memory(), other;

	for (size_t i = 0; !err && i < run->cpus.n; i++)
		in_workload[run->cpus.cpu[i]] = true;
	if (!err)
		err = simulate_write_begin(&write);
	if (!err)
		err = run_model(request, machine, point, cell, &write, &result);
	other = simulate_write_end(&write, result);
	if (!err)
		err = other;
	if (!err)
		err = conclude(result, run);
	model_result_free(result);
	free(in_workload);
	return err ? err : store_run_write(dir, run);
}

static int publish(const struct simulate_request *request, const struct simulate_cell *cell,
		   const struct store_run *run, const char *dir)
{
	bool complete = run->state == STORE_COMPLETE;
	char *final;
	int err;

	if (asprintf(&final, "%s/%04d.%s%s", request->into, cell->number, cell->name,
		     complete ? "" : ".failed-1") < 0)
		return error_no_memory();
	/* The model fails the same way each time: the new one is the old one. */
	err = complete ? 0 : file_remove_tree(final);
	if (!err)
		err = file_publish_dir(dir, final);
	free(final);
	return err;
}

int simulate_cell_make(const struct simulate_request *request, const struct machine *machine,
		       const struct simulate_point *point, const struct simulate_cell *cell)
{
	struct store_run run = { 0 };
	char *dir;
	int err;

	if (asprintf(&dir, "%s/" STORE_TMP_PREFIX "%04d.%s", request->into, cell->number,
		     cell->name) < 0)
		return error_no_memory();
	err = file_remove_tree(dir);
	if (!err)
		err = file_make_dirs(dir);
	if (!err)
		err = describe(machine, point, cell, &run);
	if (!err)
		err = simulate(request, machine, point, cell, &run, dir);
	if (!err)
		err = publish(request, cell, &run, dir);
	store_run_free(&run);
	free(dir);
	return err;
}
