/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A folder with copied sysfs files: what tools/gather makes, a "cp -r" of /sys/devices/system/cpu,
 * or of one CPU's part of it. Links in it lead nowhere else (lib/root.h).
 */
#include "analysis/import/import.h"
#include "lib/error.h"
#include "lib/root.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Where the folders cpuN may lie in what was copied. */
static const char *const places[] = { "sys/devices/system/cpu", "devices/system/cpu", "system/cpu",
				      "cpu", "." };

struct walk {
	struct import_source *source;
	struct root root;
	int cpu; /* of the states that are being read */
};

typedef bool each_fn(struct walk *walk, const char *path, int number);

/* Calls @each for WORD0, WORD1, ... in the folder @path. False when one said so. */
static bool for_each(struct walk *walk, const char *path, const char *word, each_fn *each)
{
	int fd = root_open_file(&walk->root, path, O_RDONLY | O_DIRECTORY);
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
	struct dirent *entry;
	bool go_on = true;

	if (!dir && fd >= 0)
		close(fd);
	while (dir && go_on && (entry = readdir(dir))) {
		char below[PATH_MAX], *end;
		size_t n = strlen(word);
		long number;

		if (strncmp(entry->d_name, word, n) || entry->d_name[n] < '0' ||
		    entry->d_name[n] > '9' || strlen(entry->d_name) > n + 6)
			continue;
		number = strtol(entry->d_name + n, &end, 10);
		if (*end || (size_t)snprintf(below, sizeof(below), "%s/%s", path, entry->d_name) >=
				    sizeof(below))
			continue;
		go_on = each(walk, below, (int)number);
	}
	if (dir)
		closedir(dir);
	return go_on;
}

static bool read_state(struct walk *walk, const char *path, int state)
{
	static const char *const files[] = { "name",	"desc",		  "latency", "residency",
					     "disable", "default_status", "usage",   "time",
					     "above",	"below",	  "rejected" };
	char file[PATH_MAX], text[256];

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		if ((size_t)snprintf(file, sizeof(file), "%s/%s", path, files[i]) >= sizeof(file) ||
		    root_read_name(&walk->root, file, text, sizeof(text)) < 0)
			continue;
		if (!import_put(walk->source, 0, walk->cpu, state, files[i], text))
			return false;
	}
	return true;
}

static bool read_cpu(struct walk *walk, const char *path, int cpu)
{
	char below[PATH_MAX];

	if ((size_t)snprintf(below, sizeof(below), "%s/cpuidle", path) >= sizeof(below))
		return true;
	walk->cpu = cpu;
	return for_each(walk, below, "state", read_state);
}

/* A text file as a word; NULL when it is not there or empty. */
static const char *fact(struct import_source *s, const struct root *root, const char *path)
{
	char text[256];

	if (root_read_name(root, path, text, sizeof(text)) <= 0)
		return NULL;
	return import_word(s->pool, text);
}

/* "model name : X" of x86's cpuinfo. */
static const char *model(struct import_source *s, const struct root *root)
{
	char text[4096], *at, *end;
	int fd = root_open_file(root, "proc/cpuinfo", O_RDONLY);
	ssize_t got = fd >= 0 ? read(fd, text, sizeof(text) - 1) : -1;

	if (fd >= 0)
		close(fd);
	if (got <= 0)
		return NULL;
	text[got] = '\0';
	at = strstr(text, "model name");
	at = at ? strchr(at, ':') : NULL;
	if (!at)
		return NULL;
	at += 1 + strspn(at + 1, " \t");
	end = at + strcspn(at, "\n");
	*end = '\0';
	return pool_copy(s->pool, at);
}

static void read_facts(struct import_source *s, const struct root *root, const char *place)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/cpuidle/current_governor", place);
	s->governor = fact(s, root, path);
	if (!s->governor) {
		snprintf(path, sizeof(path), "%s/cpuidle/current_governor_ro", place);
		s->governor = fact(s, root, path);
	}
	s->release = fact(s, root, "proc/sys/kernel/osrelease");
	s->machine = model(s, root);
}

bool import_tree_detect(const struct import_head *head)
{
	return head->folder;
}

int import_tree_parse(struct import_source *source)
{
	struct walk walk = { .source = source };
	int err = root_open(source->path, &walk.root);
	bool go_on = true;

	if (err)
		return err;
	for (size_t i = 0; go_on && !source->readings && i < sizeof(places) / sizeof(places[0]);
	     i++) {
		go_on = for_each(&walk, places[i], "cpu", read_cpu);
		if (source->readings)
			read_facts(source, &walk.root, places[i]);
	}
	root_close(&walk.root);
	if (!go_on)
		import_fault(source, 0, "more than %u states: the rest is left out",
			     IMPORT_READINGS_MAX);
	import_check(source);
	return source->readings
		       ? 0
		       : error_usage("%s: no cpuN/cpuidle/stateN below this folder", source->path);
}
