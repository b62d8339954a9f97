/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * posix_spawn of build/analysis; its output goes where ours goes.
 */
#include "run/report.h"
#include "lib/error.h"
#include "run/where.h"
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
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

int report_program(char *const *arguments)
{
	char program[PATH_MAX], *argv[64] = { program };
	posix_spawnattr_t attr;
	sigset_t none;
	pid_t pid;
	size_t n = 1;
	int err = where_analysis(program);

	if (err)
		return err;
	while (arguments[n - 1] && n + 1 < sizeof(argv) / sizeof(argv[0])) {
		argv[n] = arguments[n - 1];
		n++;
	}
	if (arguments[n - 1])
		return error_usage("more than %zu arguments", n - 1);
	fflush(stdout);
	sigemptyset(&none);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK);
	posix_spawnattr_setsigmask(&attr, &none);
	err = posix_spawn(&pid, program, NULL, &attr, argv, environ);
	posix_spawnattr_destroy(&attr);
	return err ? error_set(-err, "%s: %s", program, strerror(err)) : wait_for(pid);
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
