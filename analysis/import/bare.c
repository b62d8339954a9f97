/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values without any path, from a "cat" of all files of all states of all CPUs. The shell sorts
 * names, so a state is one value a file in alphabetical order; how many there are depends on the
 * kernel (P-26). CPUs come in the order of their names: 0, 1, 10, 11, 2.
 */
#include "analysis/import/lines.h"
#include "lib/error.h"
#include <stdlib.h>
#include <string.h>

#define VALUES_MAX 12

/* The newest kernel first. "disable" came before above and below did. */
static const struct layout {
	const char *file[VALUES_MAX + 1];
	size_t values;
} layouts[] = {
	{ { "above", "below", "default_status", "desc", "disable", "latency", "name", "power",
	    "rejected", "residency", "time", "usage" },
	  12 },
	{ { "above", "below", "default_status", "desc", "disable", "latency", "name", "power",
	    "residency", "time", "usage" },
	  11 },
	{ { "above", "below", "desc", "disable", "latency", "name", "power", "residency", "time",
	    "usage" },
	  10 },
	{ { "desc", "disable", "latency", "name", "power", "residency", "time", "usage" }, 8 },
};
#define LAYOUTS (sizeof(layouts) / sizeof(layouts[0]))

static bool fits_file(const char *file, const char *value)
{
	uint64_t number;

	if (!strcmp(file, "default_status"))
		return !strcmp(value, "enabled") || !strcmp(value, "disabled");
	if (!strcmp(file, "name"))
		return *value && strlen(value) <= 31 && !lines_u64(value, &number);
	return !strcmp(file, "desc") || lines_u64(value, &number);
}

static bool fits(const struct layout *l, char *const *value)
{
	for (size_t i = 0; i < l->values; i++)
		if (!fits_file(l->file[i], value[i]))
			return false;
	return true;
}

static const struct layout *layout_of(char *const *value, size_t n)
{
	for (size_t i = 0; i < LAYOUTS; i++)
		if (n >= layouts[i].values && fits(&layouts[i], value))
			return &layouts[i];
	return NULL;
}

/* The layout of a dump that begins with @text, which is cut into lines. */
static const struct layout *layout_of_text(char *text)
{
	char *value[VALUES_MAX], *newline;
	size_t n = 0;

	while (n < VALUES_MAX && (newline = strchr(text, '\n'))) {
		value[n++] = text;
		text[strcspn(text, "\r\n")] = '\0';
		text = newline + 1;
	}
	return layout_of(value, n);
}

bool import_bare_detect(const struct import_head *head)
{
	char text[4096];

	snprintf(text, sizeof(text), "%.*s", (int)sizeof(text) - 1, head->text);
	return !head->folder && layout_of_text(text);
}

static int by_name(const void *a, const void *b)
{
	char x[16], y[16];

	snprintf(x, sizeof(x), "%d", *(const int *)a);
	snprintf(y, sizeof(y), "%d", *(const int *)b);
	return strcmp(x, y);
}

/* From places in the dump to CPU numbers. */
static void number_cpus(struct import_source *s)
{
	int cpus = s->reading[s->readings - 1].cpu + 1;
	int *order = pool_alloc(s->pool, (size_t)cpus + 1, sizeof(*order));

	for (int i = 0; i < cpus; i++)
		order[i] = i;
	qsort(order, (size_t)cpus, sizeof(*order), by_name);
	for (size_t i = 0; i < s->readings; i++)
		s->reading[i].cpu = order[s->reading[i].cpu];
	import_doubt(s,
		     "the dump has no CPU numbers: 0 to %d were given in the order of their names",
		     cpus - 1);
}

struct walk {
	const struct layout *layout;
	char *value[VALUES_MAX]; /* of the state that is being read */
	size_t n, line; /* line of the first of them */
	size_t before; /* the same of the state before it; 0 = none */
	char *name, *latency; /* of the first state: where it comes again another CPU begins */
	int cpu, state;
};

static const char *value_of(const struct walk *w, const char *file)
{
	size_t i;

	for (i = 0; strcmp(w->layout->file[i], file); i++)
		;
	return w->value[i];
}

/* Which CPU and state of it the values belong to. */
static void place(struct import_source *s, struct walk *w)
{
	const char *name = value_of(w, "name"), *latency = value_of(w, "latency");

	if (!w->name) {
		w->name = pool_copy(s->pool, name);
		w->latency = pool_copy(s->pool, latency);
	} else if (!strcmp(w->name, name) && !strcmp(w->latency, latency)) {
		w->cpu++;
		w->state = 0;
	} else {
		w->state++;
	}
}

static bool put_values(struct import_source *s, struct walk *w)
{
	place(s, w);
	for (size_t i = 0; i < w->n; i++)
		if (!import_put(s, w->line + i, w->cpu, w->state, w->layout->file[i],
				w->value[i])) {
			import_fault(s, w->line, "more than %u states: the rest is left out",
				     IMPORT_READINGS_MAX);
			return false;
		}
	w->before = w->line;
	return true;
}

/*
 * False: nothing behind these values can be told apart any more. Where lines are missing in a state
 * it is the next one that shows it, so the one before goes as well.
 */
static bool end_state(struct import_source *s, struct walk *w)
{
	bool good = fits(w->layout, w->value);

	if (good) {
		good = put_values(s, w);
	} else {
		import_fault(s, w->before ? w->before : w->line,
			     "not the values of a state in alphabetical order of its files: left "
			     "out from here on");
		s->readings -= w->before > 0;
	}
	while (w->n)
		free(w->value[--w->n]);
	return good;
}

static void read_states(struct import_source *s, struct lines *lines, struct walk *w)
{
	while (lines_next(lines)) {
		if (lines->fault) {
			import_fault(s, lines->number, "%s: left out from here on", lines->fault);
			break;
		}
		if (!w->n)
			w->line = lines->number;
		w->value[w->n] = strdup(lines->text);
		if (!w->value[w->n++])
			abort();
		if (w->n == w->layout->values && !end_state(s, w))
			break;
	}
	if (w->n)
		import_fault(s, w->line, "only %zu of a state's %zu values: left out", w->n,
			     w->layout->values);
	while (w->n)
		free(w->value[--w->n]);
}

static const struct layout *layout_of_file(struct lines *lines)
{
	char text[4096];
	size_t size = fread(text, 1, sizeof(text) - 1, lines->file);

	rewind(lines->file);
	text[size] = '\0';
	return layout_of_text(text);
}

int import_bare_parse(struct import_source *source)
{
	struct walk walk = { 0 };
	struct lines lines;
	int err = lines_open(source->path, &lines);

	if (err)
		return err;
	walk.layout = layout_of_file(&lines);
	if (walk.layout)
		read_states(source, &lines, &walk);
	lines_close(&lines);
	if (source->readings)
		number_cpus(source);
	import_check(source);
	return 0;
}
