/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tells a file's style by its beginning and has it read. Nothing is printed here: what is left out
 * is kept with the source, so that it can be said and stored with the result.
 */
#include "analysis/import/import.h"
#include "lib/error.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define STYLE(id, name, about) { name, about, id##_detect, id##_parse },
const struct import_style import_styles[] = {
#include "analysis/import/styles.def"
	{ 0 },
};
#undef STYLE

static char *format_text(struct pool *pool, const char *format, va_list args)
	__attribute__((format(printf, 2, 0)));

static char *format_text(struct pool *pool, const char *format, va_list args)
{
	char text[512];

	vsnprintf(text, sizeof(text), format, args);
	return pool_copy(pool, text);
}

void import_fault(struct import_source *source, size_t line, const char *format, ...)
{
	struct import_fault *fault;
	va_list args;

	source->faults++;
	if (source->faults_kept == IMPORT_FAULTS_KEPT)
		return;
	source->fault = pool_room(source->pool, source->fault, source->faults_kept, sizeof(*fault));
	fault = &source->fault[source->faults_kept++];
	va_start(args, format);
	*fault = (struct import_fault){ line, format_text(source->pool, format, args) };
	va_end(args);
}

void import_doubt(struct import_source *source, const char *format, ...)
{
	va_list args;

	source->doubt =
		pool_room(source->pool, source->doubt, source->doubts, sizeof(*source->doubt));
	va_start(args, format);
	source->doubt[source->doubts++] = format_text(source->pool, format, args);
	va_end(args);
}

struct import_run *import_run_add(struct import_source *source, size_t line)
{
	struct import_run *run;

	if (source->runs == IMPORT_RUNS_MAX) {
		import_fault(source, line, "more than %d runs: the rest is left out",
			     IMPORT_RUNS_MAX);
		return NULL;
	}
	if (source->runs == source->runs_most)
		source->run =
			pool_room(source->pool, source->run, source->runs_most++, sizeof(*run));
	run = &source->run[source->runs++];
	*run = (struct import_run){
		.label = source->label,
		.governor = source->governor,
		.section = source->label,
		.repeat = source->repeat ? source->repeat : 1,
	};
	return run;
}

void import_metric_add(struct pool *pool, struct import_run *run, const char *name,
		       const char *unit, const char *better, double value)
{
	run->metric = pool_room(pool, run->metric, run->metrics, sizeof(*run->metric));
	run->metric[run->metrics++] =
		(struct import_metric){ pool_copy(pool, name), unit, better, value };
}

void import_idle_add(struct pool *pool, struct import_run *run, const struct import_idle *idle)
{
	run->idle = pool_room(pool, run->idle, run->idles, sizeof(*run->idle));
	run->idle[run->idles++] = *idle;
}

void import_idle_metrics(struct pool *pool, struct import_run *run)
{
	enum { USAGE, ABOVE = IMPORT_ABOVE - IMPORT_USAGE, BELOW = IMPORT_BELOW - IMPORT_USAGE };
	double sum[IMPORT_COUNTERS] = { 0 }, misses;

	for (size_t i = 0; i < run->idles; i++)
		for (size_t j = 0; j < IMPORT_COUNTERS; j++)
			sum[j] += run->idle[i].have[j]
					  ? (double)(run->idle[i].last[j] - run->idle[i].first[j])
					  : NAN;
	misses = sum[ABOVE] + sum[BELOW];
	/* A miss is no fault by itself: a faster kernel may have more of them. */
	import_metric_add(pool, run, "idle_miss_pct", "%", "none",
			  sum[USAGE] > 0 ? misses / sum[USAGE] * 100 : NAN);
	import_metric_add(pool, run, "idle_misses", "", "none", misses);
	import_metric_add(pool, run, "idle_entries", "", "none", sum[USAGE]);
}

/* The beginning of the file, malloc'ed into @ret->text. */
static int read_head(const char *path, struct import_head *ret)
{
	struct import_head head = { .path = path };
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat status;
	ssize_t got = 0;
	char *text;

	if (fd < 0 || fstat(fd, &status)) {
		int err = error_set(-errno, "%s: %m", path);

		if (fd >= 0)
			close(fd);
		return err;
	}
	head.folder = S_ISDIR(status.st_mode);
	text = calloc(1, IMPORT_HEAD + 1);
	if (!text)
		abort();
	while (S_ISREG(status.st_mode) && head.size < IMPORT_HEAD &&
	       (got = read(fd, text + head.size, IMPORT_HEAD - head.size)) > 0)
		head.size += (size_t)got;
	close(fd);
	head.text = text;
	*ret = head;
	if (!head.folder && !head.size) {
		free(text);
		return error_usage("%s: %s", path,
				   S_ISREG(status.st_mode) ? "empty" : "not a file or folder");
	}
	return 0;
}

static int unknown(const struct import_head *head)
{
	char names[512] = "";
	size_t n = 0;

	for (size_t i = 0; import_styles[i].name && n < sizeof(names); i++)
		n += (size_t)snprintf(names + n, sizeof(names) - n, "%s%s", i ? ", " : "",
				      import_styles[i].name);
	if (head->size >= 2 && !memcmp(head->text, "\x1f\x8b", 2))
		return error_usage("%s: packed; unpack it (tar xzf) and give the folder",
				   head->path);
	return error_usage("%s: none of the known styles (%s)", head->path, names);
}

int import_read(struct pool *pool, const char *path, struct import_source *ret)
{
	struct import_source s = { .pool = pool, .path = path };
	struct import_head head;
	int err = read_head(path, &head);

	if (err)
		return err;
	for (size_t i = 0; import_styles[i].name && !s.style; i++)
		if (import_styles[i].detect(&head))
			s.style = &import_styles[i];
	err = s.style ? 0 : unknown(&head);
	free((void *)(uintptr_t)head.text);
	if (err)
		return err;
	s.label = import_label(pool, path, &s.repeat, &s.edge);
	err = s.style->parse(&s);
	if (!err)
		*ret = s;
	return err;
}
