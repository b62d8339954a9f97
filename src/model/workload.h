/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the modelled machine is given to do: the suite's own workloads, each as the few numbers that
 * its idle periods follow from. Work is a count of units, as in the workloads themselves.
 */
#ifndef MODEL_WORKLOAD_H
#define MODEL_WORKLOAD_H

#include "model/machine.h"
#include <stddef.h>

enum model_kind {
	MODEL_IDLE,
	MODEL_PING_PONG,
	MODEL_PERIODIC,
	MODEL_WAITERS,
	MODEL_EBIZZY,
	MODEL_CLIENT_SERVER,
	MODEL_FORK_CHAIN,
	MODEL_KINDS,
};

#define MODEL_TASKS_MAX 8192

struct model_workload {
	enum model_kind kind;
	bool pinned; /* each task stays on its CPU: own cores first, siblings last */
	uint64_t loops; /* of each ring, thread, client; 0 = until the window ends */
	int64_t timer_slack_ns; /* timers fire that much later; 1 and up */
	double work_units; /* of a stop, packet, round, child; 0 and up */
	union {
		struct {
			int stops; /* of a ring, 2 and up */
			int rings; /* 1 and up */
			bool smt; /* neighbours are siblings of one core */
		} ping_pong;
		struct {
			int threads; /* 1 and up, each on a core of its own */
			double frequency_hz; /* above 0 */
			bool skip; /* after an overrun: leave out what was missed; else do it at
				      once */
			bool together; /* all release at the same time; else spread over the period
					*/
			bool random_phase; /* instead of both: by the seed */
			/* 0 = no ramp; else from 0 to all of the work and back in so many steps
			 * each way, from the window's start on. Such a run is never stretched. */
			int steps;
			int64_t step_ns;
		} periodic;
		struct {
			int threads; /* 1 and up */
			double frequency_hz; /* above 0 */
		} waiters;
		struct {
			int threads; /* 1 and up */
			int64_t interval_ns; /* of the sleep; 0 = none */
			int every; /* after that many records; 1 and up */
			double bytes; /* of a record: it is copied and searched */
		} ebizzy;
		struct {
			int clients; /* 1 and up, each with a server */
		} client_server;
		struct {
			bool one_cpu; /* parent and children on one CPU */
			bool exec; /* a child executes a program */
		} fork_chain;
	};
};

/* A key and its value as in a suite file ("work", "12.5us"), axes already replaced by one value. */
struct model_param {
	const char *key, *value;
};

/*
 * The workload of that name ("ping-pong") with @params over its defaults; times and loads become
 * units of work of this machine, "all" its cores. Keys that change nothing in the model (transport,
 * alloc, seed, start, ...) are accepted. Usage errors: a workload or a value without a model (says
 * which there are), a wrong value (quotes key and value).
 */
int model_workload_parse(const char *name, const struct model_param *params, size_t n,
			 const struct model_machine *machine, struct model_workload *ret);

/* Number of tasks, 0 for idle. */
int model_workload_tasks(const struct model_workload *workload);

/* The workload's name in suites. */
const char *model_workload_name(enum model_kind kind);

/* "yes" when its wakes are timers that a governor can know, as run.ini's timer_based wants it. */
const char *model_workload_timer_based(const struct model_workload *workload);

/* The CPU that pinned task @task is bound to, and where a free one begins. */
int model_workload_cpu(const struct model_workload *workload, const struct model_machine *machine,
		       int task);

#endif
