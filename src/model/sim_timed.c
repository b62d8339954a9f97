/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The workloads that sleep by timer: periodic and waiters on an absolute schedule, ebizzy for an
 * interval after each record. Round k is due at phase + k periods, so that nothing drifts; a round
 * that was late from the start had no wake and so has no lateness.
 */
#include "model/sim.h"
#include <math.h>

static double frequency(const struct sim *sim)
{
	const struct model_workload *w = sim->workload;

	return w->kind == MODEL_PERIODIC ? w->periodic.frequency_hz : w->waiters.frequency_hz;
}

double sim_ramp_level(const struct sim *sim, int64_t step)
{
	int64_t steps = sim->workload->periodic.steps;

	if (!sim->counting || step >= 2 * steps)
		return 0;
	return (double)(step <= steps ? step : 2 * steps - step) / (double)steps;
}

int64_t sim_ramp_step(const struct sim *sim, int64_t now)
{
	return (now - sim->start_ns) / sim->workload->periodic.step_ns;
}

/* The work of a packet that is released at @now. */
static double packet(const struct sim *sim, int64_t now)
{
	const struct model_workload *w = sim->workload;
	double ns = w->work_units * sim->machine->unit_ns;

	if (w->kind == MODEL_PERIODIC && w->periodic.steps)
		ns *= sim_ramp_level(sim, sim_ramp_step(sim, now));
	return ns;
}

static double around(struct sim *sim)
{
	return (double)sim_path(sim, sim->machine->sleep_ns);
}

/* mark_ns is the phase. */
static int64_t due(const struct sim *sim, const struct sim_task *t, uint64_t round)
{
	return t->mark_ns + llrint((double)round * 1e9 / frequency(sim));
}

static void timed_begin(struct sim *sim)
{
	const struct model_workload *w = sim->workload;
	double period = 1e9 / frequency(sim);

	for (int i = 0; i < sim->tasks; i++) {
		struct sim_task *t = &sim->task[i];
		double share = (double)i / sim->tasks;

		if (w->kind == MODEL_PERIODIC && w->periodic.together)
			share = 0;
		else if (w->kind == MODEL_PERIODIC && w->periodic.random_phase)
			share = sim_uniform(sim);
		t->mark_ns = 1000 + (int64_t)(share * period);
		t->packet_ns = packet(sim, 0);
		sim_stage(sim, t, around(sim), t->packet_ns);
		t->kind = 1;
		sim_timer(sim, i, t->cpu, due(sim, t, 0) + w->timer_slack_ns);
	}
}

static void judge(struct sim *sim, int id)
{
	struct sim_task *t = &sim->task[id];
	bool periodic = sim->workload->kind == MODEL_PERIODIC;
	int64_t late = sim->now_ns - due(sim, t, t->step + 1);

	if (!sim->counting)
		return;
	sim->worked_ns += t->packet_ns;
	if (t->kind)
		sim_record(sim, periodic ? id : 0, t->begun_ns - due(sim, t, t->step));
	else
		sim->missed++;
	if (late > 0) {
		sim->overruns++;
		sim->longest_overrun_ns =
			late > sim->longest_overrun_ns ? late : sim->longest_overrun_ns;
	}
}

static struct sim_action timed_step(struct sim *sim, int id)
{
	const struct model_workload *w = sim->workload;
	struct sim_task *t = &sim->task[id];
	struct sim_action next = { .path_ns = around(sim) };
	int64_t at;

	judge(sim, id);
	if (!sim_loop_done(sim, id))
		return (struct sim_action){ .what = SIM_WAIT };
	t->step++;
	at = due(sim, t, t->step);
	while (w->kind == MODEL_PERIODIC && w->periodic.skip && at <= sim->now_ns)
		at = due(sim, t, ++t->step);
	t->kind = at > sim->now_ns;
	next.what = t->kind ? SIM_SLEEP : SIM_GO;
	next.until_ns = at + w->timer_slack_ns;
	next.work_ns = t->packet_ns = packet(sim, at);
	return next;
}

const struct sim_load sim_load_timed = { .begin = timed_begin, .step = timed_step };

static double record(struct sim *sim)
{
	return (double)sim_about(sim,
				 llrint(sim->workload->ebizzy.bytes * sim->machine->record_byte_ns),
				 sim->machine->jitter);
}

static void ebizzy_begin(struct sim *sim)
{
	for (int i = 0; i < sim->tasks; i++) {
		struct sim_task *t = &sim->task[i];

		sim_stage(sim, t, record(sim), 0);
		sim_timer(sim, i, t->cpu, 1000 + (int64_t)(sim_uniform(sim) * 1e6));
	}
}

static struct sim_action ebizzy_step(struct sim *sim, int id)
{
	const struct model_workload *w = sim->workload;
	struct sim_task *t = &sim->task[id];
	struct sim_action next = { .path_ns = record(sim) };

	sim_record(sim, 0, sim->now_ns - (t->kind ? t->begun_ns : t->mark_ns));
	if (t->kind)
		sim_record(sim, 1, t->begun_ns - t->mark_ns);
	if (!sim_loop_done(sim, id))
		return (struct sim_action){ .what = SIM_WAIT };
	t->step++;
	t->mark_ns = sim->now_ns;
	t->kind = w->ebizzy.interval_ns && t->step % (uint64_t)w->ebizzy.every == 0;
	next.what = t->kind ? SIM_SLEEP : SIM_GO;
	if (t->kind)
		t->mark_ns += w->ebizzy.interval_ns;
	next.until_ns = t->mark_ns + w->timer_slack_ns;
	return next;
}

const struct sim_load sim_load_ebizzy = { .begin = ebizzy_begin, .step = ebizzy_step };
