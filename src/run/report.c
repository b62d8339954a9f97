/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fork and exec of build/analysis; its output goes where ours goes.
 */
#include "run/report.h"
#include "lib/error.h"
#include "run/privilege.h"
#include "run/where.h"
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

static void child_main(char **argv) __attribute__((noreturn));

static void child_main(char **argv)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (privilege_leave())
		dprintf(STDERR_FILENO, "runner: %s\n", error_text());
	else if (execv(argv[0], argv))
		dprintf(STDERR_FILENO, "runner: %s: %m\n", argv[0]);
	_exit(1);
}

int report_program(char *const *arguments)
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
		return error_set(-ENOMEM, "out of memory");
	argv[0] = program;
	memcpy(argv + 1, arguments, n * sizeof(*argv));
	fflush(stdout);
	pid = fork();
	if (!pid)
		child_main(argv);
	free(argv);
	return pid < 0 ? error_set(-errno, "fork: %m") : wait_for(pid);
}

int report_make(const char *dir, bool quiet)
{
	char *folder = strdup(dir);
	char *arguments[] = { (char[]){ "report" }, folder, quiet ? (char[]){ "--quiet" } : NULL,
			      NULL };
	int status = folder ? report_program(arguments) : error_set(-ENOMEM, "out of memory");

	free(folder);
	return status;
}
