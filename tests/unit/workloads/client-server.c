/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * client-server's table, order, messages and connections. What the messages are for is that a lost
 * byte cannot go unseen, so most tests here spoil one.
 */
#include "workloads/client-server.h"
#include "lib/error.h"
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

static struct client_server_end left, right;

static void connect_ends(int transport)
{
	struct timeval limit = { .tv_sec = 5 }; /* a test that fails must not hang */

	left.number = right.number = 0;
	assert_int_equal(client_server_connect(transport, &left.fd, &right.fd), 0);
	assert_int_equal(setsockopt(right.fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit)), 0);
}

static void close_ends(void)
{
	close(left.fd);
	close(right.fd);
}

static void test_table(void **state)
{
	double payload = 0, weights = 0;

	(void)state;
	for (size_t i = 0; client_server_operations[i].name; i++) {
		const struct client_server_operation *row = &client_server_operations[i];
		uint32_t small = row->request < row->reply ? row->request : row->reply;
		uint32_t large = row->request < row->reply ? row->reply : row->request;

		assert_true(row->weight > 0);
		assert_true(small >= 39 && small <= 100);
		if (row->payload) {
			assert_int_equal(large, row->payload + 64);
			assert_true(row->payload >= 4096 && row->payload <= 65536);
		} else {
			assert_true(large <= 100);
		}
		assert_true(large <= CLIENT_SERVER_MESSAGE_MAX);
		assert_true(small >= CLIENT_SERVER_MESSAGE_MIN);
		payload += (double)row->payload * row->weight;
		weights += row->weight;
	}
	assert_int_equal(weights, 100);
	/* (14 + 5) 4 + (6 + 2) 8 + (4 + 1) 16 + 32 + (2 + 2) 64 KiB in 100 operations */
	assert_int_equal(payload, 508 * 1024);
}

/* A seed's order is always the same, another seed's is another; rows come as often as they weigh.
 */
static void test_order(void **state)
{
	static uint32_t seen[32];
	struct client_server_order a, b, c;
	unsigned int differ = 0;

	(void)state;
	client_server_order_begin(&a, 7);
	client_server_order_begin(&b, 7);
	client_server_order_begin(&c, 8);
	for (int i = 0; i < 100000; i++) {
		const struct client_server_operation *row = client_server_order_next(&a);

		assert_ptr_equal(row, client_server_order_next(&b));
		differ += row != client_server_order_next(&c);
		seen[row - client_server_operations]++;
	}
	assert_true(differ > 50000);
	for (size_t i = 0; client_server_operations[i].name; i++) {
		double expected = client_server_operations[i].weight * 1000.0;

		assert_true(seen[i] > 0.8 * expected && seen[i] < 1.2 * expected);
	}
}

static void test_every_size(void **state)
{
	(void)state;
	for (int transport = CLIENT_SERVER_TCP; transport <= CLIENT_SERVER_UNIX; transport++) {
		connect_ends(transport);
		for (size_t i = 0; client_server_operations[i].name; i++) {
			const struct client_server_operation *row = &client_server_operations[i];
			struct client_server_header header;

			assert_int_equal(client_server_send(&left, CLIENT_SERVER_OPERATION,
							    row->request, row->reply),
					 0);
			assert_int_equal(client_server_receive(&right, &header), 0);
			assert_int_equal(header.kind, CLIENT_SERVER_OPERATION);
			assert_int_equal(header.length, row->request);
			assert_int_equal(header.reply, row->reply);
			assert_int_equal(header.number, i);
			left.number++;
			right.number++;
		}
		close_ends();
	}
}

/* A message of 50 bytes as it goes over the line, and what follows it, to be spoilt. */
static void capture(unsigned char bytes[100])
{
	for (int i = 0; i < 2; i++) {
		assert_int_equal(client_server_send(&left, CLIENT_SERVER_OPERATION, 50, 60), 0);
		assert_int_equal(recv(right.fd, bytes + 50 * i, 50, MSG_WAITALL), 50);
		left.number++;
	}
}

/* What the receiver makes of @n bytes. */
static int receive_bytes(const unsigned char *bytes, size_t n)
{
	struct client_server_header header;
	int rc;

	assert_int_equal(send(left.fd, bytes, n, 0), (ssize_t)n);
	rc = client_server_receive(&right, &header);
	if (!rc)
		assert_int_equal(header.length, 50);
	return rc;
}

/* Each byte in turn is lost, and the next message follows: never taken for a good one. */
static void test_lost_byte(void **state)
{
	unsigned char bytes[100], spoilt[100];

	(void)state;
	for (size_t at = 0; at < 50; at++) {
		connect_ends(CLIENT_SERVER_UNIX);
		capture(bytes);
		memcpy(spoilt, bytes, at);
		memcpy(spoilt + at, bytes + at + 1, 99 - at);
		assert_int_equal(receive_bytes(spoilt, 99), -EPROTO);
		close_ends();
	}
}

static void test_doubled_byte(void **state)
{
	unsigned char bytes[100], spoilt[101];

	(void)state;
	for (size_t at = 0; at < 50; at++) {
		connect_ends(CLIENT_SERVER_UNIX);
		capture(bytes);
		memcpy(spoilt, bytes, at + 1);
		memcpy(spoilt + at + 1, bytes + at, 50 - at);
		assert_int_equal(receive_bytes(spoilt, 51), -EPROTO);
		close_ends();
	}
}

static void test_refused(void **state)
{
	unsigned char bytes[100];

	(void)state;
	connect_ends(CLIENT_SERVER_UNIX);
	capture(bytes);
	assert_int_equal(receive_bytes(bytes, 50), 0);
	right.number++;
	assert_int_equal(receive_bytes(bytes, 50), -EPROTO); /* the first again */
	assert_non_null(strstr(error_text(), "not the one that is due"));
	assert_int_equal(receive_bytes(bytes, 100), -EPROTO);
	right.number = 0;
	assert_int_equal(receive_bytes(bytes, 100), -EPROTO);
	assert_non_null(strstr(error_text(), "more bytes"));
	close_ends();
}

/* In pieces, as a stream may deliver it: whole at the end, however it was cut. */
static void test_pieces(void **state)
{
	struct client_server_header header;
	unsigned char bytes[100];

	(void)state;
	connect_ends(CLIENT_SERVER_UNIX);
	capture(bytes);
	for (size_t cut = 1; cut < 50; cut++) {
		pid_t child = fork();

		if (!child) {
			send(left.fd, bytes, cut, 0);
			usleep(500);
			send(left.fd, bytes + cut, 50 - cut, 0);
			_exit(0);
		}
		assert_true(child > 0);
		assert_int_equal(client_server_receive(&right, &header), 0);
		assert_int_equal(header.length, 50);
		assert_int_equal(waitpid(child, NULL, 0), child);
	}
	close_ends();
}

static void test_end(void **state)
{
	struct client_server_header header;
	unsigned char bytes[100];

	(void)state;
	connect_ends(CLIENT_SERVER_TCP);
	capture(bytes);
	assert_int_equal(send(left.fd, bytes, 49, 0), 49);
	close(left.fd);
	assert_int_equal(client_server_receive(&right, &header), -EPIPE);
	assert_non_null(strstr(error_text(), "49 bytes"));
	close(right.fd);
	connect_ends(CLIENT_SERVER_TCP);
	close(right.fd);
	/* the first send finds out, the second is told; no signal comes */
	client_server_send(&left, CLIENT_SERVER_OPERATION, 50, 60);
	assert_true(client_server_send(&left, CLIENT_SERVER_OPERATION, 50, 60) < 0);
	close(left.fd);
}

/* each connection has a port of its own on 127.0.0.1; nothing waits for more bytes. */
static void test_tcp(void **state)
{
	struct sockaddr_in name[2], peer;
	int client[2], server[2], on;

	(void)state;
	for (int i = 0; i < 2; i++) {
		socklen_t size = sizeof(peer);

		assert_int_equal(client_server_connect(CLIENT_SERVER_TCP, &client[i], &server[i]),
				 0);
		assert_int_equal(getsockname(client[i], (struct sockaddr *)&name[i], &size), 0);
		assert_int_equal(name[i].sin_addr.s_addr, htonl(INADDR_LOOPBACK));
		assert_int_equal(getpeername(server[i], (struct sockaddr *)&peer, &size), 0);
		assert_int_equal(peer.sin_port, name[i].sin_port);
		size = sizeof(on);
		assert_int_equal(getsockopt(client[i], IPPROTO_TCP, TCP_NODELAY, &on, &size), 0);
		assert_true(on);
		assert_int_equal(getsockopt(server[i], IPPROTO_TCP, TCP_NODELAY, &on, &size), 0);
		assert_true(on);
	}
	assert_int_not_equal(name[0].sin_port, name[1].sin_port);
	for (int i = 0; i < 2; i++) {
		close(client[i]);
		close(server[i]);
	}
}

static void test_needs(void **state)
{
	const struct workload *workload = workload_find("client-server");
	struct param_value values[CLIENT_SERVER_PARAMS + 1];
	struct workload_needs needs;

	(void)state;
	assert_non_null(workload);
	assert_int_equal(param_defaults(workload->params, values), 0);
	values[CLIENT_SERVER_CLIENTS].number = 16;
	assert_int_equal(workload->needs(values, &needs), 0);
	assert_int_equal(needs.tasks, 32);
	assert_int_equal(needs.cpus, 0);
	assert_false(needs.pinned);
	assert_false(needs.timer_based);
	values[CLIENT_SERVER_DISTANCE].given = true;
	assert_int_equal(workload->needs(values, &needs), -EINVAL);
	values[CLIENT_SERVER_AFFINITY].choice = CLIENT_SERVER_PINNED;
	values[CLIENT_SERVER_DISTANCE].choice = DISTANCE_SMT_SIBLING;
	assert_int_equal(workload->needs(values, &needs), 0);
	assert_int_equal(needs.cpus, 32);
	assert_int_equal(needs.group, 2);
	assert_int_equal(needs.distance, DISTANCE_SMT_SIBLING);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),	     cmocka_unit_test(test_order),
		cmocka_unit_test(test_every_size),   cmocka_unit_test(test_lost_byte),
		cmocka_unit_test(test_doubled_byte), cmocka_unit_test(test_refused),
		cmocka_unit_test(test_pieces),	     cmocka_unit_test(test_end),
		cmocka_unit_test(test_tcp),	     cmocka_unit_test(test_needs),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
