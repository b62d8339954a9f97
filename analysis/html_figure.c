/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Figures on the page, under headings by what they show, and why others are not there. */
#include "analysis/html.h"
#include <string.h>

static void figure(const struct figure *f, FILE *out)
{
	fputs("<figure><img loading=lazy src=\"plots/", out);
	html_put(out, f->name);
	fprintf(out, ".svg\" width=%d height=%d alt=\"", f->width, f->height);
	html_put(out, f->title);
	fputs("\">\n<figcaption>", out);
	html_put(out, f->name);
	fputs(": <a href=\"data/", out);
	html_put(out, f->name);
	fputs(".tsv\">data</a> <a href=\"plots/", out);
	html_put(out, f->name);
	fputs(".gp\">script</a></figcaption></figure>\n", out);
}

void html_figures(const struct section *section, const struct figure_list *figures, FILE *out)
{
	const char *heading = "";
	size_t i;

	for (i = 0; i < figures->n; i++) {
		const struct figure *f = &figures->figure[i];

		if (f->section != section || f->unfit)
			continue;
		if (section && strcmp(heading, f->kind->heading))
			html_element(out, "h3", f->kind->heading);
		heading = f->kind->heading;
		figure(f, out);
	}
}

void html_missing_figures(const struct section *section, const struct figure_list *figures,
			  FILE *out)
{
	bool heading = false;
	size_t i;

	for (i = 0; i < figures->n; i++) {
		const struct figure *f = &figures->figure[i];

		if (f->section != section || !f->unfit)
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
