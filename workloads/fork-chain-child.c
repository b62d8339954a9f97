/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One child: started, waited for, judged. Written out because posix_spawn() cannot ask for
 * PR_SET_PDEATHSIG, without which a killed parent would leave its last child behind.
 *
 * After vfork() the child runs on its parent's memory and stack while the parent sleeps, so it only
 * makes system calls and writes what the parent does not read until it has ended.
 */
#include "lib/error.h"
#include "workloads/fork-chain.h"
#include "workloads/work.h"
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void child_main(const struct fork_chain_kind *kind, struct fork_chain_trace *trace,
		       pid_t parent) __attribute__((noreturn));

static void child_main(const struct fork_chain_kind *kind, struct fork_chain_trace *trace,
		       pid_t parent)
{
	unsigned int cpu;

	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	if (getppid() != parent)
		_exit(1); /* it died before the line above */
	/* Not sched_getcpu(): after vfork() it may read what the kernel noted for the parent. */
	if (!syscall(SYS_getcpu, &cpu, NULL, NULL))
		trace->cpu = (int)cpu;
	if (!kind->argv) {
		work_do(kind->units);
		_exit(0);
	}
	execv(kind->argv[0], (char *const *)kind->argv); /* it writes to none of them */
	trace->error = errno;
	_exit(127);
}

/* As shells have it. */
static int status_error(const struct fork_chain_kind *kind, const struct fork_chain_trace *trace,
			int status)
{
	const char *name = kind->argv ? kind->argv[0] : "without a program";

	if (trace->error)
		return error_set(-ECHILD, "child: cannot start %s: %s", name,
				 strerror(trace->error));
	if (WIFSIGNALED(status))
		return error_set(-ECHILD, "child: %s was killed by signal %d", name,
				 WTERMSIG(status));
	return error_set(-ECHILD, "child: %s ended with status %d", name, WEXITSTATUS(status));
}

int fork_chain_child(const struct fork_chain_kind *kind, struct fork_chain_trace *trace)
{
	pid_t parent = getpid(), pid;
	int status;

	trace->cpu = -1;
	trace->error = 0;
	pid = kind->vfork ? vfork() : fork();
	if (!pid)
		child_main(kind, trace, parent);
	if (pid < 0)
		return error_set(-ECHILD, "cannot start a child: %s", strerror(errno));
	while (waitpid(pid, &status, 0) != pid) {
		if (errno != EINTR)
			return error_set(-ECHILD, "cannot wait for a child: %s", strerror(errno));
	}
	return status ? status_error(kind, trace, status) : 0;
}
