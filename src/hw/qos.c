/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The two devices hold a binary s32, the CPUs' own files a text. Opening a device for reading adds
 * a request without a limit for as long as it is open; that wakes nobody.
 */
#include "hw/qos.h"

#include "lib/error.h"
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DMA "dev/cpu_dma_latency"
#define WAKEUP "dev/cpu_wakeup_latency"
/* What the devices hold when nobody set a limit: 2000 s, or the largest number. */
#define NO_LIMIT_US 2000000000

static struct qos_limit read_device(const struct root *root, const char *path)
{
	/* On a dump this may be anything: no link to follow, nothing to wait for. */
	int fd = root_open_file(root, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
	struct qos_limit limit = { .known = false };
	int32_t us;

	if (fd < 0) {
		limit.unreadable = fd != -ENOENT;
		return limit;
	}
	if (read(fd, &us, sizeof(us)) == sizeof(us) && us >= 0) {
		limit.known = true;
		limit.none = us >= NO_LIMIT_US;
		limit.us = limit.none ? 0 : (uint32_t)us;
	}
	limit.unreadable = !limit.known;
	close(fd);
	return limit;
}

static void resume_path(char path[QOS_WHERE_MAX], int cpu)
{
	snprintf(path, QOS_WHERE_MAX, "sys/devices/system/cpu/cpu%d/power/pm_qos_resume_latency_us",
		 cpu);
}

/* "0" is no limit, "n/a" is a limit of 0. */
static struct qos_limit read_resume(const struct root *root, int cpu)
{
	struct qos_limit limit = { .known = true };
	char path[QOS_WHERE_MAX], text[32];
	uint64_t us;

	resume_path(path, cpu);
	if (root_read(root, path, text, sizeof(text)) > 0 && !strcmp(text, "n/a"))
		return limit;
	if (root_read_u64(root, path, &us) || us > INT32_MAX)
		return (struct qos_limit){ .unreadable = root_exists(root, path) };
	limit.none = !us;
	limit.us = (uint32_t)us;
	return limit;
}

int qos_read(const struct root *root, const struct cpulist *cpus, struct qos *ret)
{
	struct qos qos = { 0 };

	qos.resume = calloc(cpus->n + 1, sizeof(*qos.resume));
	if (!qos.resume || cpulist_copy(cpus, &qos.cpus)) {
		free(qos.resume);
		return error_no_memory();
	}
	qos.dma = read_device(root, DMA);
	qos.wakeup = read_device(root, WAKEUP);
	for (size_t i = 0; i < cpus->n; i++)
		qos.resume[i] = read_resume(root, cpus->cpu[i]);
	error_clear(); /* of the files that are missing */
	*ret = qos;
	return 0;
}

void qos_free(struct qos *qos)
{
	free(qos->resume);
	cpulist_free(&qos->cpus);
	*qos = (struct qos){ 0 };
}

/* Takes @other for @limit when it is a tighter one; its file's name is @where's then. */
static bool tighten(struct qos_limit *limit, const struct qos_limit *other)
{
	limit->unreadable |= other->unreadable;
	if (!other->known || other->none || (!limit->none && limit->us <= other->us))
		return false;
	limit->none = false;
	limit->us = other->us;
	return true;
}

/* The limit of all CPUs; to be tightened by the CPUs' own, and then judged. */
static struct qos_limit start_smallest(const struct qos *qos, char *where)
{
	struct qos_limit limit = { .none = true };

	where[0] = '\0';
	if (tighten(&limit, &qos->dma))
		snprintf(where, QOS_WHERE_MAX, "/" DMA);
	if (tighten(&limit, &qos->wakeup))
		snprintf(where, QOS_WHERE_MAX, "/" WAKEUP);
	return limit;
}

static void tighten_by_cpu(const struct qos *qos, size_t i, struct qos_limit *limit, char *where)
{
	if (tighten(limit, &qos->resume[i]))
		snprintf(where, QOS_WHERE_MAX, "cpu%d/power/pm_qos_resume_latency_us",
			 qos->cpus.cpu[i]);
}

/* A limit that was seen is one, whatever else there may be; that there is none takes them all. */
static struct qos_limit judge(const struct qos *qos, struct qos_limit limit)
{
	limit.known = !limit.none || (qos->dma.known && !limit.unreadable);
	limit.none &= limit.known;
	limit.unreadable &= !limit.known;
	return limit;
}

struct qos_limit qos_smallest(const struct qos *qos, size_t i, char *where)
{
	struct qos_limit limit = start_smallest(qos, where);

	tighten_by_cpu(qos, i, &limit, where);
	return judge(qos, limit);
}

struct qos_limit qos_smallest_of_all(const struct qos *qos, char *where)
{
	struct qos_limit limit = start_smallest(qos, where);

	for (size_t i = 0; i < qos->cpus.n; i++)
		tighten_by_cpu(qos, i, &limit, where);
	return judge(qos, limit);
}

unsigned int qos_forbids(const struct qos_limit *limit, const struct cpuidle_state *state,
			 int states)
{
	unsigned int forbidden = 0;

	if (!limit->known || limit->none)
		return 0;
	for (int s = 1; s < states; s++) {
		bool disabled = state[s].disabled.known && state[s].disabled.value;
		bool too_slow = state[s].latency_us.known && state[s].latency_us.value > limit->us;

		if (!disabled && (too_slow || !limit->us))
			forbidden |= 1u << s;
	}
	return forbidden;
}

/* Appends "pid N (NAME)" when that task has a descriptor on @target. */
static void add_holder(const struct root *root, const char *pid, const char *target, char *text,
		       size_t size)
{
	char path[320], link[PATH_MAX], name[64];
	const struct dirent *entry;
	bool holds = false;
	ssize_t length;
	DIR *dir;
	int fd;

	snprintf(path, sizeof(path), "proc/%s/fd", pid);
	fd = root_open_file(root, path, O_RDONLY | O_DIRECTORY);
	dir = fd < 0 ? NULL : fdopendir(fd);
	if (!dir) {
		if (fd >= 0)
			close(fd);
		return;
	}
	while (!holds && (entry = readdir(dir))) {
		length = readlinkat(fd, entry->d_name, link, sizeof(link) - 1);
		link[length > 0 ? length : 0] = '\0';
		holds = link[0] == '/' && !strcmp(link + 1, target);
	}
	closedir(dir);
	if (!holds)
		return;
	snprintf(path, sizeof(path), "proc/%s/comm", pid);
	if (root_read(root, path, name, sizeof(name)) < 0)
		snprintf(name, sizeof(name), "?");
	length = (ssize_t)strlen(text);
	snprintf(text + length, size - (size_t)length, "%spid %s (%s)", length ? ", " : "", pid,
		 name);
}

void qos_holders(const struct root *root, const char *path, char *text, size_t size)
{
	int fd = root_open_file(root, "proc", O_RDONLY | O_DIRECTORY);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;

	text[0] = '\0';
	if (!dir) {
		if (fd >= 0)
			close(fd);
		return;
	}
	while ((entry = readdir(dir)))
		if (isdigit((unsigned char)entry->d_name[0]))
			add_holder(root, entry->d_name, path, text, size);
	closedir(dir);
}

/* "C3 (70 us), C6 (133 us) are" */
static void name_states(const struct cpuidle_cpu *cpu, unsigned int forbidden, char *text,
			size_t size)
{
	size_t used = 0;
	int n = 0;

	text[0] = '\0';
	for (int s = 0; s < cpu->states && used < size; s++) {
		const struct cpuidle_state *state = &cpu->state[s];

		if (!(forbidden & 1u << s))
			continue;
		used += (size_t)snprintf(text + used, size - used, "%s%s", n++ ? ", " : "",
					 state->name);
		if (state->latency_us.known && used < size)
			used += (size_t)snprintf(text + used, size - used, " (%" PRIu64 " us)",
						 state->latency_us.value);
	}
	if (used < size)
		snprintf(text + used, size - used, " %s", n == 1 ? "is" : "are");
}

static struct qos_limit limit_of(const struct qos *qos, int cpu, char *where)
{
	for (size_t i = 0; i < qos->cpus.n; i++)
		if (qos->cpus.cpu[i] == cpu)
			return qos_smallest(qos, i, where);
	return judge(qos, start_smallest(qos, where));
}

bool qos_explain(const struct root *root, const struct qos *qos, const struct cpuidle *cpuidle,
		 char *text, size_t size)
{
	char where[QOS_WHERE_MAX], states[512], holders[256] = "";

	for (size_t i = 0; i < cpuidle->n; i++) {
		const struct cpuidle_cpu *cpu = &cpuidle->cpu[i];
		struct qos_limit limit = limit_of(qos, cpu->cpu, where);
		unsigned int forbidden = qos_forbids(&limit, cpu->state, cpu->states);

		if (!forbidden)
			continue;
		name_states(cpu, forbidden, states, sizeof(states));
		if (where[0] == '/')
			qos_holders(root, where + 1, holders, sizeof(holders));
		snprintf(text, size, "cpu%d: %s forbidden by a limit of %" PRIu32 " us in %s%s%s%s",
			 cpu->cpu, states, limit.us, where, holders[0] ? ", which " : "", holders,
			 !holders[0]		? ""
			 : strchr(holders, ',') ? " have open"
						: " has open");
		return true;
	}
	return false;
}

const char *qos_limit_text(const struct qos_limit *limit, char text[16])
{
	if (!limit->known)
		return "";
	if (limit->none)
		return "none";
	snprintf(text, 16, "%" PRIu32, limit->us);
	return text;
}
