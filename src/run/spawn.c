/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One thread forks, before any other exists, so that hwloc may bind between fork and exec.
 */
#include "run/spawn.h"
#include "lib/clock.h"
#include "lib/error.h"
#include "run/interrupt.h"
#include "run/privilege.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define TERM_GRACE_MS 2000

static void redirect(const char *log)
{
	int in = open("/dev/null", O_RDONLY),
	    out = open(log, O_WRONLY | O_CREAT | O_EXCL | O_APPEND, 0666);

	if (in < 0 || out < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0)
		_exit(127);
	if (in > 2)
		close(in);
	if (out > 2)
		close(out);
}

static void die_with(pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(127);
}

static void child_main(const struct topology *topology, const struct cpulist *cpus, char **argv,
		       const char *log, int sync_fd, pid_t parent) __attribute__((noreturn));

static void child_main(const struct topology *topology, const struct cpulist *cpus, char **argv,
		       const char *log, int sync_fd, pid_t parent)
{
	char number[16];

	die_with(parent);
	setpgid(0, 0);
	redirect(log);
	interrupt_child();
	if (cpus->n && topology_bind_process(topology, cpus)) {
		dprintf(2, "%s\n", error_text());
		_exit(127);
	}
	if (privilege_leave()) {
		dprintf(2, "%s\n", error_text());
		_exit(127);
	}
	die_with(parent); /* a change of user clears that */
	fcntl(sync_fd, F_SETFD, 0);
	snprintf(number, sizeof(number), "%d", sync_fd);
	for (char **a = argv; *a; a++)
		if (!strcmp(*a, "@sync@"))
			*a = number;
	execv(argv[0], argv);
	dprintf(2, "%s: %m\n", argv[0]);
	_exit(127);
}

int spawn_start(const struct topology *topology, const struct cpulist *cpus, char **argv,
		const char *log, struct child *ret)
{
	struct child child = { .pidfd = -1 };
	pid_t parent = getpid();
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
		return error_set(-errno, "socketpair: %m");
	child.pid = fork();
	if (child.pid == 0)
		child_main(topology, cpus, argv, log, pair[1], parent);
	close(pair[1]);
	child.sync_fd = pair[0];
	if (child.pid < 0) {
		close(pair[0]);
		return error_set(-errno, "fork: %m");
	}
	setpgid(child.pid, child.pid);
	child.pidfd = (int)syscall(SYS_pidfd_open, child.pid, 0);
	if (child.pidfd < 0) {
		int err = error_set(-errno, "pidfd_open: %m (a kernel before 5.3?)");

		spawn_finish(&child);
		return err;
	}
	*ret = child;
	return 0;
}

/* True when a whole line has come; the protocol never has two under way. */
static bool read_line(struct child *child)
{
	char *end;
	ssize_t n;

	if (child->filled == sizeof(child->line))
		child->filled = 0;
	n = recv(child->sync_fd, child->line + child->filled, sizeof(child->line) - child->filled,
		 MSG_DONTWAIT);
	if (n <= 0)
		return false;
	child->filled += (size_t)n;
	end = memchr(child->line, '\n', child->filled);
	if (!end)
		return false;
	*end = '\0';
	child->filled = 0;
	return true;
}

static void reap(struct child *child, int flags)
{
	int status;

	if (child->ended || wait4(child->pid, &status, flags, &child->usage) != child->pid)
		return;
	child->ended = true;
	child->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* A line or an end among what poll has found; false when there was neither. */
static bool look(struct child *const *child, size_t n, const struct pollfd *fds,
		 enum spawn_event *ret_event, size_t *ret_which)
{
	for (size_t i = 0; i < n; i++) {
		if (fds[2 * i + 1].revents & POLLIN && read_line(child[i])) {
			*ret_event = SPAWN_MESSAGE;
			*ret_which = i;
			return true;
		}
	}
	for (size_t i = 0; i < n; i++) {
		if (fds[2 * i].revents) {
			reap(child[i], WNOHANG);
			*ret_event = SPAWN_ENDED;
			*ret_which = i;
			return true;
		}
	}
	return false;
}

static bool hung_up(const struct pollfd *fds, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (fds[2 * i + 1].revents & POLLHUP)
			return true;
	return false;
}

enum spawn_event spawn_wait(struct child *const *child, size_t n, uint64_t until_ns,
			    size_t *ret_which)
{
	for (;;) {
		struct pollfd fds[2 * SPAWN_CHILDREN_MAX + 1];
		uint64_t now = clock_now_ns(), left = until_ns > now ? until_ns - now : 0;
		struct timespec timeout = { (time_t)(left / 1000000000u),
					    (long)(left % 1000000000u) };
		enum spawn_event event;
		int found;

		for (size_t i = 0; i < n; i++) {
			bool gone = child[i]->ended; /* poll() passes over descriptors below 0 */

			fds[2 * i] = (struct pollfd){ gone ? -1 : child[i]->pidfd, POLLIN, 0 };
			fds[2 * i + 1] =
				(struct pollfd){ gone ? -1 : child[i]->sync_fd, POLLIN, 0 };
		}
		fds[2 * n] = (struct pollfd){ interrupt_fd(), POLLIN, 0 };
		found = ppoll(fds, 2 * n + 1, until_ns == UINT64_MAX ? NULL : &timeout, NULL);
		if (interrupt_pending())
			return SPAWN_INTERRUPTED;
		if (found == 0)
			return SPAWN_TIMEOUT;
		if (found < 0)
			continue;
		if (look(child, n, fds, &event, ret_which))
			return event;
		if (hung_up(fds, n)) /* closed, not yet dead: its exit is a moment away */
			clock_sleep_until(clock_now_ns() + 1000000);
	}
}

int spawn_go(struct child *child, uint64_t t0_ns, uint64_t t1_ns)
{
	char line[64];
	int n = snprintf(line, sizeof(line), "go %llu %llu\n", (unsigned long long)t0_ns,
			 (unsigned long long)t1_ns);

	if (send(child->sync_fd, line, (size_t)n, MSG_NOSIGNAL) != n)
		return error_set(-EPIPE, "the workload went away before it was told to start");
	return 0;
}

void spawn_finish(struct child *child)
{
	if (child->pid <= 0)
		return;
	if (!child->ended && !kill(-child->pid, SIGTERM) && child->pidfd >= 0)
		poll(&(struct pollfd){ child->pidfd, POLLIN, 0 }, 1, TERM_GRACE_MS);
	kill(-child->pid, SIGKILL); /* its group: tasks that outlived it as well */
	reap(child, 0);
	if (child->pidfd >= 0)
		close(child->pidfd);
	close(child->sync_fd);
	child->pid = 0;
}
