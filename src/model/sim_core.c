/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a CPU shares with its core: the pace of its threads, the state that the hardware is in, and
 * the energy; and what the scheduler remembers of it, its utilisation.
 */
#include "model/sim.h"
#include <math.h>

#define HALF_LIFE_NS 32768000.0 /* of utilisation */

/* 2 to the -@ns / half-life; short times are nearly all of them. */
double sim_decay(int64_t ns)
{
	double x = (double)ns * (M_LN2 / HALF_LIFE_NS);

	return x < 0.03 ? 1 - x * (1 - x / 2 * (1 - x / 3)) : exp(-x);
}

double sim_util(const struct sim *sim, const struct sim_cpu *cpu, int64_t now)
{
	double y = sim_decay(now - cpu->changed_ns);

	return cpu->idle ? cpu->util * y : cpu->util * y + 1024 * sim->speed * (1 - y);
}

int sim_core_state(const struct sim *sim, int cpu)
{
	int state = GOVERNOR_STATES_MAX;

	for (int c = sim->cpu[cpu].core; c < sim->cpus; c += sim->machine->cores)
		state = sim->cpu[c].hard_state < state ? sim->cpu[c].hard_state : state;
	return state;
}

/* Deep states while idle times are short: the hardware takes its deepest that is not deep. */
static int demoted(const struct sim *sim, const struct sim_cpu *cpu, int state)
{
	uint32_t deep = sim->machine->deep;

	if (cpu->idle_mean_ns >= sim->machine->demotion_ns)
		return state;
	while (state && deep >> state & 1)
		state--;
	return state;
}

double sim_rate(const struct sim *sim, int cpu)
{
	const struct sim_cpu *c = &sim->cpu[cpu];

	return sim->running[c->core] > 1 ? sim->alone_rate * c->shared : sim->alone_rate;
}

void sim_set_rate(struct sim *sim, int c)
{
	sim->cpu[c].rate = sim_rate(sim, c);
	sim->cpu[c].pace = 1 / sim->cpu[c].rate;
}

/* When what runs has to be looked at: its end, its slice's, or a timer on this CPU. */
void sim_arm(struct sim *sim, int c)
{
	struct sim_cpu *cpu = &sim->cpu[c];
	int64_t end = cpu->begin_ns + (int64_t)fmin(cpu->left_ns * cpu->pace, 1e18) + 1;
	int64_t timer = sim_timer_first(sim, c);

	if (cpu->head >= 0 && cpu->current >= 0 && cpu->slice_ns < end)
		end = cpu->slice_ns > sim->now_ns ? cpu->slice_ns : sim->now_ns;
	if (timer < end)
		end = timer > sim->now_ns ? timer : sim->now_ns;
	tree_set(&sim->tree, (uint32_t)c, end);
}

/* What was done of it until now; from here on it goes on at the rate of now. */
void sim_progress(struct sim *sim, int c)
{
	struct sim_cpu *cpu = &sim->cpu[c];

	if (sim->now_ns > cpu->begin_ns) {
		cpu->left_ns -= (double)(sim->now_ns - cpu->begin_ns) * cpu->rate;
		if (cpu->left_ns < 1)
			cpu->left_ns = 0;
		cpu->begin_ns = sim->now_ns;
	}
}

/* The core has one more or less thread that runs: the others change their pace. */
static void siblings_change(struct sim *sim, int c)
{
	for (int s = sim->cpu[c].core; s < sim->cpus; s += sim->machine->cores) {
		if (s == c || sim->cpu[s].idle)
			continue;
		sim_progress(sim, s);
		sim_set_rate(sim, s);
		sim_arm(sim, s);
	}
}

/* Between running and idle; @state: the one it goes to. */
void sim_change(struct sim *sim, int c, bool idle, int state)
{
	struct sim_cpu *cpu = &sim->cpu[c];

	cpu->util = sim_util(sim, cpu, sim->now_ns);
	cpu->changed_ns = sim->now_ns;
	sim->running[cpu->core] += cpu->idle - idle;
	cpu->idle = idle;
	cpu->state = state;
	cpu->hard_state = idle ? demoted(sim, cpu, state) : state;
	if (sim->machine->has_energy)
		energy_core_now(&sim->energy, sim->cpu[c].core, sim->running[sim->cpu[c].core],
				sim_core_state(sim, c), sim->now_ns);
	if (sim->machine->threads > 1)
		siblings_change(sim, c);
}
