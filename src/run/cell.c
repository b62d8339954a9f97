/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The steps of one run, in order. Whatever happens, the workload's processes are gone when
 * cell_run() returns.
 */
#include "run/cell.h"
#include "lib/clock.h"
#include "lib/error.h"
#include "lib/file.h"
#include "lib/log.h"
#include "run/command.h"
#include "run/evidence.h"
#include "run/publish.h"
#include "run/switch.h"
#include "run/verify.h"
#include "store/format.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECOND 1000000000u
/* A workload of thousands of tasks may need this long to be ready, or to end and write its files.
 */
#define READY_LIMIT_NS (60ull * SECOND)
#define END_LIMIT_NS (60ull * SECOND)
/* The window's threads must sleep before t0 comes. */
#define LEAD_MIN_NS 20000000u

static int out_of_memory(void)
{
	return error_set(-ENOMEM, "out of memory");
}

static int copy_text(char **to, const char *from)
{
	*to = strdup(from);
	return *to ? 0 : out_of_memory();
}

static int copy_params(struct cell *cell)
{
	const struct workload *workload = cell->section->workload;
	size_t n = param_count(workload->params);
	struct store_run *run = &cell->run;

	run->param = calloc(n + 1, sizeof(*run->param));
	run->axis = calloc(n + 1, sizeof(*run->axis));
	if (!run->param || !run->axis)
		return out_of_memory();
	for (size_t p = 0; p < n; p++) {
		char text[64];

		if (!cell->point->value[p].set)
			continue;
		param_format(&workload->params[p], &cell->point->value[p], text, sizeof(text));
		run->param[run->params++] =
			(struct store_pair){ strdup(workload->params[p].name), strdup(text) };
		if (plan_is_axis(&cell->session->plan, cell->point->section, p))
			run->axis[run->axes++] =
				(struct store_pair){ strdup(workload->params[p].name),
						     strdup(text) };
	}
	return 0;
}

static int describe(struct cell *cell)
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
	run->rehearsal = !s->root.live;
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
	err = err ? err : copy_text(&run->workload, cell->section->workload->name);
	err = err ? err : copy_text(&run->distance_asked, topology_distance_name[placement->asked]);
	err = err ? err
		  : copy_text(&run->distance_got,
			      placement->got < 0 ? "none" : topology_distance_name[placement->got]);
	err = err ? err : copy_text(&run->started, now);
	err = err ? err : cpulist_copy(&placement->cpus, &run->cpus);
	return err ? err : copy_params(cell);
}

static int prepare(struct cell *cell)
{
	int err;

	cell->name = plan_cell_name(&cell->session->plan, cell->plan);
	if (!cell->name || asprintf(&cell->tmp, "%s/" STORE_TMP_PREFIX "%04d.%s",
				    cell->session->runs, cell->plan->number, cell->name) < 0)
		return out_of_memory();
	err = file_remove_tree(cell->tmp);
	if (!err)
		err = file_make_dirs(cell->tmp);
	if (!err)
		err = describe(cell);
	if (!err)
		err = command_make(cell, &cell->argv);
	if (!err && !(cell->run.argv = command_text(cell->argv)))
		err = out_of_memory();
	return err;
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
	if (err)
		return err;
	if (cell->session->switching)
		return set_idle_governor(cell);
	err = cpuidle_reopen(cell->session->idle);
	return err ? err
		   : verify_doubt(&cell->run,
				  "the governor was not switched: it keeps what it had learnt");
}

/* The workload failed before it was measured: kept, with the reason. */
static int failed(struct cell *cell, const char *reason)
{
	cell->run.state = STORE_FAILED;
	return copy_text(&cell->run.reason, reason);
}

static int start_workload(struct cell *cell)
{
	char log[PATH_MAX];
	int err;

	snprintf(log, sizeof(log), "%s/" STORE_STDERR, cell->tmp);
	err = spawn_start(cell->session->topology, &cell->placement->cpus, cell->argv, log,
			  &cell->child);
	if (err)
		return err;
	switch (spawn_wait(&cell->child, clock_now_ns() + READY_LIMIT_NS)) {
	case SPAWN_INTERRUPTED:
		return -EINTR;
	case SPAWN_TIMEOUT:
		return failed(cell, "the workload was not ready within 60 s");
	case SPAWN_ENDED:
		cell->run.exit_status = cell->child.status;
		cell->run.state = STORE_FAILED;
		cell->run.reason = evidence_last_line(cell);
		return 0;
	case SPAWN_MESSAGE:
		if (strcmp(cell->child.line, "ready"))
			return failed(cell, "the workload did not say 'ready'");
		return 0;
	}
	return 0;
}

static int start_window(struct cell *cell)
{
	const struct session *s = cell->session;
	uint64_t warmup =
		(uint64_t)plan_warmup_ns(&s->plan, cell->plan->point, s->campaign.warmup_ns);
	uint64_t length =
		(uint64_t)plan_window_ns(&s->plan, cell->plan->point,
					 s->campaign.window_ns > 0 ? s->campaign.window_ns : -1);
	struct window_order order = {
		.idle = s->idle,
		.energy = s->energy,
		.events = s->events,
		.event_count = s->codes,
		.topology = s->topology,
		.workload = &cell->placement->cpus,
		.housekeeping = cell->placement->housekeeping,
		.interval_ns = (uint64_t)s->campaign.interval_ns,
	};
	int err;

	cell->t0_ns = clock_now_ns() + (warmup > LEAD_MIN_NS ? warmup : LEAD_MIN_NS);
	cell->t1_ns = plan_by_loops(&s->plan, cell->plan->point) ? 0 : cell->t0_ns + length;
	order.t0_ns = cell->t0_ns;
	order.t1_ns = cell->t1_ns;
	err = window_start(&order, &cell->window);
	return err ? err : spawn_go(&cell->child, cell->t0_ns, cell->t1_ns);
}

/* Until "done": the workload's own end of the measured part. Loops have no deadline but the user's
 * patience. */
static int await_done(struct cell *cell)
{
	bool open_end = cell->t1_ns == 0;
	uint64_t limit = open_end ? UINT64_MAX : cell->t1_ns + END_LIMIT_NS;
	unsigned long long t1;
	int err = 0;

	switch (spawn_wait(&cell->child, limit)) {
	case SPAWN_INTERRUPTED:
		err = -EINTR;
		break;
	case SPAWN_TIMEOUT:
		err = failed(cell, "the workload did not end within 60 s after its window");
		break;
	case SPAWN_ENDED:
		cell->run.exit_status = cell->child.status;
		if (!cell->child.status)
			err = failed(cell, "the workload ended before its window was over");
		break;
	case SPAWN_MESSAGE:
		if (sscanf(cell->child.line, "done %llu", &t1) != 1)
			err = failed(cell, "the workload did not say 'done'");
		else if (open_end)
			cell->t1_ns = t1;
		break;
	}
	window_finish(cell->window,
		      err || open_end || cell->child.ended || cell->run.state != STORE_COMPLETE);
	return err;
}

static int await_end(struct cell *cell)
{
	if (cell->child.ended || cell->run.state != STORE_COMPLETE)
		return 0;
	switch (spawn_wait(&cell->child, clock_now_ns() + END_LIMIT_NS)) {
	case SPAWN_INTERRUPTED:
		return -EINTR;
	case SPAWN_TIMEOUT:
		return failed(cell, "the workload did not exit within 60 s");
	default:
		cell->run.exit_status = cell->child.status;
		return 0;
	}
}

static int measure(struct cell *cell)
{
	int err = set_governors(cell);

	if (!err)
		err = verify_begin(cell);
	if (!err)
		err = start_workload(cell);
	if (err || cell->run.state != STORE_COMPLETE)
		return err;
	err = start_window(cell);
	if (err == -EPIPE)
		return failed(cell, error_text());
	if (!err)
		err = await_done(cell);
	if (!err)
		err = await_end(cell);
	cell->run.t0_ns = cell->t0_ns;
	cell->run.t1_ns = cell->t1_ns;
	if (!err)
		err = publish_readings(cell);
	return err ? err : verify_end(cell);
}

static void release(struct cell *cell)
{
	spawn_finish(&cell->child);
	if (cell->window)
		window_finish(cell->window, true);
	window_free(cell->window);
	command_free(cell->argv);
	free(cell->throttle);
	store_run_free(&cell->run);
	free(cell->name);
	free(cell->tmp);
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
	};
	int err = prepare(&cell);

	if (!err)
		err = measure(&cell);
	spawn_finish(&cell.child);
	if (!err)
		err = publish_run(&cell, attempt);
	if (!err && cell.run.state != STORE_COMPLETE)
		log_warn("run %d (%s) is %s: %s", plan->number, cell.name,
			 store_state_name[cell.run.state],
			 cell.run.reason ? cell.run.reason : "no reason known");
	if (!err)
		*ret_state = cell.run.state;
	else if (cell.tmp)
		file_remove_tree(cell.tmp);
	release(&cell);
	return err;
}
