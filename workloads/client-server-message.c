/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * client-server's connections and messages. A message carries its length and number in front and
 * the number again at its very end: bytes that were lost, doubled or moved show in one of them,
 * without looking at the rest.
 */
#include "workloads/client-server.h"
#include "lib/error.h"
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Told at once from a header that has lost or gained a byte: nobody waits for what it says then. */
static uint32_t check_of(const struct client_server_header *header)
{
	return 0x46534551u + 3 * header->kind + 5 * header->length + 7 * header->reply +
	       11 * header->number;
}

int client_server_send(struct client_server_end *end, enum client_server_kind kind, uint32_t length,
		       uint32_t reply)
{
	struct client_server_header header = { 0, kind, length, reply, end->number };
	size_t sent = 0;

	header.check = check_of(&header);
	memcpy(end->buffer, &header, sizeof(header));
	memcpy(end->buffer + length - sizeof(end->number), &end->number, sizeof(end->number));
	while (sent < length) {
		ssize_t n = send(end->fd, end->buffer + sent, length - sent, MSG_NOSIGNAL);

		if (n < 0 && errno != EINTR)
			return error_set(-errno, "cannot send: %s", strerror(errno));
		if (n > 0)
			sent += (size_t)n;
	}
	return 0;
}

/* What is wrong with a header; NULL = nothing. */
static const char *header_fault(const struct client_server_header *header, uint32_t number)
{
	if (header->check != check_of(header))
		return "its header is spoilt";
	if (header->length < CLIENT_SERVER_MESSAGE_MIN ||
	    header->length > CLIENT_SERVER_MESSAGE_MAX)
		return "its length is impossible";
	if (header->reply && (header->reply < CLIENT_SERVER_MESSAGE_MIN ||
			      header->reply > CLIENT_SERVER_MESSAGE_MAX))
		return "it wants an impossible answer";
	if (header->number != number)
		return "it is not the one that is due";
	return NULL;
}

/* What is wrong with a message that is at least as long as it says; NULL = nothing. */
static const char *message_fault(const struct client_server_end *end,
				 const struct client_server_header *header, size_t got)
{
	uint32_t last;

	memcpy(&last, end->buffer + header->length - sizeof(last), sizeof(last));
	if (got > header->length)
		return "more bytes came than it has";
	return last != end->number ? "its end is not where it should be" : NULL;
}

static int receive_more(struct client_server_end *end, size_t *got)
{
	ssize_t n;

	do
		n = recv(end->fd, end->buffer + *got, sizeof(end->buffer) - *got, 0);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return error_set(-errno, "cannot receive: %s", strerror(errno));
	if (!n)
		return error_set(-EPIPE, "the other side ended after %zu bytes of a message", *got);
	*got += (size_t)n;
	return 0;
}

int client_server_receive(struct client_server_end *end, struct client_server_header *ret)
{
	const char *fault = NULL;
	size_t got = 0;
	int rc;

	do {
		rc = receive_more(end, &got);
		if (rc)
			return rc;
		if (got < sizeof(*ret))
			continue;
		memcpy(ret, end->buffer, sizeof(*ret));
		fault = header_fault(ret, end->number);
	} while (!fault && (got < sizeof(*ret) || got < ret->length));
	if (!fault)
		fault = message_fault(end, ret, got);
	return fault ? error_set(-EPROTO, "message %u: %s", end->number, fault) : 0;
}

static int socket_error(const char *what)
{
	return error_set(-errno, "cannot %s on 127.0.0.1: %s", what, strerror(errno));
}

static int no_delay(int fd)
{
	int on = 1;

	return setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on))
		       ? socket_error("set TCP_NODELAY")
		       : 0;
}

/* A socket that listens on a port of the kernel's choice, filled into @address. */
static int listen_anywhere(struct sockaddr_in *address, int *ret_fd)
{
	socklen_t size = sizeof(*address);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int rc = 0;

	*address = (struct sockaddr_in){
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	if (fd < 0 || bind(fd, (struct sockaddr *)address, size) || listen(fd, 1) ||
	    getsockname(fd, (struct sockaddr *)address, &size))
		rc = socket_error("listen");
	if (rc && fd >= 0)
		close(fd);
	if (!rc)
		*ret_fd = fd;
	return rc;
}

/* Accepts until the peer is @client: anybody may connect to the port. */
static int accept_own(int listener, int client, int *ret_server)
{
	struct sockaddr_in own, peer;
	socklen_t size = sizeof(own);

	if (getsockname(client, (struct sockaddr *)&own, &size))
		return socket_error("read the name of a socket");
	for (;;) {
		int fd;

		size = sizeof(peer);
		fd = accept4(listener, (struct sockaddr *)&peer, &size, SOCK_CLOEXEC);
		if (fd < 0 && errno != EINTR && errno != ECONNABORTED)
			return socket_error("accept");
		if (fd >= 0 && peer.sin_port == own.sin_port &&
		    peer.sin_addr.s_addr == own.sin_addr.s_addr) {
			*ret_server = fd;
			return 0;
		}
		if (fd >= 0)
			close(fd);
	}
}

static int connect_tcp(int *ret_client, int *ret_server)
{
	struct sockaddr_in address;
	int listener = -1, client = -1, server = -1;
	int rc = listen_anywhere(&address, &listener);

	if (rc)
		return rc;
	client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (client < 0 || connect(client, (struct sockaddr *)&address, sizeof(address)))
		rc = socket_error("connect");
	if (!rc)
		rc = accept_own(listener, client, &server);
	if (!rc)
		rc = no_delay(client);
	if (!rc)
		rc = no_delay(server);
	close(listener);
	if (rc && client >= 0)
		close(client);
	if (rc && server >= 0)
		close(server);
	if (rc)
		return rc;
	*ret_client = client;
	*ret_server = server;
	return 0;
}

int client_server_connect(int transport, int *ret_client, int *ret_server)
{
	int ends[2];

	if (transport == CLIENT_SERVER_TCP)
		return connect_tcp(ret_client, ret_server);
	/* Unnamed: nothing in the file system that two instances could share. */
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		return error_set(-errno, "cannot make a socket pair: %s", strerror(errno));
	*ret_client = ends[0];
	*ret_server = ends[1];
	return 0;
}
