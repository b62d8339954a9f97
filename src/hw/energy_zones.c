/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What all energy readers need: the list of zones, and folders and links below the root. */
#include "hw/energy_private.h"

#include "lib/error.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int no_memory(void)
{
	return error_no_memory();
}

struct energy_item *energy_add(struct energy *energy)
{
	struct energy_item *item = reallocarray(energy->item, energy->n + 1, sizeof(*item));

	if (!item) {
		no_memory();
		return NULL;
	}
	energy->item = item;
	item += energy->n++;
	*item = (struct energy_item){
		.zone = { .cpu = -1, .ceiling_w = ENERGY_CEILING_W },
		.fd = -1,
		.status_fd = -1,
		.err = -ENODEV,
		.uj_per_unit = 1,
	};
	return item;
}

void energy_drop(struct energy *energy, size_t i)
{
	struct energy_item *item = &energy->item[i];

	if (item->fd >= 0)
		close(item->fd);
	if (item->status_fd >= 0)
		close(item->status_fd);
	free(item->zone.path);
	memmove(item, item + 1, (energy->n - i - 1) * sizeof(*item));
	energy->n--;
}

int energy_add_note(struct energy *energy, const char *format, ...)
{
	char *sentence, *whole;
	va_list args;
	int length;

	va_start(args, format);
	length = vasprintf(&sentence, format, args);
	va_end(args);
	if (length < 0)
		return no_memory();
	if (!energy->note) {
		energy->note = sentence;
		return 0;
	}
	length = asprintf(&whole, "%s; %s", energy->note, sentence);
	free(sentence);
	if (length < 0)
		return no_memory();
	free(energy->note);
	energy->note = whole;
	return 0;
}

int energy_set_reason(struct energy *energy, const char *format, ...)
{
	va_list args;
	char *reason;
	int length;

	va_start(args, format);
	length = vasprintf(&reason, format, args);
	va_end(args);
	if (length < 0)
		return no_memory();
	free(energy->reason); /* only now: it may be among the arguments */
	energy->reason = reason;
	return 0;
}

int energy_classify(struct energy *energy)
{
	const char **label = calloc(energy->n + 1, sizeof(*label));

	if (!label)
		return no_memory();
	for (size_t i = 0; i < energy->n; i++)
		label[i] = energy->item[i].zone.label;
	for (size_t i = 0; i < energy->n; i++) {
		struct energy_zone *zone = &energy->item[i].zone;

		zone->kind = zone_kind_of(zone->label);
		zone->in_package = zone_in_package_sum(label, energy->n, i);
	}
	free(label);
	return 0;
}

bool energy_has_package(const struct energy *energy)
{
	for (size_t i = 0; i < energy->n; i++)
		if (energy->item[i].zone.in_package && energy->item[i].fd >= 0)
			return true;
	return false;
}

static int by_version(const void *a, const void *b)
{
	return strverscmp(*(char *const *)a, *(char *const *)b);
}

int energy_list(const struct root *root, const char *path, char ***ret, size_t *ret_n)
{
	int fd = root_open_file(root, path, O_RDONLY | O_DIRECTORY);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	char **name = NULL;
	size_t n = 0;

	*ret = NULL;
	*ret_n = 0;
	if (!dir) {
		if (fd >= 0)
			close(fd);
		return 0;
	}
	while ((entry = readdir(dir))) {
		char **more;

		if (entry->d_name[0] == '.')
			continue;
		more = reallocarray(name, n + 1, sizeof(*name));
		if (more)
			name = more;
		if (!more || !(name[n] = strdup(entry->d_name))) {
			closedir(dir);
			energy_list_free(name, n);
			return no_memory();
		}
		n++;
	}
	closedir(dir);
	if (n)
		qsort(name, n, sizeof(*name), by_version);
	*ret = name;
	*ret_n = n;
	return 0;
}

void energy_list_free(char **name, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(name[i]);
	free(name);
}

char *energy_resolve(const struct root *root, const char *path)
{
	char link[64], target[4096];
	int fd = root_open_file(root, path, O_PATH);
	size_t below = strlen(root->path);
	ssize_t length;

	if (fd < 0)
		return NULL;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	length = readlink(link, target, sizeof(target) - 1);
	close(fd);
	if (length < 0)
		return NULL;
	target[length] = '\0';
	if (strncmp(target, root->path, below) || target[below] != '/')
		return NULL;
	return strdup(target + below + 1);
}

int energy_open_file(const struct root *root, const char *path)
{
	return root_open_file(root, path, O_RDONLY | O_NOCTTY);
}

static int read_id(const struct root *root, int cpu, const char *file)
{
	char path[ENERGY_PATH_MAX], text[ENERGY_SYSFS_MAX];

	snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%d/topology/%s", cpu, file);
	if (root_read(root, path, text, sizeof(text)) <= 0 || strspn(text, "0123456789") > 9 ||
	    text[strspn(text, "0123456789")])
		return -1; /* -1 is what the kernel itself prints when it does not know */
	return atoi(text);
}

void energy_where(const struct root *root, int cpu, int *ret_package, int *ret_die)
{
	*ret_package = read_id(root, cpu, "physical_package_id");
	*ret_die = read_id(root, cpu, "die_id");
}

int energy_first_cpu(const struct root *root, int package, int die)
{
	struct cpulist online = { 0 };
	int found = -1, at_package, at_die;
	char text[4096];

	if (root_read(root, "sys/devices/system/cpu/online", text, sizeof(text)) < 0 ||
	    cpulist_parse(text, &online))
		return -1;
	for (size_t i = 0; i < online.n && found < 0; i++) {
		energy_where(root, online.cpu[i], &at_package, &at_die);
		if (at_package == package && (die < 0 || at_die == die))
			found = online.cpu[i];
	}
	cpulist_free(&online);
	return found;
}
