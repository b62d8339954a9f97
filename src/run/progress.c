/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Terminal: one line, rewritten. Elsewhere, and in the log: a plain line a cell.
 */
#include "run/progress.h"
#include "lib/clock.h"
#include "lib/log.h"
#include "run/care.h"
#include <stdio.h>
#include <time.h>
#include <unistd.h>

/* A cell that ends by itself has no known length; this is only a guess. */
#define UNKNOWN_GUESS_NS 10e9

/* The headline's loops, as far as it knows how long one takes. */
static double loops_ns(const struct plan *plan, size_t point)
{
	const struct suite_section *section = &plan->suite->section[plan->point[point].section];
	const struct param_value *values = plan_values(plan, point, 0);
	struct workload_needs needs;
	int row = param_find(section->workload->params, "loops");

	if (row < 0 || section->workload->needs(values, &needs) || !needs.loop_ns)
		return UNKNOWN_GUESS_NS;
	return values[row].number * needs.loop_ns;
}

double progress_cell_ns(const struct plan *plan, size_t point, double warmup_ns, double window_ns)
{
	double length = plan_window_ns(plan, point, window_ns);
	struct suite_care care = care_at(plan, point);

	if (plan_by_loops(plan, point))
		length = loops_ns(plan, point);
	else if (length == 0)
		length = UNKNOWN_GUESS_NS;
	if (care.settle_pct > 0 && !plan_ends_itself(plan, point))
		length += care.settle_span_ns;
	return care.pause_ns + plan_warmup_ns(plan, point, warmup_ns) + length +
	       PROGRESS_OVERHEAD_NS;
}

void progress_time_text(double ns, char *text, size_t size)
{
	unsigned long s = ns > 0 ? (unsigned long)(ns / 1e9 + 0.5) : 0;

	snprintf(text, size, "%lu:%02lu:%02lu", s / 3600, s / 60 % 60, s % 60);
}

void progress_start(struct progress *p, int todo, bool quiet)
{
	*p = (struct progress){
		.quiet = quiet,
		.terminal = isatty(STDERR_FILENO) != 0,
		.start_ns = clock_now_ns(),
		.todo = todo,
	};
}

/* "[12/216] ring work=0us menu r2" */
static const char *cell_text(const struct progress *p, const struct plan *plan,
			     const struct plan_cell *cell, char *text, size_t size)
{
	const struct plan_point *point = &plan->point[cell->point];
	const char *cpufreq = plan->cpufreq ? plan->cpufreq[cell->cpufreq] : "";

	snprintf(text, size, "[%d/%d] %s%s%s %s%s%s r%d", p->done + 1, p->todo,
		 plan->suite->section[point->section].name, *point->text ? " " : "", point->text,
		 plan->governor[cell->governor].label, *cpufreq ? "+" : "", cpufreq, cell->repeat);
	return text;
}

void progress_cell(struct progress *p, const struct plan *plan, const struct plan_cell *cell,
		   double left_ns)
{
	time_t then = time(NULL) + (time_t)(left_ns / 1e9);
	char text[256], elapsed[32], left[32], end[16];
	struct tm tm;

	if (p->quiet)
		return;
	strftime(end, sizeof(end), "%H:%M", localtime_r(&then, &tm));
	progress_time_text((double)(clock_now_ns() - p->start_ns), elapsed, sizeof(elapsed));
	progress_time_text(left_ns, left, sizeof(left));
	fprintf(stderr, "%s%s  elapsed %s left %s%s, over at %s%s", p->terminal ? "\r\033[K" : "",
		cell_text(p, plan, cell, text, sizeof(text)), elapsed, p->at_most ? "at most " : "",
		left, end, p->terminal ? "" : "\n");
}

void progress_done(struct progress *p, const struct plan *plan, const struct plan_cell *cell,
		   enum store_state state)
{
	char text[256];

	log_note("%s %s", cell_text(p, plan, cell, text, sizeof(text)), store_state_name[state]);
	p->done++;
}

void progress_end(struct progress *p)
{
	if (!p->quiet && p->terminal && p->todo)
		fputc('\n', stderr);
}
