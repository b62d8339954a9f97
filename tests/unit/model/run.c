/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whole runs on a made-up machine: what must hold for every governor and every workload (time is
 * all accounted for, labels are possible, nothing forbidden is entered), and cases that can be
 * computed by hand.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "lib/error.h"
#include "made.h"
#include "model/sim.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct bench {
	struct model_machine machine;
	struct model_workload workload;
	struct model_setup setup;
};

static struct bench made(const char *governor, enum model_kind kind)
{
	struct bench b = { .machine = made_machine() };

	assert_int_equal(model_machine_complete(&b.machine, 0.5), 0);
	assert_int_equal(
		model_workload_parse(model_workload_name(kind), NULL, 0, &b.machine, &b.workload),
		0);
	b.setup = (struct model_setup){ .governor = governor_find(governor),
					.seed = 7,
					.warmup_ns = 100000000,
					.window_ns = 200000000 };
	return b;
}

static struct model_result *run(struct bench *b)
{
	struct model_result *result = NULL;

	b->setup.machine = &b->machine;
	b->setup.workload = &b->workload;
	assert_int_equal(model_run(&b->setup, &result), 0);
	return result;
}

static double metric(const struct model_result *r, const char *name)
{
	for (int i = 0; i < r->metrics; i++) {
		if (!strcmp(r->metric[i].name, name))
			return r->metric[i].value;
	}
	fail_msg("no metric %s", name);
	return NAN;
}

/* What no governor and no workload may break. */
static void check_counts(const struct model_machine *m, const struct model_result *r,
			 const char *what)
{
	for (int c = 0; c < r->cpus; c++) {
		const struct model_cpu_count *cpu = &r->cpu[c];
		uint64_t usage = 0;
		double ns = (double)cpu->busy_ns;

		for (int s = 0; s < m->table.states; s++) {
			const struct model_state_count *state = &cpu->state[s];

			usage += state->usage;
			ns += (double)state->time_ns;
			if (state->above + state->below > state->usage ||
			    (s == 0 && state->above) ||
			    (s == m->table.states - 1 && state->below) ||
			    (m->disabled >> s & 1 && state->usage) || state->rejected)
				fail_msg("%s: CPU %d state %d: impossible counts", what, c, s);
		}
		if (fabs(ns - r->window_ns) > 0.002 * r->window_ns + 100000 * r->stretch)
			fail_msg("%s: CPU %d accounts for %g of %g ns", what, c, ns, r->window_ns);
		/* A period of the window may have been decided on before it. */
		if (usage > cpu->decisions + (uint64_t)r->stretch || cpu->asked > cpu->decisions ||
		    cpu->idle_sleeps > cpu->idle_calls)
			fail_msg("%s: CPU %d: counts contradict", what, c);
	}
}

static void everybody_everywhere(void **state)
{
	(void)state;
	for (const struct governor *const *g = governor_list; *g; g++) {
		if (!strcmp((*g)->family, "oracle") || !strcmp((*g)->family, "oracle-energy"))
			continue;
		for (int kind = 0; kind < MODEL_KINDS; kind++) {
			struct bench b = made((*g)->name, (enum model_kind)kind);
			struct model_result *r;
			char what[80];

			snprintf(what, sizeof(what), "%s, %s", (*g)->name,
				 model_workload_name((enum model_kind)kind));
			b.setup.events_max = 50000;
			r = run(&b);
			check_counts(&b.machine, r, what);
			assert_true(r->metrics > 0 && model_result_power_w(r) > 2);
			model_result_free(r);
		}
	}
}

/* haltpoll and ladder-rfc are known not to look at all limits; these do. */
static void limits_hold(void **state)
{
	static const char *const name[] = { "menu-7.0", "teo-6.1", "teo-6.14", "teo-7.0" };

	(void)state;
	for (int i = 0; i < 4; i++) {
		struct bench b = made(name[i], MODEL_PERIODIC);
		struct model_result *r;

		b.machine.disabled = 1u << 1;
		r = run(&b);
		check_counts(&b.machine, r, name[i]);
		assert_true(r->cpu[0].state[2].usage > 0);
		model_result_free(r);
		b.machine.disabled = 0;
		b.machine.limit_ns = 20000;
		r = run(&b);
		assert_true(r->cpu[0].state[1].usage > 0);
		assert_int_equal(r->cpu[0].state[2].usage, 0);
		model_result_free(r);
	}
}

static bool same(const struct model_result *a, const struct model_result *b)
{
	bool equal = a->events == b->events && a->window_ns == b->window_ns &&
		     a->roles == b->roles &&
		     !memcmp(a->package_uj, b->package_uj, sizeof(a->package_uj)) &&
		     !memcmp(a->cpu, b->cpu, (size_t)a->cpus * sizeof(*a->cpu)) &&
		     !memcmp(a->role, b->role, (size_t)a->roles * sizeof(*a->role));

	for (int i = 0; equal && i < a->metrics; i++)
		equal = !memcmp(&a->metric[i].value, &b->metric[i].value, sizeof(double));
	return equal;
}

static void same_seed_same_bytes(void **state)
{
	(void)state;
	for (int kind = 0; kind < MODEL_KINDS; kind++) {
		struct bench b = made("teo-6.3", (enum model_kind)kind);
		struct model_result *first, *again, *other;

		b.setup.window_ns = 50000000;
		first = run(&b);
		again = run(&b);
		b.setup.seed++;
		other = run(&b);
		assert_true(same(first, again));
		assert_false(same(first, other));
		model_result_free(first);
		model_result_free(again);
		model_result_free(other);
	}
}

/* Only POLL: a pass is send and poll_wake, and the ticks' share of both. */
static void token_by_hand(void **state)
{
	struct bench b = made("teo-6.14", MODEL_PING_PONG);
	double alone = 1 - 2000.0 / 1e6;
	struct model_result *r;

	(void)state;
	b.machine.table.states = 1;
	b.machine.jitter = b.machine.exit_spread = b.machine.background_hz = 0;
	r = run(&b);
	assert_true(fabs(metric(r, "loop_us") * 1e3 - 2 * (780 + 690) / alone) < 6);
	assert_true(metric(r, "max_us") - metric(r, "min_us") < 0.004);
	model_result_free(r);
	/* C1 instead: its exit, and another way from there. */
	b.machine.table.states = 2;
	b.machine.disabled = 1;
	b.machine.exit_ns[1] = 5000;
	r = run(&b);
	assert_true(fabs(metric(r, "loop_us") * 1e3 - 2 * (5000 + (780 + 800) / alone)) < 30);
	model_result_free(r);
}

static void loops_are_counted(void **state)
{
	struct bench b = made("menu-6.18", MODEL_PING_PONG);
	struct model_result *r;

	(void)state;
	b.workload.ping_pong.rings = 3;
	b.workload.loops = 10000;
	r = run(&b);
	assert_true(r->complete);
	assert_true(r->stretch == 1 && r->window_ns < 100e6);
	assert_int_equal(r->roles, 3);
	for (int i = 0; i < 3; i++)
		assert_int_equal(r->role[i].hist.count, 10000);
	assert_true(metric(r, "loops") == 30000);
	model_result_free(r);
	b.setup.window_ns = 1000000;
	r = run(&b);
	assert_false(r->complete);
	assert_true(r->window_ns == 1e6);
	model_result_free(r);
}

/* loops in T s = round(f T) within 1. */
static void rounds_are_counted(void **state)
{
	struct bench b = made("teo-7.0", MODEL_PERIODIC);
	struct model_result *r;

	(void)state;
	b.workload.periodic.threads = 4;
	b.setup.window_ns = 3000000000;
	r = run(&b);
	for (int i = 0; i < 4; i++)
		assert_true(llabs((long long)r->role[i].hist.count - 1041) <= 1);
	assert_true(metric(r, "overruns") == 0);
	assert_true(metric(r, "lateness_max_us") < 100);
	model_result_free(r);
	b.workload.work_units = 3e6; /* 3.9 ms of each 2.9 */
	r = run(&b);
	assert_true(metric(r, "overruns") > 2000);
	model_result_free(r);
}

static void stretched_is_alike(void **state)
{
	struct bench b = made("teo-6.14", MODEL_PING_PONG);
	struct model_result *whole, *part;

	(void)state;
	b.setup.window_ns = 1000000000;
	b.setup.events_max = UINT64_MAX;
	whole = run(&b);
	b.setup.events_max = 200000;
	part = run(&b);
	assert_true(whole->stretch == 1 && part->stretch > 5);
	assert_true(part->events < 250000 && part->events < whole->events / 5);
	assert_true(fabs(part->window_ns - 1e9) < 100 * part->stretch);
	assert_true(fabs(metric(part, "loop_us") / metric(whole, "loop_us") - 1) < 0.02);
	assert_true(fabs(model_result_power_w(part) / model_result_power_w(whole) - 1) < 0.02);
	assert_int_equal(part->role[0].hist.count % (uint64_t)part->stretch, 0);
	assert_int_equal(part->cpu[0].state[0].usage % (uint64_t)part->stretch, 0);
	model_result_free(whole);
	model_result_free(part);
}

struct watch {
	int samples;
	int64_t last_ns;
	double last_uj;
	uint64_t last_usage;
	int values;
	bool fell;
};

static void look(void *arg, const struct model_sample *s)
{
	struct watch *w = arg;
	uint64_t usage = 0;

	for (int c = 0; c < s->cpus; c++)
		usage += s->cpu[c].state[0].usage + s->cpu[c].state[1].usage;
	w->fell |= w->samples && s->t_ns <= w->last_ns;
	w->fell |= s->package_uj[0] < w->last_uj || usage < w->last_usage;
	w->samples++;
	w->last_ns = s->t_ns;
	w->last_uj = s->package_uj[0];
	w->last_usage = usage;
	for (int i = 0; i < s->series; i++)
		w->values += !isnan(s->value[i].value);
	if (s->t_ns)
		assert_string_equal(s->value[0].name, "ring0.loop_us");
}

static void samples_run_up(void **state)
{
	struct bench b = made("teo-6.14", MODEL_PING_PONG);
	struct watch watch = { 0 };
	struct model_result *r;

	(void)state;
	b.setup.window_ns = 1050000000;
	b.setup.events_max = 200000;
	b.setup.sample = look;
	b.setup.arg = &watch;
	b.setup.interval_ns = 100000000;
	r = run(&b);
	assert_int_equal(watch.samples, 12); /* at 0, each 100 ms, and the end */
	assert_int_equal(watch.values, 11);
	assert_false(watch.fell);
	assert_true(fabs((double)watch.last_ns - r->window_ns) < 1);
	assert_true(watch.last_uj == r->package_uj[0]);
	model_result_free(r);
}

struct ramp {
	double busy_ns; /* of CPU 0, at the last sample */
	double level[16], busy_pct[16];
	int steps;
};

/* Step by step: what the series says, and how busy the CPU was. */
static void follow(void *arg, const struct model_sample *s)
{
	struct ramp *ramp = arg;
	double busy_ns = (double)s->cpu[0].busy_ns;

	assert_int_equal(s->series, 2);
	assert_string_equal(s->value[0].name, "thread0.lateness_us");
	if (s->t_ns && !isnan(s->value[1].value)) {
		assert_string_equal(s->value[1].name, "thread0.step_pct");
		ramp->level[ramp->steps] = s->value[1].value;
		ramp->busy_pct[ramp->steps++] = (busy_ns - ramp->busy_ns) / 1e9 * 100;
		ramp->busy_ns = busy_ns;
	}
}

static void ramp_goes_up_and_down(void **state)
{
	static const double want[] = { 0, 25, 50, 75, 100, 75, 50, 25, 0 };
	struct bench b = made("teo-6.14", MODEL_PERIODIC);
	struct ramp ramp = { 0 };
	struct model_result *r;

	(void)state;
	b.workload.periodic.steps = 4;
	b.workload.periodic.step_ns = 1000000000;
	b.workload.work_units = 1e9 / 347 / 1.3;
	b.setup.window_ns = 9500000000;
	b.setup.sample = follow;
	b.setup.arg = &ramp;
	b.setup.interval_ns = 500000000;
	r = run(&b);
	assert_int_equal(ramp.steps, 9);
	for (int i = 0; i < 9; i++) {
		assert_true(ramp.level[i] == want[i]);
		assert_true(fabs(ramp.busy_pct[i] - want[i]) < 4);
	}
	assert_true(fabs(metric(r, "load_pct") - 400 / 9.5) < 1);
	model_result_free(r);
}

/* One CPU for eight threads: they take turns, and none is left out. */
static void one_cpu_for_all(void **state)
{
	struct bench b = made("teo-6.14", MODEL_WAITERS);
	struct model_result *r;

	(void)state;
	b.machine.packages = b.machine.cores = b.machine.threads = 1;
	b.workload.waiters.threads = 8;
	b.workload.work_units = 5e6; /* 6.5 ms each 100 ms */
	b.setup.window_ns = 2000000000;
	r = run(&b);
	assert_true(fabs(metric(r, "rounds") - 160) <= 8);
	assert_true(fabs((double)r->cpu[0].busy_ns / r->window_ns - 0.52) < 0.01);
	for (int i = 0; i < 8; i++)
		assert_int_equal(r->task[i].migrations, 0);
	model_result_free(r);
}

/* Bound tasks stay; free ones spread over idle cores and do not wait. */
static void placement(void **state)
{
	struct bench b = made("teo-6.14", MODEL_WAITERS);
	struct model_result *r;

	(void)state;
	b.workload.waiters.threads = 4;
	b.workload.work_units = 5e7; /* 65 ms each 100 ms */
	b.setup.window_ns = 2000000000;
	r = run(&b);
	assert_true(metric(r, "late_max_us") < 200);
	model_result_free(r);
	b.machine.background_hz = 100;
	b.workload.pinned = true;
	r = run(&b);
	for (int i = 0; i < 4; i++) {
		assert_int_equal(r->task[i].cpu, i);
		assert_int_equal(r->task[i].migrations, 0);
	}
	model_result_free(r);
}

/* Nobody takes a free task's place, so it stays; a CPU that has nothing takes who waits elsewhere.
 */
static void free_tasks(void **state)
{
	struct bench b = made("teo-6.14", MODEL_PING_PONG);
	struct model_result *r;

	(void)state;
	b.workload.pinned = false;
	b.machine.background_hz = 0;
	r = run(&b);
	assert_int_equal(r->task[0].migrations + r->task[1].migrations, 0);
	model_result_free(r);
	/* Three of 40 ms at once on two CPUs: the third shares one until the other is free, and all
	 * are done after 60 ms of 71; else it would be 80. */
	b = made("teo-6.14", MODEL_PERIODIC);
	b.machine.packages = b.machine.threads = 1;
	b.machine.cores = 2;
	b.workload.pinned = false;
	b.workload.periodic.threads = 3;
	b.workload.periodic.frequency_hz = 14;
	b.workload.periodic.together = true;
	b.workload.work_units = 40e6 / 1.3;
	b.setup.window_ns = 2000000000;
	r = run(&b);
	assert_true(metric(r, "overruns") == 0);
	model_result_free(r);
}

/* The token is back before the CPU has entered a state: decided, but not entered. */
static void woken_before_entry(void **state)
{
	struct bench b = made("teo-6.14", MODEL_PING_PONG);
	double decided = 0, entered = 0;
	struct model_result *r;

	(void)state;
	b.machine.idle_ns = 5000;
	r = run(&b);
	for (int c = 0; c < 2; c++) {
		decided += (double)r->cpu[c].decisions;
		for (int i = 0; i < 3; i++)
			entered += (double)r->cpu[c].state[i].usage;
	}
	/* One of the two is always too late to enter. */
	assert_true(decided > 10000 && entered < 0.75 * decided);
	model_result_free(r);
}

/* A timer at the next tick: stopping the tick would gain nothing, so it is not stopped. */
static void near_timer_keeps_tick(void **state)
{
	struct bench b = made("ladder", MODEL_IDLE);
	struct model_result *r;

	(void)state;
	r = run(&b);
	assert_true(r->cpu[0].idle_calls == r->cpu[0].idle_sleeps);
	model_result_free(r);
	b.machine.background_hz = 10000;
	r = run(&b);
	assert_true(r->cpu[0].idle_calls > 100);
	assert_true(r->cpu[0].idle_sleeps < r->cpu[0].idle_calls / 100);
	model_result_free(r);
}

static void utilisation_decays(void **state)
{
	(void)state;
	assert_true(fabs(sim_decay(32768000) - 0.5) < 1e-9);
	for (int64_t ns = 1000; ns < 5000000; ns += 9973)
		assert_true(fabs(sim_decay(ns) - exp2(-(double)ns / 32768000)) < 1e-7);
}

/* Two threads of a core share it; work that leaves room loses little. */
static void siblings_share(void **state)
{
	struct bench b = made("teo-6.14", MODEL_PERIODIC);
	struct model_result *alone, *together;

	(void)state;
	b.machine.packages = b.machine.cores = 1;
	b.machine.smt_work = 0.5;
	b.workload.work_units = 1e6;
	b.workload.periodic.together = true;
	alone = run(&b);
	b.workload.periodic.threads = 2;
	together = run(&b);
	assert_true(fabs((double)together->cpu[0].busy_ns / (double)alone->cpu[0].busy_ns - 2) <
		    0.02);
	model_result_free(alone);
	model_result_free(together);
}

static void powersave(void **state)
{
	struct bench b = made("teo-6.14", MODEL_PING_PONG);
	struct model_result *fast, *slow;

	(void)state;
	b.workload.work_units = 1e5;
	b.machine.disabled = 1u << 2; /* its exit takes the same time at each frequency */
	fast = run(&b);
	b.setup.cpufreq = MODEL_POWERSAVE;
	slow = run(&b);
	assert_true(fabs(metric(slow, "loop_us") / metric(fast, "loop_us") - 5) < 0.2);
	assert_true(model_result_power_w(slow) < model_result_power_w(fast) / 2);
	model_result_free(fast);
	model_result_free(slow);
}

static void refused(void **state)
{
	struct bench b = made("oracle", MODEL_PING_PONG);
	struct model_result *r = NULL;

	(void)state;
	b.setup.machine = &b.machine;
	b.setup.workload = &b.workload;
	assert_int_equal(model_run(&b.setup, &r), -EINVAL);
	assert_true(error_is_usage());
	b.setup.governor = governor_find("teo-7.0");
	b.setup.window_ns = 0;
	assert_int_equal(model_run(&b.setup, &r), -EINVAL);
	assert_null(r);
	b.setup.window_ns = 10000000;
	b.machine.has_energy = false;
	assert_int_equal(model_run(&b.setup, &r), 0);
	assert_true(isnan(model_result_power_w(r)));
	model_result_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everybody_everywhere),
		cmocka_unit_test(limits_hold),
		cmocka_unit_test(same_seed_same_bytes),
		cmocka_unit_test(token_by_hand),
		cmocka_unit_test(loops_are_counted),
		cmocka_unit_test(rounds_are_counted),
		cmocka_unit_test(stretched_is_alike),
		cmocka_unit_test(samples_run_up),
		cmocka_unit_test(ramp_goes_up_and_down),
		cmocka_unit_test(one_cpu_for_all),
		cmocka_unit_test(placement),
		cmocka_unit_test(free_tasks),
		cmocka_unit_test(woken_before_entry),
		cmocka_unit_test(near_timer_keeps_tick),
		cmocka_unit_test(utilisation_decays),
		cmocka_unit_test(siblings_share),
		cmocka_unit_test(powersave),
		cmocka_unit_test(refused),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
