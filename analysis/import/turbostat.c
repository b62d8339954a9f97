/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * turbostat's log: lines that are split at a system row ("-") into blocks, one an interval. A block
 * is used whole or not at all. Its "+" is the kernel's below and its "-" above (P-21). The
 * arithmetic is in turbostat_sum.c.
 */
#include "analysis/import/turbostat.h"
#include "lib/error.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_header(char *const *cell, size_t n)
{
	static const char *const known[] = { "Avg_MHz", "Busy%", "Bzy_MHz", "PkgWatt" };

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (lines_find(cell, n, known[i]) >= 0)
			return true;
	return !strcmp(cell[0], "Time_Of_Day_Seconds");
}

bool import_turbostat_detect(const struct import_head *head)
{
	const char *text = head->text;

	/* A log may begin with turbostat's account of the machine, or in the middle of a line. */
	return !head->folder && strchr(text, '\t') &&
	       (strstr(text, "\tBusy%\t") || strstr(text, "\tBzy_MHz\t") ||
		!strncmp(text, "Avg_MHz\t", 8)) &&
	       strstr(text, "Avg_MHz");
}

/* The column "NAME" + @suffix, or -1. */
static int column_of(const struct turbostat *t, const char *name, const char *suffix)
{
	char text[64];

	snprintf(text, sizeof(text), "%.50s%s", name, suffix);
	return lines_find(t->name, t->columns, text);
}

/* An idle state has its entries under its name and its share under NAME%. */
static void find_states(struct turbostat *t)
{
	t->states = 0;
	for (size_t i = 0; i < t->columns && t->states < TURBOSTAT_STATES; i++) {
		int share = column_of(t, t->name[i], "%");

		if (share >= 0)
			t->state[t->states++] = (struct turbostat_state){
				.usage = (int)i,
				.share = share,
				.below = column_of(t, t->name[i], "+"),
				.above = column_of(t, t->name[i], "-"),
			};
	}
}

static void set_header(struct turbostat *t)
{
	strcpy(t->header, t->line);
	strcpy(t->cells, t->line);
	t->columns = lines_cut(t->cells, '\t', t->name);
	t->time = lines_find(t->name, t->columns, "Time_Of_Day_Seconds");
	t->cpu = lines_find(t->name, t->columns, "CPU");
	find_states(t);
}

/*
 * A header other than the one in use is damage, unless it comes twice: then it was the first that
 * was damaged, or the columns did change, and what was added up so far means something else.
 */
static void take_header(struct turbostat *t, size_t line)
{
	turbostat_end_block(t);
	t->lost = false;
	if (!strcmp(t->header, t->line))
		return;
	if (t->blocks && strcmp(t->other, t->line)) {
		import_fault(t->source, line, "a header with other columns: its block is left out");
		strcpy(t->other, t->line);
		t->lost = true;
		return;
	}
	if (t->blocks)
		import_fault(t->source, line,
			     "other columns from here on: the %zu blocks before are left out",
			     t->blocks);
	turbostat_reset(t);
	set_header(t);
}

/* A value of one of the state's columns; false when it is none. */
static bool get_count(char *const *cell, size_t n, int column, uint64_t *ret)
{
	*ret = 0;
	return column < 0 || ((size_t)column < n && lines_u64(cell[column], ret));
}

static bool read_cpu(struct turbostat *t, char *const *cell, size_t n, struct turbostat_row *row)
{
	uint64_t cpu;
	double share;

	if (!lines_u64(cell[t->cpu], &cpu) || cpu >= TURBOSTAT_CPUS)
		return false;
	row->cpu = (int)cpu;
	for (size_t i = 0; i < t->states; i++) {
		const struct turbostat_state *s = &t->state[i];

		if (!get_count(cell, n, s->usage, &row->count[i][TURBOSTAT_USAGE]) ||
		    !get_count(cell, n, s->above, &row->count[i][TURBOSTAT_ABOVE]) ||
		    !get_count(cell, n, s->below, &row->count[i][TURBOSTAT_BELOW]) ||
		    (size_t)s->share >= n || !lines_number(cell[s->share], &share) || share < 0)
			return false;
		row->share[i] = share;
	}
	return true;
}

static bool read_system(struct turbostat *t, char *const *cell, size_t n)
{
	if (n != t->columns)
		return false;
	for (size_t i = 0; i < n; i++) {
		/* Package, core, CPU are "-". */
		t->system[i] = NAN;
		if ((int)i != t->time && strcmp(cell[i], "-") && *cell[i] &&
		    !lines_number(cell[i], &t->system[i]))
			return false;
	}
	return true;
}

static bool is_system(const struct turbostat *t, char *const *cell, size_t n)
{
	return t->cpu < 0 || ((size_t)t->cpu < n && !strcmp(cell[t->cpu], "-"));
}

static void take_row(struct turbostat *t, size_t line, char *const *cell, size_t n)
{
	struct turbostat_row row = { 0 };
	bool system = is_system(t, cell, n), good;

	if (system) {
		turbostat_end_block(t);
		t->begin = line;
		t->open = true;
	}
	good = t->open && n <= t->columns && n > (size_t)(t->cpu < 0 ? 0 : t->cpu);
	if (good && t->time >= 0)
		good = lines_seconds(cell[t->time], &row.t_ns);
	if (good && system) {
		good = read_system(t, cell, n);
		t->t_ns = row.t_ns;
	} else if (good) {
		good = read_cpu(t, cell, n, &row);
	}
	if (!good)
		turbostat_break(t, line, "not a row of this log's columns");
	else if (!system)
		turbostat_add(t, &row);
}

static void take_line(struct turbostat *t, struct lines *lines)
{
	char *cell[LINES_CELLS_MAX + 1], quoted[ERROR_QUOTE_SIZE];
	const char *copy = t->line;
	size_t n;

	strcpy(t->line, lines->text);
	n = lines_cut(lines->text, '\t', cell);
	if (n <= LINES_CELLS_MAX && is_header(cell, n)) {
		take_header(t, lines->number);
	} else if (!t->columns || !*copy || lines_is_trailer(copy)) {
		return; /* what turbostat says about the machine before the first block */
	} else if (t->lost) {
		return; /* of a block whose header was damaged */
	} else if (copy[strspn(copy, "0123456789.-")] != '\t' && t->columns > 1) {
		import_fault(t->source, lines->number, "not a row of a log: '%s'",
			     error_quote(copy, quoted));
		t->broken |= t->open;
	} else {
		take_row(t, lines->number, cell, n);
	}
}

int import_turbostat_parse(struct import_source *source)
{
	struct turbostat *t;
	struct lines lines;
	int err = lines_open(source->path, &lines);

	if (err)
		return err;
	t = pool_alloc(source->pool, 1, sizeof(*t));
	t->source = source;
	turbostat_reset(t);
	while (lines_next(&lines)) {
		if (lines.fault)
			turbostat_break(t, lines.number, lines.fault);
		else
			take_line(t, &lines);
	}
	lines_close(&lines);
	turbostat_end_block(t);
	turbostat_finish(t);
	free(t->row);
	free(t->sum);
	return 0;
}
