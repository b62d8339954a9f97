/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What reviewers ask first: the state table, the machine, and what is left out or doubtful. */
#include "analysis/describe.h"
#include "analysis/html.h"
#include <stdlib.h>
#include <string.h>

static void state_table(const struct table *t, const struct state_table *of, FILE *out)
{
	char text[DESCRIBE_NUMBER_MAX];
	size_t i;

	fputs("<h3>Idle states of ", out);
	html_put(out, describe_table(t, of));
	fputs("</h3>\n<div class=wide><table><tr><th>state</th><th>name</th><th>description</th>"
	      "<th>exit latency, us</th><th>target residency, us</th><th>disabled</th>"
	      "<th>default status</th></tr>\n",
	      out);
	for (i = 0; i < of->states; i++) {
		const struct idle_state *s = &of->state[i];

		fprintf(out, "<tr><td>%d%s</td>", s->index, s->polling ? " (polling)" : "");
		html_element(out, "td", s->name);
		html_element(out, "td", s->desc);
		html_element(out, "td", describe_count(s->latency_us, text));
		html_element(out, "td", describe_count(s->residency_us, text));
		html_element(out, "td", s->disabled ? "yes" : "no");
		html_element(out, "td", *s->default_status ? s->default_status : "-");
		fputs("</tr>\n", out);
	}
	fputs("</table></div>\n", out);
}

static void host(const struct boot *b, FILE *out)
{
	const char *section = "";
	size_t i;

	fputs("<h3>Boot ", out);
	html_put(out, b->name);
	fputs("</h3>\n", out);
	if (!b->host.n) {
		fputs("<p>No host.ini.</p>\n", out);
		return;
	}
	fputs("<table class=text>\n", out);
	for (i = 0; i < b->host.n; i++) {
		const struct ini_entry *e = &b->host.entry[i];

		if (!e->key || !strcmp(e->section, "missing"))
			continue;
		if (strcmp(section, e->section) && strcmp(e->section, "host")) {
			fputs("<tr><th colspan=2>", out);
			html_put(out, e->section);
			fputs("</th></tr>\n", out);
		}
		section = e->section;
		fputs("<tr>", out);
		html_element(out, "td", e->key);
		html_element(out, "td", e->value);
		fputs("</tr>\n", out);
	}
	fputs("</table>\n", out);
}

static void asked(const struct table *t, const struct source *source, FILE *out)
{
	const struct store_campaign *c = &source->campaign;

	fputs("<h3>Asked", out);
	if (t->result->sources > 1) {
		fputs(" for ", out);
		html_put(out, source->shown);
	}
	fputs("</h3>\n<table class=text>\n<tr><td>governors</td>", out);
	html_element(out, "td", c->governors);
	fputs("</tr>\n<tr><td>reference</td>", out);
	html_element(out, "td", c->reference);
	fputs("</tr>\n<tr><td>set</td>", out);
	html_element(out, "td", c->set);
	fputs("</tr>\n<tr><td>order, seed, repeats</td>", out);
	html_element(out, "td",
		     pool_text(t->pool, "%s, %llu, %d", c->order, (unsigned long long)c->seed,
			       c->repeat));
	fputs("</tr>\n</table>\n<details><summary>The suite file</summary><pre class=wide>", out);
	html_put(out, c->suite_text);
	fputs("</pre></details>\n", out);
}

static void excluded(const struct table *t, FILE *out)
{
	const struct result *r = t->result;
	size_t i;

	fputs("<h2 id=left-out>Left out</h2>\n", out);
	if (t->runs_complete == r->runs && !r->brokens) {
		fputs("<p>No run: none failed, was void, damaged or a duplicate.</p>\n", out);
		return;
	}
	fputs("<table class=text><tr><th>run</th><th>why</th></tr>\n", out);
	for (i = 0; i < r->runs; i++) {
		const struct store_run *run = &r->run[i].info;

		if (run->state == STORE_COMPLETE)
			continue;
		fputs("<tr>", out);
		html_element(out, "td", r->run[i].name);
		html_element(out, "td",
			     pool_text(t->pool, "%s: %s", store_state_name[run->state],
				       run->reason ? run->reason : "no reason given"));
		fputs("</tr>\n", out);
	}
	for (i = 0; i < r->brokens; i++) {
		fputs("<tr>", out);
		html_element(out, "td", r->broken[i].name);
		html_element(out, "td",
			     pool_text(t->pool, "%s: %s", r->broken[i].state, r->broken[i].reason));
		fputs("</tr>\n", out);
	}
	fputs("</table>\n", out);
}

static void doubts(const struct table *t, FILE *out)
{
	const struct result *r = t->result;
	struct kind *kind;
	size_t n = describe_doubts(t, &kind), i, j;

	fputs("<h2 id=doubts>Doubts</h2>\n", out);
	if (!n) {
		fputs("<p>None.</p>\n", out);
		return;
	}
	fputs("<p>These runs are part of the figures.</p>\n<ul>\n", out);
	for (i = 0; i < n; i++) {
		fprintf(out, "<li>%zu &times; ", kind[i].n);
		html_put(out, kind[i].text);
		fputs("</li>\n", out);
	}
	fputs("</ul>\n<details><summary>By run</summary><table class=text>\n", out);
	for (i = 0; i < r->runs; i++) {
		const struct store_run *run = &r->run[i].info;

		for (j = 0; run->state == STORE_COMPLETE && j < run->doubts; j++) {
			fputs("<tr>", out);
			html_element(out, "td", r->run[i].name);
			html_element(out, "td", run->doubt[j]);
			fputs("</tr>\n", out);
		}
		if (run->state == STORE_COMPLETE && r->run[i].note) {
			fputs("<tr>", out);
			html_element(out, "td", r->run[i].name);
			html_element(out, "td", r->run[i].note);
			fputs("</tr>\n", out);
		}
		if (r->run[i].power_doubt) {
			fputs("<tr>", out);
			html_element(out, "td", r->run[i].name);
			html_element(out, "td", r->run[i].power_doubt);
			fputs("</tr>\n", out);
		}
	}
	fputs("</table></details>\n", out);
}

void html_conditions(const struct table *table, FILE *out)
{
	const struct result *r = table->result;
	size_t i;

	fputs("<h2 id=conditions>Conditions</h2>\n", out);
	if (!r->tables)
		fprintf(out, "<p>No idle states: %s.</p>\n",
			load_host(r, "imported") ? "none in what was imported"
						 : "this machine has no cpuidle");
	for (i = 0; i < r->tables; i++)
		state_table(table, &r->table[i], out);
	for (i = 0; i < r->boots; i++)
		host(&r->boot[i], out);
	for (i = 0; i < r->sources; i++)
		asked(table, &r->source[i], out);
	doubts(table, out);
	excluded(table, out);
}
