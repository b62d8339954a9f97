/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The processes that came of a command, found by /proc. None is ever known by its name: they are
 * the caller's descendants, and as it is their subreaper none can leave it.
 */
#include "workloads/command-kin.h"
#include "lib/clock.h"
#include "lib/error.h"
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define END_NS 10000000000u
#define PAUSE_NS 1000000u

struct process {
	pid_t pid, parent;
	char state;
	uint64_t user, system; /* clock ticks, of it and its reaped children */
	bool ours;
};

struct processes {
	struct process *process;
	size_t n;
};

/* The name may hold blanks and ')': it ends at the last ')'. */
static bool read_process(const char *pid, struct process *ret)
{
	char path[32], text[1024], *end;
	uint64_t user, system, children_user, children_system;
	int fd, parent;
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%.16s/stat", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[n > 0 ? n : 0] = '\0';
	end = strrchr(text, ')');
	if (!end ||
	    sscanf(end,
		   ") %c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %" SCNu64 " %" SCNu64 " %" SCNu64
		   " %" SCNu64,
		   &ret->state, &parent, &user, &system, &children_user, &children_system) != 6)
		return false;
	ret->pid = (pid_t)atoi(pid);
	ret->parent = parent;
	ret->user = user + children_user;
	ret->system = system + children_system;
	ret->ours = false;
	return true;
}

/* What cannot be read has just ended. */
static void read_all(struct processes *ret)
{
	DIR *dir = opendir("/proc");
	const struct dirent *entry;
	struct process process, *bigger;

	*ret = (struct processes){ 0 };
	while (dir && (entry = readdir(dir))) {
		if (!isdigit((unsigned char)entry->d_name[0]) ||
		    !read_process(entry->d_name, &process))
			continue;
		bigger = reallocarray(ret->process, ret->n + 1, sizeof(*bigger));
		if (!bigger)
			break;
		ret->process = bigger;
		ret->process[ret->n++] = process;
	}
	if (dir)
		closedir(dir);
}

static bool is_ours(const struct processes *all, pid_t parent)
{
	if (parent == getpid())
		return true;
	for (size_t i = 0; i < all->n; i++) {
		if (all->process[i].pid == parent)
			return all->process[i].ours;
	}
	return false;
}

/* A child may stand before its parent in /proc: until nothing new is found. */
static void mark_ours(struct processes *all)
{
	bool more = true;

	while (more) {
		more = false;
		for (size_t i = 0; i < all->n; i++) {
			struct process *p = &all->process[i];

			if (!p->ours && is_ours(all, p->parent))
				p->ours = more = true;
		}
	}
}

void command_kin_usage(uint64_t *user_ns, uint64_t *system_ns)
{
	uint64_t tick_ns = 1000000000u / (uint64_t)sysconf(_SC_CLK_TCK);
	struct processes all;

	read_all(&all);
	mark_ours(&all);
	for (size_t i = 0; i < all.n; i++) {
		if (!all.process[i].ours)
			continue;
		*user_ns += all.process[i].user * tick_ns;
		*system_ns += all.process[i].system * tick_ns;
	}
	free(all.process);
}

int command_kin_signal(int signal)
{
	struct processes all;
	int n = 0;

	read_all(&all);
	for (size_t i = 0; i < all.n; i++) {
		const struct process *p = &all.process[i];

		if (p->parent != getpid() || p->state == 'Z')
			continue;
		kill(p->pid, signal);
		n++;
	}
	free(all.process);
	return n;
}

int command_kin_end(void)
{
	uint64_t limit = clock_now_ns() + END_NS;

	for (;;) {
		pid_t pid;

		while ((pid = waitpid(-1, NULL, WNOHANG)) > 0)
			;
		if (pid < 0 && errno == ECHILD)
			return 0;
		if (clock_now_ns() > limit)
			return error_set(-EBUSY, "processes of the command are still there 10 s "
						 "after they were killed");
		command_kin_signal(SIGKILL);
		clock_sleep_until(clock_now_ns() + PAUSE_NS);
	}
}
