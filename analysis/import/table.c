/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Published tables are rounded: a cell is right when the true value may have been printed so.
 */
#include "analysis/import/table.h"
#include "lib/error.h"
#include <math.h>
#include <string.h>

static char separator_of(const char *line)
{
	return strchr(line, '\t') ? '\t' : ',';
}

size_t table_header(const char *text, char line[4096], char *name[LINES_CELLS_MAX + 1])
{
	snprintf(line, 4096, "%.*s", (int)strcspn(text, "\r\n"), text);
	return lines_cut(line, separator_of(line), name);
}

int table_open(struct import_source *source, struct table_file **ret)
{
	struct table_file *t = pool_alloc(source->pool, 1, sizeof(*t));
	int err = lines_open(source->path, &t->lines);

	if (err)
		return err;
	t->source = source;
	if (lines_next_good(&t->lines, source)) {
		t->separator = separator_of(t->lines.text);
		strcpy(t->header, t->lines.text);
		t->columns = lines_cut(t->header, t->separator, t->name);
	}
	*ret = t;
	return 0;
}

bool table_is_time(const char *unit)
{
	return !strcmp(unit, "ns") || !strcmp(unit, "us") || !strcmp(unit, "ms") ||
	       !strcmp(unit, "s");
}

/* A time is never below 0: such a row is a slip of whoever made the table. */
static bool is_possible(const struct table_file *t)
{
	char column[ERROR_QUOTE_SIZE];
	double value;

	for (size_t i = 0; i < t->columns; i++) {
		if (!table_is_time(table_unit(t->name[i])) || !lines_number(t->cell[i], &value) ||
		    value >= 0)
			continue;
		import_fault(t->source, t->lines.number, "%s is %g, a time below 0: left out",
			     error_quote(t->name[i], column), value);
		return false;
	}
	return true;
}

bool table_next(struct table_file *table)
{
	size_t n;

	if (table->lines.number > IMPORT_ROWS_MAX) {
		import_fault(table->source, table->lines.number,
			     "more than %u rows: the rest is left out", IMPORT_ROWS_MAX);
		return false;
	}
	while (table->columns && lines_next_good(&table->lines, table->source)) {
		if (!*table->lines.text)
			continue;
		strcpy(table->row, table->lines.text);
		n = lines_cut(table->row, table->separator, table->cell);
		if (n == table->columns && is_possible(table))
			return true;
		if (n == table->columns)
			continue;
		import_fault(table->source, table->lines.number,
			     "%zu cells, the header has %zu: left out", n, table->columns);
	}
	return false;
}

void table_close(struct table_file *table)
{
	lines_close(&table->lines);
}

const char *table_text(const struct table_file *table, const char *name)
{
	int column = lines_find(table->name, table->columns, name);

	return column < 0 ? "" : table->cell[column];
}

bool table_number(struct table_file *table, const char *name, double *ret)
{
	const char *text = table_text(table, name);
	char quoted[ERROR_QUOTE_SIZE], column[ERROR_QUOTE_SIZE];

	if (!*text || lines_number(text, ret))
		return *text;
	import_fault(table->source, table->lines.number, "%s is '%s', not a number",
		     error_quote(name, column), error_quote(text, quoted));
	return false;
}

bool table_agrees(const char *printed, double value, double doubt)
{
	double number;

	/* 1e-9: a half that binary cannot hold is a half all the same. */
	return lines_number(printed, &number) &&
	       fabs(number - value) <= lines_rounding(printed) + doubt + 1e-9 * fabs(value) + 1e-12;
}

const char *table_unit(const char *name)
{
	static const char *const ends[][2] = { { "_us", "us" }, { "_ms", "ms" },  { "_s", "s" },
					       { "_ns", "ns" }, { "_w", "W" },	  { "_j", "J" },
					       { "_pct", "%" }, { "_mhz", "MHz" } };
	size_t n = strlen(name), end;

	if (!strncmp(name, "us_per_", 7))
		return "us";
	if (!strncmp(name, "ns_per_", 7))
		return "ns";
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		end = strlen(ends[i][0]);
		if (n > end && !strcmp(name + n - end, ends[i][0]))
			return ends[i][1];
	}
	return "";
}
