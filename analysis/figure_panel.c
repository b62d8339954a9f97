/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the figures made of panels share: see figure_panel.h. */
#include "analysis/figure_panel.h"
#include "analysis/figure_put.h"
#include <math.h>

size_t figure_panel_lines(const struct table *table, const struct figure *figure,
			  struct timeline **ret)
{
	size_t n = 0, c;

	for (c = 0; !n && c < table->columns; c++)
		n = figure_timelines(table, figure->section, figure->facet->point[0], c, ret);
	return n;
}

bool figure_panel_known(const struct table *table, const struct figure *figure, const char *name)
{
	struct timeline *line;
	size_t n, c, i;

	for (c = 0; c < table->columns; c++) {
		n = figure_timelines(table, figure->section, figure->facet->point[0], c, &line);
		for (i = 0; i < n; i++) {
			const struct track *track = figure_track(&line[i], name);

			if (track && figure_track_known(track, line[i].length_s))
				return true;
		}
	}
	return false;
}

bool figure_put_panel_row(const struct figure_panel *panel, const char *governor, const char *at,
			  double *value, size_t n, FILE *out)
{
	size_t i;

	for (i = 0; i < n && !isfinite(value[i]); i++)
		;
	if (i == n)
		return false;
	fprintf(out, "%s\t%s\t%s\t%s", panel->name, panel->unit, governor, at);
	figure_put_median(out, value, n);
	fputc('\n', out);
	return true;
}

void figure_put_panels(const struct table *table, const struct figure_panel *panel, size_t n,
		       FILE *out)
{
	const char **name = pool_alloc(table->pool, n, sizeof(*name));
	const char **label = pool_alloc(table->pool, n, sizeof(*label));
	size_t i;

	for (i = 0; i < n; i++) {
		const char *unit = panel[i].unit;

		name[i] = panel[i].name;
		label[i] = *unit ? pool_text(table->pool, "%s (%s)", name[i], unit) : name[i];
	}
	figure_put_list(out, "panel_name", name, n);
	figure_put_list(out, "panel_label", label, n);
}
