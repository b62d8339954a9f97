/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fork and exec of build/analysis; its output goes where ours goes, or to a descriptor.
 */
#include "run/report.h"
#include "lib/error.h"
#include "run/privilege.h"
#include "run/where.h"
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int wait_for(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return error_set(-errno, "waiting for the report program: %m");
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Until the program has ended. When @stop is readable first, it is told to. */
static void await_end(pid_t pid, int stop)
{
	struct pollfd fds[] = { { .fd = (int)syscall(SYS_pidfd_open, pid, 0), .events = POLLIN },
				{ .fd = stop, .events = POLLIN } };

	if (fds[0].fd < 0)
		return;
	while (poll(fds, 2, -1) < 0 && errno == EINTR)
		;
	if (!fds[0].revents)
		kill(pid, SIGTERM);
	close(fds[0].fd);
}

static void child_main(char **argv, int out) __attribute__((noreturn));

static void child_main(char **argv, int out)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (out != STDOUT_FILENO && dup2(out, STDOUT_FILENO) < 0)
		dprintf(STDERR_FILENO, "runner: standard output: %m\n");
	else if (privilege_leave())
		dprintf(STDERR_FILENO, "runner: %s\n", error_text());
	else if (execv(argv[0], argv))
		dprintf(STDERR_FILENO, "runner: %s: %m\n", argv[0]);
	_exit(1);
}

static int start(char *const *arguments, int out, pid_t *ret)
{
	char program[PATH_MAX], **argv;
	pid_t pid;
	size_t n = 0;
	int err = where_analysis(program);

	if (err)
		return err;
	while (arguments[n])
		n++;
	argv = calloc(n + 2, sizeof(*argv));
	if (!argv)
		return error_no_memory();
	argv[0] = program;
	memcpy(argv + 1, arguments, n * sizeof(*argv));
	fflush(stdout);
	pid = fork();
	if (!pid)
		child_main(argv, out);
	free(argv);
	if (pid < 0)
		return error_set(-errno, "fork: %m");
	*ret = pid;
	return 0;
}

int report_program_to(char *const *arguments, int out)
{
	pid_t pid;
	int err = start(arguments, out, &pid);

	return err ? err : wait_for(pid);
}

int report_program_until(char *const *arguments, int stop)
{
	pid_t pid;
	int err = start(arguments, STDOUT_FILENO, &pid);

	if (err)
		return err;
	await_end(pid, stop);
	return wait_for(pid);
}

int report_program(char *const *arguments)
{
	return report_program_to(arguments, STDOUT_FILENO);
}

int report_make(const char *dir, bool quiet)
{
	char *folder = strdup(dir);
	char *arguments[] = { (char[]){ "report" }, folder, quiet ? (char[]){ "--quiet" } : NULL,
			      NULL };
	int status = folder ? report_program(arguments) : error_no_memory();

	free(folder);
	return status;
}
