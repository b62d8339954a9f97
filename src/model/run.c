/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One run from setup to result: warm-up, window, samples. The warm-up also tells how many events a
 * second the run has, and so whether and how much it must be stretched: then one k-th of the window
 * is simulated and everything counted is multiplied by k, a whole number.
 */
#include "model/run.h"
#include "lib/error.h"
#include "lib/suggest.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define WARMUP_MIN_NS 100000000
#define WARMUP_SHARE 10 /* of events_max at most one in so many for the warm-up */

/* Who counts loops: a ring's first stop, a client, a parent, every thread of the others. */
static int counters_of(const struct model_workload *w, int tasks)
{
	return w->kind == MODEL_PING_PONG	? w->ping_pong.rings
	       : w->kind == MODEL_CLIENT_SERVER ? tasks / 2
	       : w->kind == MODEL_FORK_CHAIN	? 1
						: tasks;
}

static void task_role(const struct model_workload *w, int i, char *text, size_t size)
{
	switch (w->kind) {
	case MODEL_PING_PONG:
		snprintf(text, size, "ring%d", i / w->ping_pong.stops);
		break;
	case MODEL_PERIODIC:
		snprintf(text, size, "thread%d", i);
		break;
	case MODEL_CLIENT_SERVER:
		snprintf(text, size, i % 2 ? "server%d" : "client%d", i / 2);
		break;
	case MODEL_WAITERS:
		snprintf(text, size, "waiter");
		break;
	case MODEL_EBIZZY:
		snprintf(text, size, "ebizzy");
		break;
	default:
		snprintf(text, size, "chain");
	}
}

/* Events before @end; @events more of them at most. */
static void run_until(struct sim *sim, int64_t end, uint64_t events)
{
	uint64_t last = events < UINT64_MAX - sim->events ? sim->events + events : UINT64_MAX;
	int64_t period = sim->machine->table.tick_ns;

	while (sim->events < last) {
		uint32_t c = tree_first(&sim->tree);
		int64_t at = sim->tree.time[c];

		if (at >= end) {
			sim->now_ns = end;
			return;
		}
		sim->now_ns = at;
		if (at >= sim->next_tick_ns)
			sim->next_tick_ns = (at / period + 1) * period;
		sim_cpu_event(sim, (int)c);
		sim->events++;
		if (sim->loops && !sim->unfinished)
			return;
	}
}

static void choose_stretch(struct run *run)
{
	struct sim *sim = &run->sim;
	const struct model_setup *s = sim->setup;
	double per_ns = (double)sim->events / (double)sim->now_ns, wanted = (double)s->window_ns;
	uint64_t done = 0;

	for (int i = 0; i < sim->tasks; i++)
		done = sim->task[i].done > done ? sim->task[i].done : done;
	if (s->workload->loops && done)
		wanted = fmin(wanted,
			      (double)s->workload->loops / (double)done * (double)sim->now_ns);
	run->stretch = 1;
	if (s->workload->kind == MODEL_PERIODIC && s->workload->periodic.steps)
		return;
	if (per_ns * wanted > (double)run->events_max)
		run->stretch = (uint64_t)ceil(per_ns * wanted / (double)run->events_max);
	if (s->workload->loops && run->stretch > s->workload->loops)
		run->stretch = s->workload->loops;
}

static void warm_up(struct run *run)
{
	struct sim *sim = &run->sim;
	int64_t ns = sim->setup->warmup_ns > WARMUP_MIN_NS ? sim->setup->warmup_ns : WARMUP_MIN_NS;

	run_until(sim, ns, run->events_max / WARMUP_SHARE);
	choose_stretch(run);
}

static void start_window(struct run *run)
{
	struct sim *sim = &run->sim;
	uint64_t loops = sim->workload->loops;

	sim->counting = true;
	sim->start_ns = run->sampled_ns = sim->now_ns;
	sim->loops = loops ? (loops + run->stretch - 1) / run->stretch : 0;
	sim->unfinished = counters_of(sim->workload, sim->tasks);
	for (int c = 0; c < sim->cpus; c++)
		run->base[c] = sim_cpu_count(sim, c);
	for (int i = 0; i < sim->tasks; i++) {
		run->result->task[i].cpu_start = sim->task[i].cpu;
		sim->task[i].migrations = sim->task[i].done = 0;
	}
	for (int p = 0; p < sim->machine->packages; p++)
		run->base_uj[p] = sim->machine->has_energy
					  ? energy_package_uj(&sim->energy, p, sim->now_ns)
					  : NAN;
}

static struct model_cpu_count since(const struct model_cpu_count *a,
				    const struct model_cpu_count *b, uint64_t times, int states)
{
	struct model_cpu_count d = {
		.busy_ns = (b->busy_ns - a->busy_ns) * times,
		.decisions = (b->decisions - a->decisions) * times,
		.asked = (b->asked - a->asked) * times,
		.idle_calls = (b->idle_calls - a->idle_calls) * times,
		.idle_sleeps = (b->idle_sleeps - a->idle_sleeps) * times,
		.tick_wakes = (b->tick_wakes - a->tick_wakes) * times,
	};

	for (int i = 0; i < states; i++) {
		const struct model_state_count *x = &a->state[i], *y = &b->state[i];

		d.state[i] = (struct model_state_count){
			.usage = (y->usage - x->usage) * times,
			.above = (y->above - x->above) * times,
			.below = (y->below - x->below) * times,
			.rejected = (y->rejected - x->rejected) * times,
			.time_ns = (y->time_ns - x->time_ns) * times,
		};
	}
	return d;
}

/* Counts and energy of the window up to now, into the result. */
static void collect(struct run *run)
{
	struct sim *sim = &run->sim;

	for (int c = 0; c < sim->cpus; c++) {
		struct model_cpu_count now = sim_cpu_count(sim, c);

		run->result->cpu[c] =
			since(&run->base[c], &now, run->stretch, sim->machine->table.states);
	}
	for (int p = 0; p < sim->machine->packages; p++) {
		double uj = sim->machine->has_energy
				    ? energy_package_uj(&sim->energy, p, sim->now_ns)
				    : NAN;

		run->result->package_uj[p] = (uj - run->base_uj[p]) * (double)run->stretch;
	}
}

static void take_sample(struct run *run, int64_t t_ns)
{
	struct sim *sim = &run->sim;
	const struct model_setup *s = sim->setup;
	struct model_sample sample = {
		.t_ns = t_ns,
		.packages = sim->machine->packages,
		.cpus = sim->cpus,
		.package_uj = sim->machine->has_energy ? run->result->package_uj : NULL,
		.cpu = run->result->cpu,
		.series = sim_series_count(sim),
		.value = run->series,
	};

	collect(run);
	for (int i = 0; i < sample.series; i++) {
		struct model_series *series = &run->series[i];

		series->value =
			sim_series(sim, i, run->sampled_ns, series->name, sizeof(series->name));
		if (sim->now_ns == run->sampled_ns)
			series->value = NAN;
	}
	for (int r = 0; r < sim->roles; r++)
		sim->role[r].block_n = sim->role[r].block_ns = 0;
	run->sampled_ns = sim->now_ns;
	s->sample(s->arg, &sample);
}

static void window(struct run *run)
{
	struct sim *sim = &run->sim;
	const struct model_setup *s = sim->setup;
	int64_t end = sim->start_ns + s->window_ns / (int64_t)run->stretch, t_ns = 0;

	if (!s->sample) {
		run_until(sim, end, UINT64_MAX);
		return;
	}
	take_sample(run, 0);
	while (sim->now_ns < end && !(sim->loops && !sim->unfinished)) {
		int64_t at;

		t_ns += s->interval_ns;
		at = sim->start_ns + t_ns / (int64_t)run->stretch;
		run_until(sim, at < end ? at : end, UINT64_MAX);
		if (sim->now_ns == at)
			take_sample(run, t_ns);
	}
	if (sim->now_ns > run->sampled_ns)
		take_sample(run, (sim->now_ns - sim->start_ns) * (int64_t)run->stretch);
}

static void stretch_hist(struct hist *hist, uint64_t times)
{
	hist->count *= times;
	hist->sum_ns *= times;
	for (int i = 0; i < HIST_BUCKETS; i++)
		hist->bucket[i] *= times;
}

static void finish(struct run *run)
{
	struct sim *sim = &run->sim;
	struct model_result *r = run->result;

	collect(run);
	r->window_ns = (double)(sim->now_ns - sim->start_ns) * (double)run->stretch;
	r->complete = !sim->loops || !sim->unfinished;
	r->stretch = (double)run->stretch;
	r->events = sim->events;
	for (int i = 0; i < sim->roles; i++)
		hist_merge(&run->all, sim->role[i].hist);
	sim_metrics(sim, r->window_ns / 1e9, r->stretch, &run->all, r);
	for (int i = 0; i < sim->roles; i++)
		stretch_hist(sim->role[i].hist, run->stretch);
	for (int i = 0; i < sim->tasks; i++) {
		struct model_task *t = &r->task[i];

		task_role(sim->workload, i, t->role, sizeof(t->role));
		t->cpu = sim->workload->pinned ? sim->task[i].cpu : -1;
		t->cpu_end = sim->task[i].cpu;
		t->migrations = sim->task[i].migrations * run->stretch;
	}
}

int model_run(const struct model_setup *setup, struct model_result **ret)
{
	struct run *run = calloc(1, sizeof(*run));
	int err;

	if (!run)
		return error_set(-ENOMEM, "no memory for a model");
	err = run_prepare(run, setup);
	if (!err) {
		warm_up(run);
		start_window(run);
		window(run);
		finish(run);
		*ret = run->result;
	} else {
		model_result_free(run->result);
	}
	run_free(run);
	free(run);
	return err;
}

void model_result_free(struct model_result *result)
{
	if (!result)
		return;
	free(result->cpu);
	free(result->task);
	free(result->role);
	free(result);
}

double model_result_power_w(const struct model_result *result)
{
	double uj = 0;

	for (int p = 0; p < result->packages; p++)
		uj += result->package_uj[p];
	return uj * 1e3 / result->window_ns;
}

int model_cpufreq_parse(const char *name, enum model_cpufreq *ret)
{
	static const char *const names[] = { "performance", "powersave" };
	char hint[128];

	for (int i = 0; i < MODEL_CPUFREQS; i++) {
		if (!strcmp(name, names[i])) {
			*ret = (enum model_cpufreq)i;
			return 0;
		}
	}
	return error_usage("frequency governor %s has no model; there are performance and "
			   "powersave%s",
			   name, suggest_text(name, names, MODEL_CPUFREQS, hint, sizeof(hint)));
}
