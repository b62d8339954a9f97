/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What follows from a workload's numbers: names, tasks, and where they are put. */
#include "model/workload.h"

static const char *const names[MODEL_KINDS + 1] = {
	[MODEL_IDLE] = "idle",
	[MODEL_PING_PONG] = "ping-pong",
	[MODEL_PERIODIC] = "periodic",
	[MODEL_WAITERS] = "waiters",
	[MODEL_EBIZZY] = "ebizzy",
	[MODEL_CLIENT_SERVER] = "client-server",
	[MODEL_FORK_CHAIN] = "fork-chain",
};

const char *model_workload_name(enum model_kind kind)
{
	return names[kind];
}

int model_workload_tasks(const struct model_workload *w)
{
	switch (w->kind) {
	case MODEL_PING_PONG:
		return w->ping_pong.stops * w->ping_pong.rings;
	case MODEL_PERIODIC:
		return w->periodic.threads;
	case MODEL_WAITERS:
		return w->waiters.threads;
	case MODEL_EBIZZY:
		return w->ebizzy.threads;
	case MODEL_CLIENT_SERVER:
		return 2 * w->client_server.clients;
	case MODEL_FORK_CHAIN:
		return 2; /* the parent, and the child of the moment */
	default:
		return 0;
	}
}

const char *model_workload_timer_based(const struct model_workload *w)
{
	bool timed = w->kind == MODEL_PERIODIC || w->kind == MODEL_WAITERS ||
		     (w->kind == MODEL_EBIZZY && w->ebizzy.interval_ns);

	return timed ? "yes" : "no";
}

int model_workload_cpu(const struct model_workload *w, const struct model_machine *machine,
		       int task)
{
	int cpus = model_machine_cpus(machine);

	if (w->kind == MODEL_FORK_CHAIN && w->fork_chain.one_cpu)
		return 0;
	if (w->kind == MODEL_PING_PONG && w->ping_pong.smt)
		return (task / machine->threads + task % machine->threads * machine->cores) % cpus;
	return task % cpus;
}
