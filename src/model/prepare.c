/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A run's beginning: all memory that it will need, so that nothing is allocated while it runs, and
 * the machine at time 0: every CPU has just gone idle, tasks begin within their first period.
 */
#include "governors/label.h"
#include "lib/error.h"
#include "model/run.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>

static const struct sim_load *const loads[MODEL_KINDS] = {
	[MODEL_IDLE] = &sim_load_idle,
	[MODEL_PING_PONG] = &sim_load_ping_pong,
	[MODEL_PERIODIC] = &sim_load_timed,
	[MODEL_WAITERS] = &sim_load_timed,
	[MODEL_EBIZZY] = &sim_load_ebizzy,
	[MODEL_CLIENT_SERVER] = &sim_load_client_server,
	[MODEL_FORK_CHAIN] = &sim_load_fork_chain,
};

static int roles_of(const struct model_workload *w)
{
	int roles = w->kind == MODEL_PING_PONG	? w->ping_pong.rings
		    : w->kind == MODEL_PERIODIC ? w->periodic.threads
		    : w->kind == MODEL_EBIZZY	? 2
						: w->kind != MODEL_IDLE;

	return roles < MODEL_ROLES_MAX ? roles : MODEL_ROLES_MAX;
}

static int check(const struct model_setup *s)
{
	if (!strncmp(s->governor->name, "oracle", 6))
		return error_usage("%s knows the future, which a load that waits for its own "
				   "wakes does not have; replay has oracles",
				   s->governor->name);
	if (s->window_ns <= 0 || s->warmup_ns < 0)
		return error_usage("a run needs a window longer than nothing");
	if (s->sample && s->interval_ns <= 0)
		return error_usage("samples need an interval longer than nothing");
	return 0;
}

/* Zeroed, at the start of a cache line; freed with the run. */
static void *get(struct run *run, size_t n, size_t size)
{
	size_t bytes = (n * size + 63) / 64 * 64;
	void *memory = aligned_alloc(64, bytes ? bytes : 64);

	if (memory)
		run->memory[run->memories++] = memset(memory, 0, bytes);
	return memory;
}

static int allocate(struct run *run)
{
	struct sim *sim = &run->sim;
	uint32_t leaves = 1, *first;
	int64_t *time;

	while (leaves < (uint32_t)sim->cpus)
		leaves *= 2;
	first = get(run, 2 * leaves, sizeof(*first));
	time = get(run, leaves, sizeof(*time));
	sim->cpu = get(run, (size_t)sim->cpus, sizeof(*sim->cpu));
	sim->task = get(run, (size_t)sim->tasks, sizeof(*sim->task));
	sim->running = get(run, (size_t)sim->machine->cores, sizeof(*sim->running));
	sim->energy.core = get(run, (size_t)sim->machine->cores, sizeof(*sim->energy.core));
	sim->role = get(run, (size_t)sim->roles, sizeof(*sim->role));
	run->base = get(run, (size_t)sim->cpus, sizeof(*run->base));
	run->series = get(run, (size_t)sim_series_count(sim), sizeof(*run->series));
	if (!first || !time || !sim->cpu || !sim->task || !sim->running || !sim->energy.core ||
	    !sim->role || !run->base || !run->series)
		return error_set(-ENOMEM, "no memory for a model of %d CPUs", sim->cpus);
	tree_init(&sim->tree, leaves, first, time);
	return 0;
}

static int allocate_result(struct run *run)
{
	const struct sim *sim = &run->sim;
	struct model_result *r = calloc(1, sizeof(*r));

	run->result = r;
	if (r) {
		r->cpus = sim->cpus;
		r->tasks = sim->tasks;
		r->roles = sim->roles;
		r->packages = sim->machine->packages;
		r->cpu = calloc((size_t)r->cpus, sizeof(*r->cpu));
		r->task = calloc((size_t)r->tasks + 1, sizeof(*r->task));
		r->role = calloc((size_t)r->roles + 1, sizeof(*r->role));
	}
	if (!r || !r->cpu || !r->task || !r->role)
		return error_set(-ENOMEM, "no memory for a model's result");
	for (int i = 0; i < r->roles; i++) {
		sim->role[i].hist = &r->role[i].hist;
		sim_role_name(sim, i, r->role[i].name, sizeof(r->role[i].name));
	}
	return 0;
}

static void prepare(struct sim *sim, const struct model_setup *setup)
{
	const struct model_machine *m = setup->machine;

	*sim = (struct sim){ .setup = setup,
			     .machine = m,
			     .governor = setup->governor,
			     .workload = setup->workload,
			     .load = loads[setup->workload->kind],
			     .random = setup->seed,
			     .cpus = model_machine_cpus(m),
			     .tasks = model_workload_tasks(setup->workload),
			     .roles = roles_of(setup->workload),
			     .speed = 1,
			     .next_tick_ns = m->table.tick_ns,
			     .poll_limit_ns = governor_poll_limit_ns(&m->table, m->disabled) };
}

static void begin(struct sim *sim)
{
	const struct model_machine *m = sim->machine;

	if (m->has_energy)
		energy_init(&sim->energy, m, sim->energy.core);
	if (sim->setup->cpufreq != MODEL_PERFORMANCE) {
		sim->speed = m->frequency_min;
		if (m->has_energy)
			energy_speed(&sim->energy, sim->speed, 0);
	}
	sim->alone_rate =
		sim->speed * (1 - fmin(0.9, (double)m->tick_ns / (double)m->table.tick_ns));
	for (int c = 0; c < sim->cpus; c++)
		sim->cpu[c].head = sim->cpu[c].timers = SIM_NO_TASK;
	for (int i = 0; i < sim->tasks; i++)
		sim->task[i].cpu = model_workload_cpu(sim->workload, m, i);
	sim->load->begin(sim);
	sim_cpu_begin(sim);
}

int run_prepare(struct run *run, const struct model_setup *setup)
{
	int err = check(setup);

	if (err)
		return err;
	prepare(&run->sim, setup);
	run->events_max = setup->events_max ? setup->events_max : MODEL_EVENTS_DEFAULT;
	err = allocate(run);
	if (!err)
		err = allocate_result(run);
	if (!err)
		begin(&run->sim);
	return err;
}

void run_free(struct run *run)
{
	for (int i = 0; i < run->memories; i++)
		free(run->memory[i]);
}
