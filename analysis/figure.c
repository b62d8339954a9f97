/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which figures a report has, and where their files are. What they show: figure_SHAPE.c. */
#include "analysis/figure.h"
#include "analysis/output.h"
#include <ctype.h>
#include <string.h>

const struct figure_kind figure_table[] = {
#define FIGURE(id, heading, title, shape, scope, ...)                                              \
	{ id, heading, title, shape, scope, __VA_ARGS__ },
#include "analysis/figures.def"
#undef FIGURE
	{ NULL, NULL, NULL, FIGURE_VALUES, FIGURE_OF_FACET, { 0 } }
};

static const struct figure_drawing *const drawing[FIGURE_SHAPES] = {
	[FIGURE_VALUES] = &figure_values,
	[FIGURE_DIFFERENCE] = &figure_difference,
	[FIGURE_STATES] = &figure_states_drawing,
	[FIGURE_EFFECTS] = &figure_effects,
	[FIGURE_DETAIL] = &figure_detail,
	[FIGURE_SHARES] = &figure_shares,
	[FIGURE_PAIR] = &figure_pair,
	[FIGURE_LATENCY] = &figure_latency,
	[FIGURE_TIME] = &figure_time,
	[FIGURE_RAMP] = &figure_ramp,
};

const struct figure_drawing *figure_drawing_of(const struct figure *figure)
{
	return drawing[figure->kind->shape];
}

void figure_print_table(FILE *out)
{
	const struct figure_kind *k;

	for (k = figure_table; k->id; k++)
		fprintf(out, "%s\t%s\n", k->id, k->title);
}

static const char *file_name(const struct table *t, const struct figure *f)
{
	char *name, *at;

	if (!f->section)
		return f->kind->id;
	name = pool_text(t->pool, "%s-%s%s%s", f->kind->id, f->section->name,
			 *f->facet->name ? "-" : "", f->facet->name);
	for (at = name; *at; at++)
		if (!isalnum((unsigned char)*at) && !strchr("._=-", *at))
			*at = '_';
	return name;
}

static const char *title(const struct table *t, const struct figure *f)
{
	const char *what = f->unfit ? f->kind->title : figure_drawing_of(f)->what(t, f);

	if (!f->section)
		return what;
	return pool_text(t->pool, "%s%s%s: %s; %s", f->section->name, *f->facet->name ? ", " : "",
			 f->facet->name, what, f->section->workload);
}

typedef void writer(const struct table *table, const struct figure *figure, FILE *out);

static int write_file(const struct table *t, const struct figure *f, const char *path,
		      writer *write)
{
	struct output out;

	output_open(&out);
	write(t, f, out.stream);
	return output_write(&out, path);
}

static int write_files(const struct table *t, const struct figure *f, const char *dir)
{
	int err;

	err = write_file(t, f, pool_text(t->pool, "%s/data/%s.tsv", dir, f->name),
			 figure_drawing_of(f)->data);
	return err ? err
		   : write_file(t, f, pool_text(t->pool, "%s/plots/%s.gp", dir, f->name),
				figure_write_script);
}

static int add_figure(const struct table *t, struct figure f, const char *dir,
		      struct figure_list *list)
{
	f.name = file_name(t, &f);
	f.unfit = figure_drawing_of(&f)->unfit(t, &f);
	f.title = title(t, &f);
	f.width = FIGURE_WIDTH;
	f.height = f.unfit ? 0 : figure_drawing_of(&f)->height(t, &f);
	list->figure = pool_room(t->pool, list->figure, list->n, sizeof(*list->figure));
	list->figure[list->n++] = f;
	return f.unfit ? 0 : write_files(t, &f, dir);
}

/* Figures of each facet, or point, of a section; one with a reason where there are too many. */
static int add_parts(const struct table *t, const struct figure_kind *k, const struct section *s,
		     const char *dir, struct figure_list *list)
{
	bool points = k->scope == FIGURE_OF_POINT && s->points <= FIGURE_POINTS_MAX;
	size_t n = points ? s->points : s->facets, i;
	int err = 0;

	for (i = 0; !err && i < n; i++) {
		struct facet *facet = &s->facet[i];

		if (points) {
			facet = pool_alloc(t->pool, 1, sizeof(*facet));
			facet->name = s->point[i].name;
			facet->point = pool_alloc(t->pool, 1, sizeof(*facet->point));
			facet->point[0] = i;
			facet->points = 1;
		}
		err = add_figure(t, (struct figure){ .kind = k, .section = s, .facet = facet }, dir,
				 list);
		if (k->scope == FIGURE_OF_POINT && !points)
			break;
	}
	return err;
}

static int add_section(const struct table *t, const struct section *s, const char *dir,
		       struct figure_list *list)
{
	struct facet *all = pool_alloc(t->pool, 1, sizeof(*all));
	const struct figure_kind *k;
	int err = 0;
	size_t i;

	all->name = "";
	all->points = s->points;
	all->point = pool_alloc(t->pool, s->points + 1, sizeof(*all->point));
	for (i = 0; i < s->points; i++)
		all->point[i] = i;
	for (k = figure_table; !err && k->id; k++) {
		if (k->scope == FIGURE_OF_SECTION)
			err = add_figure(t,
					 (struct figure){ .kind = k, .section = s, .facet = all },
					 dir, list);
		else if (k->scope != FIGURE_OF_REPORT)
			err = add_parts(t, k, s, dir, list);
	}
	return err;
}

int figure_write_all(const struct table *table, const char *dir, struct figure_list *ret)
{
	struct figure_list list = { 0 };
	const struct figure_kind *k;
	size_t i;
	int err = 0;

	for (k = figure_table; !err && k->id; k++)
		if (k->scope == FIGURE_OF_REPORT)
			err = add_figure(table, (struct figure){ .kind = k }, dir, &list);
	for (i = 0; !err && i < table->sections; i++)
		err = add_section(table, &table->section[i], dir, &list);
	*ret = list;
	return err;
}
