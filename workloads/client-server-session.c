/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the clients of a file server ask for, and in which order.
 *
 * The table is made for this suite: mostly short questions about names and files, more than a third
 * reads and writes of 4 to 64 KiB, half of the data in the largest of them; 5.2 kB an operation on
 * average. An order is a random sequence of rows by weight: the same for the same seed.
 */
#include "workloads/client-server.h"
#include "lib/random.h"

#define KIB 1024u
#define READ(size, weight)                                                                         \
	{                                                                                          \
		"read", 63, 64 + (size), size, weight                                              \
	}
#define WRITE(size, weight)                                                                        \
	{                                                                                          \
		"write", 64 + (size), 51, size, weight                                             \
	}

const struct client_server_operation client_server_operations[] = {
	{ "open", 92, 100, 0, 17 }, { "close", 45, 39, 0, 13 }, { "stat", 80, 96, 0, 16 },
	{ "find", 86, 100, 0, 6 },  { "space", 44, 60, 0, 3 },	{ "rename", 100, 39, 0, 1 },
	{ "remove", 76, 39, 0, 4 }, { "flush", 41, 39, 0, 3 },	READ(4 * KIB, 14),
	READ(8 * KIB, 6),	    READ(16 * KIB, 4),		READ(32 * KIB, 1),
	READ(64 * KIB, 2),	    WRITE(4 * KIB, 5),		WRITE(8 * KIB, 2),
	WRITE(16 * KIB, 1),	    WRITE(64 * KIB, 2),		{ 0 },
};

void client_server_order_begin(struct client_server_order *order, uint64_t seed)
{
	order->state = seed;
	order->weights = 0;
	for (size_t i = 0; client_server_operations[i].name; i++)
		order->weights += client_server_operations[i].weight;
}

const struct client_server_operation *client_server_order_next(struct client_server_order *order)
{
	const struct client_server_operation *row = client_server_operations;
	uint64_t at = random_below(&order->state, order->weights);

	for (; at >= row->weight; row++)
		at -= row->weight;
	return row;
}
