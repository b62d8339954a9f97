/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One section of summary.md. All measures with a direction are there in full: an issue has room
 * that a mail has not; points and idle states are folded where they are many.
 */
#include "analysis/describe.h"
#include "analysis/markdown.h"
#include <math.h>

#define OPEN_POINTS 12 /* more are folded */

static void end_row(FILE *out)
{
	fputs(" |\n", out);
}

static void measure_row(const struct table *t, const struct measure *m, size_t c, FILE *out)
{
	const struct cell *cell = &m->overall[c];
	const struct estimate *e = &cell->estimate;
	const struct difference *d = &cell->difference;
	char text[DESCRIBE_NUMBER_MAX];

	fputs("| ", out);
	markdown_put(out, pool_text(t->pool, "%s%s%s", t->column[c].name,
				    *describe_versus(t, c) ? " " : "", describe_versus(t, c)));
	markdown_cell(out, describe_average(t, m, cell));
	markdown_cell(out, describe_against(t, m, m->overall, c));
	markdown_cell(out, describe_number(e->median, 5, text));
	markdown_cell(out, e->interval ? describe_range(t->pool, e->lo, e->hi, 5) : "-");
	markdown_cell(out, d->known    ? describe_percent(d->pct, text)
			   : d->tested ? describe_shift(t->pool, m, d)
				       : "-");
	markdown_cell(out, !d->tested || !d->interval ? "-"
			   : d->known ? pool_text(t->pool, "%+.2f..%+.2f", d->lo_pct, d->hi_pct)
				      : describe_shift_range(t->pool, d));
	markdown_cell(out, d->tested ? pool_text(t->pool, "%.2g", d->p) : "-");
	markdown_cell(out,
		      t->column[c].is_reference ? "reference" : section_verdict_text(d->verdict));
	end_row(out);
}

static void measure_table(const struct table *t, const struct section *s, const struct measure *m,
			  FILE *out)
{
	const char *better = describe_better(m->better);
	size_t c;

	fputs("\n**", out);
	markdown_put(out, m->name);
	fputs("**", out);
	markdown_put(out, pool_text(t->pool, "%s%s%s%s", *m->unit ? ", " : "", m->unit,
				    *better ? ", " : "", better));
	if (s->points > 1)
		fprintf(out, "; %s", describe_overall(t, s, m));
	fputs("\n\n", out);
	if (!m->overall_points) {
		fprintf(out, "%s\n", m->overall_reason);
		return;
	}
	fputs("| | average | average vs reference | median | 95 % interval | % vs reference "
	      "| 95 % interval | p | verdict |\n|---|---|---|---:|---|---:|---|---:|---|\n",
	      out);
	for (c = 0; c < t->columns; c++)
		if (s->column_present[c])
			measure_row(t, m, c, out);
}

static void names_row(const struct table *t, const struct section *s, const char *first, FILE *out)
{
	size_t c;

	fputs("| ", out);
	markdown_put(out, first);
	for (c = 0; c < t->columns; c++)
		if (s->column_present[c])
			markdown_cell(out, t->column[c].name);
	fputs(" |\n|---", out);
	for (c = 0; c < t->columns; c++)
		if (s->column_present[c])
			fputs("|---:", out);
	fputs("|\n", out);
}

static void point_row(const struct table *t, const struct section *s, size_t point, FILE *out)
{
	char number[DESCRIBE_NUMBER_MAX], pct[DESCRIBE_NUMBER_MAX];
	size_t c;

	fputs("| ", out);
	markdown_put(out, s->point[point].name);
	for (c = 0; c < t->columns; c++) {
		const struct cell *cell = section_cell(t, &s->measure[0], point, c);
		const struct difference *d = &cell->difference;

		if (!s->column_present[c])
			continue;
		describe_number(cell->estimate.median, 5, number);
		markdown_cell(out, d->known ? pool_text(t->pool, "%s (%s %% %s)", number,
							describe_percent(d->pct, pct),
							section_verdict_text(d->verdict))
				   : d->tested
					   ? pool_text(t->pool, "%s (%s %s)", number,
						       describe_shift(t->pool, &s->measure[0], d),
						       section_verdict_text(d->verdict))
					   : number);
	}
	end_row(out);
}

static void point_table(const struct table *t, const struct section *s, FILE *out)
{
	const struct measure *m = &s->measure[0];
	bool folded = s->points > OPEN_POINTS;
	size_t i;

	if (s->points < 2 || !s->metrics)
		return;
	fputs(folded ? "\n<details><summary>" : "\n", out);
	markdown_put(out, pool_text(t->pool, "%s%s%s by point: median (%% vs reference, verdict)",
				    m->name, *m->unit ? ", " : "", m->unit));
	fputs(folded ? "</summary>\n\n" : "\n\n", out);
	names_row(t, s, "point", out);
	for (i = 0; i < s->points; i++)
		point_row(t, s, i, out);
	if (folded)
		fputs("\n</details>\n", out);
}

static void state_row(const char *column, const char *state, const struct idle_sum *sum, FILE *out)
{
	char text[DESCRIBE_NUMBER_MAX];

	fputs("| ", out);
	markdown_put(out, column);
	markdown_cell(out, state);
	markdown_cell(out, describe_number(sum->usage, 1, text));
	markdown_cell(out, describe_number(idle_quantity(sum, IDLE_ENTRIES), 4, text));
	markdown_cell(out, describe_number(idle_quantity(sum, IDLE_RESIDENCY), 4, text));
	markdown_cell(out, describe_number(idle_quantity(sum, IDLE_TOO_DEEP), 3, text));
	markdown_cell(out, describe_number(idle_quantity(sum, IDLE_TOO_SHALLOW), 3, text));
	end_row(out);
}

static void states(const struct table *t, const struct section *s, enum cpu_set set, FILE *out)
{
	const struct result *r = t->result;
	size_t c, i, j;

	if (!r->states)
		return;
	fprintf(out,
		"\n<details><summary>Idle states requested, %s, all runs together, CPUs pooled</summary>\n\n"
		"| | state | entries | entries/s | residency %% | too deep (above) %% "
		"| too shallow (below) %% |\n|---|---|---:|---:|---:|---:|---:|\n",
		describe_set_text(set));
	for (c = 0; c < t->columns; c++) {
		const struct idle_sum *sums = s->pooled + (c * SETS + (size_t)set) * r->states;

		for (i = 0; i < r->tables; i++) {
			const struct state_table *of = &r->table[i];

			if (!of->states || !sums[of->first].readings)
				continue;
			for (j = of->first; j < of->first + of->states; j++)
				state_row(t->column[c].name, describe_state(t, j), &sums[j], out);
		}
	}
	fputs("\n</details>\n", out);
}

void markdown_section(const struct table *table, const struct section *section, FILE *out)
{
	enum cpu_set set = describe_set(table, section);
	size_t i;

	fputs("\n#### ", out);
	markdown_put(out, section->name);
	fputs("\n\n", out);
	markdown_put(out, pool_text(table->pool, "%s; %s", describe_section(table, section),
				    describe_runs(table, section)));
	fputc('\n', out);
	for (i = 0; i < section->measures; i++) {
		const struct measure *m = &section->measure[i];

		if ((m->kind == MEASURE_METRIC || m->kind == MEASURE_POWER) &&
		    m->better != BETTER_IS_NONE && section_has_values(table, section, m))
			measure_table(table, section, m, out);
	}
	if (*describe_control(table, section)) {
		fputc('\n', out);
		markdown_put(out, describe_control(table, section));
		fputc('\n', out);
	}
	point_table(table, section, out);
	states(table, section, set, out);
	if (set != SET_ALL)
		states(table, section, SET_ALL, out);
}
