/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which figures a report has, and where their files are. */
#include "analysis/figure.h"
#include "analysis/describe.h"
#include "analysis/output.h"
#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <string.h>

const struct figure_kind figure_table[] = {
#define FIGURE(id, title, shape, ...) { id, title, shape, __VA_ARGS__ },
#include "analysis/figures.def"
#undef FIGURE
	{ NULL, NULL, FIGURE_VALUES, { 0 } }
};

#define SHORT_POINTS_MIN 6 /* points below which a sweep has no short end of its own */
#define SHORT_RATIO 8 /* ... and times that its whole must be longer */

void figure_print_table(FILE *out)
{
	const struct figure_kind *k;

	for (k = figure_table; k->id; k++)
		fprintf(out, "%s\t%s\n", k->id, k->title);
}

bool figure_is_sweep(const struct figure *figure)
{
	return figure->facet->points > 1;
}

const struct measure *figure_measure(const struct section *section, const struct figure_kind *kind)
{
	if (*kind->source.measure)
		return section_measure(section, kind->source.measure);
	return section->metrics ? &section->measure[0] : NULL;
}

enum cpu_set figure_set(const struct table *table, const struct figure *figure)
{
	return figure->kind->source.all_cpus ? SET_ALL : describe_set(table, figure->section);
}

static bool has_state(const struct table *t, const struct figure *f, size_t state)
{
	const struct measure *m =
		section_idle_measure(f->section, figure_set(t, f), f->kind->source.quantity, state);
	size_t i, c;

	for (i = 0; m && i < f->facet->points; i++)
		for (c = 0; c < t->columns; c++)
			if (section_cell(t, m, f->facet->point[i], c)->n)
				return true;
	return false;
}

size_t figure_states(const struct table *table, const struct figure *figure, size_t **ret)
{
	size_t *state = pool_alloc(table->pool, table->result->states + 1, sizeof(*state));
	size_t i, n = 0;

	for (i = 0; i < table->result->states; i++)
		if (has_state(table, figure, i))
			state[n++] = i;
	*ret = state;
	return n;
}

size_t figure_points(const struct figure *figure)
{
	const struct facet *f = figure->facet;

	return figure->kind->source.short_end ? (f->points + 1) / 2 : f->points;
}

static const char *unfit_short(const struct figure *f)
{
	const struct section *s = f->section;
	size_t last = f->facet->points - 1, half = figure_points(f) - 1;

	if (!figure_is_sweep(f) || !s->axis[s->x].numeric)
		return "the section has no numeric axis";
	if (f->facet->points < SHORT_POINTS_MIN ||
	    s->point[f->facet->point[last]].at[s->x] <
		    SHORT_RATIO * s->point[f->facet->point[half]].at[s->x])
		return "the overview shows the short end well enough";
	return NULL;
}

static bool facet_has_values(const struct table *t, const struct figure *f, const struct measure *m)
{
	size_t i, c;

	for (i = 0; i < f->facet->points; i++)
		for (c = 0; c < t->columns; c++)
			if (section_cell(t, m, f->facet->point[i], c)->n)
				return true;
	return false;
}

static bool facet_has_difference(const struct table *t, const struct figure *f,
				 const struct measure *m)
{
	size_t i, c;

	for (i = 0; i < f->facet->points; i++)
		for (c = 0; c < t->columns; c++)
			if (section_cell(t, m, f->facet->point[i], c)->difference.known)
				return true;
	return false;
}

static const char *unfit_values(const struct table *t, const struct figure *f)
{
	const struct measure *m = figure_measure(f->section, f->kind);
	bool power = !strcmp(f->kind->source.measure, "package_w");
	const char *no_power = load_no_power(t->result);

	if (!m || !facet_has_values(t, f, m)) {
		if (power)
			return no_power ? no_power : "no energy readings in this section";
		return "no complete run";
	}
	if (f->kind->source.short_end)
		return unfit_short(f);
	if (f->kind->shape == FIGURE_DIFFERENCE && !facet_has_difference(t, f, m))
		return "nothing to compare: fewer than two governors, or no reference";
	return NULL;
}

static const char *unfit(const struct table *t, const struct figure *f)
{
	size_t *state;

	if (f->kind->shape != FIGURE_STATES)
		return unfit_values(t, f);
	if (!t->result->states)
		return "no idle states on this machine";
	if (f->kind->source.quantity == IDLE_RESIDENCY && !f->kind->source.all_cpus &&
	    figure_set(t, f) == SET_ALL)
		return "the workload has no CPUs of its own";
	if (figure_states(t, f, &state))
		return NULL;
	return "no readings of the idle states";
}

static const char *file_name(const struct table *t, const struct figure *f)
{
	char *name, *at;

	name = pool_text(t->pool, "%s-%s%s%s", f->kind->id, f->section->name,
			 *f->facet->name ? "-" : "", f->facet->name);
	for (at = name; *at; at++)
		if (!isalnum((unsigned char)*at) && !strchr("._=-", *at))
			*at = '_';
	return name;
}

static const char *title(const struct table *t, const struct figure *f)
{
	const struct measure *m = NULL;
	const char *what = f->kind->title;

	if (f->kind->shape != FIGURE_STATES)
		m = figure_measure(f->section, f->kind);
	if (m && !*f->kind->source.measure)
		what = pool_text(t->pool, "%s%s%s", m->name,
				 f->kind->shape == FIGURE_DIFFERENCE ? " against the reference"
								     : "",
				 f->kind->source.short_end ? ", short end" : "");
	return pool_text(t->pool, "%s, %s%s%s: %s", t->result->campaign.suite, f->section->name,
			 *f->facet->name ? ", " : "", f->facet->name, what);
}

static void set_size(const struct table *t, struct figure *f)
{
	size_t *state, n;

	f->width = 900;
	f->height = 560;
	if (f->kind->shape != FIGURE_STATES)
		return;
	n = figure_states(t, f, &state);
	f->height = n <= 1 ? 560 : 190 + 250 * (int)((n + 1) / 2);
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
			 figure_write_data);
	return err ? err
		   : write_file(t, f, pool_text(t->pool, "%s/plots/%s.gp", dir, f->name),
				figure_write_script);
}

static int add_figure(const struct table *t, struct figure f, const char *dir,
		      struct figure_list *list)
{
	f.name = file_name(t, &f);
	f.title = title(t, &f);
	f.unfit = unfit(t, &f);
	set_size(t, &f);
	list->figure = pool_room(t->pool, list->figure, list->n, sizeof(*list->figure));
	list->figure[list->n++] = f;
	return f.unfit ? 0 : write_files(t, &f, dir);
}

int figure_write_all(const struct table *table, const char *dir, struct figure_list *ret)
{
	struct figure_list list = { 0 };
	const struct figure_kind *k;
	size_t i, j;
	int err = 0;

	for (i = 0; i < table->sections; i++) {
		const struct section *s = &table->section[i];

		for (j = 0; j < s->facets; j++)
			for (k = figure_table; !err && k->id; k++)
				err = add_figure(table,
						 (struct figure){ .kind = k,
								  .section = s,
								  .facet = &s->facet[j] },
						 dir, &list);
	}
	*ret = list;
	return err;
}
