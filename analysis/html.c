/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The page's frame and its verdict table. */
#include "analysis/html.h"
#include "analysis/describe.h"
#include "analysis/report_several.h"
#include "analysis/sequential.h"
#include <string.h>

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
		case ' ': /* a number and its percent sign stay together */
			fputs(text[1] == '%' ? "&nbsp;" : " ", out);
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

void html_section_link(const struct section *section, bool strong, FILE *out)
{
	fputs("<a href=\"#section-", out);
	html_put(out, section->name);
	fputs(strong ? "\"><strong>" : "\">", out);
	html_put(out, section->name);
	fputs(strong ? "</strong></a>" : "</a>", out);
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
	fputs(": idle governors compared", out);
	if (*flags)
		html_put(out, pool_text(t->pool, " (%s)", flags));
	fputs("</title>\n<style>\n", out);
	fputs(html_style, out);
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
		html_put(out, describe_warning(t));
		fputs("</strong></p>\n", out);
	}
	for (i = 0; i < t->result->gaps; i++) {
		fputs("<p class=warn>", out);
		html_put(out, t->result->gap[i].governor);
		fputs(": not measured: ", out);
		html_put(out, t->result->gap[i].reason);
		fputs("</p>\n", out);
	}
	if (*sequential_text(t))
		html_element(out, "p", sequential_text(t));
	if (*describe_undone(t)) {
		fputs("<p class=warn>", out);
		html_put(out, describe_undone(t));
		fputs(".</p>\n", out);
	}
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

static void spread(FILE *out)
{
	fputs("<h2>Spread</h2>\n<p>Number, mean, deviation, smallest, largest and range of the runs of "
	      "each point, governor and metric, the first run apart, and whether the runs lie in two "
	      "groups: <a href=\"data/spread.tsv\">data/spread.tsv</a>.</p>\n",
	      out);
}

static void contents(const struct table *t, FILE *out)
{
	size_t i;

	if (t->sections < 2)
		return;
	fputs("<p class=soft>Sections: ", out);
	for (i = 0; i < t->sections; i++) {
		fputs(i ? ", " : "", out);
		html_section_link(&t->section[i], false, out);
	}
	fputs("; <a href=\"#conditions\">conditions</a>, <a href=\"#doubts\">doubts</a>, "
	      "<a href=\"#left-out\">left out</a>, <a href=\"#method\">method</a>.</p>\n",
	      out);
}

void html_write(const struct table *table, const struct figure_list *figures, FILE *out)
{
	size_t i;

	head(table, out);
	fputs("<h2>Verdict</h2>\n", out);
	html_sentences(table, out);
	contents(table, out);
	html_figures(NULL, figures, out);
	html_missing_figures(NULL, figures, out);
	html_verdicts(table, out);
	several_html(table, out);
	for (i = 0; i < table->sections; i++)
		html_section(table, &table->section[i], figures, out);
	html_conditions(table, out);
	if (table->result->states)
		misses(out);
	spread(out);
	fputs("<h2 id=method>Method</h2>\n<p>", out);
	html_put(out, describe_method(table));
	fputs("</p>\n<p class=soft>Beside this page: <a href=\"summary.txt\">summary.txt</a> (for a "
	      "mail), <a href=\"summary.json\">summary.json</a>, data/ (a table behind every "
	      "figure), plots/ (figures and the gnuplot scripts that drew them).</p>\n"
	      "</body>\n</html>\n",
	      out);
}
