/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The plain loop that fork-chain is compared with: posix_spawn() and waitpid() of a program, one
 * child at a time. Prints children per second.
 *
 *   spawn-loop CHILDREN COMMAND [ARGUMENT...]
 */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	long children = argc > 2 ? atol(argv[1]) : 0;
	double begin = now_s();

	if (children < 1) {
		fprintf(stderr, "usage: spawn-loop CHILDREN COMMAND [ARGUMENT...]\n");
		return 2;
	}
	for (long i = 0; i < children; i++) {
		int status;
		pid_t pid;

		if (posix_spawn(&pid, argv[2], NULL, NULL, argv + 2, environ) ||
		    waitpid(pid, &status, 0) != pid || status) {
			fprintf(stderr, "spawn-loop: child %ld failed\n", i);
			return 1;
		}
	}
	printf("%.1f\n", (double)children / (now_s() - begin));
	return 0;
}
