/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The page's frame and its verdict table. */
#include "analysis/html.h"
#include "analysis/describe.h"
#include <string.h>

static const char style[] =
	":root{color-scheme:light dark;--fg:#1a1a1a;--bg:#fff;--soft:#666;--line:#d0d0d0;"
	"--card:#f6f6f6;--good:#0a6b3d;--bad:#a3230c;--link:#0b57a4}\n"
	"@media(prefers-color-scheme:dark){:root{--fg:#e6e6e6;--bg:#17181a;--soft:#a0a0a0;"
	"--line:#3c3e42;--card:#222427;--good:#5fd39a;--bad:#ff8f78;--link:#8ab8ff}}\n"
	"*{box-sizing:border-box}\n"
	"body{font:16px/1.5 system-ui,sans-serif;color:var(--fg);background:var(--bg);"
	"max-width:62rem;margin:0 auto;padding:1rem}\n"
	"a{color:var(--link)}\n"
	"h1{font-size:1.6rem;line-height:1.2;margin:.5rem 0}\n"
	"h2{font-size:1.3rem;margin:2.2rem 0 .4rem;border-bottom:1px solid var(--line)}\n"
	"h3{font-size:1.05rem;margin:1.4rem 0 .3rem}\n"
	"p,li{max-width:48rem}\n"
	".soft{color:var(--soft)}\n"
	".wide{overflow-x:auto}\n"
	"table{border-collapse:collapse;margin:.4rem 0;font-size:.92rem}\n"
	"th,td{padding:.2rem .6rem;border-bottom:1px solid var(--line);text-align:right;"
	"white-space:nowrap}\n"
	"th:first-child,td:first-child{white-space:normal}\n"
	"th:first-child,td:first-child,.text th,.text td{text-align:left}\n"
	".text td{white-space:normal;overflow-wrap:anywhere}\n"
	"td small{color:var(--soft);font-weight:400}\n"
	".better{color:var(--good);font-weight:600}\n"
	".worse{color:var(--bad);font-weight:600}\n"
	"figure{margin:1rem 0;background:#fff;border:1px solid var(--line);border-radius:4px;"
	"padding:.3rem}\n"
	"figure{overflow-x:auto}figure img{display:block;width:100%;min-width:40rem;height:auto}\n"
	"figcaption{color:#555;font-size:.85rem;padding:.2rem .3rem}\n"
	"figcaption a{color:#0b57a4}\n"
	".warn{border:2px solid var(--bad);padding:.4rem .8rem;border-radius:4px}\n"
	"details{margin:.6rem 0}\nsummary{cursor:pointer}\n"
	"@media(max-width:30rem){body{padding:.6rem;font-size:15px}th,td{padding:.15rem .4rem;white-space:normal}}\n"
	"@media print{body{max-width:none;font-size:10pt}figure,table{break-inside:avoid}"
	"h2,h3{break-after:avoid}figure img{min-width:0}}\n";

void html_put(FILE *out, const char *text)
{
	for (; *text; text++) {
		switch (*text) {
		case '&':
			fputs("&amp;", out);
			break;
		case '<':
			fputs("&lt;", out);
			break;
		case '>':
			fputs("&gt;", out);
			break;
		case '"':
			fputs("&quot;", out);
			break;
		case '\'':
			fputs("&#39;", out);
			break;
		default:
			fputc(*text, out);
		}
	}
}

void html_element(FILE *out, const char *tag, const char *text)
{
	fprintf(out, "<%s>", tag);
	html_put(out, text);
	fprintf(out, "</%s>", tag);
}

static void verdict_cell(const struct table *t, const struct measure *m, size_t c, FILE *out)
{
	const struct cell *cell = &m->overall[c];
	const struct difference *d = &cell->difference;
	char text[DESCRIBE_NUMBER_MAX];
	const char *class = d->verdict == VERDICT_BETTER  ? " class=better"
			    : d->verdict == VERDICT_WORSE ? " class=worse"
							  : "";

	fprintf(out, "<td%s>", class);
	if (!cell->n) {
		fputs("-</td>", out);
		return;
	}
	if (t->column[c].is_reference || !d->known) {
		fprintf(out, "%s</td>", describe_number(cell->estimate.median, 5, text));
		return;
	}
	fprintf(out, "%s&nbsp;%%", describe_percent(d->pct, text));
	fprintf(out, " %s", section_verdict_text(d->verdict));
	fprintf(out, "<br><small>%s</small></td>", describe_number(cell->estimate.median, 5, text));
}

static void verdict_row(const struct table *t, const struct section *s, const struct measure *m,
			FILE *out)
{
	size_t c;

	fputs("<tr><td><a href=\"#section-", out);
	html_put(out, s->name);
	fputs("\">", out);
	html_put(out, s->name);
	fputs("</a>: ", out);
	html_put(out, m->name);
	if (*m->unit) {
		fputs(", ", out);
		html_put(out, m->unit);
	}
	fprintf(out, "<br><small>%s%s</small></td>", describe_better(m->better),
		s->points > 1 ? ", whole curve" : "");
	for (c = 0; c < t->columns; c++)
		verdict_cell(t, m, c, out);
	fputs("</tr>\n", out);
}

void html_verdicts(const struct table *table, FILE *out)
{
	const struct measure *m;
	size_t i, c;

	fputs("<div class=wide><table>\n<tr><th>section: measure</th>", out);
	for (c = 0; c < table->columns; c++) {
		fputs("<th>", out);
		html_put(out, table->column[c].name);
		fputs(table->column[c].is_reference ? "<br><small>reference</small></th>" : "</th>",
		      out);
	}
	fputs("</tr>\n", out);
	for (i = 0; i < table->sections; i++) {
		const struct section *s = &table->section[i];

		if (s->metrics)
			verdict_row(table, s, &s->measure[0], out);
		m = section_measure(s, "package_w");
		if (m && section_has_values(table, s, m))
			verdict_row(table, s, m, out);
	}
	fputs("</table></div>\n", out);
	if (load_no_power(table->result)) {
		fputs("<p class=soft>Package power: not available (", out);
		html_put(out, load_no_power(table->result));
		fputs(").</p>\n", out);
	}
}

static void head(const struct table *t, FILE *out)
{
	const struct store_campaign *c = &t->result->campaign;
	const char *flags = describe_flags(t), *machine = describe_machine(t);
	size_t i;

	fputs("<!DOCTYPE html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n"
	      "<meta name=viewport content=\"width=device-width,initial-scale=1\">\n<title>",
	      out);
	html_put(out, c->suite);
	fputs(": idle governors compared</title>\n<style>\n", out);
	fputs(style, out);
	fputs("</style>\n</head>\n<body>\n<h1>", out);
	html_put(out, c->suite);
	fputs(" on Linux ", out);
	html_put(out, describe_kernels(t));
	fputs("</h1>\n<p>", out);
	html_put(out, machine);
	fprintf(out, "%s%s. Governors: ", *machine ? ", " : "", describe_date(t));
	html_put(out, describe_columns(t));
	fprintf(out, ". %zu complete runs.</p>\n", t->runs_complete);
	if (*flags) {
		fputs("<p class=warn><strong>", out);
		html_put(out, flags);
		fputs("</strong>: not a measurement of this machine.</p>\n", out);
	}
	for (i = 0; i < t->result->gaps; i++) {
		fputs("<p class=warn>", out);
		html_put(out, t->result->gap[i].governor);
		fputs(": not measured: ", out);
		html_put(out, t->result->gap[i].reason);
		fputs("</p>\n", out);
	}
	if (describe_pending(t))
		fprintf(out, "<p class=warn>%zu of %d cells of the plan are not done.</p>\n",
			describe_pending(t), c->cells);
}

static void misses(FILE *out)
{
	fputs("<h2>Idle misses</h2>\n<p>Entries of an idle state that was too deep (above) or too "
	      "shallow (below): <a href=\"data/misses.tsv\">data/misses.tsv</a> has a row a complete "
	      "run, summed over the states of the workload's CPUs (of all CPUs where it has none), "
	      "with the columns device, governor, iteration, metric (section and point), idles, "
	      "idle_misses = belows + aboves, idle_miss_ratio (% of idles), belows, aboves.</p>\n",
	      out);
}

void html_write(const struct table *table, const struct figure_list *figures, FILE *out)
{
	size_t i;

	head(table, out);
	fputs("<h2>Verdicts</h2>\n", out);
	html_verdicts(table, out);
	for (i = 0; i < table->sections; i++)
		html_section(table, &table->section[i], figures, out);
	if (table->result->states)
		misses(out);
	html_conditions(table, out);
	fputs("<h2>Method</h2>\n<p>", out);
	html_put(out, describe_method(table));
	fputs("</p>\n<p class=soft>Beside this page: <a href=\"summary.txt\">summary.txt</a> (for a "
	      "mail), <a href=\"summary.json\">summary.json</a>, data/ (a table behind every "
	      "figure), plots/ (figures and the gnuplot scripts that drew them).</p>\n"
	      "</body>\n</html>\n",
	      out);
}
