/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tasks asleep and awake: each CPU's timers as a pairing heap through the tasks themselves (a task
 * has one timer at most, so nothing is allocated), and where a woken task goes: to the CPU it was
 * on if that is idle, else to an idle core, else to an idle CPU, else it waits where it was.
 */
#include "model/sim.h"

/* Of two roots the earlier one takes the other as its first child; of equal ones the lower task. */
static int meld(struct sim *sim, int a, int b)
{
	struct sim_task *task = sim->task;

	if (a < 0)
		return b;
	if (b < 0)
		return a;
	if (task[b].due_ns < task[a].due_ns || (task[b].due_ns == task[a].due_ns && b < a)) {
		int c = a;

		a = b;
		b = c;
	}
	task[b].next = task[a].child;
	task[a].child = b;
	return a;
}

void sim_timer(struct sim *sim, int id, int cpu, int64_t due_ns)
{
	struct sim_task *task = &sim->task[id];

	task->due_ns = due_ns;
	task->next = task->child = SIM_NO_TASK;
	sim->cpu[cpu].timers = meld(sim, sim->cpu[cpu].timers, id);
}

int sim_timer_pop(struct sim *sim, int cpu)
{
	int first = sim->cpu[cpu].timers, rest = sim->task[first].child;
	int pairs = SIM_NO_TASK, root = SIM_NO_TASK;

	/* Children meld in pairs from left to right, the pairs from right to left. */
	while (rest >= 0) {
		int a = rest, b = sim->task[a].next;

		rest = b < 0 ? b : sim->task[b].next;
		sim->task[a].next = SIM_NO_TASK;
		if (b >= 0)
			sim->task[b].next = SIM_NO_TASK;
		a = meld(sim, a, b);
		sim->task[a].next = pairs;
		pairs = a;
	}
	while (pairs >= 0) {
		int next = sim->task[pairs].next;

		sim->task[pairs].next = SIM_NO_TASK;
		root = meld(sim, root, pairs);
		pairs = next;
	}
	sim->cpu[cpu].timers = root;
	return first;
}

/* To the scheduler a CPU is idle while it serves an interrupt out of the idle loop, too. */
static bool is_idle(const struct sim *sim, int cpu)
{
	const struct sim_cpu *c = &sim->cpu[cpu];

	return c->idle || (c->current == SIM_INTERRUPT && c->head < 0);
}

/* Since when all threads of the CPU's core are idle; SIM_NEVER: one is not. */
static int64_t core_idle_since(const struct sim *sim, int cpu)
{
	int64_t since = 0;

	for (int c = cpu % sim->machine->cores; c < sim->cpus; c += sim->machine->cores) {
		if (!is_idle(sim, c))
			return SIM_NEVER;
		if (sim->cpu[c].changed_ns > since)
			since = sim->cpu[c].changed_ns;
	}
	return since;
}

/* The core that is idle longest: one that only sleeps between two wakes is soon wanted again. */
static int place(const struct sim *sim, int home)
{
	int64_t best = SIM_NEVER;
	int found = home;

	if (is_idle(sim, home))
		return home;
	for (int i = 1; i < sim->cpus; i++) {
		int c = home + i < sim->cpus ? home + i : home + i - sim->cpus;
		int64_t since;

		if (!is_idle(sim, c))
			continue;
		since = core_idle_since(sim, c);
		if (since < best || found == home) {
			best = since;
			found = c;
		}
	}
	return found;
}

void sim_wake(struct sim *sim, int id)
{
	int home = sim->task[id].cpu;

	sim_wake_on(sim, id, sim->workload->pinned ? home : place(sim, home));
}

void sim_signal(struct sim *sim, int id)
{
	struct sim_task *task = &sim->task[id];

	if (!task->waiting) {
		task->pending++;
		return;
	}
	task->waiting = false;
	sim_wake(sim, id);
}

int sim_steal(struct sim *sim)
{
	int longest = 0, from = -1, task;

	if (sim->workload->pinned)
		return SIM_NO_TASK;
	for (int c = 0; c < sim->cpus; c++) {
		int length = 0;

		for (int t = sim->cpu[c].head; t >= 0; t = sim->task[t].next)
			length++;
		if (length > longest) {
			longest = length;
			from = c;
		}
	}
	if (from < 0)
		return SIM_NO_TASK;
	task = sim->cpu[from].head;
	sim->cpu[from].head = sim->task[task].next;
	sim->queued--;
	return task;
}
