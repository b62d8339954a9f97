/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A point stands for the stretch of the scale that is nearer to it than to its neighbours, the
 * trapezoid rule; at an end for half a step of the full sweep beyond it. So the points of a full
 * sweep weigh 1 each, and what is left out (bi-stable, incomplete) takes its stretch along.
 */
#include "analysis/scale.h"
#include "lib/error.h"
#include "store/format.h"
#include <errno.h>
#include <math.h>
#include <string.h>

int scale_load(struct result *result, size_t source)
{
	struct source *s = &result->source[source];
	int err = store_points_read(s->dir, &s->points);

	if (!err || err == -ENOMEM)
		return err;
	load_break(result, source, STORE_POINTS, "damaged",
		   load_without_path(result, source, error_text()));
	return 0;
}

/* NAN where no file has it, or two do not agree. */
static double place_of(const struct result *r, const char *section, const char *point)
{
	double place = NAN;

	for (size_t i = 0; i < r->sources; i++) {
		const struct store_points *points = &r->source[i].points;

		for (size_t k = 0; k < points->n; k++) {
			const struct store_point *p = &points->point[k];

			if (strcmp(p->point, point) || strcmp(p->section, section))
				continue;
			if (!isnan(place) && place != (double)p->at)
				return NAN;
			place = (double)p->at;
		}
	}
	return place;
}

static bool ascends(const struct section *s, const double *place, const struct facet *f)
{
	for (size_t i = 0; i < f->points; i++)
		if (isnan(place[f->point[i]]) ||
		    (i && place[f->point[i]] <= place[f->point[i - 1]]))
			return false;
	return s->points > 1;
}

static void weigh(const struct facet *f, const double *place, double *weight)
{
	for (size_t i = 0; i < f->points; i++) {
		const double at = place[f->point[i]];
		double below = i ? (at - place[f->point[i - 1]]) / 2 : 0.5;
		double above = i + 1 < f->points ? (place[f->point[i + 1]] - at) / 2 : 0.5;

		weight[f->point[i]] = below + above;
	}
}

void scale_points(struct table *table, struct section *section)
{
	double *place = pool_alloc(table->pool, section->points + 1, sizeof(*place));
	double *weight = pool_alloc(table->pool, section->points + 1, sizeof(*weight));

	for (size_t i = 0; i < section->points; i++)
		place[i] = place_of(table->result, section->name, section->point[i].name);
	for (size_t f = 0; f < section->facets; f++) {
		if (!ascends(section, place, &section->facet[f]))
			return;
		weigh(&section->facet[f], place, weight);
	}
	section->place = place;
	section->weight = weight;
}

const double *scale_of_facet(const struct table *table, const struct section *section,
			     const struct facet *facet)
{
	double *place;

	if (!section->place)
		return NULL;
	place = pool_alloc(table->pool, facet->points + 1, sizeof(*place));
	for (size_t i = 0; i < facet->points; i++)
		place[i] = section->place[facet->point[i]];
	return place;
}
