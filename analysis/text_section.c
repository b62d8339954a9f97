/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One section in 78 columns: headline metric and package power against the reference, then
 * (text_grid.c) the other measures and the points of a sweep, the idle states of each governor.
 */
#include "analysis/describe.h"
#include "analysis/shape.h"
#include "analysis/text.h"
#include <math.h>
#include <string.h>

#define NAME_WIDTH 15
#define SHIFT_WIDTH 27

/* The two that get a block of their own: the headline metric and package power. */
static bool is_scored(const struct table *t, const struct section *s, const struct measure *m)
{
	return section_has_values(t, s, m) && section_is_scored(s, (size_t)(m - s->measure));
}

/* At most 14 columns: fewer decimals where the numbers are long. */
static const char *percent_range(struct pool *pool, double lo, double hi)
{
	double widest = fmax(fabs(lo), fabs(hi));
	int decimals = widest >= 100 ? 0 : 2;

	if (widest >= 1e9)
		return pool_text(pool, "%+.3g..%+.3g", lo, hi);
	return pool_text(pool, "%+.*f..%+.*f", decimals, lo, decimals, hi);
}

/* Where the percent and its interval stand otherwise; a long one goes without its interval. */
static const char *shift_text(const struct table *t, const struct measure *m,
			      const struct difference *d)
{
	const char *shift = describe_shift(t->pool, m, d);
	const char *both = pool_text(t->pool, "%s %s", shift, describe_shift_range(t->pool, d));

	return text_width(both) > SHIFT_WIDTH ? shift : both;
}

static void overall_row(const struct table *t, const struct measure *m, size_t c, FILE *out)
{
	const struct cell *cell = &m->overall[c];
	const struct difference *d = &cell->difference;
	char value[DESCRIBE_NUMBER_MAX], pct[DESCRIBE_NUMBER_MAX];
	const char *name = t->column[c].name, *verdict = section_verdict_text(d->verdict);

	if (text_width(name) > NAME_WIDTH) {
		text_wrap(out, pool_text(t->pool, "  %s", name), 4);
		name = "";
	}
	if (t->column[c].is_reference)
		verdict = "reference";
	else if (t->column[c].reference == NO_COLUMN)
		verdict = "no reference";
	fputs("  ", out);
	text_put(out, name, -NAME_WIDTH);
	fprintf(out, " %8s %14s ", describe_number(cell->estimate.median, 5, value),
		describe_range(t->pool, cell->estimate.lo, cell->estimate.hi, 4));
	if (d->reference_is_0 && d->tested) {
		text_put(out, shift_text(t, m, d), -SHIFT_WIDTH);
		fprintf(out, " %s\n", verdict);
		return;
	}
	fprintf(out, "%8s %14s %s\n", d->known ? describe_percent(d->pct, pct) : "",
		d->known && d->interval ? percent_range(t->pool, d->lo_pct, d->hi_pct) : "",
		verdict);
}

/* "menu:  2.97845 us (sd 0.012, n 6), reference": the form in which lists write results. */
static void averages(const struct table *t, const struct section *s, const struct measure *m,
		     FILE *out)
{
	int widest = 0, width;
	size_t c;

	for (c = 0; c < t->columns; c++) {
		width = text_width(t->column[c].name);
		if (s->column_present[c] && width <= NAME_WIDTH && width > widest)
			widest = width;
	}
	for (c = 0; c < t->columns; c++) {
		const char *against = describe_against(t, m, m->overall, c);

		if (!s->column_present[c])
			continue;
		width = text_width(t->column[c].name);
		text_wrap(out,
			  pool_text(t->pool, "  %s:%*s %s%s%s", t->column[c].name,
				    width < widest ? widest - width : 0, "",
				    describe_average(t, m, &m->overall[c]), *against ? ", " : "",
				    against),
			  6);
	}
}

static void overall(const struct table *t, const struct section *s, const struct measure *m,
		    FILE *out)
{
	const char *of = "";
	size_t c;

	if (s->points > 1)
		of = pool_text(t->pool, "; %s", describe_overall(t, s, m));
	fputc('\n', out);
	text_wrap(out,
		  pool_text(t->pool, "%s%s%s%s%s%s", m->name, *m->unit ? " in " : "", m->unit,
			    m->better ? ", " : "", describe_better(m->better), of),
		  2);
	if (!m->overall_points) {
		fprintf(out, "  %s\n", m->overall_reason);
		return;
	}
	averages(t, s, m, out);
	fprintf(out, "  %-*s %8s %14s %8s %14s\n", NAME_WIDTH, "", "median",
		s->complete_min >= STATS_N_MIN	? "95 % interval"
		: s->complete_max < STATS_N_MIN ? "range"
						: "interval/range",
		"% vs ref", s->complete_max >= STATS_N_MIN ? "95 % interval" : "");
	for (c = 0; c < t->columns; c++)
		if (s->column_present[c])
			overall_row(t, m, c, out);
}

static void state_row(const struct table *t, const char *column, size_t state,
		      const struct idle_sum *sum, FILE *out)
{
	char entries[DESCRIBE_NUMBER_MAX], deep[DESCRIBE_NUMBER_MAX], shallow[DESCRIBE_NUMBER_MAX],
		rate[DESCRIBE_NUMBER_MAX], residency[DESCRIBE_NUMBER_MAX];

	fputs("  ", out);
	text_put(out, column, -NAME_WIDTH);
	fputc(' ', out);
	text_put(out, load_state(t->result, state)->name, -15);
	fprintf(out, " %10s %8s %7s %7s %7s\n", describe_number(sum->usage, 1, entries),
		describe_number(idle_quantity(sum, IDLE_ENTRIES), 4, rate),
		describe_number(idle_quantity(sum, IDLE_RESIDENCY), 4, residency),
		describe_number(idle_quantity(sum, IDLE_TOO_DEEP), 3, deep),
		describe_number(idle_quantity(sum, IDLE_TOO_SHALLOW), 3, shallow));
}

static void state_rows(const struct table *t, const struct state_table *of, const char *column,
		       const struct idle_sum *sums, FILE *out)
{
	char rest[DESCRIBE_NUMBER_MAX];
	size_t i;

	if (text_width(column) > NAME_WIDTH) {
		text_wrap(out, pool_text(t->pool, "  %s", column), 4);
		column = "";
	}
	for (i = 0; i < of->states; i++)
		state_row(t, i ? "" : column, of->first + i, &sums[of->first + i], out);
	fprintf(out, "  %-*s %-15s %10s %8s %7s\n", NAME_WIDTH, "", "(not idle)", "", "",
		describe_number(idle_not_idle(sums, of), 4, rest));
}

static void states(const struct table *t, const struct section *s, FILE *out)
{
	const struct result *r = t->result;
	enum cpu_set set = describe_set(t, s);
	size_t c, i;

	for (i = 0; i < r->tables; i++) {
		const struct state_table *of = &r->table[i];
		bool heading = false;

		for (c = 0; c < t->columns; c++) {
			const struct idle_sum *sums = s->pooled + (c * SETS + set) * r->states;

			if (!of->states || !sums[of->first].readings)
				continue;
			if (!heading) {
				fputc('\n', out);
				text_wrap(
					out,
					pool_text(
						t->pool,
						"idle states, %s, all runs together, CPUs pooled%s%s",
						describe_set_text(set), r->tables > 1 ? ": " : "",
						r->tables > 1 ? describe_table(t, of) : ""),
					2);
				fprintf(out, "  %-*s %-15s %10s %8s %7s %7s %7s\n", NAME_WIDTH, "",
					"", "", "entries", "resid-", "too", "too");
				fprintf(out, "  %-*s %-15s %10s %8s %7s %7s %7s\n", NAME_WIDTH,
					"governor", "state", "entries", "per s", "ency %", "deep %",
					"shal. %");
				heading = true;
			}
			state_rows(t, of, t->column[c].name, sums, out);
		}
		if (heading)
			fputs("  too deep (above), too shallow (below): % of the state's "
			      "entries\n",
			      out);
	}
}

static void control(const struct table *t, const struct section *s, FILE *out)
{
	const char *text = describe_control(t, s);

	if (!*text)
		return;
	fputc('\n', out);
	text_wrap(out, text, 2);
}

static void shape(const struct table *t, const struct section *s, FILE *out)
{
	const char **sentence;
	size_t n = shape_sentences(t, s, &sentence);

	if (n)
		fputc('\n', out);
	for (size_t i = 0; i < n; i++)
		text_wrap(out, sentence[i], 2);
}

void text_section(const struct table *table, const struct section *section, FILE *out)
{
	size_t i;

	fprintf(out, "\n");
	text_wrap(out,
		  pool_text(table->pool, "== %s: %s; %s", section->name,
			    describe_section(table, section), describe_runs(table, section)),
		  3);
	for (i = 0; i < section->measures; i++)
		if (is_scored(table, section, &section->measure[i]))
			overall(table, section, &section->measure[i], out);
	control(table, section, out);
	shape(table, section, out);
	text_grids(table, section, out);
	states(table, section, out);
}
