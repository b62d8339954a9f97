/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The frame of the summary: what was measured, on what, what is missing. */
#include "analysis/text.h"
#include "analysis/describe.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void text_wrap(FILE *out, const char *text, int indent)
{
	int column = 0;

	while (*text) {
		const char *blank = strchrnul(text, ' ');
		int length = (int)(blank - text);

		if (column > indent && column + 1 + length > TEXT_COLUMNS) {
			fprintf(out, "\n%*s", indent, "");
			column = indent;
		} else if (column && column != indent) {
			fputc(' ', out);
			column++;
		}
		/* A word longer than a line (a path) is cut rather than let out. */
		while (column + length > TEXT_COLUMNS) {
			int room = TEXT_COLUMNS - column;

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
		fprintf(out, "  ");
		text_wrap(out,
			  pool_text(t->pool, "%zu x %s (first: %s)", kind[i].n, kind[i].text,
				    kind[i].example),
			  6);
	}
}

void text_write(const struct table *table, FILE *out)
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
