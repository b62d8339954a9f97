/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One section of the page: figures first, then the numbers. */
#include "analysis/describe.h"
#include "analysis/html.h"
#include <math.h>
#include <string.h>

static void figures_of(const struct section *s, const struct figure_list *list, FILE *out)
{
	size_t i;

	for (i = 0; i < list->n; i++) {
		const struct figure *f = &list->figure[i];

		if (f->section != s || f->unfit)
			continue;
		fputs("<figure><img loading=lazy src=\"plots/", out);
		html_put(out, f->name);
		fprintf(out, ".svg\" width=%d height=%d alt=\"", f->width, f->height);
		html_put(out, f->title);
		fputs("\">\n<figcaption>", out);
		html_put(out, f->title);
		fputs(" (<a href=\"data/", out);
		html_put(out, f->name);
		fputs(".tsv\">data</a>, <a href=\"plots/", out);
		html_put(out, f->name);
		fputs(".gp\">script</a>)</figcaption></figure>\n", out);
	}
}

static void missing_figures(const struct section *s, const struct figure_list *list, FILE *out)
{
	bool heading = false;
	size_t i;

	for (i = 0; i < list->n; i++) {
		const struct figure *f = &list->figure[i];

		if (f->section != s || !f->unfit)
			continue;
		fputs(heading ? "; " : "<p class=soft>Not drawn: ", out);
		heading = true;
		html_put(out, f->name);
		fputs(" (", out);
		html_put(out, f->unfit);
		fputs(")", out);
	}
	if (heading)
		fputs(".</p>\n", out);
}

static void measure_row(const struct table *t, const struct measure *m, size_t c, FILE *out)
{
	const struct cell *cell = &m->overall[c];
	const struct difference *d = &cell->difference;
	char a[DESCRIBE_NUMBER_MAX], b[DESCRIBE_NUMBER_MAX];

	fputs("<tr>", out);
	html_element(out, "td", t->column[c].name);
	fprintf(out, "<td>%zu</td><td>%s</td><td>%s%s</td>", cell->n,
		describe_number(cell->estimate.median, 5, a),
		describe_range(t->pool, cell->estimate.lo, cell->estimate.hi, 5),
		cell->n && !cell->estimate.interval ? " <small>(range)</small>" : "");
	if (!d->known) {
		fprintf(out, "<td></td><td></td><td></td><td>%s</td></tr>\n",
			t->column[c].is_reference ? "reference"
			: d->reference_is_0	  ? "the reference is 0"
						  : "");
		return;
	}
	fprintf(out, "<td>%s</td><td>%s</td><td>%.2g</td><td class=\"%s\">%s</td></tr>\n",
		describe_percent(d->pct, b),
		d->interval ? pool_text(t->pool, "%+.2f..%+.2f", d->lo_pct, d->hi_pct) : "-", d->p,
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
		fprintf(out, "<p class=soft>Geometric mean over %zu of %zu points.</p>\n",
			m->overall_points, s->points);
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
			fputs("<h3>Facts <span class=soft>medians</span></h3>\n<div class=wide>"
			      "<table><tr><th></th>",
			      out);
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
				d->known ? describe_percent(d->pct, b) : "-",
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
			fputs("<th>%</th>", out);
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
		for (q = 0; q < IDLE_QUANTITIES; q++)
			if (q != IDLE_ENTRIES)
				html_element(
					out, "td",
					describe_number(idle_quantity(sum, (enum idle_quantity)q),
							digits[q], text));
		fputs("</tr>\n", out);
	}
	fprintf(out,
		"<tr><td></td><td>(not idle)</td><td></td><td></td><td>%s</td><td></td><td></td></tr>\n",
		describe_number(idle_not_idle(sums, of), 4, text));
}

static void state_table(const struct table *t, const struct section *s, enum cpu_set set, FILE *out)
{
	const struct result *r = t->result;
	size_t i, c;

	fputs("<div class=wide><table><tr><th>governor</th><th>state</th><th>entries</th>"
	      "<th>entries/s</th><th>residency %</th><th>too deep (above) %</th>"
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

void html_section(const struct table *table, const struct section *section,
		  const struct figure_list *figures, FILE *out)
{
	size_t i;

	fputs("<h2 id=\"section-", out);
	html_put(out, section->name);
	fputs("\">", out);
	html_put(out, section->name);
	fputs("</h2>\n<p>", out);
	html_put(out, describe_section(table, section));
	fprintf(out, "; %s.</p>\n", describe_runs(table, section));
	figures_of(section, figures, out);
	for (i = 0; i < section->measures; i++) {
		const struct measure *m = &section->measure[i];

		if ((m->kind == MEASURE_METRIC || m->kind == MEASURE_POWER) &&
		    m->better != BETTER_IS_NONE && section_has_values(table, section, m))
			measure_table(table, section, m, out);
	}
	fact_table(table, section, out);
	point_table(table, section, out);
	states(table, section, out);
	missing_figures(section, figures, out);
}
