/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines are sorted by time, those of one time by place, and go through the same machine as a
 * recording's events. Where excerpts are glued a period does not go on.
 */
#include "analysis/trace_text.h"
#include "analysis/trace_line.h"
#include "lib/error.h"
#include "trace/write.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINES_LOOKED_AT 200 /* to tell what a file is */
#define BAD_PRINTED 20
#define SEAM_NS 10000000000u /* so long without a line of any CPU: the next excerpt begins */
#define ROUND 65536 /* events between two rounds */
#define LEFT_OUT 3 /* exit status */
#define TICK_LEAST_NS 900000u /* of 1000 a second */
#define TICK_MOST_NS 10100000u

struct entry {
	struct trace_line line;
	size_t number;
};

struct text {
	const char *path;
	struct entry *entry;
	size_t n, room, bad;
	int cpus; /* highest number + 1 */
	unsigned int seen; /* bits of events */
};

bool trace_text_detect(const char *path)
{
	FILE *file = fopen(path, "re");
	char *line = NULL;
	size_t size = 0;
	bool found = false;

	if (!file)
		return false;
	for (int i = 0; i < LINES_LOOKED_AT && !found; i++) {
		struct trace_line read;
		ssize_t n = getline(&line, &size, file);

		if (n < 0 || strlen(line) != (size_t)n)
			break;
		line[strcspn(line, "\r\n")] = '\0';
		found = trace_line_read(line, &read) == TRACE_LINE_EVENT;
	}
	free(line);
	fclose(file);
	return found;
}

static int add(struct text *t, const struct trace_line *line, size_t number)
{
	if (t->n == t->room) {
		size_t room = t->room ? 2 * t->room : 1024;
		struct entry *more = reallocarray(t->entry, room, sizeof(*more));

		if (!more)
			return error_no_memory();
		t->entry = more;
		t->room = room;
	}
	t->entry[t->n++] = (struct entry){ *line, number };
	return 0;
}

static void complain(struct text *t, size_t number, const char *what)
{
	if (t->bad++ < BAD_PRINTED)
		fprintf(stderr, "analysis: %s:%zu: left out: no %s that can be read\n", t->path,
			number, what);
}

static int take_line(struct text *t, char *text, size_t number)
{
	struct trace_line line;
	enum trace_line_type type;

	text[strcspn(text, "\r\n")] = '\0';
	type = trace_line_read(text, &line);
	if (type == TRACE_LINE_NONE)
		return 0;
	if (type == TRACE_LINE_BAD) {
		complain(t, number, line.what);
		return 0;
	}
	if (type == TRACE_LINE_CPUS) {
		t->cpus = line.cpu > t->cpus ? line.cpu : t->cpus;
		return 0;
	}
	/* A loss has no time of its own: it is where it stands. */
	if (type == TRACE_LINE_LOST)
		line.in.t_ns = t->n ? t->entry[t->n - 1].line.in.t_ns : 0;
	else
		t->seen |= 1u << line.in.event;
	t->cpus = line.cpu >= t->cpus ? line.cpu + 1 : t->cpus;
	return add(t, &line, number);
}

static int read_text(const char *path, struct text *t)
{
	FILE *file = fopen(path, "re");
	char *line = NULL;
	size_t size = 0, number = 0;
	int err = 0;

	if (!file)
		return error_set(-errno, "%s: %m", path);
	while (!err && getline(&line, &size, file) >= 0)
		err = take_line(t, line, ++number);
	if (!err && ferror(file))
		err = error_set(-EIO, "%s: cannot be read", path);
	free(line);
	fclose(file);
	if (!err && !t->n)
		err = error_usage("%s: no idle events in it", path);
	return err;
}

static int by_time(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->line.in.t_ns != y->line.in.t_ns)
		return x->line.in.t_ns < y->line.in.t_ns ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

static unsigned int kinds_of(unsigned int seen)
{
	unsigned int kinds = 0, irqs = 0;

	for (int e = EVENT_IRQ_TIMER; e <= EVENT_IRQ_DEVICE; e++)
		irqs |= seen & 1u << e;
	if (seen & 1u << EVENT_MISS)
		kinds |= TRACE_HAS_MISSES;
	if (seen & (1u << EVENT_TICK_STOP | 1u << EVENT_HRTIMER_START | 1u << EVENT_HRTIMER_EXPIRE))
		kinds |= TRACE_HAS_TIMERS;
	return irqs ? kinds | TRACE_HAS_IRQS : kinds;
}

/*
 * Nothing in a text says how long a tick is: two starts of a CPU's tick at the next one, which is a
 * round number of them a second.
 */
static uint64_t tick_of(const struct text *t)
{
	uint64_t *last = calloc((size_t)t->cpus, sizeof(*last)), tick = 0;

	for (size_t i = 0; last && i < t->n; i++) {
		const struct trace_line *line = &t->entry[i].line;
		uint64_t expires = line->in.value[2], ns = expires - last[line->cpu];

		if (line->lost || line->in.event != EVENT_HRTIMER_START ||
		    line->in.value[1] != TRACE_LINE_TICK)
			continue;
		if (last[line->cpu] && ns >= TICK_LEAST_NS && ns <= TICK_MOST_NS &&
		    (!tick || ns < tick))
			tick = ns;
		last[line->cpu] = expires;
	}
	free(last);
	return tick;
}

static uint32_t hz_of(uint64_t tick_ns)
{
	return tick_ns ? (uint32_t)((1000000000u + tick_ns / 2) / tick_ns) : 0;
}

/* Timers' times are CLOCK_MONOTONIC, lines' those of the trace's clock: the latter moves them. */
static void move_timers(struct text *t)
{
	int64_t least = INT64_MAX;

	for (size_t i = 0; i < t->n; i++) {
		const struct trace_line *line = &t->entry[i].line;
		int64_t ahead = (int64_t)(line->in.t_ns - line->in.value[2]);

		/* Others may be of another clock. */
		if (!line->lost && line->in.event == EVENT_HRTIMER_EXPIRE &&
		    line->in.value[1] == TRACE_LINE_TICK && line->in.value[2] && ahead < least)
			least = ahead;
	}
	for (size_t i = 0; least != INT64_MAX && i < t->n; i++) {
		struct trace_line *line = &t->entry[i].line;

		if (!line->lost && line->in.event == EVENT_HRTIMER_START)
			line->in.value[2] += (uint64_t)least;
	}
}

static int end_round(struct trace_writer *w, struct assembler *cpu, int cpus, uint64_t t_ns)
{
	for (int i = 0; i < cpus; i++) {
		/* A period that is pending may still be told a miss. */
		if (cpu[i].pending && cpu[i].period.exit_ns < t_ns)
			t_ns = cpu[i].period.exit_ns;
		trace_set_open(w, (size_t)i, cpu[i].idle || cpu[i].pending, cpu[i].period.state,
			       cpu[i].period.entry_ns);
		for (int c = 0; c < TRACE_COUNTS; c++)
			trace_count(w, (size_t)i, (enum trace_count)c, cpu[i].count[c]);
		memset(cpu[i].count, 0, sizeof(cpu[i].count));
	}
	return trace_round(w, t_ns);
}

static int flush(struct trace_writer *w, struct assembler *cpu, int cpus)
{
	struct trace_period period;
	int err = 0;

	for (int i = 0; i < cpus && !err; i++)
		if (assembler_flush(&cpu[i], UINT64_MAX, &period))
			err = trace_put_period(w, (size_t)i, &period);
	return err;
}

/* No period crosses a seam: an entry before it has no exit. */
static void cut(struct assembler *cpu, int cpus)
{
	for (int i = 0; i < cpus; i++) {
		cpu[i].count[TRACE_NO_EXIT] += cpu[i].idle;
		cpu[i].idle = false;
		timers_forget_all(cpu[i].setting->timers, (size_t)i);
	}
}

static int assemble(const struct text *t, struct trace_writer *w, struct assembler *cpu)
{
	uint64_t last = t->entry[0].line.in.t_ns;
	int err = 0;

	for (size_t i = 0; i < t->n && !err; i++) {
		const struct trace_line *line = &t->entry[i].line;
		struct trace_period period;
		bool complete;

		if (line->in.t_ns - last > SEAM_NS) {
			err = flush(w, cpu, t->cpus);
			cut(cpu, t->cpus);
		}
		last = line->in.t_ns;
		complete = line->lost ? assembler_lose(&cpu[line->cpu], line->lost, &period)
				      : assembler_take(&cpu[line->cpu], &line->in, &period);
		if (complete && !err)
			err = trace_put_period(w, (size_t)line->cpu, &period);
		if (!err && i % ROUND == ROUND - 1)
			err = end_round(w, cpu, t->cpus, last);
	}
	if (!err)
		err = flush(w, cpu, t->cpus);
	cut(cpu, t->cpus);
	return err ? err : end_round(w, cpu, t->cpus, last);
}

static int write_trace(struct text *t, const char *to)
{
	struct assembler_setting setting = { .kinds = kinds_of(t->seen),
					     .tick_function = { TRACE_LINE_TICK },
					     .tick_ns = tick_of(t) };
	struct trace_info info = { .kinds = setting.kinds,
				   .hz = hz_of(setting.tick_ns),
				   .t0_ns = t->entry[0].line.in.t_ns };
	struct assembler *cpu = calloc((size_t)t->cpus, sizeof(*cpu));
	struct trace_writer *w = NULL;
	uint64_t bytes;
	int err = cpu ? 0 : error_no_memory();

	for (int i = 0; i < t->cpus && !err; i++) {
		cpu[i].setting = &setting;
		cpu[i].i = (size_t)i;
		cpu[i].started = true; /* an exit at the begin has lost its entry */
		err = cpulist_add(&info.cpus, i);
	}
	if (!err && timers_make(&info.cpus, setting.tick_ns, &setting.timers))
		err = error_no_memory();
	move_timers(t);
	if (!err)
		err = trace_create(to, &info, &w);
	if (!err)
		err = assemble(t, w, cpu);
	if (!err)
		err = trace_finish(w, NULL, &bytes);
	else
		trace_abandon(w);
	free(cpu);
	timers_free(setting.timers);
	trace_info_free(&info);
	return err;
}

int trace_text_convert(const char *path, const char *to)
{
	struct text t = { .path = path };
	int err = read_text(path, &t);

	if (!err) {
		qsort(t.entry, t.n, sizeof(*t.entry), by_time);
		err = write_trace(&t, to);
	}
	if (t.bad > BAD_PRINTED)
		fprintf(stderr, "analysis: %s: %zu more lines left out\n", path,
			t.bad - BAD_PRINTED);
	free(t.entry);
	return err ? err : t.bad ? LEFT_OUT : 0;
}

int trace_text_temporary(const char *path, char *template)
{
	int fd = mkstemp(template);

	if (fd < 0)
		return error_set(-errno, "%s: %m", template);
	close(fd);
	return trace_text_convert(path, template);
}
