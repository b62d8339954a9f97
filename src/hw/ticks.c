/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The file is text for people, and long: it is taken in pieces, and of its lines only those that
 * name a CPU or one of the two counters are looked at.
 */
#include "hw/ticks.h"
#include "lib/clock.h"
#include "lib/error.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TIMER_LIST "proc/timer_list"
#define PIECE (64u << 10)

struct ticks {
	const struct cpulist *cpus;
	int fd;
	char text[PIECE + 1];
};

struct parser {
	const struct cpulist *cpus;
	struct ticks_count *count;
	size_t at; /* position of the CPU whose lines these are; cpus->n = none of ours */
	unsigned int seen; /* of its two counters */
};

int ticks_open(const struct root *root, const struct cpulist *cpus, struct ticks **ret)
{
	struct ticks *ticks = malloc(sizeof(*ticks));

	if (!ticks)
		return error_no_memory();
	ticks->cpus = cpus;
	ticks->fd = root_open_file(root, TIMER_LIST, O_CLOEXEC);
	if (ticks->fd < 0) {
		int err = ticks->fd;

		free(ticks);
		return error_set(err, "%s/" TIMER_LIST ": %s", root->path, strerror(-err));
	}
	*ret = ticks;
	return 0;
}

static void take_cpu(struct parser *p, const char *line)
{
	char *end;
	long cpu = strtol(line, &end, 10);

	p->seen = 0;
	for (p->at = 0; p->at < p->cpus->n; p->at++)
		if (end != line && p->cpus->cpu[p->at] == cpu)
			return;
}

/* "  .idle_sleeps    : 11397688": true when it is the counter @name. */
static bool take_counter(const char *line, const char *name, uint64_t *ret)
{
	size_t n = strlen(name);
	char *end;

	if (strncmp(line, name, n))
		return false;
	line += n + strspn(line + n, " ");
	if (*line++ != ':')
		return false;
	line += strspn(line, " ");
	if (*line < '0' || *line > '9')
		return false;
	*ret = strtoull(line, &end, 10);
	return *end == '\0';
}

static void take_line(struct parser *p, const char *line)
{
	if (!strncmp(line, "cpu: ", 5)) {
		take_cpu(p, line + 5);
		return;
	}
	line += strspn(line, " ");
	if (*line != '.' || p->at == p->cpus->n)
		return;
	if (take_counter(line, ".idle_calls", &p->count[p->at].calls))
		p->seen |= 1;
	else if (take_counter(line, ".idle_sleeps", &p->count[p->at].sleeps))
		p->seen |= 2;
	p->count[p->at].known |= p->seen == 3;
}

/* Takes whole lines; what is left of the last one goes to the front. Returns its length. */
static size_t take_lines(struct parser *p, char *text, size_t size)
{
	char *line = text, *end = text + size, *newline;

	while ((newline = memchr(line, '\n', (size_t)(end - line)))) {
		*newline = '\0';
		take_line(p, line);
		line = newline + 1;
	}
	size = (size_t)(end - line);
	memmove(text, line, size);
	return size;
}

int ticks_read(struct ticks *ticks, struct ticks_count *count, struct ticks_reading *ret)
{
	struct parser p = { .cpus = ticks->cpus, .count = count, .at = ticks->cpus->n };
	size_t left = 0;
	off_t offset = 0;

	memset(count, 0, ticks->cpus->n * sizeof(*count));
	*ret = (struct ticks_reading){ 0 };
	ret->t_before_ns = clock_now_ns();
	for (;;) {
		ssize_t n = pread(ticks->fd, ticks->text + left, PIECE - left, offset);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 || (n == 0 && left == PIECE)) {
			ret->t_before_ns = 0;
			return n < 0 ? -errno : -EBADMSG;
		}
		if (n == 0)
			break;
		offset += n;
		left = take_lines(&p, ticks->text, left + (size_t)n);
	}
	ret->t_after_ns = clock_now_ns();
	return 0;
}

void ticks_close(struct ticks *ticks)
{
	if (!ticks)
		return;
	close(ticks->fd);
	free(ticks);
}
