/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a run publishes, under the names, units and directions that the workload itself has, so that
 * a modelled result has the same tables as a measured one. What the model has no notion of (CPU
 * time units, switches, memory) is left out and not made up.
 */
#include "model/sim.h"
#include <math.h>
#include <stdio.h>

struct maker {
	const struct sim *sim;
	struct model_result *result;
	double seconds, stretch;
};

static void put(struct maker *m, const char *name, const char *unit, const char *better,
		double value)
{
	if (m->result->metrics < MODEL_METRICS_MAX)
		m->result->metric[m->result->metrics++] =
			(struct model_metric){ name, unit, better, value };
}

static double quantile_us(const struct hist *hist, double q)
{
	return hist_quantile_ns(hist, q) / 1e3;
}

static double max_us(const struct hist *hist)
{
	return hist->count ? (double)hist->max_ns / 1e3 : NAN;
}

/* All roles in one; the result's own, so that nothing is allocated. */
static uint64_t sum(const struct sim *sim, double *ret_mean_us)
{
	uint64_t n = 0, ns = 0;

	for (int r = 0; r < sim->roles; r++) {
		n += sim->role[r].hist->count;
		ns += sim->role[r].hist->sum_ns;
	}
	*ret_mean_us = n ? (double)ns / 1e3 / (double)n : NAN;
	return n;
}

/* us per loop of each ring: the time until its own end over its loops. */
static void ping_pong(struct maker *m, const struct hist *all)
{
	const struct sim *sim = m->sim;
	int stops = sim->workload->ping_pong.stops, rings = sim->workload->ping_pong.rings;
	double mean = 0, slowest = 0, fastest = INFINITY, loops = 0, mean_us;

	for (int r = 0; r < rings; r++) {
		const struct sim_task *t = &sim->task[r * stops];
		double s = t->end_ns ? (double)(t->end_ns - sim->start_ns) / 1e9 * m->stretch
				     : m->seconds;
		double us = t->done ? s * 1e6 / ((double)t->done * m->stretch) : NAN;

		mean += us / rings;
		slowest = fmax(slowest, us);
		fastest = fmin(fastest, us);
		loops += (double)t->done * m->stretch;
	}
	sum(sim, &mean_us);
	put(m, "loop_us", "us", "lower", mean);
	put(m, "hop_us", "us", "lower", mean / stops);
	put(m, "loops_per_s", "1/s", "higher", loops / m->seconds);
	put(m, "loops", "", "none", loops);
	put(m, "mean_us", "us", "lower", mean_us);
	put(m, "min_us", "us", "lower", all->count ? (double)all->min_ns / 1e3 : NAN);
	put(m, "p50_us", "us", "lower", quantile_us(all, 0.5));
	put(m, "p99_us", "us", "lower", quantile_us(all, 0.99));
	put(m, "p99_9_us", "us", "lower", quantile_us(all, 0.999));
	put(m, "max_us", "us", "lower", max_us(all));
	put(m, "slowest_pair_us", "us", "lower", rings > 1 ? slowest : NAN);
	put(m, "fastest_pair_us", "us", "lower", rings > 1 ? fastest : NAN);
	put(m, "spread_pct", "%", "lower", rings > 1 ? 100 * (slowest - fastest) / mean : NAN);
	put(m, "stops_per_loop", "", "none", stops);
	put(m, "tasks", "", "none", sim->tasks);
	put(m, "work_units", "", "none", sim->workload->work_units);
}

static double loops_done(const struct maker *m)
{
	double done = 0;

	for (int i = 0; i < m->sim->tasks; i++)
		done += (double)m->sim->task[i].done * m->stretch;
	return done;
}

/* CPUs that the work alone would keep busy. */
static double busy_cpus(const struct maker *m)
{
	return m->sim->worked_ns * m->stretch / 1e9 / m->seconds;
}

static void periodic(struct maker *m, const struct hist *late)
{
	const struct sim *sim = m->sim;
	double mean_us, done = loops_done(m);

	sum(sim, &mean_us);
	put(m, "lateness_p50_us", "us", "lower", quantile_us(late, 0.5));
	put(m, "lateness_mean_us", "us", "lower", mean_us);
	put(m, "lateness_p90_us", "us", "lower", quantile_us(late, 0.9));
	put(m, "lateness_p99_us", "us", "lower", quantile_us(late, 0.99));
	put(m, "lateness_p99_9_us", "us", "lower", quantile_us(late, 0.999));
	put(m, "lateness_max_us", "us", "lower", max_us(late));
	put(m, "overruns", "", "lower", (double)sim->overruns * m->stretch);
	put(m, "max_overrun_us", "us", "lower",
	    sim->overruns ? (double)sim->longest_overrun_ns / 1e3 : NAN);
	put(m, "loops_done", "", "none", done);
	put(m, "loops_planned", "", "none",
	    round(sim->workload->periodic.frequency_hz * m->seconds) * sim->tasks);
	put(m, "load_pct", "%", "none", 100 * busy_cpus(m) / sim->tasks);
	put(m, "rate_hz", "Hz", "none", done / m->seconds / sim->tasks);
	put(m, "threads", "", "none", sim->tasks);
	put(m, "work_units", "", "none", sim->workload->work_units);
}

static void waiters(struct maker *m, const struct hist *late)
{
	const struct sim *sim = m->sim;
	double done = loops_done(m);

	put(m, "run_time_s", "s", "lower", sim->loops ? m->seconds : NAN);
	put(m, "late_mean_us", "us", "lower", hist_mean_ns(late) / 1e3);
	put(m, "late_p50_us", "us", "lower", quantile_us(late, 0.5));
	put(m, "late_p99_us", "us", "lower", quantile_us(late, 0.99));
	put(m, "late_max_us", "us", "lower", max_us(late));
	put(m, "missed", "", "lower", (double)sim->missed * m->stretch);
	put(m, "rounds", "", "higher", done);
	put(m, "rate_hz", "Hz", "higher", done / m->seconds / sim->tasks);
	put(m, "frequency_hz", "Hz", "none", sim->workload->waiters.frequency_hz);
	put(m, "load_asked_pct", "%", "none", 100 * busy_cpus(m) / sim->cpus);
	put(m, "cpus", "", "none", sim->cpus);
	put(m, "tasks", "", "none", sim->tasks);
	put(m, "work_units", "", "none", sim->workload->work_units);
}

static void ebizzy(struct maker *m, const struct hist *record)
{
	const struct sim *sim = m->sim;
	const struct hist *overshoot = sim->role[1].hist;
	double done = loops_done(m), least = INFINITY, most = 0;

	for (int i = 0; i < sim->tasks; i++) {
		least = fmin(least, (double)sim->task[i].done * m->stretch);
		most = fmax(most, (double)sim->task[i].done * m->stretch);
	}
	put(m, "records_per_s", "1/s", "higher", done / m->seconds);
	put(m, "records", "", "none", done);
	put(m, "run_time_s", "s", "lower", m->seconds);
	put(m, "thread_min_per_s", "1/s", "higher", least / m->seconds);
	put(m, "thread_max_per_s", "1/s", "none", most / m->seconds);
	put(m, "record_p50_us", "us", "lower", quantile_us(record, 0.5));
	put(m, "record_p99_us", "us", "lower", quantile_us(record, 0.99));
	put(m, "overshoot_p50_us", "us", "lower", quantile_us(overshoot, 0.5));
	put(m, "overshoot_p99_us", "us", "lower", quantile_us(overshoot, 0.99));
	put(m, "overshoot_max_us", "us", "lower", max_us(overshoot));
	put(m, "threads", "", "none", sim->tasks);
}

static void client_server(struct maker *m, const struct hist *operation)
{
	double ops = loops_done(m);

	put(m, "mb_per_s", "MB/s", "higher", m->sim->bytes * m->stretch / 1e6 / m->seconds);
	put(m, "max_latency_ms", "ms", "lower", max_us(operation) / 1e3);
	put(m, "p50_us", "us", "lower", quantile_us(operation, 0.5));
	put(m, "p99_us", "us", "lower", quantile_us(operation, 0.99));
	put(m, "p99_9_us", "us", "lower", quantile_us(operation, 0.999));
	put(m, "mean_us", "us", "lower", hist_mean_ns(operation) / 1e3);
	put(m, "ops_per_s", "1/s", "higher", ops / m->seconds);
	put(m, "operations", "", "none", ops);
	put(m, "clients", "", "none", m->sim->workload->client_server.clients);
}

static void fork_chain(struct maker *m, const struct hist *child)
{
	double done = loops_done(m);

	put(m, "pids_per_s", "1/s", "higher", done / m->seconds);
	put(m, "children", "", "none", done);
	put(m, "run_time_s", "s", "lower", m->seconds);
	put(m, "mean_us", "us", "lower", hist_mean_ns(child) / 1e3);
	put(m, "p50_us", "us", "lower", quantile_us(child, 0.5));
	put(m, "p99_us", "us", "lower", quantile_us(child, 0.99));
	put(m, "max_us", "us", "lower", max_us(child));
	put(m, "work_units", "", "none", m->sim->workload->work_units);
}

void sim_metrics(const struct sim *sim, double seconds, double stretch, const struct hist *all,
		 struct model_result *result)
{
	struct maker m = { sim, result, seconds, stretch };

	switch (sim->workload->kind) {
	case MODEL_PING_PONG:
		ping_pong(&m, all);
		break;
	case MODEL_PERIODIC:
		periodic(&m, all);
		break;
	case MODEL_WAITERS:
		waiters(&m, all);
		break;
	case MODEL_EBIZZY:
		ebizzy(&m, sim->role[0].hist);
		break;
	case MODEL_CLIENT_SERVER:
		client_server(&m, all);
		break;
	case MODEL_FORK_CHAIN:
		fork_chain(&m, all);
		break;
	default:
		put(&m, "window_s", "s", "none", seconds);
	}
}

void sim_role_name(const struct sim *sim, int role, char *text, size_t size)
{
	switch (sim->workload->kind) {
	case MODEL_PING_PONG:
		snprintf(text, size, "ring%d", role);
		break;
	case MODEL_PERIODIC:
		snprintf(text, size, "thread%d", role);
		break;
	case MODEL_WAITERS:
		snprintf(text, size, "waiter");
		break;
	case MODEL_EBIZZY:
		snprintf(text, size, role ? "overshoot" : "record");
		break;
	case MODEL_CLIENT_SERVER:
		snprintf(text, size, "operation");
		break;
	default:
		snprintf(text, size, "chain");
	}
}

int sim_series_count(const struct sim *sim)
{
	bool ramp = sim->workload->kind == MODEL_PERIODIC && sim->workload->periodic.steps;

	return sim->roles * (1 + ramp);
}

/* A step that ended in the interval. */
static double step_pct(const struct sim *sim, int64_t since_ns)
{
	int64_t step = sim_ramp_step(sim, sim->now_ns);

	if (step == sim_ramp_step(sim, since_ns) || step > 2 * sim->workload->periodic.steps + 1)
		return NAN;
	return 100 * sim_ramp_level(sim, step - 1);
}

double sim_series(const struct sim *sim, int i, int64_t since_ns, char *name, size_t size)
{
	int r = i % sim->roles;
	const struct sim_role *role = &sim->role[r];
	double ns = (double)(sim->now_ns - since_ns);
	double mean_us = role->block_n ? (double)role->block_ns / 1e3 / (double)role->block_n : NAN;
	char text[MODEL_NAME_SIZE / 2];

	sim_role_name(sim, r, text, sizeof(text));
	switch (sim->workload->kind) {
	case MODEL_PING_PONG:
		snprintf(name, size, "%s.loop_us", text);
		break;
	case MODEL_PERIODIC:
		snprintf(name, size, i < sim->roles ? "%s.lateness_us" : "%s.step_pct", text);
		if (i >= sim->roles)
			return step_pct(sim, since_ns);
		break;
	case MODEL_EBIZZY:
		snprintf(name, size, r ? "overshoot_us" : "records_per_s");
		return r ? mean_us : (double)role->block_n * 1e9 / ns;
	case MODEL_FORK_CHAIN:
		snprintf(name, size, "%s.child_us", text);
		break;
	default:
		snprintf(name, size, "%s.us", text);
	}
	return mean_us;
}
