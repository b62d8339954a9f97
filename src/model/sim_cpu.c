/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A CPU's events: what ran is over, a slice or a timer is, an idle CPU is woken. Between a wake and
 * the first instruction lies the way out of the idle loop, where a stopped tick starts again.
 */
#include "model/sim.h"

/* The CPU runs @what from @begin on; it is not idle any more. */
static void run(struct sim *sim, int c, int what, int64_t begin, double work_ns)
{
	struct sim_cpu *cpu = &sim->cpu[c];

	if (cpu->current != what)
		cpu->slice_ns = begin + SIM_SLICE_NS;
	cpu->current = what;
	cpu->begin_ns = begin;
	cpu->left_ns = work_ns;
	cpu->shared = what >= 0 ? sim->task[what].shared : sim->machine->smt_speed;
	sim_set_rate(sim, c);
	if (what >= 0) {
		struct sim_task *task = &sim->task[what];

		task->migrations += task->cpu != c;
		task->cpu = c;
		if (task->fresh)
			task->begun_ns = begin;
		task->fresh = false;
	}
	sim_arm(sim, c);
}

/* From the idle loop to a task's first instruction. */
static int64_t leave_loop(struct sim *sim, int c, int64_t awake, bool polled)
{
	const struct model_machine *m = sim->machine;
	struct sim_cpu *cpu = &sim->cpu[c];
	int64_t ns = sim_path(sim, polled ? m->poll_wake_ns : m->wake_ns);

	if (cpu->tick_stopped)
		ns += m->start_ns;
	cpu->tick_stopped = false;
	cpu->shared = m->smt_speed;
	return awake + (int64_t)((double)ns / sim_rate(sim, c));
}

static void enqueue(struct sim *sim, int c, int task)
{
	struct sim_cpu *cpu = &sim->cpu[c];

	sim->task[task].next = SIM_NO_TASK;
	if (cpu->head < 0)
		cpu->head = task;
	else
		sim->task[cpu->tail].next = task;
	cpu->tail = task;
	sim->queued++;
}

static int dequeue(struct sim *sim, struct sim_cpu *cpu)
{
	int task = cpu->head;

	cpu->head = sim->task[task].next;
	sim->queued--;
	return task;
}

static void wake_on(struct sim *sim, int task, int c, bool own_timer)
{
	struct sim_cpu *cpu = &sim->cpu[c];
	bool polled;
	int64_t awake;

	sim->task[task].fresh = true;
	if (!cpu->idle) {
		enqueue(sim, c, task);
		sim_progress(sim, c);
		sim_arm(sim, c);
		return;
	}
	polled = sim_polls(sim, cpu->state) || (sim->now_ns < cpu->entry_ns && !own_timer);
	awake = sim_leave_idle(sim, c, SIM_BY_TASK, own_timer);
	run(sim, c, task, leave_loop(sim, c, awake, polled), sim->task[task].left_ns);
}

void sim_wake_on(struct sim *sim, int task, int c)
{
	wake_on(sim, task, c, false);
}

/* What ran is over, or has to give way. */
static void run_next(struct sim *sim, int c)
{
	struct sim_cpu *cpu = &sim->cpu[c];
	int task = SIM_NO_TASK;

	if (cpu->head >= 0)
		task = dequeue(sim, cpu);
	else if (sim->queued)
		task = sim_steal(sim);
	if (task >= 0)
		run(sim, c, task, leave_loop(sim, c, sim->now_ns, false), sim->task[task].left_ns);
	else
		sim_go_idle(sim, c);
}

static void stage_end(struct sim *sim, int c)
{
	struct sim_cpu *cpu = &sim->cpu[c];
	int id = cpu->current;
	struct sim_task *task = &sim->task[id];
	struct sim_action action = sim->load->step(sim, id);

	sim_stage(sim, task, action.path_ns, action.work_ns);
	if (action.what == SIM_WAIT && task->pending) {
		task->pending--;
		action.what = SIM_GO;
	}
	if (action.what == SIM_GO || (action.what == SIM_SLEEP && action.until_ns <= sim->now_ns)) {
		run(sim, c, id, sim->now_ns, task->left_ns);
		return;
	}
	if (action.what == SIM_SLEEP)
		sim_timer(sim, id, c, action.until_ns);
	else
		task->waiting = true;
	run_next(sim, c);
}

/* Timers of tasks on a CPU that runs; each may start another CPU. */
static void fire_timers(struct sim *sim, int c)
{
	while (sim_timer_first(sim, c) <= sim->now_ns)
		sim_wake(sim, sim_timer_pop(sim, c));
}

static void run_event(struct sim *sim, int c)
{
	struct sim_cpu *cpu = &sim->cpu[c];

	fire_timers(sim, c);
	sim_progress(sim, c);
	if (sim->now_ns < cpu->begin_ns || cpu->left_ns > 0) {
		if (cpu->current >= 0 && cpu->head >= 0 && sim->now_ns >= cpu->slice_ns) {
			sim->task[cpu->current].left_ns = cpu->left_ns;
			enqueue(sim, c, cpu->current);
			run_next(sim, c);
		} else {
			sim_arm(sim, c);
		}
	} else if (cpu->current >= 0) {
		stage_end(sim, c);
	} else {
		run_next(sim, c);
	}
}

static void idle_event(struct sim *sim, int c)
{
	struct sim_cpu *cpu = &sim->cpu[c];
	int64_t awake;

	if (sim_timer_first(sim, c) <= sim->now_ns) {
		wake_on(sim, sim_timer_pop(sim, c), c, true);
		fire_timers(sim, c);
	} else if (cpu->background_ns <= sim->now_ns) {
		bool polled = sim_polls(sim, cpu->state);

		awake = sim_leave_idle(sim, c, SIM_BY_BACKGROUND, true);
		run(sim, c, SIM_BACKGROUND, leave_loop(sim, c, awake, polled),
		    (double)sim->machine->background_ns);
	} else if (sim_polls(sim, cpu->state)) {
		sim_leave_idle(sim, c, SIM_BY_LIMIT, true);
		sim_go_idle(sim, c);
	} else {
		awake = sim_leave_idle(sim, c, SIM_BY_TICK, true);
		run(sim, c, SIM_INTERRUPT, awake, (double)sim->machine->tick_ns);
	}
}

void sim_cpu_event(struct sim *sim, int c)
{
	if (sim->cpu[c].idle)
		idle_event(sim, c);
	else
		run_event(sim, c);
}

void sim_cpu_begin(struct sim *sim)
{
	for (int c = 0; c < sim->cpus; c++) {
		struct sim_cpu *cpu = &sim->cpu[c];

		cpu->background_ns = sim->machine->background_hz > 0 ? 0 : SIM_NEVER;
		cpu->idle_mean_ns = sim->machine->demotion_ns;
		cpu->core = c % sim->machine->cores;
		cpu->shared = sim->machine->smt_speed;
		sim->running[cpu->core]++;
		governor_enable(sim->governor, &sim->machine->table, &cpu->governor);
	}
	for (int c = 0; c < sim->cpus; c++)
		sim_go_idle(sim, c);
}

struct model_cpu_count sim_cpu_count(const struct sim *sim, int c)
{
	const struct sim_cpu *cpu = &sim->cpu[c];
	struct model_cpu_count count = cpu->count;
	int64_t since = cpu->idle ? cpu->entry_ns : cpu->busy_ns;
	uint64_t more = sim->now_ns > since ? (uint64_t)(sim->now_ns - since) : 0;

	if (cpu->idle)
		count.state[cpu->state].time_ns += more;
	else
		count.busy_ns += more;
	return count;
}
