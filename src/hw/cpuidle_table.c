/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * State tables: which idle states a CPU has and what they are. States are the folders named
 * "stateN" and nothing else (ARM has a "driver" folder beside them), in the order of their numbers.
 */
#include "hw/cpuidle.h"
#include "hw/cpuidle_private.h"
#include "lib/error.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void cpuidle_state_path(char path[CPUIDLE_PATH_MAX], int cpu, int index, const char *file)
{
	snprintf(path, CPUIDLE_PATH_MAX, "sys/devices/system/cpu/cpu%d/cpuidle/state%d/%s", cpu,
		 index, file);
}

/* 0 with known = false when there is no such file. */
static int read_value(const struct root *root, const char *path, struct cpuidle_value *ret)
{
	int code = root_read_u64(root, path, &ret->value);

	ret->known = !code;
	if (code)
		ret->value = 0;
	return code == -ENOENT ? 0 : code;
}

/* A text of at most @size - 1 bytes; a longer one is cut. "" when there is no such file. */
static int read_text(const struct root *root, const char *path, char *text, size_t size)
{
	char whole[256];
	int code = root_read_name(root, path, whole, sizeof(whole));

	if (code < 0 && code != -ENOENT)
		return code;
	snprintf(text, size, "%.*s", (int)size - 1, code < 0 ? "" : whole);
	return code < 0 ? code : 0;
}

static bool state_is_polling(const char *name)
{
	return !strcmp(name, "POLL") || !strcmp(name, "snooze");
}

static int read_state(const struct root *root, int cpu, int index, struct cpuidle_state *ret)
{
	struct cpuidle_state state = { .index = index };
	char path[CPUIDLE_PATH_MAX];
	int code;

	cpuidle_state_path(path, cpu, index, "name");
	code = read_text(root, path, state.name, sizeof(state.name));
	if (code)
		return code;
	cpuidle_state_path(path, cpu, index, "desc");
	code = read_text(root, path, state.desc, sizeof(state.desc));
	if (code && code != -ENOENT)
		return code;
	cpuidle_state_path(path, cpu, index, "default_status");
	code = read_text(root, path, state.default_status, sizeof(state.default_status));
	if (code && code != -ENOENT)
		return code;
	cpuidle_state_path(path, cpu, index, "latency");
	code = read_value(root, path, &state.latency_us);
	if (code)
		return code;
	cpuidle_state_path(path, cpu, index, "residency");
	code = read_value(root, path, &state.residency_us);
	if (code)
		return code;
	cpuidle_state_path(path, cpu, index, "disable");
	code = read_value(root, path, &state.disabled);
	if (code)
		return code;
	state.polling = state_is_polling(state.name);
	*ret = state;
	return 0;
}

/* N of "stateN", -1 for any other name (ARM has a "driver" folder beside them). */
static int state_index(const char *name)
{
	char *end;
	long index;

	if (strncmp(name, "state", 5) || name[5] < '0' || name[5] > '9')
		return -1;
	index = strtol(name + 5, &end, 10);
	return *end || index > 9999 ? -1 : (int)index;
}

/* Why @cpu has no state: offline, or no driver. */
static int no_states(const struct root *root, int cpu)
{
	char text[4096], driver[64];
	struct cpulist online = { .n = 0 };
	bool offline = false;

	if (root_read(root, "sys/devices/system/cpu/online", text, sizeof(text)) >= 0 &&
	    !cpulist_parse(text, &online)) {
		offline = !cpulist_has(&online, cpu);
		cpulist_free(&online);
	}
	if (offline)
		return error_set(-ENODEV, "cpu%d is offline (%s/sys/devices/system/cpu/online: %s)",
				 cpu, root->path, text);
	if (root_read(root, "sys/devices/system/cpu/cpuidle/current_driver", driver,
		      sizeof(driver)) < 0)
		snprintf(driver, sizeof(driver), "unknown");
	return error_set(-ENODEV,
			 "cpu%d has no idle states: %s/sys/devices/system/cpu/cpu%d/cpuidle has "
			 "none (idle driver: %s); governors cannot differ without",
			 cpu, root->path, cpu, driver);
}

static int compare_int(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

/* Numbers of the states of @cpu, ascending. */
static int list_states(const struct root *root, int cpu, int index[CPUIDLE_STATES_MAX], int *ret_n)
{
	char path[CPUIDLE_PATH_MAX];
	struct dirent *entry;
	int n = 0, fd, number;
	DIR *dir;

	snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%d/cpuidle", cpu);
	fd = root_open_file(root, path, O_RDONLY | O_DIRECTORY);
	if (fd < 0)
		return fd == -ENOENT ? no_states(root, cpu)
				     : error_set(fd, "%s/%s: %s", root->path, path, strerror(-fd));
	dir = fdopendir(fd);
	if (!dir) {
		close(fd);
		return error_set(-ENOMEM, "%s/%s: out of memory", root->path, path);
	}
	while ((entry = readdir(dir))) {
		number = state_index(entry->d_name);
		if (number < 0)
			continue;
		if (n == CPUIDLE_STATES_MAX) {
			closedir(dir);
			return error_set(-EOVERFLOW, "%s/%s: more than %d idle states", root->path,
					 path, CPUIDLE_STATES_MAX);
		}
		index[n++] = number;
	}
	closedir(dir);
	if (!n)
		return no_states(root, cpu);
	qsort(index, (size_t)n, sizeof(index[0]), compare_int);
	*ret_n = n;
	return 0;
}

int cpuidle_read_table(const struct root *root, int cpu, struct cpuidle_cpu *ret)
{
	int index[CPUIDLE_STATES_MAX], code;

	ret->cpu = cpu;
	code = list_states(root, cpu, index, &ret->states);
	for (int s = 0; !code && s < ret->states; s++)
		code = read_state(root, cpu, index[s], &ret->state[s]);
	return code;
}
