/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Load from /proc: of all CPUs, and by task. A task that came or went in between is not named.
 */
#include "run/load.h"
#include "hw/host.h"
#include "lib/clock.h"
#include "lib/error.h"
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAMED 3
/* Below this share of one CPU, percent, a task is not worth a name. */
#define NAMED_MIN_PCT 5

struct task {
	int pid;
	char name[17]; /* 15 bytes and more than the kernel gives */
	uint64_t ticks; /* user and system time, _SC_CLK_TCK a second */
};

struct tasks {
	struct task *task;
	size_t n;
};

/* The name may hold blanks and ')': it ends at the last ')'. */
static bool read_task(const struct root *root, const char *pid, struct task *ret)
{
	char path[300], text[1024], *name, *end;
	uint64_t user, kernel;

	snprintf(path, sizeof(path), "proc/%s/stat", pid);
	if (root_read(root, path, text, sizeof(text)) < 0)
		return false;
	name = strchr(text, '(');
	end = strrchr(text, ')');
	if (!name || !end ||
	    sscanf(end, ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %" SCNu64 " %" SCNu64, &user,
		   &kernel) != 2)
		return false;
	*ret = (struct task){ .pid = atoi(pid), .ticks = user + kernel };
	snprintf(ret->name, sizeof(ret->name), "%.*s", (int)(end - name - 1), name + 1);
	return true;
}

/* What cannot be read is left out: names are a help, no measurement. */
static void read_tasks(const struct root *root, struct tasks *ret)
{
	int fd = root_open_file(root, "proc", O_RDONLY | O_DIRECTORY);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;
	struct task task, *grown;

	*ret = (struct tasks){ 0 };
	if (!dir) {
		if (fd >= 0)
			close(fd);
		return;
	}
	while ((entry = readdir(dir))) {
		if (!isdigit((unsigned char)entry->d_name[0]) ||
		    !read_task(root, entry->d_name, &task) || task.pid == getpid())
			continue;
		grown = reallocarray(ret->task, ret->n + 1, sizeof(*grown));
		if (!grown)
			break;
		ret->task = grown;
		ret->task[ret->n++] = task;
	}
	closedir(dir);
}

static int by_ticks(const void *a, const void *b)
{
	const struct task *one = a, *two = b;

	return one->ticks < two->ticks ? 1 : one->ticks > two->ticks ? -1 : one->pid - two->pid;
}

/* Turns @last into what each task used in between. */
static void subtract(const struct tasks *first, struct tasks *last)
{
	for (size_t i = 0; i < last->n; i++) {
		uint64_t before = last->task[i].ticks; /* new here: counts as idle */

		for (size_t k = 0; k < first->n; k++)
			if (first->task[k].pid == last->task[i].pid)
				before = first->task[k].ticks;
		last->task[i].ticks =
			last->task[i].ticks > before ? last->task[i].ticks - before : 0;
	}
}

static void name_busiest(const struct tasks *first, struct tasks *last, uint64_t ns,
			 struct load *ret)
{
	double tick_pct = 100e9 / (double)sysconf(_SC_CLK_TCK) / (double)ns;
	size_t used = 0;

	subtract(first, last);
	if (last->n)
		qsort(last->task, last->n, sizeof(*last->task), by_ticks);
	for (size_t i = 0; i < last->n && i < NAMED && used < sizeof(ret->busiest); i++) {
		double pct = (double)last->task[i].ticks * tick_pct;

		if (pct < NAMED_MIN_PCT)
			break;
		used += (size_t)snprintf(ret->busiest + used, sizeof(ret->busiest) - used,
					 "%spid %d (%s) %.0f %%", used ? ", " : "",
					 last->task[i].pid, last->task[i].name, pct);
	}
}

int load_look(const struct root *root, uint64_t ns, bool names, struct load *ret)
{
	uint64_t busy0, total0, busy1, total1, start = clock_now_ns();
	struct tasks first = { 0 }, last = { 0 };
	struct load load = { 0 };
	int err;

	if (!root->live)
		return error_set(-ENODATA, "the counters of a dumped machine stand still");
	if (names)
		read_tasks(root, &first);
	err = host_cpu_jiffies(root, &busy0, &total0);
	if (!err) {
		clock_sleep_until(clock_now_ns() + ns);
		err = host_cpu_jiffies(root, &busy1, &total1);
	}
	if (!err && (total1 <= total0 || busy1 < busy0))
		err = error_set(-ENODATA, "/proc/stat did not advance");
	if (!err && names)
		read_tasks(root, &last);
	if (!err) {
		load.share = (double)(busy1 - busy0) / (double)(total1 - total0);
		name_busiest(&first, &last, clock_now_ns() - start, &load);
		*ret = load;
	}
	free(first.task);
	free(last.task);
	return err;
}
