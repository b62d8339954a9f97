/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One section of the page: figures first, then the numbers. */
#include "analysis/describe.h"
#include "analysis/html.h"
#include "analysis/overhead.h"
#include "analysis/shape.h"
#include <math.h>
#include <string.h>

static void put_name(const struct table *t, size_t column, FILE *out)
{
	const char *versus = describe_versus(t, column);

	html_put(out, t->column[column].name);
	if (!*versus)
		return;
	fputs(" <small>", out);
	html_put(out, versus);
	fputs("</small>", out);
}

static void measure_row(const struct table *t, const struct measure *m, size_t c, FILE *out)
{
	const struct cell *cell = &m->overall[c];
	const struct difference *d = &cell->difference;
	char a[DESCRIBE_NUMBER_MAX], b[DESCRIBE_NUMBER_MAX];

	fputs("<tr>", out);
	fputs("<td>", out);
	put_name(t, c, out);
	fprintf(out, "</td><td>%zu</td><td>%s</td><td>%s%s</td>", cell->n,
		describe_number(cell->estimate.median, 5, a),
		describe_range(t->pool, cell->estimate.lo, cell->estimate.hi, 5),
		cell->n && !cell->estimate.interval ? " <small>(range)</small>" : "");
	if (!d->tested) {
		fprintf(out, "<td></td><td></td><td></td><td>%s</td></tr>\n",
			t->column[c].is_reference ? "reference" : "");
		return;
	}
	html_element(out, "td",
		     d->known ? describe_percent(d->pct, b)
			      : pool_text(t->pool, "%s, the reference is 0",
					  describe_shift(t->pool, m, d)));
	fprintf(out, "<td>%s</td><td>%.2g</td><td class=\"%s\">%s</td></tr>\n",
		!d->interval ? "-"
		: d->known   ? pool_text(t->pool, "%+.2f..%+.2f", d->lo_pct, d->hi_pct)
			     : describe_shift_range(t->pool, d),
		d->p,
		d->verdict == VERDICT_BETTER  ? "better"
		: d->verdict == VERDICT_WORSE ? "worse"
					      : "",
		section_verdict_text(d->verdict));
}

static void measure_table(const struct table *t, const struct section *s, const struct measure *m,
			  FILE *out)
{
	size_t c;

	fputs("<h3>", out);
	html_put(out, m->name);
	if (*m->unit) {
		fputs(", ", out);
		html_put(out, m->unit);
	}
	fprintf(out, " <span class=soft>%s</span></h3>\n", describe_better(m->better));
	if (s->points > 1)
		fprintf(out, "<p class=soft>Whole curve: %s.</p>\n", describe_overall(t, s, m));
	if (!m->overall_points) {
		html_element(out, "p", m->overall_reason);
		return;
	}
	fputs("<div class=wide><table><tr><th>governor</th><th>runs</th><th>median</th>"
	      "<th>95&nbsp;% interval</th><th>% vs reference</th><th>95&nbsp;% interval</th>"
	      "<th>p</th><th>verdict</th></tr>\n",
	      out);
	for (c = 0; c < t->columns; c++)
		if (s->column_present[c])
			measure_row(t, m, c, out);
	fputs("</table></div>\n", out);
}

/* Facts without a direction: medians only, one row a metric. */
static void fact_table(const struct table *t, const struct section *s, FILE *out)
{
	bool heading = false;
	char text[DESCRIBE_NUMBER_MAX];
	size_t i, c;

	for (i = 0; i < s->metrics; i++) {
		const struct measure *m = &s->measure[i];

		if (m->better != BETTER_IS_NONE || !m->overall_points)
			continue;
		if (!heading) {
			fprintf(out,
				"<h3>Facts <span class=soft>medians%s</span></h3>\n<div class=wide>"
				"<table><tr><th></th>",
				s->points > 1 ? " of the geometric mean over the points" : "");
			for (c = 0; c < t->columns; c++)
				html_element(out, "th", t->column[c].name);
			fputs("</tr>\n", out);
			heading = true;
		}
		fputs("<tr><td>", out);
		html_put(out, m->name);
		if (*m->unit) {
			fputs(", ", out);
			html_put(out, m->unit);
		}
		if (m->overall_arithmetic)
			fputs(", mean over points", out);
		if (m->overall_points < s->points)
			fprintf(out, ", %zu of %zu points", m->overall_points, s->points);
		fputs("</td>", out);
		for (c = 0; c < t->columns; c++)
			html_element(out, "td",
				     describe_number(m->overall[c].estimate.median, 5, text));
		fputs("</tr>\n", out);
	}
	if (heading)
		fputs("</table></div>\n", out);
}

static void point_cells(const struct table *t, const struct section *s, size_t point, FILE *out)
{
	char a[DESCRIBE_NUMBER_MAX], b[DESCRIBE_NUMBER_MAX];
	size_t c;

	for (c = 0; c < t->columns; c++) {
		const struct cell *cell = section_cell(t, &s->measure[0], point, c);
		const struct difference *d = &cell->difference;

		if (!s->column_present[c])
			continue;
		fprintf(out, "<td>%s</td>", describe_number(cell->estimate.median, 5, a));
		if (t->column[c].reference != NO_COLUMN)
			fprintf(out, "<td class=\"%s\">%s %s</td>",
				d->verdict == VERDICT_BETTER  ? "better"
				: d->verdict == VERDICT_WORSE ? "worse"
							      : "",
				d->known    ? describe_percent(d->pct, b)
				: d->tested ? describe_shift(t->pool, &s->measure[0], d)
					    : "-",
				section_verdict_text(d->verdict));
	}
}

static void point_table(const struct table *t, const struct section *s, FILE *out)
{
	size_t i, c;

	if (s->points < 2 || !s->metrics)
		return;
	fputs("<details><summary>All points: ", out);
	html_put(out, s->measure[0].name);
	fputs(", % against the reference, verdict after Holm's correction</summary>\n"
	      "<div class=wide><table><tr><th>point</th>",
	      out);
	for (c = 0; c < t->columns; c++) {
		if (!s->column_present[c])
			continue;
		html_element(out, "th", t->column[c].name);
		if (t->column[c].reference != NO_COLUMN)
			html_element(out, "th", pool_text(t->pool, "%% %s", describe_versus(t, c)));
	}
	fputs("</tr>\n", out);
	for (i = 0; i < s->points; i++) {
		fputs("<tr>", out);
		html_element(out, "td", s->point[i].name);
		point_cells(t, s, i, out);
		fputs("</tr>\n", out);
	}
	fputs("</table></div></details>\n", out);
}

static void state_rows(const struct table *t, const struct state_table *of, const char *column,
		       const struct idle_sum *sums, FILE *out)
{
	static const int digits[] = { 4, 4, 3, 3 };
	char text[DESCRIBE_NUMBER_MAX];
	size_t i, q;

	for (i = 0; i < of->states; i++) {
		const struct idle_sum *sum = &sums[of->first + i];

		fputs("<tr>", out);
		html_element(out, "td", i ? "" : column);
		html_element(out, "td", describe_state(t, of->first + i));
		html_element(out, "td", describe_number(sum->usage, 1, text));
		html_element(out, "td",
			     describe_number(idle_quantity(sum, IDLE_ENTRIES), digits[0], text));
		html_element(out, "td",
			     describe_number(idle_quantity(sum, IDLE_RESIDENCY), digits[0], text));
		html_element(out, "td", describe_number(overhead_pct(sum, &of->state[i]), 3, text));
		for (q = IDLE_TOO_DEEP; q < IDLE_QUANTITIES; q++)
			html_element(out, "td",
				     describe_number(idle_quantity(sum, (enum idle_quantity)q),
						     digits[q], text));
		fputs("</tr>\n", out);
	}
	fprintf(out,
		"<tr><td></td><td>(not idle)</td><td></td><td></td><td>%s</td><td></td><td></td>"
		"<td></td></tr>\n",
		describe_number(idle_not_idle(sums, of), 4, text));
}

static void state_table(const struct table *t, const struct section *s, enum cpu_set set, FILE *out)
{
	const struct result *r = t->result;
	size_t i, c;

	fputs("<div class=wide><table><tr><th>governor</th><th>state</th><th>entries</th>"
	      "<th>entries/s</th><th>residency %</th>"
	      "<th>entries &times; exit latency, % of time</th><th>too deep (above) %</th>"
	      "<th>too shallow (below) %</th></tr>\n",
	      out);
	for (c = 0; c < t->columns; c++) {
		const struct idle_sum *sums = s->pooled + (c * SETS + set) * r->states;

		for (i = 0; i < r->tables; i++)
			if (r->table[i].states && sums[r->table[i].first].readings)
				state_rows(t, &r->table[i], t->column[c].name, sums, out);
	}
	fputs("</table></div>\n", out);
}

static void states(const struct table *t, const struct section *s, FILE *out)
{
	enum cpu_set set = describe_set(t, s);

	if (!t->result->states)
		return;
	fprintf(out,
		"<h3>Idle states requested, %s <span class=soft>all runs together%s</span></h3>\n",
		describe_set_text(set), s->points > 1 ? ", points that all governors have" : "");
	state_table(t, s, set, out);
	if (set == SET_ALL)
		return;
	fputs("<details><summary>The same for all CPUs</summary>\n", out);
	state_table(t, s, SET_ALL, out);
	fputs("</details>\n", out);
}

/* Steps, stretches, bi-stable points: the sentences of the summary. */
static void shape(const struct table *t, const struct section *s, FILE *out)
{
	const char **sentence;
	size_t n = shape_sentences(t, s, &sentence);

	if (!n)
		return;
	fputs("<h3>Shape <span class=soft><a href=\"data/transitions.tsv\">transitions.tsv</a>, "
	      "<a href=\"data/steady.tsv\">steady.tsv</a></span></h3>\n<ul>\n",
	      out);
	for (size_t i = 0; i < n; i++)
		html_element(out, "li", sentence[i]);
	fputs("</ul>\n", out);
}

/* The headline and power at once, all others behind a click. */
static void measure_tables(const struct table *t, const struct section *s, FILE *out)
{
	bool folded = false, first;
	int pass;
	size_t i;

	for (pass = 0; pass < 2; pass++) {
		for (i = 0; i < s->measures; i++) {
			const struct measure *m = &s->measure[i];

			first = !i || !strcmp(m->name, "package_w");
			if ((m->kind != MEASURE_METRIC && m->kind != MEASURE_POWER) ||
			    m->better == BETTER_IS_NONE || first == (pass == 1) ||
			    !section_has_values(t, s, m))
				continue;
			if (pass && !folded)
				fputs("<details><summary>All other measures</summary>\n", out);
			folded |= pass == 1;
			measure_table(t, s, m, out);
		}
	}
	if (folded)
		fputs("</details>\n", out);
}

void html_section(const struct table *table, const struct section *section,
		  const struct figure_list *figures, FILE *out)
{
	fputs("<h2 id=\"section-", out);
	html_put(out, section->name);
	fputs("\">", out);
	html_put(out, section->name);
	fputs("</h2>\n<p>", out);
	html_put(out, describe_section(table, section));
	fprintf(out, "; %s.</p>\n", describe_runs(table, section));
	html_figures(section, figures, out);
	measure_tables(table, section, out);
	if (*describe_control(table, section))
		html_element(out, "p", describe_control(table, section));
	shape(table, section, out);
	fact_table(table, section, out);
	point_table(table, section, out);
	states(table, section, out);
	html_missing_figures(section, figures, out);
}
