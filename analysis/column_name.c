/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of columns: as little as tells them apart. "teo"; "teo@6.18" where kernels differ;
 * "i5-8250U/teo" where machines do; "A/teo" where another directory has the same kernel and
 * machine; a label of the user goes before all that.
 */
#include "analysis/section.h"
#include "lib/error.h"
#include <ctype.h>
#include <string.h>

struct varying {
	bool cpufreq, machine;
};

/* Words of a processor's name that do not tell it from another. */
static bool is_noise(const char *word, size_t n)
{
	static const char *const noise[] = { "Intel", "AMD",	"Core",	    "CPU", "Processor",
					     "with",  "Radeon", "Graphics", "@" };
	size_t i;

	for (i = 0; i < sizeof(noise) / sizeof(noise[0]); i++)
		if (strlen(noise[i]) == n && !strncmp(word, noise[i], n))
			return true;
	if (n > 3 && isdigit((unsigned char)*word) && !strncmp(word + n - 3, "GHz", 3))
		return true;
	return n > 5 && isdigit((unsigned char)*word) && !strncmp(word + n - 5, "-Core", 5);
}

const char *section_short_machine(struct pool *pool, const char *machine)
{
	char *text = pool_copy(pool, machine), *rest = text, *word, *mark;
	const char *name = "";

	for (mark = text; (mark = strchr(mark, '('));)
		if (!strncmp(mark, "(R)", 3) || !strncmp(mark, "(TM)", 4))
			memset(mark, ' ', mark[1] == 'R' ? 3 : 4);
		else
			mark++;
	while ((word = strsep(&rest, " \t")))
		if (*word && !is_noise(word, strlen(word)))
			name = pool_text(pool, "%s%s%s", name, *name ? "_" : "", word);
	return *name ? name : *machine ? machine : "unknown_machine";
}

static struct varying what_varies(const struct table *t)
{
	const struct column *first = t->column;
	struct varying v = { 0 };
	size_t i;

	for (i = 1; i < t->columns; i++) {
		const struct column *c = &t->column[i];

		v.cpufreq |= strcmp(first->cpufreq, c->cpufreq) != 0;
		v.machine |= strcmp(first->machine, c->machine) != 0;
	}
	return v;
}

/* Is there a column of another kernel: on the same machine, or (@within) of the same result? */
static bool has_other_kernel(const struct table *t, const struct column *c, bool within)
{
	size_t i;

	for (i = 0; i < t->columns; i++) {
		const struct column *other = &t->column[i];

		if (strcmp(other->kernel, c->kernel) && !strcmp(other->machine, c->machine) &&
		    (!within || load_same_side(t->result, other->source, c->source)))
			return true;
	}
	return false;
}

/* Another result of the same kernel on the same machine: only the directory tells them apart. */
static bool needs_directory(const struct table *t, const struct column *c)
{
	size_t i;

	for (i = 0; i < t->columns; i++) {
		const struct column *other = &t->column[i];

		if (!load_same_side(t->result, other->source, c->source) &&
		    !strcmp(other->kernel, c->kernel) && !strcmp(other->machine, c->machine))
			return true;
	}
	return false;
}

/* No other column than this one is of its label. */
static bool alone_in_label(const struct table *t, const struct column *c)
{
	size_t i;

	for (i = 0; i < t->columns; i++)
		if (&t->column[i] != c && load_same_side(t->result, t->column[i].source, c->source))
			return false;
	return true;
}

static const char *label_of(const struct table *t, const struct column *c)
{
	const struct result *r = t->result;
	size_t i;

	for (i = 0; i < r->labels; i++)
		if (load_same_side(r, r->label[i].source, c->source) &&
		    !strcmp(r->label[i].governor, c->label))
			return r->label[i].name;
	return NULL;
}

/* A word of the user's, or the directory's; NULL = neither is needed. */
static const char *result_name(const struct table *t, const struct column *c)
{
	const struct source *s = t->result->sources ? &t->result->source[c->source] : NULL;

	if (s && s->label)
		return s->label;
	return s && needs_directory(t, c) ? s->shown : NULL;
}

static const char *machine_name(const struct table *t, const struct column *c,
				const struct varying *v)
{
	return v->machine ? section_short_machine(t->pool, c->machine) : "";
}

static const char *name_of(const struct table *t, const struct column *c, const struct varying *v)
{
	const char *given = label_of(t, c), *result = result_name(t, c);
	const char *before = result ? result : machine_name(t, c, v);
	bool labelled = t->result->sources && t->result->source[c->source].label;
	bool kernel = has_other_kernel(t, c, result != NULL);
	char *name, *at;

	if (given)
		name = pool_copy(t->pool, given);
	else if (labelled && alone_in_label(t, c))
		name = pool_copy(t->pool, before);
	else
		name = pool_text(t->pool, "%s%s%s%s%s%s%s", before, *before ? "/" : "", c->label,
				 v->cpufreq ? "/" : "", v->cpufreq ? c->cpufreq : "",
				 kernel ? "@" : "", kernel ? c->kernel : "");
	for (at = name; *at; at++)
		if (strchr(" \t'\"", *at))
			*at = '_';
	return name;
}

static void name_all(struct table *t, const struct varying *v)
{
	size_t i;

	for (i = 0; i < t->columns; i++)
		t->column[i].name = name_of(t, &t->column[i], v);
}

/* A column with the same name as another one; NULL = all differ. */
static const struct column *find_twin(const struct table *t)
{
	size_t i, j;

	for (i = 0; i < t->columns; i++)
		for (j = 0; j < i; j++)
			if (!strcmp(t->column[i].name, t->column[j].name))
				return &t->column[i];
	return NULL;
}

/* Machines within one label, or machines whose short names are the same. */
static void name_in_full(struct table *t)
{
	size_t i;

	for (i = 0; i < t->columns; i++) {
		struct column *c = &t->column[i];
		char *at, *name = pool_text(t->pool, "%s@%s@%s", c->name, c->kernel, c->machine);

		for (at = name; *at; at++)
			if (strchr(" \t'\"", *at))
				*at = '_';
		c->name = name;
	}
}

static int check_labels(const struct table *t)
{
	const struct result *r = t->result;
	size_t i, j;

	for (i = 0; i < r->labels; i++) {
		for (j = 0; j < t->columns && label_of(t, &t->column[j]) != r->label[i].name; j++)
			;
		if (j == t->columns)
			return error_usage("--label %s: %s has no governor '%s'", r->label[i].text,
					   r->source[r->label[i].source].given,
					   r->label[i].governor);
	}
	return 0;
}

int section_name_columns(struct table *table)
{
	const struct varying v = what_varies(table);
	const struct column *twin;

	name_all(table, &v);
	/* A label is the user's word; that it stands for two is for the user to mend. */
	if (find_twin(table) && !table->result->labels)
		name_in_full(table);
	twin = find_twin(table);
	if (twin)
		return error_usage("two columns would be called '%s': give one another --label",
				   twin->name);
	return check_labels(table);
}
