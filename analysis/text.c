/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The frame of the summary: what was measured, on what, what is missing. */
#include "analysis/text.h"
#include "analysis/describe.h"
#include "analysis/output.h"
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

static void header(const struct table *t, FILE *out)
{
	const struct store_campaign *c = &t->result->campaign;
	const char *machine = describe_machine(t), *flags = describe_flags(t);
	char window[DESCRIBE_NUMBER_MAX];

	text_wrap(out,
		  pool_text(t->pool, "%s on Linux %s%s%s, %s", c->suite, describe_kernels(t),
			    *machine ? ", " : "", machine, describe_date(t)),
		  2);
	text_wrap(out, pool_text(t->pool, "governors: %s", describe_columns(t)), 2);
	if (c->window_ns > 0)
		units_format_time(c->window_ns, 4, window, sizeof(window));
	else
		snprintf(window, sizeof(window), "as the suite says");
	text_wrap(out,
		  pool_text(t->pool,
			    "repeats asked: %d; window %s, order %s, seed %llu, version %s",
			    c->repeat, window, c->order, (unsigned long long)c->seed, c->version),
		  2);
	if (*flags)
		text_wrap(
			out,
			pool_text(
				t->pool, "*** %s: %s ***", flags,
				t->result->rehearsal
					? "read from a fake or dumped machine, these are not its times"
					: "computed by a model, nothing was measured"),
			4);
}

static void gaps(const struct table *t, FILE *out)
{
	const struct result *r = t->result;
	size_t i, pending = describe_pending(t);

	for (i = 0; i < r->gaps; i++)
		text_wrap(out,
			  pool_text(t->pool, "%s: not measured: %s", r->gap[i].governor,
				    r->gap[i].reason),
			  2);
	if (pending)
		text_wrap(out,
			  pool_text(t->pool, "%zu of %d cells of the plan are not done", pending,
				    r->campaign.cells),
			  2);
}

static void state_tables(const struct table *t, FILE *out)
{
	const struct result *r = t->result;
	char latency[DESCRIBE_NUMBER_MAX], residency[DESCRIBE_NUMBER_MAX];
	size_t i, j;

	if (!r->tables) {
		fprintf(out, "\nno idle states: this machine has no cpuidle\n");
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

			fprintf(out, "  %5d  %-15s %16s %24s%s\n", s->index, s->name,
				describe_count(s->latency_us, latency),
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
