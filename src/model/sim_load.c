/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The workloads that pass something on: ping-pong's rings, client and server, and a parent with
 * one child after the other. The path from running to the other's wake, and the one from there to
 * the idle loop, are stages of their own: a token that comes back within the second is taken
 * without going to sleep.
 */
#include "model/sim.h"

enum { STAGE_WORK, STAGE_AFTER };

void sim_record(struct sim *sim, int role, int64_t ns)
{
	struct sim_role *r;

	if (!sim->counting)
		return;
	r = &sim->role[role < sim->roles ? role : sim->roles - 1];
	hist_add(r->hist, (uint64_t)ns);
	r->block_n++;
	r->block_ns += (uint64_t)ns;
}

bool sim_loop_done(struct sim *sim, int task)
{
	struct sim_task *t = &sim->task[task];

	t->done++; /* in the warm-up, too: it tells the pace */
	if (!sim->loops || t->done < sim->loops)
		return true;
	if (t->done == sim->loops) {
		t->end_ns = sim->now_ns;
		sim->unfinished--;
	}
	return false;
}

void sim_stage(const struct sim *sim, struct sim_task *task, double path_ns, double work_ns)
{
	const struct model_machine *m = sim->machine;

	task->left_ns = path_ns + work_ns;
	task->shared = m->smt_speed;
	if (work_ns > 0)
		task->shared = task->left_ns / (path_ns / m->smt_speed + work_ns / m->smt_work);
}

static struct sim_action go(double path_ns)
{
	return (struct sim_action){ .what = SIM_GO, .path_ns = path_ns };
}

static struct sim_action wait_for(double path_ns, double work_ns)
{
	return (struct sim_action){ .what = SIM_WAIT, .path_ns = path_ns, .work_ns = work_ns };
}

static double path(struct sim *sim, int64_t ns)
{
	return (double)sim_path(sim, ns);
}

static double work(const struct sim *sim)
{
	return sim->workload->work_units * sim->machine->unit_ns;
}

/* All wait; whoever has a token to begin with gets it within the first 100 us. */
static void all_wait(struct sim *sim, int group)
{
	for (int i = 0; i < sim->tasks; i++) {
		struct sim_task *t = &sim->task[i];

		sim_stage(sim, t, path(sim, sim->machine->send_ns), work(sim));
		t->waiting = i % group;
		if (!t->waiting)
			sim_timer(sim, i, t->cpu, 1000 + (int64_t)(sim_uniform(sim) * 1e5));
	}
}

static void ping_pong_begin(struct sim *sim)
{
	all_wait(sim, sim->workload->ping_pong.stops);
}

static struct sim_action ping_pong_step(struct sim *sim, int id)
{
	struct sim_task *t = &sim->task[id];
	int stops = sim->workload->ping_pong.stops, ring = id / stops, stop = id % stops;
	bool more = true;

	if (t->stage == STAGE_AFTER) {
		t->stage = STAGE_WORK;
		return wait_for(path(sim, sim->machine->send_ns), work(sim));
	}
	t->stage = STAGE_AFTER;
	if (!stop) {
		if (t->mark_ns)
			sim_record(sim, ring, sim->now_ns - t->mark_ns);
		more = !t->mark_ns || sim_loop_done(sim, id);
		t->mark_ns = sim->now_ns;
	}
	if (more)
		sim_signal(sim, ring * stops + (stop + 1) % stops);
	return go(path(sim, sim->machine->sleep_ns));
}

const struct sim_load sim_load_ping_pong = { .begin = ping_pong_begin, .step = ping_pong_step };

static void idle_begin(struct sim *sim)
{
	(void)sim;
}

/* There are no tasks, so nobody asks. */
const struct sim_load sim_load_idle = { .begin = idle_begin };

/* What a file server's session carries: bytes each way, of them file data, how often. */
static const struct operation {
	uint32_t request, reply, payload, weight;
} operations[] = {
	{ 70, 76, 0, 63 },	 { 64, 4160, 4096, 14 },  { 64, 8256, 8192, 6 },
	{ 64, 16448, 16384, 4 }, { 64, 32832, 32768, 1 }, { 64, 65600, 65536, 2 },
	{ 4160, 44, 4096, 5 },	 { 8256, 44, 8192, 2 },	  { 16448, 44, 16384, 1 },
	{ 65600, 44, 65536, 2 },
};

#define OPERATIONS (sizeof(operations) / sizeof(operations[0]))

/* A message of @in bytes was waited for, one of @out bytes is made and sent. */
static double message(struct sim *sim, uint32_t in, uint32_t out)
{
	return path(sim, sim->machine->message_ns) + (double)(in + out) * sim->machine->byte_ns;
}

static uint16_t next_operation(struct sim *sim)
{
	uint64_t sum = 0, at;

	for (size_t i = 0; i < OPERATIONS; i++)
		sum += operations[i].weight;
	at = random_below(&sim->random, sum);
	for (uint16_t i = 0;; i++) {
		if (at < operations[i].weight)
			return i;
		at -= operations[i].weight;
	}
}

static void client_server_begin(struct sim *sim)
{
	all_wait(sim, 2);
	for (int i = 0; i < sim->tasks; i += 2) {
		sim->task[i].kind = next_operation(sim);
		sim_stage(sim, &sim->task[i],
			  message(sim, 0, operations[sim->task[i].kind].request), 0);
	}
}

static struct sim_action client_step(struct sim *sim, int id)
{
	struct sim_task *t = &sim->task[id];
	const struct operation *now = &operations[t->kind], *next;

	if (t->stage == STAGE_AFTER) {
		uint32_t reply = now->reply;

		/* The answer read, the next request is written in the same stage. */
		t->stage = STAGE_WORK;
		t->step = t->kind;
		t->kind = next_operation(sim);
		next = &operations[t->kind];
		return wait_for(message(sim, reply, next->request), 0);
	}
	if (t->mark_ns) {
		sim_record(sim, 0, sim->now_ns - t->mark_ns);
		if (sim->counting)
			sim->bytes += operations[t->step].payload;
		sim_loop_done(sim, id);
	}
	t->mark_ns = sim->now_ns;
	t->stage = STAGE_AFTER;
	if (sim->task[id + 1].waiting)
		sim_stage(sim, &sim->task[id + 1], message(sim, now->request, now->reply), 0);
	sim_signal(sim, id + 1);
	return go(path(sim, sim->machine->sleep_ns));
}

static struct sim_action client_server_step(struct sim *sim, int id)
{
	struct sim_task *t = &sim->task[id];

	if (!(id & 1))
		return client_step(sim, id);
	if (t->stage == STAGE_AFTER) {
		const struct operation *o = &operations[sim->task[id - 1].kind];

		t->stage = STAGE_WORK;
		return wait_for(message(sim, o->request, o->reply), 0);
	}
	t->stage = STAGE_AFTER;
	sim_signal(sim, id - 1);
	return go(path(sim, sim->machine->sleep_ns));
}

const struct sim_load sim_load_client_server = {
	.begin = client_server_begin,
	.step = client_server_step,
};

/* A child's way beside its work. */
static double child_path(struct sim *sim)
{
	const struct model_machine *m = sim->machine;
	double exec = sim->workload->fork_chain.exec ? path(sim, m->exec_ns) : 0;

	return exec + path(sim, m->reap_ns);
}

static void fork_chain_begin(struct sim *sim)
{
	all_wait(sim, 2);
	sim_stage(sim, &sim->task[0], path(sim, sim->machine->fork_ns), 0);
	sim_stage(sim, &sim->task[1], child_path(sim), work(sim));
}

/* Task 0 is the parent, task 1 whichever child lives. */
static struct sim_action fork_chain_step(struct sim *sim, int id)
{
	const struct model_machine *m = sim->machine;
	struct sim_task *t = &sim->task[id];

	if (id) {
		sim_signal(sim, 0);
		return wait_for(child_path(sim), work(sim));
	}
	if (t->stage == STAGE_AFTER) {
		t->stage = STAGE_WORK;
		return wait_for(path(sim, m->reap_ns) + path(sim, m->fork_ns), 0);
	}
	t->stage = STAGE_AFTER;
	if (t->mark_ns) {
		sim_record(sim, 0, sim->now_ns - t->mark_ns);
		if (!sim_loop_done(sim, id)) {
			t->mark_ns = sim->now_ns;
			return go(path(sim, m->sleep_ns));
		}
	}
	t->mark_ns = sim->now_ns;
	sim->task[1].cpu = t->cpu; /* a new task is placed anew, beginning where its parent is */
	if (sim->task[1].waiting)
		sim_stage(sim, &sim->task[1], child_path(sim), work(sim));
	sim_signal(sim, 1);
	return go(path(sim, m->sleep_ns));
}

const struct sim_load sim_load_fork_chain = {
	.begin = fork_chain_begin,
	.step = fork_chain_step,
};
