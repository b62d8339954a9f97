/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Each step has a deadline. Where a workload ends by its loops nobody can know how long that takes:
 * there it is the suite's, or the user's patience.
 */
#include "run/parts.h"
#include "lib/clock.h"
#include "lib/error.h"
#include "lib/file.h"
#include "run/care.h"
#include "run/command.h"
#include "run/evidence.h"
#include "store/format.h"
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECOND 1000000000u
/* A workload of thousands of tasks may need this long to be ready, or to end and write its files.
 */
#define READY_LIMIT_NS (60ull * SECOND)
#define END_LIMIT_NS (60ull * SECOND)

/* The run failed before or while it was measured: kept, with the reason. */
static int failed(struct cell *cell, size_t part, const char *what)
{
	cell->run.state = STORE_FAILED;
	cell->culprit = part;
	if (asprintf(&cell->run.reason, "%s %s",
		     cell->parts > 1 ? cell->part[part].workload->name : "the workload", what) < 0)
		return error_no_memory();
	return 0;
}

/* How a program ended; the first bad end is the run's. */
static void note_end(struct cell *cell, size_t part)
{
	if (cell->run.exit_status || !cell->part[part].child.status)
		return;
	cell->run.exit_status = cell->part[part].child.status;
	cell->culprit = part;
}

int parts_make(struct cell *cell)
{
	char *all = NULL;
	size_t size;
	FILE *out = open_memstream(&all, &size);
	int err = out ? 0 : error_no_memory();

	cell->parts = cell->section->parts;
	for (size_t k = 0; k < cell->parts && !err; k++) {
		struct cell_part *part = &cell->part[k];
		char *text;

		part->workload = cell->section->part[k].workload;
		if (asprintf(&part->dir, "%s%s%s", cell->tmp, cell->parts > 1 ? "/" : "",
			     cell->parts > 1 ? part->workload->name : "") < 0) {
			part->dir = NULL;
			err = error_no_memory();
			break;
		}
		err = file_make_dirs(part->dir);
		if (!err)
			err = command_make(cell, k, part->dir, &part->argv);
		text = err ? NULL : command_text(part->argv);
		if (!err && !text)
			err = error_no_memory();
		if (!err)
			fprintf(out, "%s%s", k ? " & " : "", text);
		free(text);
	}
	if (out && fclose(out) && !err)
		err = error_no_memory();
	cell->run.argv = all;
	return err;
}

static enum spawn_event wait_all(struct cell *cell, uint64_t until_ns, size_t *ret_part)
{
	struct child *child[SUITE_PARTS_MAX] = { 0 };
	size_t index[SUITE_PARTS_MAX] = { 0 }, n = 0, which = 0;
	enum spawn_event event;

	for (size_t k = 0; k < cell->parts; k++) {
		if (cell->part[k].child.pid <= 0)
			continue;
		index[n] = k;
		child[n++] = &cell->part[k].child;
	}
	event = spawn_wait(child, n, until_ns, &which);
	*ret_part = index[which];
	return event;
}

/* One has been started: until it, the last, is ready. Of the others only an end can come. */
static int await_ready(struct cell *cell, size_t started)
{
	size_t k = started;
	enum spawn_event event = wait_all(cell, clock_now_ns() + READY_LIMIT_NS, &k);

	switch (event) {
	case SPAWN_INTERRUPTED:
		return -EINTR;
	case SPAWN_TIMEOUT:
		return failed(cell, started, "was not ready within 60 s");
	case SPAWN_ENDED:
		note_end(cell, k);
		cell->culprit = k;
		cell->run.state = STORE_FAILED;
		cell->run.reason = evidence_last_line(cell);
		return 0;
	case SPAWN_MESSAGE:
		if (k != started || strcmp(cell->part[k].child.line, "ready"))
			return failed(cell, k, "did not say 'ready'");
		return 0;
	}
	return 0;
}

int parts_start(struct cell *cell)
{
	int err = 0;

	for (size_t k = 0; k < cell->parts && !err && cell->run.state == STORE_COMPLETE; k++) {
		struct cell_part *part = &cell->part[k];
		char log[PATH_MAX];

		if (snprintf(log, sizeof(log), "%s/" STORE_STDERR, part->dir) >= (int)sizeof(log))
			return error_set(-ENAMETOOLONG, "%s: the path is too long", part->dir);
		err = spawn_start(cell->session->topology, &cell->placement->part[k].cpus,
				  part->argv, log, &part->child);
		if (!err)
			err = await_ready(cell, k);
	}
	return err;
}

int parts_go(struct cell *cell)
{
	int err = 0;

	for (size_t k = 0; k < cell->parts && !err; k++) {
		err = spawn_go(&cell->part[k].child, cell->t0_ns, cell->t1_ns);
		if (err)
			cell->culprit = k;
	}
	return err;
}

static int take_done(struct cell *cell, size_t k)
{
	unsigned long long t1;

	if (cell->part[k].done || sscanf(cell->part[k].child.line, "done %llu", &t1) != 1)
		return failed(cell, k, "did not say 'done'");
	cell->part[k].done = true;
	if (cell->t1_ns && t1 < cell->t1_ns && cell->parts > 1)
		return failed(cell, k, "was done before the window was over");
	if (!cell->t1_ns || t1 < cell->t1_ns)
		cell->t1_ns = t1;
	return 0;
}

static bool all_done(const struct cell *cell)
{
	for (size_t k = 0; k < cell->parts; k++)
		if (!cell->part[k].done)
			return false;
	return true;
}

/* An end after "done" is what is expected. */
static int take_end(struct cell *cell, size_t k, bool *ret_early)
{
	note_end(cell, k);
	*ret_early = !cell->part[k].done || cell->part[k].child.status;
	if (cell->part[k].done || cell->part[k].child.status)
		return 0;
	return failed(cell, k, "ended before its window was over");
}

static size_t first_late(const struct cell *cell)
{
	size_t k = 0;

	while (k + 1 < cell->parts && cell->part[k].done)
		k++;
	return k;
}

int parts_let_run(struct cell *cell, uint64_t until_ns, bool *ret_over)
{
	size_t k;
	enum spawn_event event = wait_all(cell, until_ns, &k);

	if (event == SPAWN_INTERRUPTED)
		return -EINTR;
	*ret_over = event != SPAWN_TIMEOUT;
	return 0;
}

static uint64_t done_limit(const struct cell *cell)
{
	double deadline = care_at(&cell->session->plan, cell->plan->point).deadline_ns;

	if (cell->t1_ns)
		return cell->t1_ns + END_LIMIT_NS;
	return deadline > 0 ? cell->t0_ns + (uint64_t)deadline : UINT64_MAX;
}

int parts_await_done(struct cell *cell, bool *ret_whole)
{
	uint64_t limit = done_limit(cell);
	bool early = false;
	int err = 0;

	while (!err && !early && cell->run.state == STORE_COMPLETE && !all_done(cell)) {
		size_t k;

		switch (wait_all(cell, limit, &k)) {
		case SPAWN_INTERRUPTED:
			err = -EINTR;
			break;
		case SPAWN_TIMEOUT:
			err = failed(cell, first_late(cell),
				     cell->t1_ns ? "did not end within 60 s after its window"
						 : "was not done at its deadline");
			break;
		case SPAWN_ENDED:
			err = take_end(cell, k, &early);
			break;
		case SPAWN_MESSAGE:
			err = take_done(cell, k);
			break;
		}
	}
	*ret_whole = !err && !early && cell->run.state == STORE_COMPLETE;
	if (!*ret_whole)
		parts_finish(cell); /* nobody goes on measuring for a run that failed */
	return err;
}

static bool all_ended(const struct cell *cell, size_t *ret_first)
{
	for (size_t k = 0; k < cell->parts; k++) {
		*ret_first = k;
		if (!cell->part[k].child.ended)
			return false;
	}
	return true;
}

int parts_await_end(struct cell *cell)
{
	uint64_t limit = clock_now_ns() + END_LIMIT_NS;
	size_t first, k;

	/* One that ended badly takes the others with it: there is nothing to be waited for. */
	while (cell->run.state == STORE_COMPLETE && !cell->run.exit_status &&
	       !all_ended(cell, &first)) {
		switch (wait_all(cell, limit, &k)) {
		case SPAWN_INTERRUPTED:
			return -EINTR;
		case SPAWN_TIMEOUT:
			return failed(cell, first, "did not exit within 60 s");
		case SPAWN_ENDED:
			note_end(cell, k);
			break;
		case SPAWN_MESSAGE:
			return failed(cell, k, "spoke after it was done");
		}
	}
	return 0;
}

void parts_finish(struct cell *cell)
{
	for (size_t k = 0; k < cell->parts; k++)
		spawn_finish(&cell->part[k].child);
}

double parts_cpu_s(const struct cell *cell)
{
	double sum = 0;

	for (size_t k = 0; k < cell->parts; k++) {
		const struct rusage *usage = &cell->part[k].child.usage;

		sum += (double)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) +
		       (double)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) / 1e6;
	}
	return sum;
}

void parts_free(struct cell *cell)
{
	for (size_t k = 0; k < cell->parts; k++) {
		free(cell->part[k].dir);
		command_free(cell->part[k].argv);
	}
}
