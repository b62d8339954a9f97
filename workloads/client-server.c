/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Clients that play a file server's session through the network stack, each with a server task of
 * its own at the other end. Every wake comes from the other end, none from a timer.
 *
 * A client does one operation after the other; they touch, so it reads the clock once for each. A
 * mark goes to the server before the first counted operation and a stop behind the last; both are
 * messages of their own that nobody counts.
 */
#include "workloads/client-server.h"
#include "lib/clock.h"
#include "lib/error.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIGNAL_BYTES 39 /* of a mark or stop, and of its answer */

static const struct param params[] = {
	[CLIENT_SERVER_CLIENTS] = { "clients", PARAM_COUNT, "1", 1, CLIENT_SERVER_CLIENTS_MAX,
				    .help = "Clients, each with a server of its own: twice as many "
					    "tasks" },
	[CLIENT_SERVER_TRANSPORT] = { "transport", PARAM_CHOICE, "tcp", .choices = "tcp|unix",
				      .help = "TCP over the loopback device, or unix stream "
					      "sockets" },
	[CLIENT_SERVER_AFFINITY] = { "affinity", PARAM_CHOICE, "free", .choices = "free|pinned",
				     .help = "The scheduler's choice (how it places client and "
					     "server decides much), or one CPU a task" },
	[CLIENT_SERVER_DISTANCE] = { "distance", PARAM_CHOICE, "any", .choices = WORKLOAD_DISTANCES,
				     .placement = true,
				     .help = "What a pinned client and its server share; the "
					     "runner chooses the CPUs" },
	[CLIENT_SERVER_PARAMS] = { 0 },
};

static int needs(const struct param_value *values, struct workload_needs *ret)
{
	bool pinned = values[CLIENT_SERVER_AFFINITY].choice == CLIENT_SERVER_PINNED;
	int tasks = 2 * (int)values[CLIENT_SERVER_CLIENTS].number;

	if (!pinned && values[CLIENT_SERVER_DISTANCE].given)
		return error_usage("distance has no effect with affinity = free");
	*ret = (struct workload_needs){
		.tasks = tasks,
		.cpus = pinned ? tasks : 0,
		.group = 2,
		.distance = values[CLIENT_SERVER_DISTANCE].choice,
		.pinned = pinned,
	};
	return 0;
}

/* Task 2i is client i, task 2i + 1 its server: neighbours. */
static int setup(struct driver *driver)
{
	int clients = driver->needs.tasks / 2;
	int transport = driver->values[CLIENT_SERVER_TRANSPORT].choice;
	struct client_server *all = calloc(1, sizeof(*all));
	void *memory;
	int rc = 0;

	if (!all || !(all->socket = calloc((size_t)clients, sizeof(*all->socket))))
		return error_no_memory();
	driver->data = all;
	all->clients = clients;
	/* The first fifth of the time, where nobody says otherwise (under the runner: the suite) */
	if (!driver->options.warmup_given)
		driver->options.warmup_ns = driver->options.window_ns / 4;
	rc = driver_alloc((size_t)clients * sizeof(*all->client), &memory);
	if (rc)
		return rc;
	all->client = memory;
	for (uint16_t i = 0; i < clients && !rc; i++) {
		rc = client_server_connect(transport, &all->socket[i][0], &all->socket[i][1]);
		snprintf(driver->task[2 * i].role, sizeof(driver->task->role), "client%d", i);
		snprintf(driver->task[2 * i + 1].role, sizeof(driver->task->role), "server%d", i);
	}
	return rc;
}

/* Sends a request and waits for its answer. */
static int exchange(struct client_server_end *end, enum client_server_kind kind, uint32_t request,
		    uint32_t reply)
{
	struct client_server_header header;
	int rc = client_server_send(end, kind, request, reply);

	if (!rc)
		rc = client_server_receive(end, &header);
	if (!rc && (header.kind != kind || header.length != reply || header.reply))
		return error_set(-EPROTO, "answer %u: %u bytes instead of %u", end->number,
				 header.length, reply);
	end->number++;
	return rc;
}

static int warm_up(struct client_server_end *end, struct client_server_client *client,
		   struct client_server_order *order, uint64_t t0)
{
	uint64_t begin = clock_now_ns();
	int rc;

	do {
		const struct client_server_operation *next = client_server_order_next(order);

		rc = exchange(end, CLIENT_SERVER_OPERATION, next->request, next->reply);
	} while (!rc && clock_now_ns() < t0);
	client->warmup_ns = t0 > begin ? t0 - begin : 0;
	return rc;
}

/* Counts what begins and ends in the window. */
static int count_operations(struct client_server_end *end, struct client_server_client *client,
			    struct client_server_order *order, const struct driver_gate *gate)
{
	uint64_t begin = clock_now_ns(), now, t1 = gate->t1_ns;

	if (begin >= t1) { /* the last of the warm-up was under way all the time */
		client->in_flight_ns = t1 - gate->t0_ns;
		return 0;
	}
	for (;;) {
		const struct client_server_operation *next = client_server_order_next(order);
		int rc = exchange(end, CLIENT_SERVER_OPERATION, next->request, next->reply);

		if (rc)
			return rc;
		now = clock_now_ns();
		if (now > t1)
			break;
		hist_add(&client->hist, now - begin);
		client->payload += next->payload;
		client->bytes += next->request + next->reply;
		begin = now;
	}
	client->in_flight_ns = t1 - begin;
	return 0;
}

static int run_client(struct driver *driver, struct client_server_end *end, int index)
{
	struct client_server *all = driver->data;
	struct client_server_client *client = &all->client[index];
	struct driver_task *task = &driver->task[2 * index];
	struct client_server_order order;
	int rc;

	/* Page tables of shared memory are not inherited: fault them in now, not in the window. */
	memset(client, 0, sizeof(*client));
	client_server_order_begin(&order, (uint64_t)index);
	rc = warm_up(end, client, &order, driver->gate->t0_ns);
	if (!rc)
		rc = exchange(end, CLIENT_SERVER_MARK, SIGNAL_BYTES, SIGNAL_BYTES);
	if (rc)
		return rc;
	driver_mark(&task->start);
	/* From the top, so that what is counted is the same however long the warm-up was. */
	client_server_order_begin(&order, (uint64_t)index);
	rc = count_operations(end, client, &order, driver->gate);
	if (rc)
		return rc;
	driver_mark(&task->end);
	return exchange(end, CLIENT_SERVER_STOP, SIGNAL_BYTES, SIGNAL_BYTES);
}

static int run_server(struct client_server_end *end, struct driver_task *task)
{
	struct client_server_header request = { 0 };
	int rc;

	do {
		rc = client_server_receive(end, &request);
		if (!rc && !request.reply)
			rc = error_set(-EPROTO, "request %u wants no answer", end->number);
		if (rc)
			return rc;
		if (request.kind == CLIENT_SERVER_MARK)
			driver_mark(&task->start);
		else if (request.kind == CLIENT_SERVER_STOP)
			driver_mark(&task->end);
		rc = client_server_send(end, (enum client_server_kind)request.kind, request.reply,
					0);
		end->number++;
	} while (!rc && request.kind != CLIENT_SERVER_STOP);
	return rc;
}

static int task(struct driver *driver, int index)
{
	struct client_server *all = driver->data;
	struct client_server_end end;
	int rc;

	memset(&end, 0, sizeof(end)); /* every page of the buffer is there from now on */
	end.fd = all->socket[index / 2][index % 2];
	rc = index % 2 ? run_server(&end, &driver->task[index])
		       : run_client(driver, &end, index / 2);
	return rc ? error_prefix(rc, "%s: ", driver->task[index].role) : 0;
}

const struct workload workload_client_server = {
	.name = "client-server",
	.about = "Clients play a file server's session over loopback sockets; each has a server "
		 "task of its own, which wakes it and is woken by it.",
	.params = params,
	.metrics = client_server_metrics,
	.needs = needs,
	.setup = setup,
	.task = task,
	.finish = client_server_finish,
};
