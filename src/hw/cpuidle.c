/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counter files. Reading a counter is one pread of a kept descriptor and a digit
 * loop; at 5 files x 5 states x 576 CPUs not all can be kept, so what lies above the budget is
 * opened, read and closed each time (P-18).
 */
#include "hw/cpuidle.h"
#include "hw/cpuidle_private.h"
#include "lib/clock.h"
#include "lib/error.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define FOLDER "sys/devices/system/cpu/cpuidle"
#define FDS_LEFT_TO_OTHERS 128

const char *const cpuidle_counter_file[CPUIDLE_COUNTERS] = {
	[CPUIDLE_USAGE] = "usage", [CPUIDLE_TIME_US] = "time",	    [CPUIDLE_ABOVE] = "above",
	[CPUIDLE_BELOW] = "below", [CPUIDLE_REJECTED] = "rejected",
};

static void forget_fds(struct cpuidle_cpu *cpu)
{
	for (int s = 0; s < CPUIDLE_STATES_MAX; s++)
		for (int c = 0; c < CPUIDLE_COUNTERS; c++)
			cpu->fd[s][c] = CPUIDLE_FD_MISSING;
}

static void close_fds(struct cpuidle_cpu *cpu)
{
	for (int s = 0; s < CPUIDLE_STATES_MAX; s++)
		for (int c = 0; c < CPUIDLE_COUNTERS; c++)
			if (cpu->fd[s][c] >= 0)
				close(cpu->fd[s][c]);
	forget_fds(cpu);
}

static long fd_budget(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return 0;
	if (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > (1u << 20))
		return 1 << 20;
	return (long)limit.rlim_cur - FDS_LEFT_TO_OTHERS;
}

/* Opens the counters of one CPU as far as *@budget goes, and takes what it opened from it. */
static int open_fds(const struct root *root, struct cpuidle_cpu *cpu, long *budget)
{
	char path[CPUIDLE_PATH_MAX];
	int code;

	for (int s = 0; s < cpu->states; s++) {
		for (int c = 0; c < CPUIDLE_COUNTERS; c++) {
			int *fd = &cpu->fd[s][c];

			cpuidle_state_path(path, cpu->cpu, cpu->state[s].index,
					   cpuidle_counter_file[c]);
			if (*budget <= 0) {
				*fd = root_exists(root, path) ? CPUIDLE_FD_PER_READ
							      : CPUIDLE_FD_MISSING;
				continue;
			}
			code = root_open_file(root, path, O_RDONLY);
			if (code >= 0) {
				*fd = code;
				(*budget)--;
			} else if (code == -ENOENT) {
				*fd = CPUIDLE_FD_MISSING;
			} else if (code == -EMFILE || code == -ENFILE) {
				*budget = 0;
				*fd = CPUIDLE_FD_PER_READ;
			} else {
				*fd = CPUIDLE_FD_MISSING;
				return error_set(code, "%s/%s: %s", root->path, path,
						 strerror(-code));
			}
		}
	}
	return 0;
}

int cpuidle_open(const struct root *root, const struct cpulist *cpus, struct cpuidle **ret)
{
	long budget = fd_budget();
	struct cpuidle *cpuidle;
	int code = 0;

	if (!root_exists(root, FOLDER))
		return error_set(-ENODEV,
				 "idle governors cannot matter here: %s/%s does not exist (the "
				 "kernel has no CONFIG_CPU_IDLE, or was booted with cpuidle.off=1)",
				 root->path, FOLDER);
	cpuidle = calloc(1, sizeof(*cpuidle));
	if (cpuidle)
		cpuidle->cpu = calloc(cpus->n + 1, sizeof(*cpuidle->cpu));
	if (!cpuidle || !cpuidle->cpu) {
		free(cpuidle);
		return error_no_memory();
	}
	cpuidle->root = root;
	cpuidle->n = cpus->n;
	for (size_t i = 0; i < cpus->n; i++)
		forget_fds(&cpuidle->cpu[i]);
	for (size_t i = 0; !code && i < cpus->n; i++) {
		code = cpuidle_read_table(root, cpus->cpu[i], &cpuidle->cpu[i]);
		if (!code)
			code = open_fds(root, &cpuidle->cpu[i], &budget);
	}
	if (code) {
		cpuidle_close(cpuidle);
		return code;
	}
	*ret = cpuidle;
	return 0;
}

static bool value_equal(struct cpuidle_value a, struct cpuidle_value b)
{
	return a.known == b.known && a.value == b.value;
}

static bool state_equal(const struct cpuidle_state *a, const struct cpuidle_state *b)
{
	return a->index == b->index && !strcmp(a->name, b->name) && !strcmp(a->desc, b->desc) &&
	       value_equal(a->latency_us, b->latency_us) &&
	       value_equal(a->residency_us, b->residency_us);
}

static int same_table(const struct cpuidle_cpu *was, const struct cpuidle_cpu *is)
{
	if (was->states != is->states)
		return error_set(-EBADMSG, "cpu%d: the idle states changed: %d before, %d now",
				 was->cpu, was->states, is->states);
	for (int s = 0; s < was->states; s++) {
		const struct cpuidle_state *a = &was->state[s], *b = &is->state[s];

		if (!state_equal(a, b))
			return error_set(-EBADMSG,
					 "cpu%d: idle state %d changed: %s %llu/%llu us before, %s "
					 "%llu/%llu us now",
					 was->cpu, a->index, a->name,
					 (unsigned long long)a->latency_us.value,
					 (unsigned long long)a->residency_us.value, b->name,
					 (unsigned long long)b->latency_us.value,
					 (unsigned long long)b->residency_us.value);
	}
	return 0;
}

int cpuidle_reopen(struct cpuidle *cpuidle)
{
	long budget = fd_budget();
	int code = 0;

	for (size_t i = 0; i < cpuidle->n; i++)
		close_fds(&cpuidle->cpu[i]);
	for (size_t i = 0; i < cpuidle->n; i++) {
		struct cpuidle_cpu *cpu = &cpuidle->cpu[i], now = { .cpu = cpu->cpu };

		code = cpuidle_read_table(cpuidle->root, cpu->cpu, &now);
		if (!code)
			code = same_table(cpu, &now);
		if (code)
			return code;
		memcpy(cpu->state, now.state, sizeof(cpu->state));
		code = open_fds(cpuidle->root, cpu, &budget);
		if (code)
			return code;
	}
	return 0;
}

/* Digits and one newline, as the kernel prints a counter. */
static int parse_counter(const char *text, ssize_t length, uint64_t *ret)
{
	uint64_t value = 0;
	ssize_t i = 0;

	for (; i < length && text[i] >= '0' && text[i] <= '9'; i++)
		if (__builtin_mul_overflow(value, 10u, &value) ||
		    __builtin_add_overflow(value, (uint64_t)(text[i] - '0'), &value))
			return -EINVAL;
	if (!i || (i < length && (text[i] != '\n' || i + 1 != length)))
		return -EINVAL;
	*ret = value;
	return 0;
}

static ssize_t read_once(const struct root *root, const char *path, char *text, size_t size)
{
	ssize_t length;
	int fd = root_open_file(root, path, O_RDONLY);

	if (fd < 0)
		return fd;
	length = read(fd, text, size);
	if (length < 0)
		length = -errno;
	close(fd);
	return length;
}

static int read_counter(const struct root *root, const struct cpuidle_cpu *cpu, int s, int c,
			struct cpuidle_value *ret)
{
	char text[24], path[CPUIDLE_PATH_MAX];
	int fd = cpu->fd[s][c], code;
	ssize_t length;

	ret->known = false;
	ret->value = 0;
	if (fd == CPUIDLE_FD_MISSING)
		return 0;
	if (fd >= 0) {
		length = pread(fd, text, sizeof(text), 0);
		if (length < 0)
			length = -errno;
	} else {
		cpuidle_state_path(path, cpu->cpu, cpu->state[s].index, cpuidle_counter_file[c]);
		length = read_once(root, path, text, sizeof(text));
	}
	code = length < 0 ? (int)length : parse_counter(text, length, &ret->value);
	ret->known = !code;
	if (!code)
		return 0;
	cpuidle_state_path(path, cpu->cpu, cpu->state[s].index, cpuidle_counter_file[c]);
	if (code == -ENODEV || code == -ENOENT)
		return error_set(-ENODEV, "%s/%s went away: somebody switched the idle governor",
				 root->path, path);
	if (length >= 0)
		return error_set(code, "%s/%s: not a number", root->path, path);
	return error_set(code, "%s/%s: %s", root->path, path, strerror(-code));
}

int cpuidle_read(struct cpuidle *cpuidle, size_t i, struct cpuidle_reading *ret)
{
	const struct cpuidle_cpu *cpu = &cpuidle->cpu[i];
	int code;

	ret->t_before_ns = clock_now_ns();
	for (int s = 0; s < cpu->states; s++) {
		for (int c = 0; c < CPUIDLE_COUNTERS; c++) {
			code = read_counter(cpuidle->root, cpu, s, c, &ret->counter[s][c]);
			if (code)
				return code;
		}
	}
	ret->t_after_ns = clock_now_ns();
	return 0;
}

void cpuidle_close(struct cpuidle *cpuidle)
{
	if (!cpuidle)
		return;
	for (size_t i = 0; i < cpuidle->n; i++)
		close_fds(&cpuidle->cpu[i]);
	free(cpuidle->cpu);
	free(cpuidle);
}
