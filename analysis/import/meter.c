/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A power meter's log: seconds since 1970 and W, a header, commas with blanks behind them. Each
 * sample counts the same; a log beside turbostat's is cut to its time when they are put together.
 */
#include "analysis/import/lines.h"
#include "lib/error.h"
#include <string.h>

static int find_one(char *const *cell, size_t n, const char *const *names)
{
	for (; *names; names++)
		if (lines_find(cell, n, *names) >= 0)
			return lines_find(cell, n, *names);
	return -1;
}

static bool find_columns(char *text, size_t *ret_n, int *ret_time, int *ret_power)
{
	static const char *const time[] = { "T", "time", "timestamp", NULL };
	static const char *const power[] = { "P", "power", "power_w", "watts", "W", NULL };
	char *cell[LINES_CELLS_MAX + 1];

	*ret_n = lines_cut(text, ',', cell);
	*ret_time = find_one(cell, *ret_n, time);
	*ret_power = find_one(cell, *ret_n, power);
	return *ret_n <= LINES_CELLS_MAX && *ret_time >= 0 && *ret_power >= 0;
}

bool import_meter_detect(const struct import_head *head)
{
	char line[1024];
	int time, power;
	size_t n;

	if (head->folder)
		return false;
	snprintf(line, sizeof(line), "%.*s", (int)strcspn(head->text, "\r\n"), head->text);
	return find_columns(line, &n, &time, &power);
}

static const char *take_row(struct import_source *s, char *text, size_t n, int time, int power)
{
	char *cell[LINES_CELLS_MAX + 1];
	struct import_sample sample;

	if (lines_cut(text, ',', cell) != n)
		return "another number of cells than the header has: left out";
	if (!lines_seconds(cell[time], &sample.t_ns) || !lines_number(cell[power], &sample.w) ||
	    sample.w < 0)
		return "no time in seconds or no power in W: left out";
	if (s->samples && sample.t_ns <= s->sample[s->samples - 1].t_ns)
		return "time went back: left out";
	if (s->samples == IMPORT_SAMPLES_MAX)
		return "more samples than are taken: left out";
	s->sample = pool_room(s->pool, s->sample, s->samples, sizeof(*s->sample));
	s->sample[s->samples++] = sample;
	return NULL;
}

static void make_run(struct import_source *s)
{
	struct import_run *run;
	double sum = 0;

	if (!s->samples)
		return;
	for (size_t i = 0; i < s->samples; i++)
		sum += s->sample[i].w;
	run = import_run_add(s, 0);
	run->section = "meter";
	run->t0_ns = s->sample[0].t_ns;
	run->t1_ns = s->sample[s->samples - 1].t_ns;
	import_metric_add(s->pool, run, "wall_w", "W", "lower", sum / (double)s->samples);
}

int import_meter_parse(struct import_source *source)
{
	int err, time, power;
	struct lines lines;
	size_t n;

	err = lines_open(source->path, &lines);
	if (err)
		return err;
	if (lines_next_good(&lines, source) && find_columns(lines.text, &n, &time, &power)) {
		while (lines_next_good(&lines, source)) {
			const char *why = NULL;

			if (*lines.text && !lines_is_trailer(lines.text))
				why = take_row(source, lines.text, n, time, power);
			if (why)
				import_fault(source, lines.number, "%s", why);
		}
	}
	lines_close(&lines);
	make_run(source);
	return 0;
}
