/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The same lines on stdout for --dry-run and as messages before a start.
 */
#include "run/plan_print.h"
#include "lib/error.h"
#include "lib/log.h"
#include "lib/units.h"
#include "run/care.h"
#include "run/progress.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* No verdict below (P-50). */
#define REPEATS_FOR_VERDICT 6

static void say(bool dry, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(bool dry, const char *format, ...)
{
	char line[512];
	va_list list;

	va_start(list, format);
	vsnprintf(line, sizeof(line), format, list);
	va_end(list);
	if (dry)
		puts(line);
	else
		log_info("%s", line);
}

static const char *time_text(double ns, char text[32])
{
	units_format_time(units_round(ns, 4), 4, text, 32);
	return text;
}

static int print_cell(const struct session *s, const struct cells *cells, size_t i)
{
	const struct plan_cell *cell = &s->plan.cell[i];
	char *name = plan_cell_name(&s->plan, cell);
	const char *note = "";

	if (!name)
		return error_no_memory();
	if (cells->done_here[i])
		note = "  (done)";
	else if (cells->spared[i])
		note = "  (not needed: decided)";
	else if (!cells->todo[i])
		note = "  (pending: this kernel lacks the governor)";
	else if (campaign_has(&cells->done, name))
		note = "  (the reference once more, on this boot)";
	printf("%04d %s%s\n", cell->number, name, note);
	free(name);
	return 0;
}

/* "pause 30s, warm-up 30s, window 90s, rest 150ms" */
static const char *parts_text(const struct session *s, size_t point, char *text, size_t size)
{
	double option = s->campaign.window_ns > 0 ? s->campaign.window_ns : -1;
	double window = plan_window_ns(&s->plan, point, option);
	double warmup = plan_warmup_ns(&s->plan, point, s->campaign.warmup_ns);
	struct suite_care care = care_at(&s->plan, point);
	char time[32];
	int n = 0;

	if (care.pause_ns > 0)
		n += snprintf(text, size, "pause %s, ", time_text(care.pause_ns, time));
	if (care.settle_pct > 0 && !plan_ends_itself(&s->plan, point))
		n += snprintf(text + n, size - (size_t)n, "settling up to %s, ",
			      time_text(care.settle_timeout_ns, time));
	if (!plan_ends_itself(&s->plan, point))
		n += snprintf(text + n, size - (size_t)n, "warm-up %s, ", time_text(warmup, time));
	if (window == 0 || plan_by_loops(&s->plan, point))
		n += snprintf(text + n, size - (size_t)n, "measured until it ends, ");
	else
		n += snprintf(text + n, size - (size_t)n, "window %s, ", time_text(window, time));
	snprintf(text + n, size - (size_t)n, "rest %s", time_text(PROGRESS_OVERHEAD_NS, time));
	return text;
}

/* "film: 1 point, 18 runs of 150.2s: pause 30s, warm-up 30s, window 90s, rest 150ms" */
static void print_section(const struct session *s, const struct cells *cells, size_t section,
			  bool dry)
{
	size_t points = 0, runs = 0, first = 0, all = plan_all_points(&s->plan, section);
	char text[512], time[32], first_ones[96] = "";
	double longest = 0;

	for (size_t p = s->plan.points; p-- > 0;) {
		if (s->plan.point[p].section != section)
			continue;
		points++;
		first = p;
		longest = fmax(longest, cells->length_ns[p]);
	}
	for (size_t i = 0; i < s->plan.cells; i++)
		runs += cells->todo[i] && s->plan.point[s->plan.cell[i].point].section == section;
	runs += cells_to_come(s, section);
	if (all > points)
		snprintf(first_ones, sizeof(first_ones),
			 " (%zu now, the rest where a curve bends or the governors differ)",
			 points);
	say(dry, "%s: %zu point%s%s, %zu run%s of %s%s: %s", s->suite.section[section].name, all,
	    all == 1 ? "" : "s", first_ones, runs, runs == 1 ? "" : "s",
	    longest > cells->length_ns[first] ? "up to " : "", time_text(longest, time),
	    parts_text(s, first, text, sizeof(text)));
}

/* "Tue 03:12"; of the wall clock, as people read it. */
static const char *clock_at(double from_now_ns, char text[32])
{
	time_t then = time(NULL) + (time_t)(from_now_ns / 1e9);
	struct tm tm;

	strftime(text, 32, "%a %H:%M", localtime_r(&then, &tm));
	return text;
}

static void print_budget(const struct session *s, const struct cells *cells, bool dry)
{
	double budget = s->options->budget_ns;
	size_t fit, blocks = cells_blocks(s, cells, budget, &fit);
	size_t points = 0;
	char time[32], end[32];

	for (size_t i = 0; i < s->suite.sections; i++)
		points += plan_all_points(&s->plan, i);
	points = points ? points : 1;
	progress_time_text(budget, time, sizeof(time));
	if (fit == blocks) {
		say(dry, "the budget of %s is enough for all %zu blocks", time, blocks);
		return;
	}
	say(dry,
	    "the budget of %s (until %s) is enough for %zu of %zu blocks: %.1f repeats of each "
	    "point%s",
	    time, clock_at(budget, end), fit, blocks, (double)fit / (double)points,
	    s->campaign.repeat >= REPEATS_FOR_VERDICT && fit < REPEATS_FOR_VERDICT * points
		    ? "; a verdict takes 6"
		    : "");
}

/* A campaign that ends when all is decided: its plan is the most that it may take. */
static void print_looks(const struct session *s, const struct cells *cells, bool dry)
{
	int least = s->campaign.repeat_min;
	char time[32];
	double ns = 0;

	if (!least)
		return;
	for (size_t i = 0; i < s->plan.cells; i++)
		if (cells->todo[i] && s->plan.cell[i].repeat <= least)
			ns += cells->length_ns[s->plan.cell[i].point];
	progress_time_text(ns, time, sizeof(time));
	say(dry,
	    "until decided: a look after every repeat from %d%s%s%s to %d; what is decided gets no "
	    "more runs",
	    least, ns > 0 ? " (in about " : "", ns > 0 ? time : "", ns > 0 ? ")" : "",
	    s->campaign.repeat);
}

static void print_end(const struct session *s, const struct cells *cells, bool dry)
{
	double left = cells_left_ns(s, cells);
	char time[32], end[32];

	progress_time_text(left, time, sizeof(time));
	say(dry, "%zu runs, %s %s left, seed %llu; over at %s", plan_all_cells(&s->plan),
	    s->campaign.repeat_min ? "at most" : "about", time,
	    (unsigned long long)s->campaign.seed, clock_at(left, end));
	if (s->options->budget_ns >= 0)
		print_budget(s, cells, dry);
}

static void print_times(const struct session *s, const struct cells *cells, bool dry)
{
	for (size_t i = 0; i < s->suite.sections; i++)
		print_section(s, cells, i, dry);
	print_looks(s, cells, dry);
	print_end(s, cells, dry);
}

int plan_print_all(const struct session *s, const struct cells *cells)
{
	int err = 0;

	for (size_t i = 0; i < s->plan.cells && !err; i++)
		err = print_cell(s, cells, i);
	if (!err)
		print_times(s, cells, true);
	return err;
}

void plan_print_short(const struct session *s, const struct cells *cells)
{
	print_times(s, cells, false);
}
