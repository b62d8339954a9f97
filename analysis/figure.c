/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which figures a report has, and where their files are. What they show: figure_SHAPE.c. */
#include "analysis/figure.h"
#include "analysis/describe.h"
#include "analysis/output.h"
#include <ctype.h>
#include <string.h>

#define HEADLINE "headline"
#define NAME_LENGTH 160 /* bytes of a figure's file name, of the 255 that a file may have */

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

static bool is_taken(const struct figure_list *list, const char *name)
{
	size_t i;

	for (i = 0; i < list->n; i++)
		if (!strcmp(list->figure[i].name, name))
			return true;
	return false;
}

/* The id; of the headline's figures the metric's name stands for "headline". */
static const char *stem(const struct table *t, const struct figure *f)
{
	const struct measure *m = figure_measure(f->section, "");
	size_t n = strlen(HEADLINE);

	if (!m || strncmp(f->kind->id, HEADLINE, n))
		return f->kind->id;
	return pool_text(t->pool, "%s%s", m->name, f->kind->id + n);
}

/* Of bytes that neither a shell nor a page's link takes for something else, and each once: "a b"
 * and "a/b" would be one file, and so would names that are too long for one. */
static const char *file_name(const struct table *t, const struct figure *f,
			     const struct figure_list *list)
{
	const char *name;
	char *base, *at;
	size_t n;

	if (!f->section)
		return f->kind->id;
	base = pool_text(t->pool, "%s-%s%s%s", stem(t, f), f->section->name,
			 *f->facet->name ? "-" : "", f->facet->name);
	for (at = base; *at; at++)
		if (!isalnum((unsigned char)*at) && !strchr("._=-", *at))
			*at = '_';
	if (strlen(base) > NAME_LENGTH)
		base[NAME_LENGTH] = '\0';
	name = base;
	for (n = 2; is_taken(list, name); n++)
		name = pool_text(t->pool, "%s~%zu", base, n);
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

/* The data first: only they show that there is nothing in them to draw. */
static int write_files(const struct table *t, struct figure *f, const char *dir)
{
	struct output data, script;
	int err;

	output_open(&data);
	if (!figure_drawing_of(f)->data(t, f, data.stream)) {
		output_drop(&data);
		f->unfit = "no value that could be drawn";
		return 0;
	}
	err = output_write_table(&data, describe_flags(t),
				 pool_text(t->pool, "%s/data/%s.tsv", dir, f->name));
	if (err)
		return err;
	output_open(&script);
	figure_write_script(t, f, script.stream);
	return output_write(&script, pool_text(t->pool, "%s/plots/%s.gp", dir, f->name));
}

static int add_figure(const struct table *t, struct figure f, const char *dir,
		      struct figure_list *list)
{
	int err = 0;

	f.name = file_name(t, &f, list);
	f.unfit = figure_drawing_of(&f)->unfit(t, &f);
	f.title = title(t, &f);
	f.width = FIGURE_WIDTH;
	if (!f.unfit) {
		f.height = figure_drawing_of(&f)->height(t, &f) + figure_key(t, &f).more_px;
		err = write_files(t, &f, dir);
	}
	list->figure = pool_room(t->pool, list->figure, list->n, sizeof(*list->figure));
	list->figure[list->n++] = f;
	return err;
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
