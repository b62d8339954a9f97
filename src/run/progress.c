/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The time left is the plan's own sum, corrected by how the cells so far kept to it.
 */
#include "run/progress.h"
#include "lib/clock.h"
#include <stdio.h>
#include <unistd.h>

/* Measured: switch 12 ms, start and end of a workload some 50 ms, publishing some 20 ms. */
#define OVERHEAD_NS 150e6
/* A cell that ends by its loops has no known length; this is only a guess. */
#define LOOPS_GUESS_NS 10e9

double progress_cell_ns(const struct plan *plan, size_t point, double warmup_ns, double window_ns)
{
	double length = plan_by_loops(plan, point) ? LOOPS_GUESS_NS
						   : plan_window_ns(plan, point, window_ns);

	return plan_warmup_ns(plan, point, warmup_ns) + length + OVERHEAD_NS;
}

void progress_time_text(double ns, char *text, size_t size)
{
	unsigned long s = ns > 0 ? (unsigned long)(ns / 1e9 + 0.5) : 0;

	snprintf(text, size, "%lu:%02lu:%02lu", s / 3600, s / 60 % 60, s % 60);
}

void progress_start(struct progress *p, int todo, double total_ns, bool quiet)
{
	*p = (struct progress){
		.quiet = quiet,
		.terminal = isatty(STDERR_FILENO) != 0,
		.start_ns = clock_now_ns(),
		.left_ns = total_ns,
		.todo = todo,
	};
}

void progress_cell(struct progress *p, const struct plan *plan, const struct plan_cell *cell)
{
	const struct plan_point *point = &plan->point[cell->point];
	char elapsed[32], left[32];

	if (p->quiet)
		return;
	progress_time_text((double)(clock_now_ns() - p->start_ns), elapsed, sizeof(elapsed));
	progress_time_text(p->left_ns, left, sizeof(left));
	fprintf(stderr, "%s[%d/%d] %s%s%s %s r%d  elapsed %s left %s%s",
		p->terminal ? "\r\033[K" : "", p->done + 1, p->todo,
		plan->suite->section[point->section].name, *point->text ? " " : "", point->text,
		plan->governor[cell->governor].label, cell->repeat, elapsed, left,
		p->terminal ? "" : "\n");
}

void progress_done(struct progress *p, double cell_ns)
{
	p->done++;
	p->left_ns -= cell_ns;
}

void progress_end(struct progress *p)
{
	if (!p->quiet && p->terminal && p->todo)
		fputc('\n', stderr);
}
