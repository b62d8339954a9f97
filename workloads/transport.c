/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The transports of ping-pong and wakeup. What runs for every hop is one system call at either side
 * (futex: none on the side that comes late, spin: none at all).
 */
#include "workloads/transport.h"
#include "lib/error.h"
#include "workloads/driver.h"
#include "workloads/futex.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/* Flags hold the sender's count above the token. */
#define FLAG_SHIFT 8
#define FLAG_TOKEN 0xffu

static int open_error(const char *what)
{
	return error_set(-errno, "cannot make a %s: %s", what, strerror(errno));
}

/* Both ends of a fifo of that path; the reader has to come first, and must not block for that. */
static int open_ends(struct channel *channel, const char *path)
{
	if (mkfifo(path, 0600))
		return open_error("fifo");
	channel->read_fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (channel->read_fd >= 0)
		channel->write_fd = open(path, O_WRONLY | O_CLOEXEC);
	if (channel->read_fd < 0 || channel->write_fd < 0 ||
	    fcntl(channel->read_fd, F_SETFL, 0) < 0) {
		int rc = open_error("fifo");

		unlink(path);
		return rc;
	}
	unlink(path);
	return 0;
}

/* In a private folder that is gone before the first token. */
static int open_fifo(struct channel *channel, bool private)
{
	const char *base = getenv("TMPDIR");
	char folder[4096], path[4200];
	int rc;

	(void)private;
	snprintf(folder, sizeof(folder), "%s/ping-pong.XXXXXX", base && *base ? base : "/tmp");
	if (!mkdtemp(folder))
		return error_set(-errno, "%s: %s", folder, strerror(errno));
	snprintf(path, sizeof(path), "%s/fifo", folder);
	rc = open_ends(channel, path);
	rmdir(folder);
	return rc;
}

static int open_pipe(struct channel *channel, bool private)
{
	int ends[2];

	(void)private;
	if (pipe2(ends, O_CLOEXEC))
		return open_error("pipe");
	channel->read_fd = ends[0];
	channel->write_fd = ends[1];
	return 0;
}

static int open_socket(struct channel *channel, bool private)
{
	int ends[2];

	(void)private;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		return open_error("socket pair");
	channel->read_fd = ends[0];
	channel->write_fd = ends[1];
	return 0;
}

static int wait_byte(struct channel *channel)
{
	unsigned char token;
	ssize_t n;

	do
		n = read(channel->read_fd, &token, 1);
	while (n < 0 && errno == EINTR);
	if (n == 1)
		return token;
	return n < 0 ? -errno : -EPIPE;
}

static int pass_byte(struct channel *channel, enum token token)
{
	unsigned char byte = (unsigned char)token;
	ssize_t n;

	do
		n = write(channel->write_fd, &byte, 1);
	while (n < 0 && errno == EINTR);
	return n == 1 ? 0 : -errno;
}

static int open_eventfd(struct channel *channel, bool private)
{
	(void)private;
	channel->read_fd = channel->write_fd = eventfd(0, EFD_CLOEXEC);
	return channel->read_fd < 0 ? open_error("eventfd") : 0;
}

static int wait_eventfd(struct channel *channel)
{
	uint64_t token;
	ssize_t n;

	do
		n = read(channel->read_fd, &token, sizeof(token));
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	return token > TOKEN_STOP ? -EPROTO : (int)token;
}

static int pass_eventfd(struct channel *channel, enum token token)
{
	uint64_t add = token;
	ssize_t n;

	do
		n = write(channel->write_fd, &add, sizeof(add));
	while (n < 0 && errno == EINTR);
	return n < 0 ? -errno : 0;
}

static int open_flag(struct channel *channel, bool private)
{
	channel->wake = FUTEX_WAKE | (private ? FUTEX_PRIVATE_FLAG : 0);
	channel->wait = FUTEX_WAIT | (private ? FUTEX_PRIVATE_FLAG : 0);
	return 0;
}

static inline void put_flag(struct channel *channel, enum token token)
{
	channel->count++;
	atomic_store_explicit(&channel->flag->word,
			      (channel->count << FLAG_SHIFT) | (uint32_t)token,
			      memory_order_release);
}

/* The token in @word, which has to be the next after those received. */
static inline int take_flag(struct channel *channel, uint32_t word)
{
	channel->count++;
	if (word >> FLAG_SHIFT != (channel->count & (UINT32_MAX >> FLAG_SHIFT)))
		return -EPROTO;
	return (int)(word & FLAG_TOKEN);
}

static inline bool is_old(const struct channel *channel, uint32_t word)
{
	return word >> FLAG_SHIFT == (channel->count & (UINT32_MAX >> FLAG_SHIFT));
}

static int wait_futex(struct channel *channel)
{
	uint32_t word;

	for (;;) {
		word = atomic_load_explicit(&channel->flag->word, memory_order_acquire);
		if (!is_old(channel, word))
			return take_flag(channel, word);
		if (futex_call(&channel->flag->word, channel->wait, word) && errno != EAGAIN &&
		    errno != EINTR)
			return -errno;
	}
}

static int pass_futex(struct channel *channel, enum token token)
{
	put_flag(channel, token);
	return futex_call(&channel->flag->word, channel->wake, 1) < 0 ? -errno : 0;
}

static int wait_spin(struct channel *channel)
{
	uint32_t word;

	while (is_old(channel,
		      word = atomic_load_explicit(&channel->flag->word, memory_order_acquire)))
		transport_relax();
	return take_flag(channel, word);
}

static int pass_spin(struct channel *channel, enum token token)
{
	put_flag(channel, token);
	return 0;
}

const struct transport transport_table[] = {
	{ "fifo", false, open_fifo, wait_byte, pass_byte },
	{ "pipe", false, open_pipe, wait_byte, pass_byte },
	{ "eventfd", false, open_eventfd, wait_eventfd, pass_eventfd },
	{ "futex", false, open_flag, wait_futex, pass_futex },
	{ "socket", false, open_socket, wait_byte, pass_byte },
	{ "spin", true, open_flag, wait_spin, pass_spin },
	{ 0 },
};

/* Two descriptors a channel: more than the usual soft limit from 500 channels on. */
static int allow_descriptors(size_t channels)
{
	struct rlimit limit;
	rlim_t want = 2 * (rlim_t)channels + 64;

	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur >= want)
		return 0;
	limit.rlim_cur = want < limit.rlim_max ? want : limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
	if (limit.rlim_cur < want)
		return error_set(-EMFILE, "%zu tasks need %llu open files, the limit is %llu",
				 channels, (unsigned long long)want,
				 (unsigned long long)limit.rlim_max);
	return 0;
}

int transport_open_all(const struct transport *transport, size_t n, bool private,
		       struct channel **ret)
{
	struct channel *channel = calloc(n, sizeof(*channel));
	void *memory;
	int rc = channel ? driver_alloc(n * sizeof(struct transport_flag), &memory)
			 : error_no_memory();

	if (!rc)
		rc = allow_descriptors(n);
	for (size_t i = 0; i < n && !rc; i++) {
		channel[i].flag = (struct transport_flag *)memory + i;
		rc = transport->open(&channel[i], private);
	}
	if (rc)
		free(channel);
	else
		*ret = channel;
	return rc;
}
