/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Room for names: the key below a figure, and texts that are longer than their place. gnuplot
 * breaks a key into rows by what fits, and lets more than one row stand on the axis above; so the
 * rows are counted here, with the widths that its SVG terminal takes a character for.
 */
#include "analysis/describe.h"
#include "analysis/figure.h"
#include "analysis/text.h"

#define CHAR_PX 10.4 /* gnuplot's idea of a character of its key, which is wide */
#define SAMPLE_CHARS 6 /* the line and the gap beside each name */
#define INSIDE_PX                                                                                  \
	740 /* of the figure's width: that of the narrowest plot with a key of its own             \
	     */
#define BELOW_PX 880 /* of a key that stands below panels */
#define ROW_PX 20

/* Behind the first @chars characters. */
static const char *skip(const char *text, size_t chars)
{
	while (chars-- && *text)
		do
			text++;
		while (((unsigned char)*text & 0xc0) == 0x80);
	return text;
}

const char *figure_fit(struct pool *pool, const char *text, size_t chars)
{
	size_t n = (size_t)text_width(text), head = (chars - 3) / 2;

	if (n <= chars)
		return text;
	return pool_text(pool, "%.*s...%s", (int)(skip(text, head) - text), text,
			 skip(text, n - (chars - 3 - head)));
}

/* Governors in rows have their names beside them and no key. */
static bool has_key(const struct figure *f)
{
	enum figure_shape shape = f->kind->shape;

	return !f->section || figure_is_sweep(f) ||
	       (shape != FIGURE_VALUES && shape != FIGURE_DIFFERENCE && shape != FIGURE_STATES);
}

/* How many names the key has, and the characters of the longest. */
static size_t entries(const struct table *t, const struct figure *f, size_t *ret_longest)
{
	size_t *list, n, i, longest = 0;
	bool states = f->kind->shape == FIGURE_SHARES;

	n = states ? figure_states(t, f, &list) : figure_columns(t, f, &list);
	for (i = 0; i < n; i++) {
		const char *name = states ? describe_state(t, list[i]) : t->column[list[i]].name;
		size_t chars = (size_t)text_width(name);

		chars = chars < FIGURE_LABEL_MAX ? chars : FIGURE_LABEL_MAX;
		longest = chars > longest ? chars : longest;
	}
	*ret_longest = longest;
	return n + states; /* "not idle" */
}

/* A key is as wide as the plot that it belongs to: that of panels is an empty one. */
static int width(const struct figure *f)
{
	enum figure_shape shape = f->kind->shape;

	return shape == FIGURE_VALUES || shape == FIGURE_DIFFERENCE || shape == FIGURE_PAIR ||
			       (shape == FIGURE_SHARES && !figure_is_sweep(f))
		       ? INSIDE_PX
		       : BELOW_PX;
}

struct figure_key figure_key(const struct table *table, const struct figure *figure)
{
	size_t longest, n = has_key(figure) ? entries(table, figure, &longest) : 0;
	int columns;

	if (!n)
		return (struct figure_key){ 1, 0 };
	columns = (int)(width(figure) / (CHAR_PX * (double)(longest + SAMPLE_CHARS)));
	columns = columns > 1 ? columns : 1;
	return (struct figure_key){ columns, ROW_PX * (((int)n - 1) / columns) };
}
