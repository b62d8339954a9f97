/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The steps of one run, in order. Whatever happens, the workload's processes are gone when
 * cell_run() returns.
 */
#include "run/cell.h"
#include "hw/emulator.h"
#include "lib/clock.h"
#include "lib/error.h"
#include "lib/file.h"
#include "lib/log.h"
#include "lib/units.h"
#include "run/disable.h"
#include "run/parts.h"
#include "run/publish.h"
#include "run/settle.h"
#include "run/spin.h"
#include "run/switch.h"
#include "run/verify.h"
#include "store/format.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The window's threads must sleep before t0 comes; more CPUs take longer. */
#define LEAD_NS 25000000u
#define LEAD_PER_CPU_NS 200000u
/*
 * Reading the ticks has to end before t0. The kernel's list costs a step for each pair of timers of
 * a CPU: on 2 CPUs 0.05 ms at rest, 3 ms with 500 sleepers, 21 ms with 2,000.
 */
#define TICKS_LEAD_NS 25000000u
#define TICKS_LEAD_PER_PAIR_NS 10u

static int copy_text(char **to, const char *from)
{
	*to = strdup(from);
	return *to ? 0 : error_no_memory();
}

static int copy_params(struct cell *cell)
{
	const struct param *params = cell->section->params;
	size_t n = param_count(params);
	struct store_run *run = &cell->run;

	run->param = calloc(n + 1, sizeof(*run->param));
	run->axis = calloc(n + 1, sizeof(*run->axis));
	if (!run->param || !run->axis)
		return error_no_memory();
	for (size_t p = 0; p < n; p++) {
		char *text;

		if (!cell->point->value[p].set)
			continue;
		text = param_text(&params[p], &cell->point->value[p]);
		if (!text)
			return error_no_memory();
		run->param[run->params++] =
			(struct store_pair){ strdup(params[p].name), strdup(text) };
		if (plan_is_axis(&cell->session->plan, cell->point->section, p))
			run->axis[run->axes++] =
				(struct store_pair){ strdup(params[p].name), strdup(text) };
		free(text);
	}
	return 0;
}

/* "periodic ping-pong", the headline first. */
static int name_workloads(struct cell *cell)
{
	size_t size;
	FILE *out = open_memstream(&cell->run.workload, &size);

	if (!out)
		return error_no_memory();
	for (size_t k = 0; k < cell->section->parts; k++)
		fprintf(out, "%s%s", k ? " " : "", cell->section->part[k].workload->name);
	return fclose(out) ? error_no_memory() : 0;
}

int cell_describe(struct cell *cell)
{
	const struct session *s = cell->session;
	const struct plan_governor *governor = &s->plan.governor[cell->plan->governor];
	const struct placement *placement = cell->placement;
	struct store_run *run = &cell->run;
	char now[32];
	int err;

	clock_wall_text(now, sizeof(now));
	run->number = cell->plan->number;
	run->repeat = cell->plan->repeat;
	run->timer_based = placement->timer_based;
	run->rehearsal = !s->root.live && !s->options->model;
	run->modelled = s->options->model != NULL;
	run->emulated = emulator_name(&s->root);
	run->pinned = placement->pinned;
	run->oversubscribed = placement->oversubscribed;
	run->housekeeping = placement->housekeeping;
	run->housekeeping_shared = placement->housekeeping_shared;
	err = copy_text(&run->section, cell->section->name);
	err = err ? err : copy_text(&run->point, cell->point->text);
	err = err ? err : copy_text(&run->governor, governor->name);
	err = err ? err : copy_text(&run->label, governor->label);
	if (!err && s->plan.cpufreq)
		err = copy_text(&run->cpufreq_governor, s->plan.cpufreq[cell->plan->cpufreq]);
	err = err ? err : name_workloads(cell);
	err = err ? err : copy_text(&run->distance_asked, topology_distance_name[placement->asked]);
	err = err ? err
		  : copy_text(&run->distance_got,
			      placement->got < 0 ? "none" : topology_distance_name[placement->got]);
	if (!err && !run->modelled) /* the same model gives the same bytes */
		err = copy_text(&run->started, now);
	err = err ? err : cpulist_copy(&placement->cpus, &run->cpus);
	return err ? err : copy_params(cell);
}

static int prepare(struct cell *cell)
{
	int err;

	cell->name = plan_cell_name(&cell->session->plan, cell->plan);
	if (!cell->name || asprintf(&cell->tmp, "%s/" STORE_TMP_PREFIX "%04d.%s",
				    cell->session->runs, cell->plan->number, cell->name) < 0)
		return error_no_memory();
	err = file_remove_tree(cell->tmp);
	if (!err)
		err = file_make_dirs(cell->tmp);
	if (!err)
		err = cell_describe(cell);
	return err ? err : parts_make(cell);
}

static int set_idle_governor(struct cell *cell)
{
	bool fresh = false;
	int err = switch_governor(cell->session, cell->run.governor, &fresh);

	if (!err && !fresh)
		err = verify_doubt(&cell->run, "the kernel offers one governor: it could not be "
					       "switched away and keeps what it had learnt");
	return err;
}

static int set_governors(struct cell *cell)
{
	int err = 0;

	if (cell->run.cpufreq_governor)
		err = switch_cpufreq(cell->session, cell->run.cpufreq_governor);
	if (!err && cell->session->switching)
		err = set_idle_governor(cell);
	else if (!err)
		err = cpuidle_reopen(cell->session->idle);
	if (!err && !cell->session->switching)
		err = verify_doubt(&cell->run,
				   "the governor was not switched: it keeps what it had learnt");
	if (!err && plan_disables(&cell->session->plan))
		err = disable_set(cell->session,
				  plan_disable(&cell->session->plan, cell->plan->point));
	return err;
}

/* Warm-up asked is warm-up done, or it is said. */
static int note_warmup(struct cell *cell, uint64_t asked_ns)
{
	uint64_t now = clock_now_ns(), done = cell->t0_ns > now ? cell->t0_ns - now : 0;
	char text[32], want[32];

	units_format_time((double)done, 4, text, sizeof(text));
	units_format_time((double)asked_ns, 4, want, sizeof(want));
	cell->run.warmup_done = strdup(text);
	if (!cell->run.warmup_done)
		return error_no_memory();
	if (done >= asked_ns)
		return 0;
	return verify_doubt(&cell->run, "warm-up cut short: %s of %s", text, want);
}

/* The recording begins before the window does. */
static int start_trace(struct cell *cell)
{
	const struct session *s = cell->session;
	struct run_trace_order order = { .root = &s->root,
					 .topology = s->topology,
					 .idle = s->idle,
					 .workload = &cell->placement->cpus,
					 .housekeeping = cell->placement->housekeeping,
					 .dir = cell->tmp };

	if (!s->suite.trace)
		return 0;
	if (!s->root.live)
		return verify_doubt(&cell->run, "no idle trace: not this machine");
	return run_trace_start(&order, &cell->trace);
}

static int end_trace(struct cell *cell)
{
	struct run_trace *trace = cell->trace;
	struct record_result result;
	char *deaf;
	int err;

	if (!trace)
		return 0;
	cell->trace = NULL;
	err = run_trace_finish(trace, cell->window, &result);
	if (!err && result.lost)
		err = verify_doubt(&cell->run, "the idle trace lost %llu events",
				   (unsigned long long)result.lost);
	if (!err && result.deaf.n) {
		deaf = cpulist_format(&result.deaf);
		err = verify_doubt(
			&cell->run,
			"no idle events of CPUs %s in the idle trace: the kernel gave none",
			deaf ? deaf : "-");
		free(deaf);
		cpulist_free(&result.deaf);
	}
	return err;
}

static int start_window(struct cell *cell)
{
	const struct session *s = cell->session;
	uint64_t warmup =
		(uint64_t)plan_warmup_ns(&s->plan, cell->plan->point, s->campaign.warmup_ns);
	uint64_t tasks = (uint64_t)cell->placement->tasks;
	uint64_t length =
		(uint64_t)plan_window_ns(&s->plan, cell->plan->point,
					 s->campaign.window_ns > 0 ? s->campaign.window_ns : -1);
	struct window_order order = {
		.idle = s->idle,
		.energy = s->energy,
		.events = s->events,
		.event_count = s->codes,
		.ticks = s->ticks,
		.ticks_lead_ns = TICKS_LEAD_NS + tasks * tasks * TICKS_LEAD_PER_PAIR_NS,
		.topology = s->topology,
		.workload = &cell->placement->cpus,
		.housekeeping = cell->placement->housekeeping,
		.interval_ns = (uint64_t)s->campaign.interval_ns,
	};
	bool open_end;
	int err;

	cell->t0_ns = clock_now_ns() + warmup + order.ticks_lead_ns + LEAD_NS +
		      s->idle->n * LEAD_PER_CPU_NS;
	open_end = !length || plan_by_loops(&s->plan, cell->plan->point);
	cell->t1_ns = open_end ? 0 : cell->t0_ns + length;
	order.t0_ns = cell->t0_ns;
	order.t1_ns = cell->t1_ns;
	err = window_start(&order, &cell->window);
	if (!err)
		err = parts_go(cell);
	return err ? err : note_warmup(cell, warmup);
}

/* Two of the workload's CPUs, before it starts; one alone tells nothing. */
static int probe_spin(struct cell *cell)
{
	const struct cpulist *cpus = &cell->placement->cpus;
	double us;

	if (cpus->n < 2 || !cell->session->root.live ||
	    spin_probe(cell->session->topology, cpus->cpu[0], cpus->cpu[1], &us))
		return 0;
	return asprintf(&cell->run.spin_us, "%.4f", us) < 0 ? error_no_memory() : 0;
}

/* An end that the window's readers do not know comes with loops, and with what ends itself before
 * its time: they are stopped when all is done. */
static int await_done(struct cell *cell)
{
	uint64_t known = cell->t1_ns;
	bool whole;
	int err = parts_await_done(cell, &whole);

	window_finish(cell->window, !whole || cell->t1_ns != known);
	return err;
}

static int measure(struct cell *cell)
{
	int err = set_governors(cell);

	if (!err)
		err = settle_cell(cell);
	if (!err)
		err = probe_spin(cell);
	if (!err)
		err = verify_begin(cell);
	if (!err)
		err = parts_start(cell);
	if (err || cell->run.state != STORE_COMPLETE)
		return err;
	err = start_trace(cell);
	if (!err)
		err = start_window(cell);
	if (err == -EPIPE) {
		cell->run.state = STORE_FAILED;
		return copy_text(&cell->run.reason, error_text());
	}
	if (!err)
		err = await_done(cell);
	if (!err)
		err = parts_await_end(cell);
	if (!err)
		err = end_trace(cell);
	cell->run.t0_ns = cell->t0_ns;
	cell->run.t1_ns = cell->t1_ns;
	if (!err)
		err = publish_readings(cell);
	return err ? err : verify_end(cell);
}

static void release(struct cell *cell)
{
	parts_finish(cell);
	if (cell->window)
		window_finish(cell->window, true);
	window_free(cell->window);
	run_trace_abandon(cell->trace);
	parts_free(cell);
	free(cell->throttle);
	if (cell->hotplug >= 0)
		close(cell->hotplug);
	store_run_free(&cell->run);
	free(cell->name);
	free(cell->tmp);
}

/* The text of the error that counts stays. */
static void remove_quietly(const char *path)
{
	char why[1024];

	snprintf(why, sizeof(why), "%s", error_text());
	if (file_remove_tree(path))
		log_warn("%s", error_text());
	error_set(-EIO, "%s", why);
}

/* The machine, and not the workload, failed: what there is of the run is kept as void if the disk
 * takes it. */
static void keep_spoilt(struct cell *cell, int attempt, enum store_state *ret_state)
{
	char why[1024];

	snprintf(why, sizeof(why), "%s", error_text());
	cell->run.state = STORE_VOID;
	free(cell->run.reason);
	cell->run.reason = strdup(why);
	if (cell->run.reason && !publish_run(cell, attempt))
		*ret_state = STORE_VOID;
	error_set(-EIO, "%s", why);
}

int cell_run(struct session *session, const struct plan_cell *plan, int attempt,
	     enum store_state *ret_state)
{
	const struct plan_point *point = &session->plan.point[plan->point];
	struct cell cell = {
		.session = session,
		.plan = plan,
		.point = point,
		.section = &session->suite.section[point->section],
		.placement = &session->placement[plan->point],
		.hotplug = -1,
	};
	int err = prepare(&cell);

	if (!err)
		err = measure(&cell);
	parts_finish(&cell);
	if (!err)
		err = publish_run(&cell, attempt);
	else if (err != -EINTR && cell.tmp && cell.run.started)
		keep_spoilt(&cell, attempt, ret_state);
	if (!err && cell.run.state != STORE_COMPLETE)
		log_warn("run %d (%s) is %s: %s", plan->number, cell.name,
			 store_state_name[cell.run.state],
			 cell.run.reason ? cell.run.reason : "no reason known");
	if (!err)
		*ret_state = cell.run.state;
	else if (cell.tmp)
		remove_quietly(cell.tmp);
	release(&cell);
	return err;
}
