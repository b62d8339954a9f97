/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The socket to the runner. A short line may arrive in pieces; what follows "go" on the same
 * connection is an error, so a line is read byte by byte and nothing has to be kept.
 */
#include "workloads/sync.h"
#include "lib/error.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#define LINE_SIZE 64

static int runner_gone(void)
{
	return error_set(-EPIPE, "the runner closed the connection");
}

int sync_send(int fd, const char *line)
{
	size_t n = strlen(line);

	while (n) {
		ssize_t sent = send(fd, line, n, MSG_NOSIGNAL);

		if (sent < 0 && errno == EINTR)
			continue;
		if (sent < 0 && errno == EPIPE)
			return runner_gone();
		if (sent < 0)
			return error_set(-errno, "--sync-fd %d: %s", fd, strerror(errno));
		line += sent;
		n -= (size_t)sent;
	}
	return 0;
}

static int receive_byte(int fd, char *ret)
{
	ssize_t n;

	do
		n = recv(fd, ret, 1, 0);
	while (n < 0 && errno == EINTR);
	if (n < 0 && errno != ECONNRESET)
		return error_set(-errno, "--sync-fd %d: %s", fd, strerror(errno));
	return n == 1 ? 0 : runner_gone();
}

static int receive_line(int fd, char *line)
{
	size_t n = 0;
	int rc;

	while (n < LINE_SIZE - 1) {
		rc = receive_byte(fd, &line[n]);
		if (rc)
			return rc;
		if (line[n] == '\n') {
			line[n] = 0;
			return 0;
		}
		n++;
	}
	line[n] = 0;
	return error_set(-EPROTO, "the runner sent a line of more than %d bytes", LINE_SIZE - 2);
}

int sync_receive_go(int fd, uint64_t *ret_t0, uint64_t *ret_t1)
{
	char line[LINE_SIZE], again[LINE_SIZE];
	uint64_t t0, t1;
	int rc = receive_line(fd, line);

	if (rc)
		return rc;
	/* Printing it again finds signs, blanks, leading zeros, overflow and rests at once. */
	if (sscanf(line, "go %" SCNu64 " %" SCNu64, &t0, &t1) != 2)
		return error_set(-EPROTO, "the runner sent '%s' instead of 'go T0 T1'", line);
	snprintf(again, sizeof(again), "go %" PRIu64 " %" PRIu64, t0, t1);
	if (strcmp(line, again))
		return error_set(-EPROTO, "the runner sent '%s' instead of 'go T0 T1'", line);
	if (t0 > INT64_MAX || t1 > INT64_MAX)
		return error_set(-EPROTO, "the runner sent '%s': no such time", line);
	if (t1 && t1 <= t0)
		return error_set(-EPROTO, "the runner sent '%s': T1 is not after T0", line);
	*ret_t0 = t0;
	*ret_t1 = t1;
	return 0;
}

int sync_unexpected(int fd)
{
	char byte;
	int rc = receive_byte(fd, &byte);

	return rc ? rc : error_set(-EPROTO, "the runner spoke although nothing was due");
}
