/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A table with a row a point and a column a variant, all of one unit: query,base_s,patched_s. A
 * column published_pct beside two of them must lie where rounding may have put it: inputs of 0.61
 * and 0.59 s leave room for two percent.
 */
#include "analysis/import/table.h"
#include "lib/error.h"
#include "store/record.h"
#include <math.h>
#include <string.h>

#define PUBLISHED "published_pct"

/* The columns of variants: those with the unit of the first that has one. */
static size_t find_variants(char *const *name, size_t n, int *variant, size_t most)
{
	const char *unit = NULL;
	size_t found = 0;

	for (size_t i = 1; i < n && found < most; i++) {
		const char *one = table_unit(name[i]);

		if (!*one || !strcmp(name[i], PUBLISHED) || !strcmp(one, "%"))
			continue;
		if (unit && strcmp(unit, one))
			return 0;
		unit = one;
		variant[found++] = (int)i;
	}
	return found;
}

bool import_columns_detect(const struct import_head *head)
{
	static const char *const others[] = { "governor", "kernel", "variant",
					      "label",	  "config", "state" };
	char line[4096], *name[LINES_CELLS_MAX + 1];
	int variant[16];
	size_t n;

	if (head->folder)
		return false;
	n = table_header(head->text, line, name);
	if (n > LINES_CELLS_MAX)
		return false;
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (lines_find(name, n, others[i]) >= 0)
			return false;
	return find_variants(name, n, variant, 16) >= 2;
}

/* "base" of "base_s". */
static const char *variant_name(struct import_source *s, const char *column)
{
	return import_word(
		s->pool, pool_text(s->pool, "%.*s", (int)(strrchr(column, '_') - column), column));
}

/* A key of run.ini: what it takes, and no dot, behind which a number would be a line's. */
static const char *axis_key(struct import_source *s, const char *column)
{
	char key[RECORD_KEY_MAX + 1];

	snprintf(key, sizeof(key), "%s", import_word(s->pool, column));
	for (char *c = key; *c; c++)
		if (*c == '.')
			*c = '_';
	return pool_copy(s->pool, *key ? key : "row");
}

/* How far a ratio of two rounded numbers may be off. */
static bool check_published(struct table_file *t, const int *variant)
{
	const char *printed = table_text(t, PUBLISHED);
	const char *a = t->cell[variant[0]], *b = t->cell[variant[1]];
	double x, y, lo, hi;

	if (!*printed || !lines_number(a, &x) || !lines_number(b, &y))
		return true;
	if (!(x > lines_rounding(a)))
		return true;
	lo = ((y - lines_rounding(b)) / (x + lines_rounding(a)) - 1) * 100;
	hi = ((y + lines_rounding(b)) / (x - lines_rounding(a)) - 1) * 100;
	if (table_agrees(printed, (lo + hi) / 2, (hi - lo) / 2))
		return true;
	import_fault(t->source, t->lines.number,
		     "published %s %% is not between %.2f and %.2f, where rounding leaves it: left "
		     "out",
		     printed, lo, hi);
	return false;
}

static bool add_variant(struct table_file *t, int column)
{
	struct import_source *s = t->source;
	const char *unit = table_unit(t->name[column]);
	bool time = table_is_time(unit);
	struct import_run *run;
	double value;

	if (!table_number(t, t->name[column], &value))
		return true;
	run = import_run_add(s, t->lines.number);
	if (!run)
		return false;
	run->section = s->label;
	run->label = variant_name(s, t->name[column]);
	run->axis[run->axes++] =
		(struct import_axis){ axis_key(s, t->name[0]), import_word(s->pool, t->cell[0]) };
	import_metric_add(s->pool, run, time ? "time" : "value", unit, time ? "lower" : "none",
			  value);
	return true;
}

static void name_unknown(struct table_file *t, const int *variant, size_t variants)
{
	char quoted[ERROR_QUOTE_SIZE];

	for (size_t i = 1; i < t->columns; i++) {
		bool known = !strcmp(t->name[i], PUBLISHED);

		for (size_t j = 0; j < variants; j++)
			known |= variant[j] == (int)i;
		if (!known)
			import_fault(t->source, 1, "unknown column '%s' left out",
				     error_quote(t->name[i], quoted));
	}
}

int import_columns_parse(struct import_source *source)
{
	struct table_file *t;
	int variant[16], err = table_open(source, &t);
	size_t variants;
	bool go_on = true;

	if (err)
		return err;
	variants = find_variants(t->name, t->columns, variant, 16);
	name_unknown(t, variant, variants);
	while (go_on && variants && table_next(t)) {
		if (!*t->cell[0])
			import_fault(source, t->lines.number,
				     "no name in its first cell: left out");
		if (!*t->cell[0] || (variants == 2 && !check_published(t, variant)))
			continue;
		for (size_t i = 0; go_on && i < variants; i++)
			go_on = add_variant(t, variant[i]);
	}
	table_close(t);
	return 0;
}
