/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Axes and points of a section. A value as text ("12.5us") becomes a place on an axis; times are
 * put in us.
 */
#include "analysis/scale.h"
#include <math.h>
#include <string.h>

static const char *axis_text(const struct store_run *run, const char *key)
{
	size_t i;

	for (i = 0; i < run->axes; i++)
		if (!strcmp(run->axis[i].key, key))
			return run->axis[i].value;
	return "";
}

static size_t find_point(const struct section *s, const char *name)
{
	size_t i;

	for (i = 0; i < s->points && strcmp(s->point[i].name, name); i++)
		;
	return i;
}

static void collect_points(struct table *t, struct section *s)
{
	const struct result *r = t->result;
	size_t i, a;

	for (i = 0; i < r->runs; i++) {
		const struct store_run *run = &r->run[i].info;
		struct point *p;

		if (strcmp(run->section, s->name) || find_point(s, run->point) < s->points)
			continue;
		s->point = pool_room(t->pool, s->point, s->points, sizeof(*s->point));
		p = &s->point[s->points++];
		p->name = run->point;
		p->text = pool_alloc(t->pool, s->axes + 1, sizeof(*p->text));
		p->at = pool_alloc(t->pool, s->axes + 1, sizeof(*p->at));
		for (a = 0; a < s->axes; a++)
			p->text[a] = axis_text(run, s->axis[a].key);
	}
}

/* Position of the point's word among the axis' words in the order of their first appearance. */
static double word_position(const struct section *s, size_t point, size_t a)
{
	size_t i, j, n = 0;

	for (i = 0; i < s->points; i++) {
		if (!strcmp(s->point[i].text[a], s->point[point].text[a]))
			return (double)n;
		for (j = 0; j < i && strcmp(s->point[j].text[a], s->point[i].text[a]); j++)
			;
		n += j == i;
	}
	return (double)n;
}

/* Reads all values of an axis; they are numbers of one kind, or words. Plain "0" fits any kind. */
static void scale_axis(struct section *s, size_t a)
{
	static const char *const unit[] = {
		[UNIT_NONE] = "",     [UNIT_TIME] = "us",     [UNIT_FREQUENCY] = "Hz",
		[UNIT_PERCENT] = "%", [UNIT_BYTES] = "bytes",
	};
	enum unit_kind kind = UNIT_NONE, one;
	size_t i;

	s->axis[a].numeric = true;
	for (i = 0; i < s->points; i++) {
		if (units_parse_any(s->point[i].text[a], &s->point[i].at[a], &one)) {
			s->axis[a].numeric = false;
			break;
		}
		if (i && one != kind)
			s->axis[a].numeric = false;
		kind = one;
	}
	if (!s->axis[a].numeric) {
		for (i = 0; i < s->points; i++)
			s->point[i].at[a] = word_position(s, i, a);
		s->axis[a].unit = "";
		return;
	}
	s->axis[a].unit = unit[kind];
	for (i = 0; kind == UNIT_TIME && i < s->points; i++)
		s->point[i].at[a] /= 1000;
}

static size_t distinct_values(const struct section *s, size_t a)
{
	size_t i, j, n = 0;

	for (i = 0; i < s->points; i++) {
		for (j = 0; j < i && s->point[j].at[a] != s->point[i].at[a]; j++)
			;
		n += j == i;
	}
	return n;
}

/* By the axes other than x first, so that a facet's points stand together, in order of x. */
static int compare_points(const struct section *s, const struct point *p, const struct point *q)
{
	size_t a;

	for (a = 0; a < s->axes; a++)
		if (a != s->x && p->at[a] != q->at[a])
			return p->at[a] < q->at[a] ? -1 : 1;
	if (!s->axes || p->at[s->x] == q->at[s->x])
		return 0;
	return p->at[s->x] < q->at[s->x] ? -1 : 1;
}

static void sort_points(struct section *s)
{
	size_t i, j;

	for (i = 1; i < s->points; i++) {
		struct point p = s->point[i];

		for (j = i; j && compare_points(s, &p, &s->point[j - 1]) < 0; j--)
			s->point[j] = s->point[j - 1];
		s->point[j] = p;
	}
}

/* "cores=2,pairs=1": the axes other than x. */
static const char *facet_name(struct pool *pool, const struct section *s, const struct point *p)
{
	const char *name = "";
	size_t a;

	for (a = 0; a < s->axes; a++)
		if (a != s->x)
			name = pool_text(pool, "%s%s%s=%s", name, *name ? "," : "", s->axis[a].key,
					 p->text[a]);
	return name;
}

static void split_facets(struct pool *pool, struct section *s)
{
	struct facet *f = NULL;
	size_t i;

	for (i = 0; i < s->points; i++) {
		const char *name = facet_name(pool, s, &s->point[i]);

		if (!f || strcmp(f->name, name)) {
			s->facet = pool_room(pool, s->facet, s->facets, sizeof(*s->facet));
			f = &s->facet[s->facets++];
			f->name = name;
		}
		f->point = pool_room(pool, f->point, f->points, sizeof(*f->point));
		f->point[f->points++] = i;
	}
}

void section_points(struct table *table, struct section *section)
{
	size_t a, n, most = 0;

	collect_points(table, section);
	for (a = 0; a < section->axes; a++)
		scale_axis(section, a);
	for (a = 0; a < section->axes; a++) {
		n = distinct_values(section, a);
		if (section->axis[a].numeric && n > most) {
			most = n;
			section->x = a;
		}
	}
	sort_points(section);
	split_facets(table->pool, section);
	scale_points(table, section);
}
