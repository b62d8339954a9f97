/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * client-server's own structures: the operations of a session, the messages that they consist of,
 * the connections, and what a client records.
 *
 * A client has one request on its way at a time, so each side knows whose turn it is and one
 * receive takes a whole message where the kernel has it.
 */
#ifndef WORKLOADS_CLIENT_SERVER_H
#define WORKLOADS_CLIENT_SERVER_H

#include "lib/hist.h"
#include "workloads/driver.h"
#include <stddef.h>
#include <stdint.h>

#define CLIENT_SERVER_CLIENTS_MAX 256
#define CLIENT_SERVER_MESSAGE_MAX (64u + (64u << 10)) /* bytes of the longest message */

/* Rows of the parameter table. */
enum {
	CLIENT_SERVER_CLIENTS,
	CLIENT_SERVER_TRANSPORT,
	CLIENT_SERVER_AFFINITY,
	CLIENT_SERVER_DISTANCE,
	CLIENT_SERVER_PARAMS,
};
enum { CLIENT_SERVER_TCP, CLIENT_SERVER_UNIX }; /* choices of transport */
enum { CLIENT_SERVER_FREE, CLIENT_SERVER_PINNED }; /* choices of affinity */

/* One kind of operation; sizes in bytes of the whole message. */
struct client_server_operation {
	const char *name; /* "read"; NULL behind the last */
	uint32_t request, reply;
	uint32_t payload; /* file data in it, which is what mb_per_s counts; 0 = control */
	uint32_t weight; /* how often, of the sum of all weights */
};

extern const struct client_server_operation client_server_operations[];

/* Where a client is in its order of operations, which its seed alone decides. */
struct client_server_order {
	uint64_t state;
	uint32_t weights; /* sum of the table's */
};

void client_server_order_begin(struct client_server_order *order, uint64_t seed);
const struct client_server_operation *client_server_order_next(struct client_server_order *order);

enum client_server_kind { CLIENT_SERVER_OPERATION = 1, CLIENT_SERVER_MARK, CLIENT_SERVER_STOP };

/* What a message begins with; it ends with the number once more. */
struct client_server_header {
	uint32_t check; /* of the four below */
	uint32_t kind; /* enum client_server_kind */
	uint32_t length; /* bytes of the message, this included */
	uint32_t reply; /* bytes of the answer that is wanted; 0 in an answer */
	uint32_t number; /* of the request; its answer has the same */
};

#define CLIENT_SERVER_MESSAGE_MIN (sizeof(struct client_server_header) + sizeof(uint32_t))

/* One end of a connection. */
struct client_server_end {
	int fd;
	uint32_t number; /* of the request that is due */
	_Alignas(64) unsigned char buffer[CLIENT_SERVER_MESSAGE_MAX];
};

/* Sends one message. -errno with text. */
int client_server_send(struct client_server_end *end, enum client_server_kind kind, uint32_t length,
		       uint32_t reply);

/*
 * Receives one message, whole. -EPROTO when it is not the one that is due: another number, bytes
 * lost or left over; -EPIPE when the other side has ended.
 */
int client_server_receive(struct client_server_end *end, struct client_server_header *ret);

/* A connected pair of stream sockets. TCP: over 127.0.0.1, on a port that the kernel chooses,
 * without Nagle's delay. */
int client_server_connect(int transport, int *ret_client, int *ret_server);

/* What one client records; in shared memory. */
struct client_server_client {
	uint64_t warmup_ns; /* from its first request to t0 */
	uint64_t payload, bytes; /* of counted operations; bytes: all of both directions */
	uint64_t in_flight_ns; /* age at t1 of the operation that was under way */
	struct hist hist; /* counted operations */
};

struct client_server {
	int clients;
	int (*socket)[2]; /* client's and server's end, by client */
	struct client_server_client *client;
};

extern const struct metric client_server_metrics[];

int client_server_finish(struct driver *driver);

#endif
