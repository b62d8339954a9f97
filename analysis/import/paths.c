/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * path:value lines in any order, as "grep -r" and "find" with "grep" print them. The path says
 * everything, the order nothing: find lists states 3, 1, 2, 0, and files shuffled.
 */
#include "analysis/import/lines.h"
#include "lib/error.h"
#include <stdlib.h>
#include <string.h>

/* "cpuN/" or "stateN/" at @text: its number, and what is behind; -1. */
static int numbered(const char *text, const char *word, const char **ret_rest)
{
	size_t n = strlen(word);
	char *end;
	long number;

	if (strncmp(text, word, n) || text[n] < '0' || text[n] > '9')
		return -1;
	number = strtol(text + n, &end, 10);
	if (*end != '/' || number > 1000000 || end - text - (long)n > 6)
		return -1;
	*ret_rest = end + 1;
	return (int)number;
}

/* The part of a path behind ".../cpuN/cpuidle/", and N; NULL when it is none. */
static const char *below_cpu(const char *path, int *ret_cpu)
{
	const char *at, *rest;

	for (at = path; at; at = strchr(at, '/'), at = at ? at + 1 : NULL) {
		int cpu = numbered(at, "cpu", &rest);

		if (cpu < 0 || strncmp(rest, "cpuidle/", strlen("cpuidle/")))
			continue;
		*ret_cpu = cpu;
		return rest + strlen("cpuidle/");
	}
	return NULL;
}

/* What a dump of the whole of /sys/devices/system/cpu says besides. */
static void machine_fact(struct import_source *s, const char *path, const char *value)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	bool governor = !strcmp(name, "current_governor") || !strcmp(name, "current_governor_ro");

	if (governor && !s->governor)
		s->governor = import_word(s->pool, value);
	if (!strcmp(name, "osrelease") && !s->release)
		s->release = import_word(s->pool, value);
}

/* A path of sysfs has no blank in it, and none of the signs that tools put behind it. */
static char *cut_value(char *line)
{
	char *end = strpbrk(line, ":= \t");

	if (!end || !memchr(line, '/', (size_t)(end - line)))
		return NULL;
	*end++ = '\0';
	return end + strspn(end, ":= \t");
}

static bool parse_line(struct import_source *s, size_t number, char *line)
{
	char *value, quoted[ERROR_QUOTE_SIZE];
	const char *rest, *file;
	int cpu, state;

	line += strspn(line, " \t");
	value = cut_value(line);
	if (!value) {
		if (*line)
			import_fault(s, number, "no path:value: '%s'", error_quote(line, quoted));
		return true;
	}
	rest = below_cpu(line, &cpu);
	if (!rest) {
		if (strstr(line, "cpuidle/state"))
			import_fault(s, number, "no CPU in '%s'", error_quote(line, quoted));
		machine_fact(s, line, value);
		return true;
	}
	state = numbered(rest, "state", &file);
	/* P-30: ARM has a folder "driver" among the states. */
	return state < 0 || import_put(s, number, cpu, state, file, value);
}

/* "stateN/FILE" and something behind it. */
static bool is_state_file(const char *text)
{
	const char *file;
	size_t n;

	if (numbered(text, "state", &file) < 0)
		return false;
	n = strcspn(file, ":= \t\n");
	return n && file[n] && file[n] != '\n';
}

bool import_paths_detect(const struct import_head *head)
{
	const char *at = head->folder ? NULL : strstr(head->text, "cpuidle/state");

	while (at && !is_state_file(at + strlen("cpuidle/")))
		at = strstr(at + 1, "cpuidle/state");
	return at;
}

int import_paths_parse(struct import_source *source)
{
	struct lines lines;
	int err = lines_open(source->path, &lines);

	if (err)
		return err;
	while (lines_next_good(&lines, source)) {
		if (parse_line(source, lines.number, lines.text))
			continue;
		import_fault(source, lines.number, "more than %u states: the rest is left out",
			     IMPORT_READINGS_MAX);
		break;
	}
	lines_close(&lines);
	import_check(source);
	return 0;
}
