/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The frame of summary.md. Names come from the data, so every text is escaped. */
#include "analysis/markdown.h"
#include "analysis/describe.h"
#include "analysis/output.h"
#include "analysis/report_several.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* "_" inside of a word is plain in GitHub's markdown, and metric names are full of them. */
static bool is_markup(const char *start, const char *at)
{
	if (*at == '_')
		return at == start || !isalnum((unsigned char)at[-1]) ||
		       !isalnum((unsigned char)at[1]);
	return strchr("\\`*<>|[]#&", *at) != NULL;
}

void markdown_put(FILE *out, const char *text)
{
	const char *at;

	for (at = text; *at; at++) {
		if (is_markup(text, at))
			fputc('\\', out);
		/* Two would strike the text out, and one does on some trackers. */
		if (*at == '~' && at[1])
			fputc('\\', out);
		fputc(*at == '\n' || *at == '\r' ? ' ' : *at, out);
	}
}

void markdown_cell(FILE *out, const char *text)
{
	fputs(" | ", out);
	markdown_put(out, text);
}

static void line(FILE *out, const char *before, const char *text)
{
	fputs(before, out);
	markdown_put(out, text);
	fputc('\n', out);
}

static void header(const struct table *t, FILE *out)
{
	const struct result *r = t->result;
	size_t i;

	line(out, "### ", describe_title(t));
	fputc('\n', out);
	if (*describe_warning(t)) {
		fputs("> **", out);
		markdown_put(out, describe_warning(t));
		fputs("**\n\n", out);
	}
	line(out, "* governors: ", describe_columns(t));
	line(out, "* ", describe_plan(t));
	for (i = 0; i < r->gaps; i++)
		line(out, "* ", describe_gap(t, &r->gap[i]));
	if (*describe_undone(t))
		line(out, "* ", describe_undone(t));
	if (load_no_power(r))
		line(out, "* package power: not available: ", load_no_power(r));
	if (!r->tables)
		line(out, "* no idle states: ", describe_no_states(t));
}

static void state_table(const struct table *t, const struct state_table *of, FILE *out)
{
	char latency[DESCRIBE_NUMBER_MAX], residency[DESCRIBE_NUMBER_MAX];
	size_t i;

	line(out, "\n#### Idle states of ", describe_table(t, of));
	fputs("\n| state | name | exit latency, us | target residency, us | |\n"
	      "|---:|---|---:|---:|---|\n",
	      out);
	for (i = 0; i < of->states; i++) {
		const struct idle_state *s = &of->state[i];

		fprintf(out, "| %d", s->index);
		markdown_cell(out, s->name);
		markdown_cell(out, describe_count(s->latency_us, latency));
		markdown_cell(out, describe_count(s->residency_us, residency));
		fprintf(out, " | %s |\n", s->disabled ? "disabled" : "");
	}
}

static void kinds(const struct table *t, FILE *out, const char *what, const struct kind *kind,
		  size_t n)
{
	size_t i;

	if (n)
		fprintf(out, "\n#### %s\n\n", what);
	for (i = 0; i < n; i++)
		line(out, "* ",
		     pool_text(t->pool, "%zu x %s (first: %s)", kind[i].n, kind[i].text,
			       kind[i].example));
}

void markdown_write(const struct table *table, FILE *out)
{
	const struct result *r = table->result;
	struct output several;
	struct kind *kind;
	size_t i, n;

	header(table, out);
	output_open(&several);
	several_text(table, several.stream);
	output_end(&several);
	if (several.size)
		fprintf(out, "\n```\n%s```\n", several.text);
	free(several.text);
	for (i = 0; i < r->tables; i++)
		state_table(table, &r->table[i], out);
	for (i = 0; i < table->sections; i++)
		markdown_section(table, &table->section[i], out);
	n = describe_excluded(table, &kind);
	kinds(table, out, "Left out of the summary", kind, n);
	n = describe_doubts(table, &kind);
	kinds(table, out, "Doubts (the runs are in the summary)", kind, n);
	fputs("\n<details><summary>How the numbers come about</summary>\n\n", out);
	line(out, "", describe_method(table));
	fputc('\n', out);
	line(out, "", describe_averages());
	fputs("\n</details>\n", out);
}
