/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lock is the name of a listening socket. SO_PEERCRED of a connection to it is the process that
 * called listen(), also when only a child of it still holds the socket: that is how a dead runner
 * with a working guardian is told from a living one.
 */
#include "hw/lock.h"
#include "lib/clock.h"
#include "lib/error.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define PREFIX_TEXT "idle-runner:"
#define NAME_MAX_BYTES 100 /* of the 107 that sun_path has behind its leading NUL */
#define GUARDIAN_WAIT_NS 3000000000u
#define POLL_NS 20000000u
#define COMMAND_MAX 201 /* a longer command line is cut */

struct address {
	struct sockaddr_un un;
	socklen_t size;
};

static struct address lock_address(const struct root *root)
{
	const char *path = root->path[0] ? root->path : "/";
	struct address address = { .un.sun_family = AF_UNIX };
	char *name = address.un.sun_path + 1;
	uint64_t hash = 0xcbf29ce484222325u;

	if (sizeof(PREFIX_TEXT) - 1 + strlen(path) <= NAME_MAX_BYTES) {
		snprintf(name, NAME_MAX_BYTES + 1, "%s%s", PREFIX_TEXT, path);
	} else {
		for (const char *c = path; *c; c++)
			hash = (hash ^ (unsigned char)*c) * 0x100000001b3u;
		snprintf(name, NAME_MAX_BYTES + 1, "%s#%016" PRIx64, PREFIX_TEXT, hash);
	}
	address.size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name));
	return address;
}

/* Who called listen() on the name. 0 when that cannot be told (another pid namespace, queue full).
 * -ECONNREFUSED when nobody listens: the name is free, or is about to be listened on. */
static int holder_pid(const struct address *address, pid_t *ret)
{
	struct ucred peer = { .pid = 0 };
	socklen_t size = sizeof(peer);
	int fd, code = 0;

	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return -errno;
	if (connect(fd, (const struct sockaddr *)&address->un, address->size))
		code = errno == ECONNREFUSED ? -ECONNREFUSED : 0;
	else if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size))
		peer.pid = 0;
	close(fd);
	*ret = peer.pid;
	return code;
}

static ssize_t read_proc(pid_t pid, const char *name, char *text, size_t size)
{
	char path[64];
	ssize_t got;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	got = read(fd, text, size - 1);
	if (got < 0)
		got = -errno;
	text[got > 0 ? got : 0] = '\0';
	close(fd);
	return got;
}

/* A zombie is dead: its descriptors are closed. */
static bool process_dead(pid_t pid)
{
	char stat[512], *end;

	if (read_proc(pid, "stat", stat, sizeof(stat)) <= 0)
		return true;
	end = strrchr(stat, ')');
	return end && (!strncmp(end, ") Z", 3) || !strncmp(end, ") X", 3));
}

static int busy(pid_t pid, bool dead)
{
	char command[COMMAND_MAX];
	ssize_t length;

	if (!pid)
		return error_set(-EBUSY,
				 "another runner works on this machine (its pid cannot be told)");
	if (dead)
		return error_set(-EBUSY,
				 "the runner with pid %d died and its guardian has not put the "
				 "machine back yet: try again in a moment",
				 (int)pid);
	length = read_proc(pid, "cmdline", command, sizeof(command));
	while (length > 0 && !command[length - 1])
		length--;
	for (ssize_t i = 0; i < length; i++)
		if ((unsigned char)command[i] < ' ')
			command[i] = ' ';
	return error_set(-EBUSY, "another runner works on this machine: pid %d (%s)", (int)pid,
			 length > 0 ? command : "unknown command");
}

int lock_take(const struct root *root, int *ret_fd)
{
	const struct address address = lock_address(root);
	uint64_t give_up_ns = clock_now_ns() + GUARDIAN_WAIT_NS;
	pid_t pid = 0;
	bool dead;
	int fd, code;

	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return error_set(-errno, "cannot make the lock socket: %s", strerror(errno));
	while (bind(fd, (const struct sockaddr *)&address.un, address.size)) {
		code = -errno;
		if (code != -EADDRINUSE) {
			close(fd);
			return error_set(code, "cannot bind the lock socket: %s", strerror(-code));
		}
		code = holder_pid(&address, &pid);
		dead = code || (pid && process_dead(pid));
		if (!dead || clock_now_ns() >= give_up_ns) {
			close(fd);
			return busy(pid, dead);
		}
		clock_sleep_until(clock_now_ns() + POLL_NS);
	}
	if (listen(fd, SOMAXCONN)) {
		code = -errno;
		close(fd);
		return error_set(code, "cannot listen on the lock socket: %s", strerror(-code));
	}
	*ret_fd = fd;
	return 0;
}

int lock_probe(const struct root *root)
{
	const struct address address = lock_address(root);
	pid_t pid = 0;
	int code = holder_pid(&address, &pid);

	if (code == -ECONNREFUSED)
		return 0;
	if (code)
		return error_set(code, "cannot look for another runner: %s", strerror(-code));
	return busy(pid, pid && process_dead(pid));
}
