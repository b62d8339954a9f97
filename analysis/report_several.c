/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text and page of what is common to several result directories. */
#include "analysis/report_several.h"
#include "analysis/describe.h"
#include "analysis/html.h"
#include "analysis/json.h"
#include "analysis/text.h"
#include <string.h>

static const char *source_text(const struct table *t, size_t source)
{
	const struct result *r = t->result;
	const struct source *s = &r->source[source];
	const char *kernels = "", *machine = "";
	size_t i, runs = 0;

	for (i = 0; i < r->boots; i++) {
		if (r->boot[i].source != source)
			continue;
		if (!strstr(kernels, r->boot[i].release))
			kernels = pool_text(t->pool, "%s%s%s", kernels, *kernels ? ", " : "",
					    r->boot[i].release);
		machine = r->boot[i].machine;
	}
	for (i = 0; i < r->runs; i++)
		runs += r->run[i].source == source && r->run[i].info.state == STORE_COMPLETE;
	return pool_text(
		t->pool,
		"%s%s%s%s: Linux %s%s%s, %.10s; %zu complete runs compared, repeats asked %s%d, "
		"order %s, seed %llu, version %s",
		s->shown, s->label ? " (" : "", s->label ? s->label : "", s->label ? ")" : "",
		*kernels ? kernels : "?", *machine ? ", " : "", machine, s->campaign.created, runs,
		s->campaign.repeat_min
			? pool_text(t->pool, "until decided, %d to ", s->campaign.repeat_min)
			: "",
		s->campaign.repeat, s->campaign.order, (unsigned long long)s->campaign.seed,
		s->campaign.version);
}

static const char *uncommon_text(const struct table *t, const struct uncommon *u)
{
	return pool_text(t->pool, "%s%s%s: only in %s (%zu run%s)", u->section,
			 *u->points ? ": " : "", u->points, u->sources, u->runs,
			 u->runs == 1 ? "" : "s");
}

static size_t count_refused(const struct result *r)
{
	size_t i, n = 0;

	for (i = 0; i < r->issues; i++)
		n += r->issue[i].refused;
	return n;
}

#define FORCED                                                                                     \
	"COMPARED BY FORCE: what differs below makes figures differ, whatever the governors do"

static void issues_text(const struct table *t, FILE *out, bool refused, const char *title)
{
	const struct result *r = t->result;
	size_t i, n = count_refused(r);

	if (!(refused ? n : r->issues - n))
		return;
	fputc('\n', out);
	text_wrap(out, title, 4);
	for (i = 0; i < r->issues; i++)
		if (r->issue[i].refused == refused)
			text_wrap(out, pool_text(t->pool, "  %s", r->issue[i].text), 6);
}

static void control_text(const struct table *t, FILE *out)
{
	const char **control;
	size_t n = several_control(t, &control), i;

	if (n)
		fprintf(out, "\n%s\n", t->result->sources > 1 ? "control" : "kernels");
	for (i = 0; i < n; i++)
		text_wrap(out, pool_text(t->pool, "  %s", control[i]), 6);
}

void several_text(const struct table *table, FILE *out)
{
	const struct result *r = table->result;
	size_t i;

	/* One result may have boots of several kernels. */
	if (r->sources < 2) {
		control_text(table, out);
		return;
	}
	issues_text(table, out, true, "*** " FORCED " ***");
	fputs("\nresults compared\n", out);
	for (i = 0; i < r->sources; i++)
		text_wrap(out, pool_text(table->pool, "  %s", source_text(table, i)), 6);
	issues_text(table, out, false, "what differs between them besides");
	control_text(table, out);
	if (r->uncommons)
		fputs("\nnot compared\n", out);
	for (i = 0; i < r->uncommons; i++)
		text_wrap(out,
			  pool_text(table->pool, "  %s", uncommon_text(table, &r->uncommon[i])), 6);
}

static void list_item(FILE *out, const char *text)
{
	fputs("<li>", out);
	html_put(out, text);
	fputs("</li>\n", out);
}

static void issues_html(const struct table *t, FILE *out, bool refused)
{
	const struct result *r = t->result;

	fputs("<ul>\n", out);
	for (size_t i = 0; i < r->issues; i++)
		if (r->issue[i].refused == refused)
			list_item(out, r->issue[i].text);
	fputs("</ul>\n", out);
}

static void control_html(const struct table *t, FILE *out)
{
	const char **control;
	size_t n = several_control(t, &control), i;

	if (n)
		fputs(t->result->sources > 1 ? "<p>Control:</p>\n<ul>\n"
					     : "<h2>Kernels</h2>\n<ul>\n",
		      out);
	for (i = 0; i < n; i++)
		list_item(out, control[i]);
	fputs(n ? "</ul>\n" : "", out);
}

void several_html(const struct table *table, FILE *out)
{
	const struct result *r = table->result;
	size_t refused = count_refused(r), i;

	if (r->sources < 2) {
		control_html(table, out);
		return;
	}
	if (refused) {
		fputs("<div class=warn><strong>" FORCED "</strong>\n", out);
		issues_html(table, out, true);
		fputs("</div>\n", out);
	}
	fputs("<h2>Results compared</h2>\n<ul>\n", out);
	for (i = 0; i < r->sources; i++)
		list_item(out, source_text(table, i));
	fputs("</ul>\n", out);
	if (r->issues > refused) {
		fputs("<p>What differs between them besides:</p>\n", out);
		issues_html(table, out, false);
	}
	control_html(table, out);
	if (r->uncommons)
		fputs("<p>Not compared:</p>\n<ul>\n", out);
	for (i = 0; i < r->uncommons; i++)
		list_item(out, uncommon_text(table, &r->uncommon[i]));
	fputs(r->uncommons ? "</ul>\n" : "", out);
}

static json_t *sources_json(const struct table *t)
{
	const struct result *r = t->result;
	json_t *list = json_array();

	for (size_t i = 0; i < r->sources; i++) {
		const struct source *s = &r->source[i];
		json_t *one = json_object();

		json_object_set_new(one, "name", json_text(t, s->shown));
		json_object_set_new(one, "label", json_text(t, s->label));
		json_object_set_new(one, "suite", json_text(t, s->campaign.suite));
		json_object_set_new(one, "created", json_text(t, s->campaign.created));
		json_object_set_new(one, "version", json_text(t, s->campaign.version));
		json_object_set_new(one, "order", json_text(t, s->campaign.order));
		json_object_set_new(one, "seed", json_seed(s->campaign.seed));
		json_object_set_new(one, "repeat", json_integer(s->campaign.repeat));
		json_object_set_new(one, "cells_pending", json_integer((json_int_t)s->pending));
		json_array_append_new(list, one);
	}
	return list;
}

static json_t *uncommon_json(const struct table *t)
{
	const struct result *r = t->result;
	json_t *list = json_array();

	for (size_t i = 0; i < r->uncommons; i++) {
		const struct uncommon *u = &r->uncommon[i];
		json_t *one = json_object();

		json_object_set_new(one, "section", json_text(t, u->section));
		json_object_set_new(one, "points",
				    *u->points ? json_text(t, u->points) : json_null());
		json_object_set_new(one, "results", json_text(t, u->sources));
		json_object_set_new(one, "runs", json_integer((json_int_t)u->runs));
		json_array_append_new(list, one);
	}
	return list;
}

json_t *several_json(const struct table *table)
{
	const struct result *r = table->result;
	json_t *root, *issues, *control;
	const char **sentence;
	size_t i, n;

	if (r->sources < 2)
		return NULL;
	root = json_object();
	issues = json_array();
	control = json_array();
	for (i = 0; i < r->issues; i++) {
		json_t *one = json_object();

		json_object_set_new(one, "refused", json_boolean(r->issue[i].refused));
		json_object_set_new(one, "text", json_text(table, r->issue[i].text));
		json_array_append_new(issues, one);
	}
	n = several_control(table, &sentence);
	for (i = 0; i < n; i++)
		json_array_append_new(control, json_text(table, sentence[i]));
	json_object_set_new(root, "forced", json_boolean(count_refused(r) > 0));
	json_object_set_new(root, "results", sources_json(table));
	json_object_set_new(root, "differences", issues);
	json_object_set_new(root, "control", control);
	json_object_set_new(root, "not_compared", uncommon_json(table));
	return root;
}
