/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The frame of the summary: what was measured, on what, what is missing. */
#include "analysis/text.h"
#include "analysis/describe.h"
#include "analysis/output.h"
#include "analysis/report_several.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of @text that fit into @room without cutting a UTF-8 character in two. */
static int fitting(const char *text, int room)
{
	int n = room;

	while (n > 1 && ((unsigned char)text[n] & 0xc0) == 0x80)
		n--;
	return n > 1 ? n : room;
}

void text_wrap(FILE *out, const char *text, int indent)
{
	int column = (int)strspn(text, " "), gap = 0;

	fprintf(out, "%*s", column, "");
	text += column;
	while (*text) {
		const char *blank = strchrnul(text, ' ');
		int length = (int)(blank - text);

		if (length && gap && column + gap + length > TEXT_COLUMNS) {
			fprintf(out, "\n%*s", indent, "");
			column = indent;
		} else if (length) {
			fprintf(out, "%*s", gap, "");
			column += gap;
		}
		gap = length ? 1 : gap + 1; /* in front of the next word */
		/* A word longer than a line (a path) is broken rather than let out. */
		while (column + length > TEXT_COLUMNS) {
			int room = fitting(text, TEXT_COLUMNS - column);

			fprintf(out, "%.*s\n%*s", room, text, indent, "");
			text += room;
			length -= room;
			column = indent;
		}
		fprintf(out, "%.*s", length, text);
		column += length;
		text = *blank ? blank + 1 : blank;
	}
	fputc('\n', out);
}

/* The last resort for a table whose numbers are longer than was thought. Ends in no blanks. */
static void put_line(FILE *out, char *line, size_t length)
{
	while (length && line[length - 1] == ' ')
		length--;
	line[length] = '\0';
	if (length <= TEXT_COLUMNS)
		fprintf(out, "%s\n", line);
	else
		text_wrap(out, line, 6);
}

/* Every line of the summary goes through here. */
static void put_lines(FILE *out, char *text)
{
	char *end;

	for (; (end = strchr(text, '\n')); text = end + 1)
		put_line(out, text, (size_t)(end - text));
}

void text_put(FILE *out, const char *text, int width)
{
	int blanks = abs(width) - text_width(text);

	blanks = blanks < 0 ? 0 : blanks;
	fprintf(out, "%*s%s%*s", width > 0 ? blanks : 0, "", text, width < 0 ? blanks : 0, "");
}

int text_width(const char *text)
{
	int n = 0;

	for (; *text; text++)
		n += ((unsigned char)*text & 0xc0) != 0x80;
	return n;
}

static void header(const struct table *t, FILE *out)
{
	text_wrap(out, describe_title(t), 2);
	text_wrap(out, pool_text(t->pool, "governors: %s", describe_columns(t)), 2);
	if (t->result->sources < 2)
		text_wrap(out, describe_plan(t), 2);
	if (*describe_warning(t))
		text_wrap(out, pool_text(t->pool, "*** %s ***", describe_warning(t)), 4);
}

static void gaps(const struct table *t, FILE *out)
{
	const struct result *r = t->result;
	size_t i;

	for (i = 0; i < r->gaps; i++)
		text_wrap(out, describe_gap(t, &r->gap[i]), 2);
	if (*describe_undone(t))
		text_wrap(out, describe_undone(t), 2);
}

static void state_tables(const struct table *t, FILE *out)
{
	const struct result *r = t->result;
	char latency[DESCRIBE_NUMBER_MAX], residency[DESCRIBE_NUMBER_MAX];
	size_t i, j;

	if (!r->tables) {
		fprintf(out, "\nno idle states: %s\n", describe_no_states(t));
		return;
	}
	for (i = 0; i < r->tables; i++) {
		const struct state_table *of = &r->table[i];

		fputc('\n', out);
		text_wrap(out, pool_text(t->pool, "idle states of %s", describe_table(t, of)), 2);
		fprintf(out, "  %5s  %-15s %16s %24s\n", "state", "name", "exit latency us",
			"target residency us");
		for (j = 0; j < of->states; j++) {
			const struct idle_state *s = &of->state[j];

			fprintf(out, "  %5d  ", s->index);
			text_put(out, s->name, -15);
			fprintf(out, " %16s %24s%s\n", describe_count(s->latency_us, latency),
				describe_count(s->residency_us, residency),
				s->disabled ? "  disabled" : "");
		}
	}
}

static void kinds(const struct table *t, FILE *out, const char *what, const struct kind *kind,
		  size_t n)
{
	size_t i;

	if (n)
		fprintf(out, "\n%s\n", what);
	for (i = 0; i < n; i++) {
		text_wrap(out,
			  pool_text(t->pool, "  %zu x %s (first: %s)", kind[i].n, kind[i].text,
				    kind[i].example),
			  6);
	}
}

static void whole(const struct table *table, FILE *out)
{
	struct kind *kind;
	size_t i, n;

	header(table, out);
	several_text(table, out);
	gaps(table, out);
	state_tables(table, out);
	for (i = 0; i < table->sections; i++)
		text_section(table, &table->section[i], out);
	if (load_no_power(table->result)) {
		fputc('\n', out);
		text_wrap(out,
			  pool_text(table->pool, "package power: not available (%s)",
				    load_no_power(table->result)),
			  2);
	}
	n = describe_excluded(table, &kind);
	kinds(table, out, "left out of the summary", kind, n);
	n = describe_doubts(table, &kind);
	kinds(table, out, "doubts (the runs are in the summary)", kind, n);
	fputc('\n', out);
	text_wrap(out, describe_method(table), 0);
	text_wrap(out, describe_averages(), 0);
}

void text_write(const struct table *table, FILE *out)
{
	struct output lines;

	output_open(&lines);
	whole(table, lines.stream);
	output_end(&lines);
	put_lines(out, lines.text);
	free(lines.text);
}
