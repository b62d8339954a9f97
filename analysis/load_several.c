/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Several result directories as one result. Each keeps its own runs apart by "source", so that
 * cells of two campaigns are never taken for one another; only a label that the user gives to two
 * of them pools them.
 */
#include "analysis/load.h"
#include "lib/error.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Without the slashes that a shell's completion leaves. */
static const char *as_given(struct pool *pool, const char *dir)
{
	size_t n = strlen(dir);

	while (n > 1 && dir[n - 1] == '/')
		n--;
	return pool_text(pool, "%.*s", (int)n, dir);
}

static int add_source(struct result *r, const char *dir)
{
	struct source *s;
	char *path = realpath(dir, NULL);
	size_t i;

	if (!path)
		return error_set(-errno, "%s: %m", dir);
	r->source = pool_room(&r->pool, r->source, r->sources, sizeof(*r->source));
	s = &r->source[r->sources];
	*s = (struct source){ .dir = pool_copy(&r->pool, path), .given = as_given(&r->pool, dir) };
	free(path);
	s->shown = strrchr(s->dir, '/')[1] ? strrchr(s->dir, '/') + 1 : s->dir;
	for (i = 0; i < r->sources; i++)
		if (!strcmp(r->source[i].dir, s->dir))
			return error_usage("%s is given twice", s->given);
	r->sources++;
	return 0;
}

/* Two directories that are called alike are told apart as the user did it. */
static void tell_apart(struct result *r)
{
	size_t i, j;

	for (i = 0; i < r->sources; i++)
		for (j = 0; j < r->sources; j++)
			if (i != j &&
			    !strcmp(strrchr(r->source[i].dir, '/'), strrchr(r->source[j].dir, '/')))
				r->source[i].shown = r->source[i].given;
}

/* What stands behind "DIR" in "DIR=TEXT" or "DIR:GOVERNOR=TEXT"; NULL = it is another directory. */
static const char *behind(const char *text, const char *dir)
{
	size_t n = strlen(dir);

	if (strncmp(text, dir, n))
		return NULL;
	text += n;
	text += strspn(text, "/");
	return *text == '=' || *text == ':' ? text : NULL;
}

/* A label stands in column names and data files: no blanks or quotes. */
static const char *label_text(struct pool *pool, const char *text)
{
	char *copy = pool_copy(pool, text), *at;

	for (at = copy; *at; at++)
		if ((unsigned char)*at <= ' ' || strchr("'\"\177", *at))
			*at = '_';
	return copy;
}

static int add_label(struct result *r, const char *text)
{
	const char *rest = NULL, *name;
	char quoted[ERROR_QUOTE_SIZE];
	size_t i;

	for (i = 0; i < r->sources && !rest; i++) {
		rest = behind(text, r->source[i].given);
		rest = rest ? rest : behind(text, r->source[i].shown);
	}
	if (!rest)
		return error_usage(
			"--label: '%s' begins with none of the result directories, as in "
			"DIR=TEXT or DIR:GOVERNOR=TEXT",
			error_quote(text, quoted));
	name = strchr(rest, '=');
	if (!name || !name[1] || name == rest + 1)
		return error_usage("--label: '%s' is not DIR=TEXT or DIR:GOVERNOR=TEXT",
				   error_quote(text, quoted));
	if (name == rest) {
		r->source[i - 1].label = label_text(&r->pool, name + 1);
		return 0;
	}
	r->label = pool_room(&r->pool, r->label, r->labels, sizeof(*r->label));
	r->label[r->labels++] = (struct load_label){
		.text = text,
		.source = i - 1,
		.governor = pool_text(&r->pool, "%.*s", (int)(name - rest - 1), rest + 1),
		.name = label_text(&r->pool, name + 1),
	};
	return 0;
}

int load_sources(struct result *result, const struct load_request *request)
{
	size_t i;
	int err = 0;

	for (i = 0; !err && i < request->dirs; i++)
		err = add_source(result, request->dir[i]);
	if (err)
		return err;
	tell_apart(result);
	result->dir = result->source[0].dir;
	result->name = result->source[0].shown;
	for (i = 0; !err && i < request->labels; i++)
		err = add_label(result, request->label[i]);
	return err;
}

bool load_same_side(const struct result *result, size_t a, size_t b)
{
	const struct source *x, *y;

	if (a == b)
		return true;
	x = &result->source[a];
	y = &result->source[b];
	return x->label && y->label && !strcmp(x->label, y->label);
}

static int by_start(const void *left, const void *right)
{
	const struct loaded_run *a = *(struct loaded_run *const *)left;
	const struct loaded_run *b = *(struct loaded_run *const *)right;

	return (a->info.t0_ns > b->info.t0_ns) - (a->info.t0_ns < b->info.t0_ns);
}

static bool same_run(const struct result *r, const struct loaded_run *a, const struct loaded_run *b)
{
	return a->source != b->source && a->info.t0_ns == b->info.t0_ns &&
	       !strcmp(a->name, b->name) && !strcmp(r->boot[a->boot].name, r->boot[b->boot].name) &&
	       !strcmp(r->source[a->source].campaign.created,
		       r->source[b->source].campaign.created);
}

/* A copy of a result agrees with it in everything, and would make any noise look certain. */
static int refuse_copies(const struct result *r)
{
	struct pool scratch = { 0 };
	const struct loaded_run **run = pool_alloc(&scratch, r->runs + 1, sizeof(*run));
	size_t i, j, n = 0;
	int err = 0;

	for (i = 0; i < r->runs; i++)
		if (r->run[i].info.state == STORE_COMPLETE)
			run[n++] = &r->run[i];
	qsort(run, n, sizeof(*run), by_start);
	for (i = 0; !err && i < n; i++)
		for (j = i + 1; !err && j < n && run[j]->info.t0_ns == run[i]->info.t0_ns; j++)
			if (same_run(r, run[i], run[j]))
				err = error_usage("%s and %s hold one and the same run: %s",
						  r->source[run[i]->source].given,
						  r->source[run[j]->source].given, run[i]->name);
	pool_free(&scratch);
	return err;
}

/* The repeats of a source that is pooled with an earlier one go on counting behind it. */
static void shift_repeats(struct result *r)
{
	int *last = NULL, before;
	struct pool scratch = { 0 };
	size_t i, s, t;

	last = pool_alloc(&scratch, r->sources, sizeof(*last));
	for (i = 0; i < r->runs; i++)
		if (r->run[i].info.repeat > last[r->run[i].source])
			last[r->run[i].source] = r->run[i].info.repeat;
	for (s = 1; s < r->sources; s++) {
		before = 0;
		for (t = 0; t < s; t++)
			before += load_same_side(r, s, t) ? last[t] : 0;
		for (i = 0; i < r->runs; i++)
			if (r->run[i].source == s)
				r->run[i].info.repeat += before;
	}
	pool_free(&scratch);
}

/* "A/0003.two-cores.menu.r1": whose number 3 that is. */
static void name_sources(struct result *r)
{
	size_t i;

	for (i = 0; i < r->runs; i++)
		r->run[i].name = pool_text(&r->pool, "%s/%s", r->source[r->run[i].source].shown,
					   r->run[i].name);
	for (i = 0; i < r->brokens; i++)
		r->broken[i].name = pool_text(
			&r->pool, "%s/%s", r->source[r->broken[i].source].shown, r->broken[i].name);
	for (i = 0; i < r->gaps; i++)
		r->gap[i].reason = pool_text(&r->pool, "%s: %s", r->source[r->gap[i].source].shown,
					     r->gap[i].reason);
}

/* @list with the words of @more that it does not have, joined by commas. */
static char *join(struct pool *pool, char *list, const char *more)
{
	char *rest = pool_copy(pool, more), *word;

	while ((word = strsep(&rest, ","))) {
		size_t n = strlen(word);
		const char *at = list;

		while ((at = strstr(at, word)) &&
		       !((at == list || at[-1] == ',') && (!at[n] || at[n] == ',')))
			at++;
		if (*word && !at)
			list = pool_text(pool, "%s%s%s", list, *list ? "," : "", word);
	}
	return list;
}

int load_merge(struct result *result)
{
	struct store_campaign *c = &result->campaign;
	size_t i;
	int err;

	*c = result->source[0].campaign;
	if (result->sources == 1)
		return 0;
	err = refuse_copies(result);
	if (err)
		return err;
	shift_repeats(result);
	name_sources(result);
	for (i = 1; i < result->sources; i++) {
		const struct store_campaign *other = &result->source[i].campaign;

		c->suite = join(&result->pool, c->suite, other->suite);
		c->governors = join(&result->pool, c->governors, other->governors);
		c->cells += other->cells;
	}
	return 0;
}
