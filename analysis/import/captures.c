/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A table with a row a CPU and state: cpu,state,name,desc,latency,residency,power,disable,
 * default_status,usage,time,above,below,rejected in any order. Commas or tabs.
 */
#include "analysis/import/lines.h"
#include "lib/error.h"
#include <string.h>

static char separator_of(const char *line)
{
	return strchr(line, '\t') ? '\t' : ',';
}

bool import_captures_detect(const struct import_head *head)
{
	char line[1024], *cell[LINES_CELLS_MAX + 1];
	size_t n;

	if (head->folder)
		return false;
	snprintf(line, sizeof(line), "%.*s", (int)strcspn(head->text, "\r\n"), head->text);
	n = lines_cut(line, separator_of(line), cell);
	return lines_find(cell, n, "cpu") >= 0 && lines_find(cell, n, "state") >= 0 &&
	       (lines_find(cell, n, "usage") >= 0 || lines_find(cell, n, "name") >= 0);
}

/* The file that a column is about; NULL when there is none. */
static const char *file_of(const char *column)
{
	static const char *const known[] = { "name",  "desc",	 "latency",	   "residency",
					     "power", "disable", "default_status", "usage",
					     "time",  "above",	 "below",	   "rejected" };
	static const char *const ours[][2] = { { "latency_us", "latency" },
					       { "residency_us", "residency" },
					       { "disabled", "disable" },
					       { "time_us", "time" } };

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (!strcmp(column, known[i]))
			return known[i];
	for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++)
		if (!strcmp(column, ours[i][0]))
			return ours[i][1];
	return NULL;
}

struct columns {
	const char *file[LINES_CELLS_MAX]; /* NULL = the place, or unknown */
	size_t n;
	int cpu, state;
	char separator;
};

static bool read_header(struct import_source *s, struct lines *lines, struct columns *c)
{
	char *cell[LINES_CELLS_MAX + 1], quoted[ERROR_QUOTE_SIZE];

	if (!lines_next_good(lines, s))
		return false;
	c->separator = separator_of(lines->text);
	c->n = lines_cut(lines->text, c->separator, cell);
	c->cpu = lines_find(cell, c->n, "cpu");
	c->state = lines_find(cell, c->n, "state");
	if (c->n > LINES_CELLS_MAX || c->cpu < 0 || c->state < 0)
		return false;
	for (size_t i = 0; i < c->n; i++) {
		c->file[i] = file_of(cell[i]);
		if (!c->file[i] && (int)i != c->cpu && (int)i != c->state)
			import_fault(s, lines->number, "unknown column '%s' left out",
				     error_quote(cell[i], quoted));
	}
	return true;
}

static bool read_row(struct import_source *s, struct lines *lines, const struct columns *c)
{
	char *cell[LINES_CELLS_MAX + 1];
	size_t n = lines_cut(lines->text, c->separator, cell);
	uint64_t cpu, state;

	if (n != c->n) {
		import_fault(s, lines->number, "%zu cells, the header has %zu: left out", n, c->n);
		return true;
	}
	if (!lines_u64(cell[c->cpu], &cpu) || !lines_u64(cell[c->state], &state) || cpu > 65535 ||
	    state >= IMPORT_STATES_MAX) {
		import_fault(s, lines->number, "no such CPU or state can be: left out");
		return true;
	}
	for (size_t i = 0; i < n; i++)
		if (c->file[i] && *cell[i] &&
		    !import_put(s, lines->number, (int)cpu, (int)state, c->file[i], cell[i]))
			return false;
	return true;
}

int import_captures_parse(struct import_source *source)
{
	struct columns columns = { 0 };
	struct lines lines;
	int err = lines_open(source->path, &lines);

	if (err)
		return err;
	if (read_header(source, &lines, &columns))
		while (lines_next_good(&lines, source))
			if (!read_row(source, &lines, &columns)) {
				import_fault(source, lines.number,
					     "more than %u states: the rest is left out",
					     IMPORT_READINGS_MAX);
				break;
			}
	lines_close(&lines);
	import_check(source);
	return 0;
}
