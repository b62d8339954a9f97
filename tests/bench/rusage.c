/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a command costs: runs it, without its output, and prints CPU time (user + system, us) and
 * context switches (voluntary + involuntary), those of its children included. A shell's "time"
 * tells whole milliseconds and no switches.
 *
 *   rusage COMMAND [ARGUMENT...]
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static long long us_of(const struct timeval *t)
{
	return t->tv_sec * 1000000LL + t->tv_usec;
}

int main(int argc, char **argv)
{
	struct rusage used;
	int status, null;
	pid_t pid;

	if (argc < 2) {
		fprintf(stderr, "usage: rusage COMMAND [ARGUMENT...]\n");
		return 2;
	}
	pid = fork();
	if (!pid) {
		null = open("/dev/null", O_RDWR);
		dup2(null, STDOUT_FILENO);
		dup2(null, STDERR_FILENO);
		execvp(argv[1], argv + 1);
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &status, 0, &used) != pid) {
		perror("rusage");
		return 1;
	}
	if (!WIFEXITED(status) || WEXITSTATUS(status)) {
		fprintf(stderr, "rusage: %s failed (wait status %#x)\n", argv[1], status);
		return 1;
	}
	printf("%lld %ld\n", us_of(&used.ru_utime) + us_of(&used.ru_stime),
	       used.ru_nvcsw + used.ru_nivcsw);
	return 0;
}
