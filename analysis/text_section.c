/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One section in 78 columns: headline metric and package power against the reference, then
 * (text_grid.c) the other measures and the points of a sweep, the idle states of each governor.
 */
#include "analysis/describe.h"
#include "analysis/text.h"
#include <math.h>
#include <string.h>

#define NAME_WIDTH 15

/* The two that get a block of their own: the headline metric and package power. */
static bool is_scored(const struct table *t, const struct section *s, const struct measure *m)
{
	if (!section_has_values(t, s, m))
		return false;
	return (m == &s->measure[0] && m->kind == MEASURE_METRIC) || !strcmp(m->name, "package_w");
}

/* At most 14 columns: fewer decimals where the numbers are long. */
static const char *percent_range(struct pool *pool, double lo, double hi)
{
	int decimals = fmax(fabs(lo), fabs(hi)) >= 100 ? 0 : 2;

	return pool_text(pool, "%+.*f..%+.*f", decimals, lo, decimals, hi);
}

static void overall_row(const struct table *t, const struct measure *m, size_t c, FILE *out)
{
	const struct cell *cell = &m->overall[c];
	const struct difference *d = &cell->difference;
	char value[DESCRIBE_NUMBER_MAX], pct[DESCRIBE_NUMBER_MAX];
	const char *name = t->column[c].name, *verdict = section_verdict_text(d->verdict);

	if (strlen(name) > NAME_WIDTH) {
		fprintf(out, "  %.*s\n", TEXT_COLUMNS - 2, name);
		name = "";
	}
	if (t->column[c].is_reference)
		verdict = "reference";
	else if (t->column[c].reference == NO_COLUMN)
		verdict = "no reference";
	fprintf(out, "  %-*s %8s %14s ", NAME_WIDTH, name,
		describe_number(cell->estimate.median, 5, value),
		describe_range(t->pool, cell->estimate.lo, cell->estimate.hi, 4));
	if (d->reference_is_0) {
		fprintf(out, "the reference is 0\n");
		return;
	}
	fprintf(out, "%8s %14s %s\n", d->known ? describe_percent(d->pct, pct) : "",
		d->known && d->interval ? percent_range(t->pool, d->lo_pct, d->hi_pct) : "",
		verdict);
}

static void overall(const struct table *t, const struct section *s, const struct measure *m,
		    FILE *out)
{
	const char *of = "";
	size_t c;

	if (s->points > 1)
		of = pool_text(t->pool, "; geometric mean over %zu of %zu points",
			       m->overall_points, s->points);
	fputc('\n', out);
	text_wrap(out,
		  pool_text(t->pool, "%s%s%s%s%s%s", m->name, *m->unit ? " in " : "", m->unit,
			    m->better ? ", " : "", describe_better(m->better), of),
		  2);
	if (!m->overall_points) {
		fprintf(out, "  %s\n", m->overall_reason);
		return;
	}
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

	fprintf(out, "  %-*.*s %-15.15s %10s %8s %7s %7s %7s\n", NAME_WIDTH, NAME_WIDTH, column,
		load_state(t->result, state)->name, describe_number(sum->usage, 1, entries),
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

	if (strlen(column) > NAME_WIDTH) {
		fprintf(out, "  %.*s\n", TEXT_COLUMNS - 2, column);
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
					pool_text(t->pool, "idle states, %s, all runs together%s%s",
						  describe_set_text(set), r->tables > 1 ? ": " : "",
						  r->tables > 1 ? describe_state(t, of->first)
								: ""),
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
	text_grids(table, section, out);
	states(table, section, out);
}
