/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A CPU's idle time, in the order of the kernel's idle loop: select, stop the tick if it may be, a
 * last look whether somebody needs the CPU, enter; after the wake label and reflect.
 */
#include "governors/label.h"
#include "model/sim.h"
#include <math.h>

#define FAR_NS 1e18 /* further than any window; two of them are no overflow */

static int64_t poll_end(const struct sim *sim, const struct sim_cpu *cpu)
{
	uint64_t own = cpu->governor.poll_limit_ns;
	int64_t limit = own ? (int64_t)own : sim->poll_limit_ns, step = sim->machine->poll_step_ns;

	return cpu->entry_ns + (limit / step + 1) * step; /* the clock is looked at each step */
}

static struct governor_choice decide(struct sim *sim, int c, bool *ret_keeps)
{
	struct sim_cpu *cpu = &sim->cpu[c];
	int64_t now = sim->now_ns, hr = sim_timer_first(sim, c), wheel = cpu->background_ns;
	int64_t timer = hr < wheel ? hr : wheel, tick = sim->next_tick_ns;
	int64_t event = cpu->tick_stopped || timer < tick ? timer : tick;
	struct governor_input in = {
		.now_ns = (uint64_t)now,
		.event_ns = event - now,
		.latency_ns = sim->machine->limit_ns,
		.disabled = sim->machine->disabled,
		.utilisation = (uint32_t)sim_util(sim, cpu, now),
		.tick_stopped = cpu->tick_stopped,
	};

	/* A wheel timer within the tick: there is nothing to gain from stopping it. */
	*ret_keeps = !cpu->tick_stopped && wheel <= tick;
	in.sleep_ns = *ret_keeps ? in.event_ns : timer - now;
	cpu->timer_ns = timer;
	cpu->count.decisions++;
	return governor_select(sim->governor, &cpu->governor, &in);
}

/* A background timer that came while the CPU ran was served on the way. */
static void refresh_background(struct sim *sim, struct sim_cpu *cpu)
{
	int64_t tick = sim->machine->table.tick_ns;
	double gap;

	if (cpu->background_ns > sim->now_ns)
		return;
	gap = -log(1 - sim_uniform(sim)) * 1e9 / sim->machine->background_hz;
	gap = fmin(gap, FAR_NS);
	cpu->background_ns = sim->next_tick_ns + (int64_t)(gap / (double)tick) * tick;
}

/* One pass of the idle loop: the CPU has nothing to run. */
void sim_go_idle(struct sim *sim, int c)
{
	struct sim_cpu *cpu = &sim->cpu[c];
	const struct model_machine *m = sim->machine;
	struct governor_choice choice;
	int64_t path = m->idle_ns, entry;
	bool keeps;

	refresh_background(sim, cpu);
	choice = decide(sim, c, &keeps);
	if (choice.asked) {
		cpu->count.asked++;
		path += m->ask_ns;
	}
	cpu->count.idle_calls += choice.stop_tick || cpu->tick_stopped;
	if (choice.stop_tick && !cpu->tick_stopped && !keeps) {
		cpu->tick_stopped = true;
		cpu->count.idle_sleeps++;
		path += m->stop_ns;
	}
	cpu->shared = m->smt_speed;
	entry = sim->now_ns + (int64_t)((double)path / sim_rate(sim, c));
	cpu->count.busy_ns += (uint64_t)(entry - (cpu->idle ? sim->now_ns : cpu->busy_ns));
	cpu->current = SIM_NOTHING;
	cpu->entry_ns = entry;
	cpu->tick_at_ns = cpu->tick_stopped ? SIM_NEVER : sim->next_tick_ns;
	sim_change(sim, c, true, choice.state);
	if (m->has_energy && !sim->energy.core[sim->cpu[c].core].running)
		energy_worked(&sim->energy, sim->cpu[c].core, sim_core_state(sim, c),
			      entry - sim->now_ns);
	if (sim_polls(sim, choice.state)) {
		int64_t end = poll_end(sim, cpu);

		tree_set(&sim->tree, (uint32_t)c, end < cpu->timer_ns ? end : cpu->timer_ns);
	} else {
		tree_set(&sim->tree, (uint32_t)c,
			 cpu->tick_at_ns < cpu->timer_ns ? cpu->tick_at_ns : cpu->timer_ns);
	}
}

/* How long the CPU needs out of its state: what the core is in decides, and the package. */
static int64_t exit_time(struct sim *sim, int c)
{
	const struct model_machine *m = sim->machine;
	int state = sim->cpu[c].hard_state, of_core = state;
	int64_t ns;

	if (m->threads > 1) {
		of_core = sim_core_state(sim, c);
		if (sim->running[sim->cpu[c].core])
			of_core = sim_polls(sim, 0) && m->table.states > 1;
		of_core = of_core < state ? of_core : state;
	}
	ns = m->exit_ns[of_core];
	if (m->has_energy && m->package_exit_ns &&
	    energy_is_off(&sim->energy, sim->cpu[c].core, sim->now_ns))
		ns += m->package_exit_ns;
	return sim_about(sim, ns, m->exit_spread);
}

static void count_period(struct sim *sim, struct sim_cpu *cpu, int64_t residency)
{
	struct model_state_count *count = &cpu->count.state[cpu->state];
	enum governor_label label =
		governor_label(&sim->machine->table, sim->machine->disabled, cpu->state, residency);

	count->usage++;
	count->time_ns += (uint64_t)residency;
	count->above += label == LABEL_ABOVE;
	count->below += label == LABEL_BELOW;
}

/* The CPU wakes; when the exit is over. It still has to be told what to run. */
int64_t sim_leave_idle(struct sim *sim, int c, enum sim_cause cause, bool own_timer)
{
	struct sim_cpu *cpu = &sim->cpu[c];
	struct governor_outcome out = { .entered = cpu->state };
	int64_t now = sim->now_ns, awake;
	int64_t ready = cpu->entry_ns + sim->machine->entry_ns[cpu->hard_state];
	int64_t left = 0;

	if (now < cpu->entry_ns && !own_timer) {
		out.entered = -1; /* the last look: somebody needs the CPU */
		awake = cpu->entry_ns;
	} else if (sim_polls(sim, cpu->state)) {
		awake = now > cpu->entry_ns ? now : cpu->entry_ns;
		out.poll_limit = cause == SIM_BY_LIMIT;
		out.tick_fired = cpu->tick_at_ns <= now || cause == SIM_BY_BACKGROUND;
	} else {
		left = exit_time(sim, c);
		cpu->idle_mean_ns += (now - cpu->entry_ns - cpu->idle_mean_ns) / 8;
		awake = (now > ready ? now : ready) + left;
		out.tick_fired = cause == SIM_BY_TICK || cause == SIM_BY_BACKGROUND;
		cpu->count.tick_wakes += cause == SIM_BY_TICK;
	}
	out.residency_ns = awake - cpu->entry_ns;
	out.now_ns = (uint64_t)awake;
	if (out.entered >= 0)
		count_period(sim, cpu, out.residency_ns);
	governor_reflect(sim->governor, &cpu->governor, &out);
	if (cause == SIM_BY_LIMIT)
		return awake;
	cpu->busy_ns = awake;
	sim_change(sim, c, false, cpu->state);
	/* The scheduler sees no task run before the exit is over. */
	cpu->util *= sim_decay(awake - now);
	cpu->changed_ns = awake;
	if (left && sim->machine->has_energy && sim->running[sim->cpu[c].core] == 1)
		energy_left(&sim->energy, sim->cpu[c].core, left);
	return awake;
}
